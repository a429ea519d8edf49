package emu

import "slices"

// asyncOp is a bulk copy that has been issued. It takes effect when the
// scheduler says so, or when its thread waits for it.
type asyncOp struct {
	w       *warp
	lane    int
	stmt    *stmt
	group   uint64 // bulk group of the thread, for those that belong to one
	grouped bool
	lazy    bool // completes only when something waits for it
	commit  bool // only tells of other operations
	// detached tells that the operation may outlive its thread.
	detached bool
	perform  func() // records a fault in w when it fails
}

// issue puts an operation into the queue of its cluster. One of a bulk group
// takes effect at the latest moment, when its thread waits for the group;
// the adversary chooses for every operation.
func (w *warp) issue(lane int, grouped bool, perform func()) *asyncOp {
	g := w.cta.group
	op := &asyncOp{w: w, lane: lane, stmt: w.stmt(), grouped: grouped, perform: perform}
	op.lazy = grouped
	if g.rng != nil {
		op.lazy = g.chance(2)
	}
	if grouped {
		op.group = w.copies.lanes[lane].bulkGroups
	}
	g.pending = append(g.pending, op)
	return op
}

// commitBulk closes the group of the bulk copies that a lane has issued since the last one.
func (w *warp) commitBulk(lane int) { w.copies.lanes[lane].bulkGroups++ }

// waitBulk performs the bulk copies of a lane but those of the n latest groups.
func (w *warp) waitBulk(lane int, n uint64) {
	if g := w.copies.lanes[lane].bulkGroups; g > n {
		// A fault stays in the warp, which stops for it.
		_ = w.cta.group.finish(func(op *asyncOp) bool { return op.w == w && op.lane == lane && op.grouped && op.group < g-n })
	}
}

// finish performs the queued operations that want selects, in order.
func (g *group) finish(want func(op *asyncOp) bool) error {
	for i := 0; i < len(g.pending); i++ {
		op := g.pending[i]
		if !want(op) {
			continue
		}
		g.pending = slices.Delete(g.pending, i, i+1)
		i--
		g.events++
		op.perform()
		if op.w.err != nil {
			return op.blame()
		}
	}
	return nil
}

// blame makes the warp's fault one of the operation.
func (op *asyncOp) blame() error {
	op.w.settle(op.lane, op.stmt)
	return op.w.err
}

// decodeBulk decodes cp.async.bulk and cp.reduce.async.bulk without tensor.
func decodeBulk(d *decoder, reduce bool) {
	switch d.oneOf("commit_group", "wait_group") {
	case "commit_group":
		d.args(0)
		d.in.exec = func(w *warp, m uint32) {
			for m != 0 {
				w.commitBulk(next(&m))
			}
		}
		return
	case "wait_group":
		decodeBulkWait(d)
		return
	}
	b := bulkForm(d, reduce)
	if d.opt("prefetch") {
		d.prefixed("L2")
		n := 2
		if b.hint {
			n++
		}
		args := d.args(n)
		d.addr(args[0])
		d.src(args[1], tU32)
		if b.hint {
			d.src(args[2], tB64)
		}
		return
	}
	if b.masked = d.opt("cp_mask"); b.masked && (reduce || b.to != spGlobal) {
		d.failInst("'.cp_mask' is for copies from shared to global memory only")
	}
	args := d.argc(3, 6)
	to, from, size := d.addr(args[0]), d.addr(args[1]), d.src(args[2], tU32)
	rest := b.operands(d, args[3:])
	mask := d.konst(0)
	if b.masked && len(rest) > 0 {
		mask, rest = d.src(rest[0], tB16), rest[1:]
	} else if b.masked {
		d.failInst("'.cp_mask' needs a byte mask")
	}
	if len(rest) > 0 {
		d.failInst("'%s' has too many operands", d.s.op)
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			dst, src := to.lane(w, w.lanes(to.base), i), from.lane(w, w.lanes(from.base), i)
			n := int(w.lanes(size)[i])
			if n%16 != 0 || n > maxShared {
				w.faultf(i, "size %d of a bulk copy is not a multiple of 16 up to %d", n, maxShared)
				return
			}
			copies := *b
			if b.masked {
				v := w.lanes(mask)[i]
				copies.mask = &v
			}
			copies.start(w, i, func(rank int) []piece {
				return []piece{{to: b.target(dst, rank), from: src, n: n, align: 16}}
			})
		}
	}
}

