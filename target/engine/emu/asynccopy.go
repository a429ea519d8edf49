package emu

var asyncOps = map[string]decodeFn{"cp": decodeCopy}

// asyncCopies are the cp.async operations of a warp's threads that have
// not completed. They take effect as late as allowed, when a thread waits
// for them, so that a missing wait shows; in adversarial mode every other
// one takes effect at once, so that a missing barrier before it shows.
type asyncCopies struct {
	lanes [warpSize]laneCopies
}

type laneCopies struct {
	pending []pendingCopy // oldest first
	groups  uint64        // committed so far
	// bulkGroups counts the committed groups of bulk copies.
	bulkGroups uint64
}

type pendingCopy struct {
	dst, src space
	to, from uint64
	size     uint8
	valid    uint8  // bytes to copy; the rest is zeroed
	group    uint64 // number of the group, when committed
}

func (c *asyncCopies) reset() {
	for i := range c.lanes {
		c.lanes[i] = laneCopies{pending: c.lanes[i].pending[:0]}
	}
}

func decodeCopy(d *decoder) {
	reduce := d.opt("reduce")
	if !d.opt("async") {
		d.failInst("'cp' other than 'cp.async' is not supported")
	}
	if d.opt("bulk") {
		if d.opt("tensor") {
			decodeTensor(d, reduce)
		} else {
			decodeBulk(d, reduce)
		}
		return
	}
	if d.opt("mbarrier") {
		d.opt("arrive")
		decodeCopyArrive(d)
		return
	}
	switch d.oneOf("commit_group", "wait_group", "wait_all") {
	case "commit_group":
		d.args(0)
		d.in.exec = func(w *warp, m uint32) {
			for m != 0 {
				w.commitCopies(next(&m))
			}
		}
		return
	case "wait_group":
		o := d.args(1)[0]
		if o.kind != opInt {
			d.badOperand(o, "the number of groups must be a constant")
		}
		n := o.bits
		d.in.exec = func(w *warp, m uint32) {
			for m != 0 {
				w.waitCopies(next(&m), n)
			}
		}
		return
	case "wait_all":
		d.args(0)
		d.in.exec = func(w *warp, m uint32) {
			for m != 0 {
				w.completeCopies(next(&m))
			}
		}
		return
	}
	decodeCopyStart(d)
}

// commitCopies closes the group of the copies that a lane has started since the last one.
func (w *warp) commitCopies(lane int) { w.copies.lanes[lane].groups++ }

// waitCopies performs the copies of a lane but those of the n latest groups.
func (w *warp) waitCopies(lane int, n uint64) {
	if g := w.copies.lanes[lane].groups; g > n {
		w.complete(lane, g-n)
	}
}

// completeCopies performs all copies of a lane, also those of no group.
func (w *warp) completeCopies(lane int) { w.complete(lane, ^uint64(0)) }

// startCopy checks a copy of a lane, where the error can name it, and queues it.
func (w *warp) startCopy(lane int, p pendingCopy) {
	if w.at(p.dst, p.to, int(p.size), lane, true) == nil || p.valid > 0 && w.span(p.src, p.from, int(p.valid), int(p.size), lane, false) == nil {
		return
	}
	if w.cta.group.chance(2) {
		w.copy(lane, p)
		return
	}
	l := &w.copies.lanes[lane]
	p.group = l.groups
	l.pending = append(l.pending, p)
}

// complete performs the copies of a lane that belong to groups below end.
func (w *warp) complete(lane int, end uint64) {
	l := &w.copies.lanes[lane]
	n := 0
	for _, p := range l.pending {
		if p.group >= end {
			break
		}
		w.copy(lane, p)
		n++
	}
	l.pending = append(l.pending[:0], l.pending[n:]...)
}

func (w *warp) copy(lane int, p pendingCopy) {
	to := w.at(p.dst, p.to, int(p.size), lane, true)
	if to == nil {
		return
	}
	if p.valid > 0 {
		from := w.span(p.src, p.from, int(p.valid), int(p.size), lane, false)
		if from == nil {
			return
		}
		copy(to, from)
	}
	clear(to[p.valid:])
}

// decodeCopyStart decodes cp.async.ca and cp.async.cg.
func decodeCopyStart(d *decoder) {
	if d.oneOf("ca", "cg") == "" {
		d.failInst("'cp.async' needs .ca or .cg")
	}
	if d.oneOf("shared", "shared::cta") == "" || !d.opt("global") {
		d.failInst("'cp.async' copies from .global to .shared")
	}
	hint := d.opt("L2::cache_hint")
	d.prefixed("L2::")
	args := d.argc(3, 5)
	to, from := d.addr(args[0]), d.addr(args[1])
	if args[2].kind != opInt || args[2].bits != 4 && args[2].bits != 8 && args[2].bits != 16 {
		d.badOperand(args[2], "the size of 'cp.async' must be 4, 8 or 16")
	}
	size := uint8(args[2].bits)
	rest := args[3:]
	if hint {
		if len(rest) == 0 {
			d.failInst("'.L2::cache_hint' needs a cache policy")
		}
		d.src(rest[len(rest)-1], tB64)
		rest = rest[:len(rest)-1]
	}
	valid := d.konst(uint64(size))
	ignore := predSrc{predTrue, true}
	switch {
	case len(rest) == 0:
	case len(rest) == 1 && rest[0].kind == opReg && rest[0].sym.typ == tPred:
		ignore = d.predSrc(rest[0])
	case len(rest) == 1:
		valid = d.src(rest[0], tU32)
	default:
		d.failInst("'cp.async' has too many operands")
	}
	d.in.exec = func(w *warp, m uint32) {
		T, F, V, skip := w.lanes(to.base), w.lanes(from.base), w.lanes(valid), w.pred(ignore)
		for m != 0 {
			i := next(&m)
			p := pendingCopy{
				dst: spShared, src: spGlobal, to: to.lane(w, T, i), from: from.lane(w, F, i),
				size: size, valid: uint8(min(V[i], uint64(size))),
			}
			if V[i] > uint64(size) {
				w.faultf(i, "source size %d of 'cp.async' is greater than its size %d", V[i], size)
				return
			}
			if skip>>i&1 != 0 {
				p.valid = 0
			}
			if w.startCopy(i, p); w.err != nil {
				return
			}
		}
	}
}
