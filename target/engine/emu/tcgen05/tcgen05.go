package tcgen05

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Instructions is one word, since all operations of the tensor core are modifiers of it.
var Instructions = map[string]decode.Func{"tcgen05": decodeTcgen05}

// ungrouped are the operations without .cta_group.
var ungrouped = []string{"ld", "st", "wait::ld", "wait::st", "fence::before_thread_sync", "fence::after_thread_sync"}

// A kernel must use one .cta_group in all its instructions, by the ISA; it is checked while decoding, as hardware
// would fail at a distance.
func decodeTcgen05(d *decode.Decoder) {
	d.Program.Unit = func() machine.Unit { return new(memory) }
	op := d.OneOf("alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st", "mma", "cp", "commit", "shift",
		"fence::before_thread_sync", "fence::after_thread_sync")
	group := d.OneOf("cta_group::1", "cta_group::2")
	switch {
	case op == "":
		d.Fail("this operation of 'tcgen05' is not supported")
	case (group == "") != slices.Contains(ungrouped, op):
		d.Fail("all operations of 'tcgen05' but loads, stores, waits and fences need .cta_group")
	case group == "":
	case d.Program.TensorGroup != "" && d.Program.TensorGroup != group:
		d.Fail("all 'tcgen05' of a kernel must have the same .cta_group, here it has .%s and .%s", d.Program.TensorGroup, group)
	default:
		d.Program.TensorGroup = group
	}
	pair := group == "cta_group::2"
	switch op {
	// The fences order asynchronous operations of one thread with those of another around a barrier. Here commits and
	// waits do, and only the check of synchronisation asks for fences.
	case "fence::before_thread_sync", "fence::after_thread_sync":
		d.Args(0)
		d.Inst.Exec = func(w *machine.Warp, m uint32) { w.FenceTensor(op == "fence::after_thread_sync") }
		return
	case "mma":
		decodeMma(d, pair)
		return
	case "cp":
		decodeCopy(d, pair)
		return
	case "shift":
		decodeShift(d, pair)
		return
	case "commit":
		decodeCommit(d, pair)
		return
	}
	if !d.Opt("sync") || !d.Opt("aligned") {
		d.Fail("'tcgen05.%s' needs .sync.aligned", op)
	}
	switch op {
	case "alloc":
		decodeAlloc(d, pair)
	case "dealloc":
		decodeDealloc(d, pair)
	case "relinquish_alloc_permit":
		decodeRelinquish(d, pair)
	case "ld", "st":
		decodeMove(d, op == "ld")
	case "wait::ld":
		d.Args(0)
		d.WholeWarp(func(w *machine.Warp, m uint32) {
			w.WaitOf(machine.TensorLoads, machine.Full, 0, true, false)
			w.Loads.Finish(w, ^uint64(0))
		})
	case "wait::st":
		d.Args(0)
		d.WholeWarp(func(w *machine.Warp, m uint32) {
			w.WaitOf(machine.TensorStores, machine.Full, 0, true, false)
			for _, f := range w.Stores {
				f()
			}
			w.Stores = w.Stores[:0]
		})
	}
}

// decodeCommit decodes tcgen05.commit: an arrival at an mbarrier when
// the operations issued before have taken effect.
//
// Commits go through the queue of the cluster like copies that signal an mbarrier; what is before them in the queue
// of the tensor core is performed first.
func decodeCommit(d *decode.Decoder, pair bool) {
	if !d.Opt("mbarrier::arrive::one") {
		d.Fail("'tcgen05.commit' needs .mbarrier::arrive::one")
	}
	d.OneOf("shared::cluster")
	multicast := d.Opt("multicast::cluster")
	d.Type(syntax.B64)
	n := 1
	if multicast {
		n = 2
	}
	args := d.Args(n)
	at := d.Addr(args[0])
	ctas := d.Const(0)
	if multicast {
		ctas = d.Src(args[1], syntax.U16)
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			if pairOf(w, i, pair); w.Err != nil {
				return
			}
			addr := machine.AddressIn(syntax.Shared, at.Lane(w, w.Lanes(at.Base), i))
			bars := []uint64{addr}
			if multicast {
				bars = bars[:0]
				for k := uint32(w.Lanes(ctas)[i]); k != 0; {
					bars = append(bars, machine.InCTA(addr, uint64(machine.Next(&k))))
				}
			}
			for _, b := range bars {
				if w.MbarrierAt(b, i) == nil {
					return
				}
			}
			t, issued := memoryOf(w.CTA), w.IssueCommit()
			t.queue = append(t.queue, operation{w: w, lane: i, stmt: w.Stmt(), commit: true, perform: func() {
				for ; len(bars) > 0 && w.Err == nil; bars = bars[1:] {
					w.ArriveFor(issued, bars[0], i)
				}
			}})
			end := t.done + uint64(len(t.queue))
			w.Issue(i, false, func() { t.run(w, end) }).Commit = true
		}
	}
}
