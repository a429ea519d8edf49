package tma

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// DecodeBulk decodes cp.async.bulk and cp.reduce.async.bulk without tensor.
func DecodeBulk(d *decode.Decoder, reduce bool) {
	switch d.OneOf("commit_group", "wait_group") {
	case "commit_group":
		d.Args(0)
		d.Counts(machine.BulkCommits)
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			for m != 0 {
				w.CommitBulk(machine.Next(&m))
			}
		}
		return
	case "wait_group":
		decodeBulkWait(d)
		return
	}
	b := bulkForm(d, reduce)
	if d.Opt("prefetch") {
		d.Prefixed("L2")
		n := 2
		if b.hint {
			n++
		}
		args := d.Args(n)
		d.Addr(args[0])
		d.Src(args[1], syntax.U32)
		if b.hint {
			d.Src(args[2], syntax.B64)
		}
		return
	}
	if b.masked = d.Opt("cp_mask"); b.masked && (reduce || b.to != syntax.Global) {
		d.Fail("'.cp_mask' is for copies from shared to global memory only")
	}
	args := d.Argc(3, 6)
	to, from, size := d.Addr(args[0]), d.Addr(args[1]), d.Src(args[2], syntax.U32)
	rest := b.operands(d, args[3:])
	mask := d.Const(0)
	if b.masked && len(rest) > 0 {
		mask, rest = d.Src(rest[0], syntax.B16), rest[1:]
	} else if b.masked {
		d.Fail("'.cp_mask' needs a byte mask")
	}
	if len(rest) > 0 {
		d.Fail("'%s' has too many operands", d.Stmt.Op)
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			dst, src := to.Lane(w, w.Lanes(to.Base), i), from.Lane(w, w.Lanes(from.Base), i)
			n := int(w.Lanes(size)[i])
			if n%16 != 0 || n > syntax.MaxShared {
				w.Faultf(i, "size %d of a bulk copy is not a multiple of 16 up to %d", n, syntax.MaxShared)
				return
			}
			copies := *b
			if b.masked {
				v := w.Lanes(mask)[i]
				copies.mask = &v
			}
			copies.start(w, i, func(rank int) []piece {
				return []piece{{to: b.target(dst, rank), from: src, n: n, align: 16}}
			})
		}
	}
}

// piece is a run of bytes that a bulk operation moves. A source address of noSource stands for zeros.
//
// It is a list of runs and not a closure that copies. So sources and destinations are checked before the copy is
// queued, when a fault still has its line and lane, and the bytes are counted once.
type piece struct {
	to, from uint64
	n, align int
	change   change
	fill     bool // with ones instead of zeros, if there is no source
	// exchange is what numbers of bytes are xored with to find their place on the other side. Its lowest bit is how many
	// bytes stay together.
	exchange uint64
}

const noSource = ^uint64(0)

// source is the number of bytes that the piece reads.
func (p piece) source() int {
	if p.change == changePack {
		return 16
	}
	return p.n
}

// bulk is what the forms of bulk copies have in common.
type bulk struct {
	to, from  syntax.Space
	signal    bool // completes transactions of an mbarrier
	multicast bool
	pair      bool // may signal the other CTA of a pair
	reduce    func(old, b, c uint64) uint64
	unit      int // bytes of an element, for reduce
	hint      bool
	masked    bool    // copies only some bytes of each sixteen
	mask      *uint64 // of one copy
	mbar      decode.Addr
	ctaMask   machine.Src
}

