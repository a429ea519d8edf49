package access

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
	"github.com/tilewright/tilewright/target/engine/emu/tma"
)

var asyncOps = map[string]decode.Func{"cp": decodeCopy}

// All opcodes that begin with cp are one function of the parser's table, since the table goes by the first
// word:
//
//	cp.async.ca / cp.async.cg                        decodeCopyStart, here
//	cp.async.commit_group / wait_group / wait_all    groups of a thread, here
//	cp.async.mbarrier.arrive                         decodeCopyArrive, here
//	cp.async.bulk, cp.reduce.async.bulk              package tma
//	cp.async.bulk.tensor                             package tma
func decodeCopy(d *decode.Decoder) {
	reduce := d.Opt("reduce")
	if !d.Opt("async") {
		d.Fail("'cp' other than 'cp.async' is not supported")
	}
	if d.Opt("bulk") {
		if d.Opt("tensor") {
			tma.DecodeTensor(d, reduce)
		} else {
			tma.DecodeBulk(d, reduce)
		}
		return
	}
	if d.Opt("mbarrier") {
		d.Opt("arrive")
		decodeCopyArrive(d)
		return
	}
	switch d.OneOf("commit_group", "wait_group", "wait_all") {
	case "commit_group":
		d.Args(0)
		d.Counts(machine.CopyCommits)
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			for m != 0 {
				w.CommitCopies(machine.Next(&m))
			}
		}
		return
	case "wait_group":
		n := d.Groups()
		d.Counts(machine.CopyWaits)
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			w.CountCopies(m, n, false)
			w.WaitOf(machine.Copies, m, n, false, false)
			for m != 0 {
				w.WaitCopies(machine.Next(&m), n)
			}
		}
		return
	case "wait_all":
		d.Args(0)
		d.Counts(machine.CopyWaits)
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			w.CountCopies(m, 0, true)
			w.WaitOf(machine.Copies, m, 0, true, false)
			for m != 0 {
				w.CompleteCopies(machine.Next(&m))
			}
		}
		return
	}
	decodeCopyStart(d)
}

// decodeCopyStart decodes cp.async.ca and cp.async.cg.
//
// A copy is not done here but queued with the thread (StartCopy). It takes effect when a wait asks for it or, in
// adversarial mode, at any time before. So a program that reads too early sees old bytes in one of the runs.
//
// An src-size greater than cp-size is undefined ("cp.async"), so it faults. The rest of the destination is zeros,
// whatever the source has.
func decodeCopyStart(d *decode.Decoder) {
	if d.OneOf("ca", "cg") == "" {
		d.Fail("'cp.async' needs .ca or .cg")
	}
	if d.OneOf("shared", "shared::cta") == "" || !d.Opt("global") {
		d.Fail("'cp.async' copies from .global to .shared")
	}
	hint := d.Opt("L2::cache_hint")
	d.Prefixed("L2::")
	args := d.Argc(3, 5)
	to, from := d.Addr(args[0]), d.Addr(args[1])
	if args[2].Kind != syntax.OpInt || args[2].Bits != 4 && args[2].Bits != 8 && args[2].Bits != 16 {
		d.FailAt(args[2], "the size of 'cp.async' must be 4, 8 or 16")
	}
	size := uint8(args[2].Bits)
	rest := args[3:]
	if hint {
		if len(rest) == 0 {
			d.Fail("'.L2::cache_hint' needs a cache policy")
		}
		d.Src(rest[len(rest)-1], syntax.B64)
		rest = rest[:len(rest)-1]
	}
	valid := d.Const(uint64(size))
	// The ignore-src predicate makes the entire source zeros, like a source size of zero.
	ignore := machine.PredSrc{Slot: machine.PredTrue, Not: true}
	switch {
	case len(rest) == 0:
	case len(rest) == 1 && rest[0].Kind == syntax.OpReg && rest[0].Sym.Type == syntax.Pred:
		ignore = d.PredSrc(rest[0])
	case len(rest) == 1:
		valid = d.Src(rest[0], syntax.U32)
	default:
		d.Fail("'cp.async' has too many operands")
	}
	d.AccessesIn(machine.AccessCopy, syntax.Global, func(w *machine.Warp, lane int) (uint64, int) {
		n := min(w.Lanes(valid)[lane], uint64(size))
		if w.Pred(ignore)>>lane&1 != 0 {
			n = 0
		}
		return from.Lane(w, w.Lanes(from.Base), lane), int(n)
	})
	d.Accesses(machine.AccessCopy, syntax.Shared, to, int(size))
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		T, F, V, skip := w.Lanes(to.Base), w.Lanes(from.Base), w.Lanes(valid), w.Pred(ignore)
		w.Begin(machine.Copies, m, false)
		defer w.End()
		for m != 0 {
			i := machine.Next(&m)
			p := machine.PendingCopy{
				Dst: syntax.Shared, Src: syntax.Global, To: to.Lane(w, T, i), From: from.Lane(w, F, i),
				Size: size, Valid: uint8(min(V[i], uint64(size))),
			}
			if V[i] > uint64(size) {
				w.Faultf(i, "source size %d of 'cp.async' is greater than its size %d", V[i], size)
				return
			}
			if skip>>i&1 != 0 {
				p.Valid = 0
			}
			if w.StartCopy(i, p); w.Err != nil {
				return
			}
		}
	}
}

// decodeCopyArrive decodes cp.async.mbarrier.arrive: an arrival when the thread's earlier cp.async copies have
// completed.
//
// Without .noinc the instruction raises the pending count by itself, so that the arrival is not one of those that the
// initial count promised. With it, the count must include one arrival for each thread ("cp.async.mbarrier.arrive").
func decodeCopyArrive(d *decode.Decoder) {
	noinc := d.Opt("noinc")
	d.Space()
	d.Type(syntax.B64)
	at := d.Addr(d.Args(1)[0])
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		w.HandCopies(m)
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			addr := at.Lane(w, w.Lanes(at.Base), i)
			if !noinc {
				w.UpdateMbarrier(addr, i, func(b *machine.Mbarrier) string {
					if b.Pending++; b.Pending > machine.MaxArrivals {
						return "too many pending arrivals"
					}
					return ""
				})
			}
			if w.Err != nil || w.MbarrierAt(addr, i) == nil {
				return
			}
			w.Issue(i, false, func() {
				w.CompleteCopies(i)
				w.UpdateMbarrier(addr, i, func(b *machine.Mbarrier) string { return b.Arrive(1) })
			})
		}
	}
}