// piece is a run of bytes that a bulk operation moves. A source address of
// noSource stands for zeros.
type piece struct {
	to, from uint64
	n, align int
	change   change
	fill     bool // with ones instead of zeros, if there is no source
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
	to, from  space
	signal    bool // completes transactions of an mbarrier
	multicast bool
	pair      bool // may signal the other CTA of a pair
	reduce    func(old, b, c uint64) uint64
	unit      int // bytes of an element, for reduce
	hint      bool
	masked    bool    // copies only some bytes of each sixteen
	mask      *uint64 // of one copy
	mbar      addr
	ctaMask   src
}

// bulkForm consumes the modifiers that say from where to where and how the
// completion shows.
func bulkForm(d *decoder, reduce bool) *bulk {
	b := &bulk{}
	var spaces []space
	for i, m := range d.mods {
		switch m {
		case "global":
			spaces = append(spaces, spGlobal)
		case "shared", "shared::cta", "shared::cluster":
			spaces = append(spaces, spShared)
		default:
			continue
		}
		d.mods[i] = ""
	}
	b.signal = d.opt("mbarrier::complete_tx::bytes")
	grouped := d.opt("bulk_group")
	b.multicast = d.opt("multicast::cluster")
	b.hint = d.opt("L2::cache_hint")
	b.pair = d.oneOf("cta_group::1", "cta_group::2") == "cta_group::2"
	if slices.Contains(d.mods, "prefetch") {
		return b
	}
	if len(spaces) != 2 || b.signal == grouped || b.multicast && !b.signal {
		d.failInst("'%s' needs two state spaces and one way of completion", d.s.op)
	}
	if b.to, b.from = spaces[0], spaces[1]; b.from == spShared {
		d.readsShared()
	}
	if b.signal && b.to != spShared {
		d.failInst("only a copy to shared memory can signal an mbarrier")
	}
	if reduce {
		op := d.oneOf("and", "or", "xor", "add", "inc", "dec", "min", "max")
		d.opt("noftz")
		t := d.peekType()
		if t != tNone {
			d.typ()
			b.setReduce(d, op, t)
		} else {
			b.setReduce(d, op, tNone)
		}
	}
	return b
}

// setReduce chooses the reduction; the tensor forms learn the type from
// the tensor map and pass tNone.
func (b *bulk) setReduce(d *decoder, op string, t scalar) {
	if t == tNone {
		d.failInst("'%s' needs a type", d.s.op)
	}
	if b.reduce, b.unit = atomicFn(op, t), t.bytes(); b.reduce == nil {
		d.failInst("reduction '.%s' does not exist for type .%s", op, t)
	}
}

// operands decodes the mbarrier, the CTA mask and the cache policy.
func (b *bulk) operands(d *decoder, args []*operand) []*operand {
	take := func(what string) *operand {
		if len(args) == 0 {
			d.failInst("'%s' has no %s", d.s.op, what)
		}
		o := args[0]
		args = args[1:]
		return o
	}
	if b.signal {
		b.mbar = d.addr(take("mbarrier"))
	}
	if b.multicast {
		b.ctaMask = d.src(take("cta mask"), tU16)
	}
	if b.hint {
		d.src(take("cache policy"), tB64)
	}
	return args
}

// target places a shared address in the CTA of that rank; rank -1 leaves
// it as it is.
func (b *bulk) target(addr uint64, rank int) uint64 {
	if sp, local := classify(addr); b.to == spShared && sp == spShared {
		addr = local
	}
	if rank < 0 {
		return addr
	}
	return inCTA(addr, uint64(rank))
}