// bulkForm consumes the modifiers that say from where to where and how the
// completion shows.
//
// The spaces are named in the order destination, source, wherever they stand among the modifiers.
func bulkForm(d *decode.Decoder, reduce bool) *bulk {
	b := &bulk{}
	var spaces []syntax.Space
	// Modifiers are consumed here, in any order, since the two spaces are told apart by their order only.
	for i, m := range d.Mods {
		switch m {
		case "global":
			spaces = append(spaces, syntax.Global)
		case "shared", "shared::cta", "shared::cluster":
			spaces = append(spaces, syntax.Shared)
		default:
			continue
		}
		d.Mods[i] = ""
	}
	b.signal = d.Opt("mbarrier::complete_tx::bytes")
	grouped := d.Opt("bulk_group")
	b.multicast = d.Opt("multicast::cluster")
	b.hint = d.Opt("L2::cache_hint")
	b.pair = d.OneOf("cta_group::1", "cta_group::2") == "cta_group::2"
	if slices.Contains(d.Mods, "prefetch") {
		return b
	}
	if len(spaces) != 2 || b.signal == grouped || b.multicast && !b.signal {
		d.Fail("'%s' needs two state spaces and one way of completion", d.Stmt.Op)
	}
	if b.to, b.from = spaces[0], spaces[1]; b.from == syntax.Shared {
		d.ReadsShared()
	}
	if b.from == syntax.Global || b.to == syntax.Global {
		d.AccessesGlobal()
	}
	if b.signal && b.to != syntax.Shared {
		d.Fail("only a copy to shared memory can signal an mbarrier")
	}
	if reduce {
		op := d.OneOf("and", "or", "xor", "add", "inc", "dec", "min", "max")
		d.Opt("noftz")
		t := d.PeekType()
		if t != syntax.NoType {
			d.Type()
			b.setReduce(d, op, t)
		} else {
			b.setReduce(d, op, syntax.NoType)
		}
	}
	return b
}

// setReduce chooses the reduction; the tensor forms learn the type from
// the tensor map and pass NoType.
func (b *bulk) setReduce(d *decode.Decoder, op string, t syntax.Type) {
	if t == syntax.NoType {
		d.Fail("'%s' needs a type", d.Stmt.Op)
	}
	if b.reduce, b.unit = arith.UpdateFunc(op, t), t.Bytes(); b.reduce == nil {
		d.Fail("reduction '.%s' does not exist for type .%s", op, t)
	}
}

// operands decodes the mbarrier, the CTA mask and the cache policy.
func (b *bulk) operands(d *decode.Decoder, args []*syntax.Operand) []*syntax.Operand {
	take := func(what string) *syntax.Operand {
		if len(args) == 0 {
			d.Fail("'%s' has no %s", d.Stmt.Op, what)
		}
		o := args[0]
		args = args[1:]
		return o
	}
	if b.signal {
		b.mbar = d.Addr(take("mbarrier"))
	}
	if b.multicast {
		b.ctaMask = d.Src(take("cta mask"), syntax.U16)
	}
	if b.hint {
		d.Src(take("cache policy"), syntax.B64)
	}
	return args
}

// target places a shared address in the CTA of that rank; rank -1 leaves
// it as it is.
func (b *bulk) target(addr uint64, rank int) uint64 {
	if sp, local := machine.Classify(addr); b.to == syntax.Shared && sp == syntax.Shared {
		addr = local
	}
	if rank < 0 {
		return addr
	}
	return machine.InCTA(addr, uint64(rank))
}

// start checks the pieces of one lane's copy and queues it, once for each destination CTA.
//
// A multicast is one operation for each destination, each with its own mbarrier at the same offset of its CTA
// ("cp.async.bulk", .multicast::cluster). That they complete at different times is the adversary's chance.
func (b *bulk) start(w *machine.Warp, lane int, pieces func(rank int) []piece) {
	ranks := []int{-1}
	if b.multicast {
		ranks = ranks[:0]
		for k := uint32(w.Lanes(b.ctaMask)[lane]); k != 0; {
			ranks = append(ranks, machine.Next(&k))
		}
	}
	for k, rank := range ranks {
		if rank >= len(w.CTA.Cluster.CTAs) {
			w.Faultf(lane, "cta rank %d of the mask is beyond the cluster of %d", rank, len(w.CTA.Cluster.CTAs))
			return
		}
		list := pieces(rank)
		total := 0
		var bar uint64
		if b.signal {
			if bar = b.signalled(w, lane, rank, list); w.Err != nil || w.MbarrierAt(bar, lane) == nil {
				return
			}
			w.BeginSignalled(bar, true)
		} else {
			w.Begin(machine.Bulk, 1<<lane, true)
		}
		if b.reduce != nil {
			w.Reduces()
		}
		w.Async = true
		for _, p := range list {
			total += p.n
			// Both sides are checked now, through the async proxy, and read and written when the copy takes effect.
			if w.Span(b.to, p.to, p.n, p.align, lane, true) == nil || p.from != noSource && w.Span(b.from, machine.AddressIn(b.from, p.from), p.source(), p.align, lane, false) == nil {
				break
			}
		}
		w.End()
		if w.Async = false; w.Err != nil {
			return
		}
		if w.Profiled() {
			b.count(w, list, k == 0)
		}
		w.Issue(lane, !b.signal, func() {
			for _, p := range list {
				b.move(w, lane, p)
			}
			if b.signal && w.Err == nil {
				w.UpdateMbarrier(bar, lane, func(m *machine.Mbarrier) string { return m.Expect(-int64(total)) })
			}
		})
	}
}

