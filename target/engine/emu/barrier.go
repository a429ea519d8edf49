package emu

import "math/bits"

var barrierOps = map[string]decodeFn{
	"bar":     decodeBarrier,
	"barrier": decodeBarrier,
}

// barrierCount is the number of barriers of a CTA.
const barrierCount = 16

// barrier is one of a CTA's named barriers.
type barrier struct {
	arrived []uint32 // lanes of each warp that have arrived
	want    uint64   // threads that complete it; zero: all live threads
	waiting []waiter
	op      barrierOp
	pop     uint64 // .red: arrived threads whose predicate holds
	total   uint64 // .red: arrived threads
	used    bool
}

type waiter struct {
	w *warp
	s *split
	m uint32
	// dst and pdst take the result of a .red.
	dst, pdst int32
}

type barrierOp uint8

const (
	barSync barrierOp = iota
	barArrive
	barPopc
	barAnd
	barOr
)

func (b *barrier) reset() {
	clear(b.arrived)
	*b = barrier{arrived: b.arrived, waiting: b.waiting[:0]}
}

func decodeBarrier(d *decoder) {
	if d.opt("cluster") {
		decodeClusterBarrier(d)
		return
	}
	d.opt("cta")
	if d.opt("warp") {
		d.oneOf("sync")
		d.in.kind, d.in.anywhere = kindSync, true
		d.in.index = d.src(d.args(1)[0], tB32)
		d.in.exec = func(*warp, uint32) {}
		return
	}
	// bar.op is barrier.op.aligned.
	aligned := d.opt("aligned") || d.s.op == "bar"
	op := barSync
	switch d.oneOf("sync", "arrive", "red") {
	case "arrive":
		op = barArrive
	case "red":
		op = map[string]barrierOp{"popc": barPopc, "and": barAnd, "or": barOr}[d.oneOf("popc", "and", "or")]
		if op == barSync {
			d.failInst("'%s.red' needs .popc, .and or .or", d.s.op)
		}
		if op == barPopc {
			d.typ(tU32)
		} else {
			d.typ(tPred)
		}
	case "":
		d.failInst("'%s' needs .sync, .arrive or .red", d.s.op)
	}
	var args []*operand
	dst, pdst := int32(slotSink), int32(predSink)
	var p predSrc
	switch op {
	case barPopc, barAnd, barOr:
		args = d.argc(3, 4)
		if op == barPopc {
			dst = d.dst(args[0], tU32)
		} else {
			pdst = d.predDst(args[0])
		}
		p = d.predSrc(args[len(args)-1])
		args = args[1 : len(args)-1]
	case barArrive:
		args = d.args(2)
	default:
		args = d.argc(1, 2)
	}
	id := d.src(args[0], tU32)
	count := src(0)
	if len(args) > 1 {
		count = d.src(args[1], tU32)
	}
	hasCount := len(args) > 1
	d.in.kind = kindBarrier
	d.in.exec = func(w *warp, m uint32) {
		if aligned && m != w.live {
			w.faultf(laneOf(m), "barrier is executed by lanes %#x, but lanes %#x of warp %d are live: an aligned barrier must not be divergent", m, w.live, w.id)
			return
		}
		lane := laneOf(m)
		n, want := w.lanes(id)[lane], uint64(0)
		if hasCount {
			want = w.lanes(count)[lane]
			if want == 0 || want%warpSize != 0 {
				w.faultf(lane, "barrier thread count %d is not a positive multiple of %d", want, warpSize)
				return
			}
		}
		for k := m; k != 0; {
			if i := next(&k); w.lanes(id)[i] != n {
				w.faultf(i, "lanes of one warp name barriers %d and %d", n, w.lanes(id)[i])
				return
			}
		}
		if n >= barrierCount {
			w.faultf(lane, "barrier %d does not exist, the last one is %d", n, barrierCount-1)
			return
		}
		w.arrive(int(n), op, want, m, w.pred(p), dst, pdst)
	}
}

// arrive adds lanes to a barrier and blocks them unless it is an arrival
// only.
func (w *warp) arrive(n int, op barrierOp, want uint64, m, pred uint32, dst, pdst int32) {
	b := &w.cta.barriers[n]
	kind := op
	if kind == barArrive {
		kind = barSync
	}
	switch {
	case !b.used:
		b.used, b.want, b.op = true, want, kind
	case b.want != want:
		w.faultf(laneOf(m), "barrier %d is used with thread count %d and, in the same phase, %d (0 means all)", n, b.want, want)
		return
	case b.op != kind:
		w.faultf(laneOf(m), "barrier %d is used with different operations in the same phase", n)
		return
	}
	if b.arrived[w.id]&m != 0 {
		w.faultf(laneOf(b.arrived[w.id]&m), "thread arrives twice in the same phase of barrier %d", n)
		return
	}
	b.arrived[w.id] |= m
	b.total += uint64(bits.OnesCount32(m))
	b.pop += uint64(bits.OnesCount32(m & pred))
	if op != barArrive {
		w.cur.state = splitBarrier
		b.waiting = append(b.waiting, waiter{w, w.cur, m, dst, pdst})
	}
	if got := w.cta.tryBarrier(b); b.used && b.want > 0 && got > b.want {
		w.faultf(laneOf(m), "%d threads arrive at barrier %d, which waits for %d", got, n, b.want)
	}
}

// tryBarrier completes a barrier when all its threads have arrived: for a
// barrier without count all live threads of the CTA; else the count, to
// which a warp contributes 32 as soon as its live lanes have arrived.
func (c *cta) tryBarrier(b *barrier) (got uint64) {
	all := true
	for i, w := range c.warps {
		a := b.arrived[i]
		missing := w.live &^ a
		if missing != 0 {
			all = false
		}
		switch {
		case a == 0:
		case missing == 0:
			got += warpSize
		default:
			got += uint64(bits.OnesCount32(a))
		}
	}
	if b.want == 0 && !all || b.want > 0 && got != b.want {
		return got
	}
	for i, w := range c.warps {
		if b.arrived[i] != 0 {
			w.publish()
		}
	}
	for _, x := range b.waiting {
		x.s.state = splitReady
		switch b.op {
		case barPopc:
			out := x.w.reg(x.dst)
			for k := x.m; k != 0; {
				out[next(&k)] = b.pop
			}
		case barAnd, barOr:
			if b.op == barAnd && b.pop == b.total || b.op == barOr && b.pop > 0 {
				x.w.setPred(x.pdst, full, x.m)
			} else {
				x.w.setPred(x.pdst, 0, x.m)
			}
		}
		if x.w.cur == nil {
			x.w.pick()
		}
	}
	b.reset()
	return got
}

// threadsGone looks again at the barriers that wait for all live threads
// after lanes of w have exited, and at the lanes of w that wait for each
// other.
func (c *cta) threadsGone(w *warp) {
	for i := range c.barriers {
		if b := &c.barriers[i]; b.used && len(b.waiting) > 0 && b.want == 0 {
			c.tryBarrier(b)
		}
	}
	c.group.tryCluster()
	w.retrySync()
}