// start checks the pieces of one lane's copy and queues it, once for each
// destination CTA.
func (b *bulk) start(w *warp, lane int, pieces func(rank int) []piece) {
	ranks := []int{-1}
	if b.multicast {
		ranks = ranks[:0]
		for k := uint32(w.lanes(b.ctaMask)[lane]); k != 0; {
			ranks = append(ranks, next(&k))
		}
	}
	for _, rank := range ranks {
		if rank >= len(w.cta.group.ctas) {
			w.faultf(lane, "cta rank %d of the mask is beyond the cluster of %d", rank, len(w.cta.group.ctas))
			return
		}
		list := pieces(rank)
		total := 0
		w.async = true
		for _, p := range list {
			total += p.n
			if w.span(b.to, p.to, p.n, p.align, lane, true) == nil || p.from != noSource && w.span(b.from, local(b.from, p.from), p.source(), p.align, lane, false) == nil {
				break
			}
		}
		if w.async = false; w.err != nil {
			return
		}
		var bar uint64
		if b.signal {
			if bar = b.signalled(w, lane, rank, list); w.err != nil || w.mbarAt(bar, lane) == nil {
				return
			}
		}
		w.issue(lane, !b.signal, func() {
			for _, p := range list {
				b.move(w, lane, p)
			}
			if b.signal && w.err == nil {
				w.mbarUpdate(bar, lane, func(m *mbar) string { return m.expect(-int64(total)) })
			}
		})
	}
}

// signalled is the mbarrier of one lane's copy: in the CTA of the destination, or with .cta_group::2 in the CTA of its pair
// that has the parity of the CTA of the operand.
func (b *bulk) signalled(w *warp, lane, rank int, list []piece) uint64 {
	bar := local(spShared, b.mbar.lane(w, w.lanes(b.mbar.base), lane))
	if rank >= 0 {
		to := uint64(rank)
		if b.pair {
			to = to&^1 | rankOf(bar)&1
		}
		return inCTA(bar, to)
	}
	if len(list) > 0 {
		if to := rankOf(list[0].to); rankOf(bar) != to && !(b.pair && rankOf(bar) == to^1) {
			w.faultf(lane, "mbarrier at shared address %#x is not in CTA %d of the cluster, as the destination is", bar, to)
		}
	}
	return bar
}

// local turns a generic address into one of the space.
func local(sp space, addr uint64) uint64 {
	if in, a := classify(addr); in == sp {
		return a
	}
	return addr
}

func (b *bulk) move(w *warp, lane int, p piece) {
	w.async = true
	defer func() { w.async = false }()
	to := w.span(b.to, p.to, p.n, p.align, lane, true)
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
	from := w.span(b.from, local(b.from, p.from), p.source(), p.align, lane, false)
	switch {
	case from == nil:
	case b.mask != nil:
		for i := range to {
			if *b.mask>>(i%16)&1 != 0 {
				to[i] = from[i]
			}
		}
	case b.reduce == nil:
		p.change.apply(to, from)
	default:
		for i := 0; i+b.unit <= p.n; i += b.unit {
			v := get(from[i:][:b.unit])
			update(to[i:][:b.unit], func(old uint64) uint64 { return b.reduce(old, v, 0) })
		}
	}
}

// decodeBulkWait decodes cp.async.bulk.wait_group[.read] n.
func decodeBulkWait(d *decoder) {
	d.opt("read")
	o := d.args(1)[0]
	if o.kind != opInt {
		d.badOperand(o, "the number of groups must be a constant")
	}
	n := o.bits
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 {
			if w.waitBulk(next(&m), n); w.err != nil {
				return
			}
		}
	}
}

// decodeCopyArrive decodes cp.async.mbarrier.arrive: an arrival when the
// thread's earlier cp.async copies have completed.
func decodeCopyArrive(d *decoder) {
	noinc := d.opt("noinc")
	d.spaceOf()
	d.typ(tB64)
	at := d.addr(d.args(1)[0])
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			addr := at.lane(w, w.lanes(at.base), i)
			if !noinc {
				w.mbarUpdate(addr, i, func(b *mbar) string {
					if b.pending++; b.pending > mbarMax {
						return "too many pending arrivals"
					}
					return ""
				})
			}
			if w.err != nil || w.mbarAt(addr, i) == nil {
				return
			}
			w.issue(i, false, func() {
				w.completeCopies(i)
				w.mbarUpdate(addr, i, func(b *mbar) string { return b.arrive(1) })
			})
		}
	}
}