// count counts what a copy moves; a multicast reads its source once, for the first destination.
func (b *bulk) count(w *machine.Warp, list []piece, first bool) {
	var global []machine.Extent
	var read, written uint64 // of shared memory
	for _, p := range list {
		if b.to == syntax.Shared {
			written += uint64(p.n)
		} else {
			global = append(global, machine.Extent{Addr: p.to, N: p.n})
		}
		switch {
		case p.from == noSource:
		case b.from == syntax.Shared:
			read += uint64(p.source())
		case first:
			global = append(global, machine.Extent{Addr: p.from, N: p.source()})
		}
	}
	kind := machine.BulkLoad
	if b.to == syntax.Global {
		kind = machine.BulkStore
	}
	w.CountBulk(kind, global)
	w.TraceBulkBytes(read + written)
	w.Count(machine.SharedBulkReadBytes, read)
	w.Count(machine.SharedBulkWriteBytes, written)
}

// signalled is the mbarrier of one lane's copy. It is in the CTA of the destination or, with .cta_group::2, in the CTA
// of its pair with the parity of the operand's CTA.
//
// Mbarrier and destination must lie in one CTA; where they do not, bytes would be counted at a barrier for which nobody
// waits.
func (b *bulk) signalled(w *machine.Warp, lane, rank int, list []piece) uint64 {
	bar := machine.AddressIn(syntax.Shared, b.mbar.Lane(w, w.Lanes(b.mbar.Base), lane))
	if rank >= 0 {
		to := uint64(rank)
		if b.pair {
			to = to&^1 | machine.RankOf(bar)&1
		}
		return machine.InCTA(bar, to)
	}
	if len(list) > 0 {
		if to := machine.RankOf(list[0].to); machine.RankOf(bar) != to && !(b.pair && machine.RankOf(bar) == to^1) {
			w.Faultf(lane, "mbarrier at shared address %#x is not in CTA %d of the cluster, as the destination is", bar, to)
		}
	}
	return bar
}

// Reductions are atomic for each element and in no order between elements, hence an update of each.
func (b *bulk) move(w *machine.Warp, lane int, p piece) {
	w.Async = true
	defer func() { w.Async = false }()
	to := w.Span(b.to, p.to, p.n, p.align, lane, true)
	if to == nil {
		return
	}
	if p.from == noSource {
		for i := range to {
			if to[i] = 0; p.fill {
				to[i] = 0xff
			}
		}
		return
	}
	from := w.Span(b.from, machine.AddressIn(b.from, p.from), p.source(), p.align, lane, false)
	switch {
	case from == nil:
	case b.mask != nil:
		for i := range to {
			if *b.mask>>(i%16)&1 != 0 {
				to[i] = from[i]
			}
		}
	case b.reduce == nil && p.exchange == 0:
		p.change.apply(to, from)
	case b.reduce == nil:
		chunk := p.exchange & -p.exchange
		for i := uint64(0); i < uint64(p.n); i += chunk {
			p.change.apply(to[i^p.exchange:][:chunk], from[i:][:chunk])
		}
	default:
		for i := 0; i+b.unit <= p.n; i += b.unit {
			v := machine.Load(from[i:][:b.unit])
			machine.Update(to[uint64(i)^p.exchange:][:b.unit], func(old uint64) uint64 { return b.reduce(old, v, 0) })
		}
	}
}

// decodeBulkWait decodes cp.async.bulk.wait_group[.read] n.
func decodeBulkWait(d *decode.Decoder) {
	reads := d.Opt("read")
	n := d.Groups()
	d.Counts(machine.BulkWaits)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		w.WaitOf(machine.Bulk, m, n, false, reads)
		for m != 0 {
			if w.WaitBulk(machine.Next(&m), n); w.Err != nil {
				return
			}
		}
	}
}
