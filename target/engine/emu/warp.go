package emu

import (
	"fmt"
	"math/bits"
)

// splitState says whether the lanes of a leaf of the split tree can run.
type splitState uint8

const (
	splitReady   splitState = iota
	splitBarrier            // waits at a CTA or cluster barrier
	splitSync               // waits for other lanes of the warp
)

// split is a node of a warp's split tree. Leaves hold lanes that execute
// together; an inner node waits at pc for its children, whose lanes join
// it there. A child joins when it reaches rpc, or, below a call, when it
// returns. Unlike a stack of divergent paths, every leaf can make progress,
// so that lanes may wait for each other, as they may on hardware since
// Volta.
type split struct {
	pc, rpc int32
	mask    uint32 // lanes that execute here or have arrived here
	pending int32  // children that have not finished
	call    bool   // children come back by ret
	state   splitState
	parent  *split
}

// warp is 32 threads in execution.
type warp struct {
	regs     []lanes
	init     []uint32 // lanes in which a register has been written
	preds    []uint32
	pinit    []uint32
	carry    uint32 // condition code register CC.CF
	consts   []lanes
	prog     *program
	cta      *cta
	id       int
	live     uint32 // lanes that have not exited
	passed   uint32 // lanes that the cluster barrier lets through
	leaves   []*split
	cur      *split
	spare    []*split
	local    []byte
	recent   *allocation
	copies   asyncCopies
	products registerQueue // wgmma.mma_async in flight
	loads    registerQueue // tcgen05.ld in flight
	stores   []func()      // tcgen05.st in flight
	// scratch is the working space of the package whose instructions need one. It has no meaning between two
	// instructions and stays from one CTA to the next.
	scratch any
	written genericWrites // not published
	async   bool          // accesses go through the asynchronous proxy
	err     *Fault
	// yield ends the warp's turn; stalled tells that it did so because a
	// wait failed.
	yield, stalled bool
	before         uint64 // warp instructions counted already
	steps          uint64 // warp instructions since
	work           uint64 // thread instructions
}

// Fault is an error of the program that a launch ran.
type Fault struct {
	Module      string
	Line        int
	Instruction string
	CTA, Thread [3]uint32
	Msg         string

	settled bool // line and thread are those of an asynchronous operation
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d: '%s': %s (cta %d,%d,%d thread %d,%d,%d)", f.Module, f.Line, f.Instruction, f.Msg,
		f.CTA[0], f.CTA[1], f.CTA[2], f.Thread[0], f.Thread[1], f.Thread[2])
}

// faultf records the first fault of a warp.
func (w *warp) faultf(lane int, format string, args ...any) {
	if w.err != nil {
		return
	}
	f := &Fault{Module: w.prog.m.Name, CTA: w.cta.id, Thread: w.thread(lane), Msg: fmt.Sprintf(format, args...)}
	if w.cur != nil && int(w.cur.pc) < len(w.prog.code) {
		s := w.prog.code[w.cur.pc].stmt
		f.Line, f.Instruction = int(s.pos.line), s.text
	}
	w.err = f
}

// stmt is the instruction that the warp executes.
func (w *warp) stmt() *stmt { return w.prog.code[w.cur.pc].stmt }

// settle makes the warp's fault, if it has one, that of an operation which a
// lane issued earlier: the instruction that happens to be current when an
// asynchronous operation takes effect has nothing to do with it.
func (w *warp) settle(lane int, s *stmt) {
	if f := w.err; f != nil && !f.settled {
		f.Line, f.Instruction, f.Thread, f.settled = int(s.pos.line), s.text, w.thread(lane), true
	}
}

// thread is %tid of a lane.
func (w *warp) thread(lane int) [3]uint32 {
	n := w.cta.run.block
	i := uint32(w.id*warpSize + lane)
	return [3]uint32{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}
}

// start makes the warp ready to execute its program from the beginning.
func (w *warp) start(c *cta, id int, live uint32) {
	w.cta, w.id, w.live, w.passed = c, id, live, 0
	clear(w.init)
	clear(w.pinit)
	w.init[slotSink], w.init[slotSink+1] = full, full
	w.preds[predTrue], w.pinit[predTrue], w.pinit[predSink] = full, full, full
	if c.run.l.AllowUninitialized {
		for i := range w.init {
			w.init[i] = full
		}
		for i := range w.pinit {
			w.pinit[i] = full
		}
		clear(w.regs)
	}
	for _, s := range w.prog.specials {
		s.fill(w, &w.regs[s.slot])
		w.init[s.slot] = full
	}
	c.group.poison(w.local)
	w.copies.reset()
	w.async = false
	w.loads.reset()
	w.stores = w.stores[:0]
	w.written.fence()
	w.products.reset()
	w.leaves = w.leaves[:0]
	w.err, w.cur, w.yield, w.before, w.steps, w.work = nil, nil, false, 0, 0, 0
	w.add(&split{pc: w.prog.starts[w.prog.entry], rpc: -1, mask: live})
}

func (w *warp) add(s *split) {
	w.leaves = append(w.leaves, s)
	w.cur = s
}

// unlink takes s out of the leaves.
func (w *warp) unlink(s *split) {
	for i, l := range w.leaves {
		if l == s {
			w.leaves = append(w.leaves[:i], w.leaves[i+1:]...)
			return
		}
	}
}

func (w *warp) newSplit(pc, rpc int32, m uint32, parent *split) *split {
	if n := len(w.spare); n > 0 {
		s := w.spare[n-1]
		w.spare = w.spare[:n-1]
		*s = split{pc: pc, rpc: rpc, mask: m, parent: parent}
		return s
	}
	return &split{pc: pc, rpc: rpc, mask: m, parent: parent}
}

// drop removes a leaf whose lanes have gone elsewhere: joined lanes arrive
// at its parent. It chooses another current leaf.
func (w *warp) drop(s *split, joined uint32) {
	w.unlink(s)
	for {
		p := s.parent
		w.spare = append(w.spare, s)
		if p == nil {
			break
		}
		p.mask |= joined
		if p.pending--; p.pending > 0 {
			break
		}
		if p.call = false; p.mask != 0 {
			w.add(p)
			return
		}
		s, joined = p, 0
	}
	w.pick()
}

// pick makes the youngest leaf that can run current, or none. In
// adversarial mode any leaf may be next.
func (w *warp) pick() {
	w.cur = nil
	if n := len(w.leaves); n > 1 && w.cta.group.chance(2) {
		if s := w.leaves[w.cta.group.rng.IntN(n)]; s.state == splitReady {
			w.cur = s
			return
		}
	}
	for i := len(w.leaves) - 1; i >= 0; i-- {
		if w.leaves[i].state == splitReady {
			w.cur = w.leaves[i]
			return
		}
	}
}

// rotate gives another leaf a turn, so that lanes that spin do not keep
// from running those for which they wait.
func (w *warp) rotate() {
	if len(w.leaves) > 1 {
		first := w.leaves[0]
		copy(w.leaves, w.leaves[1:])
		w.leaves[len(w.leaves)-1] = first
		w.pick()
	}
}

// branch sends the lanes of s to several places: paths gives a target and
// a lane mask for each.
func (w *warp) branch(s *split, reconv int32, paths []path) {
	parent, rpc := s.parent, s.rpc
	if reconv >= 0 && reconv != rpc {
		// s becomes the node that waits at the reconvergence point.
		w.unlink(s)
		s.pc, s.mask = reconv, 0
		parent, rpc = s, reconv
	} else {
		// The paths meet where s would have joined its parent: they are
		// its equals, which keeps the tree flat in loops.
		if parent == nil {
			parent = w.newSplit(-1, -1, 0, nil)
			parent.pending = 1
			s.parent = parent
		}
		for _, p := range paths[1:] {
			parent.pending++
			w.add(w.newSplit(p.pc, rpc, p.mask, parent))
		}
		s.pc, s.mask = paths[0].pc, paths[0].mask
		w.cur = s
		return
	}
	parent.pending = int32(len(paths))
	for _, p := range paths {
		w.add(w.newSplit(p.pc, rpc, p.mask, parent))
	}
}

// path is one way out of a branch.
type path struct {
	pc   int32
	mask uint32
}

// leave takes lanes out of s because they exit (to nil) or return (to the
// call node), and drops s when no lane is left.
func (w *warp) leave(s *split, m uint32) {
	if s.mask &^= m; s.mask == 0 {
		w.drop(s, 0)
	} else {
		s.pc++
	}
}

func (w *warp) exit(s *split, m uint32) {
	w.live &^= m
	w.leave(s, m)
	w.cta.threadsGone(w)
}

func (w *warp) ret(s *split, m uint32) {
	for p := s.parent; p != nil; p = p.parent {
		if p.call {
			if after := w.prog.code[p.pc-1].after; after != nil {
				after(w, m)
			}
			p.mask |= m
			w.leave(s, m)
			return
		}
	}
	w.exit(s, m)
}

func (w *warp) call(s *split, target int32, m uint32) {
	w.unlink(s)
	// Lanes whose guard is false wait behind the call with those that
	// return.
	s.pc, s.mask, s.call, s.pending = s.pc+1, s.mask&^m, true, 1
	w.add(w.newSplit(target, -1, m, s))
}

// run executes up to budget warp instructions and stops early when no leaf
// can run or after a fault.
func (w *warp) run(budget int) {
	code := w.prog.code
	w.yield, w.stalled = false, false
	for ; budget > 0 && w.cur != nil && !w.yield; budget-- {
		s := w.cur
		if s.pc == s.rpc {
			w.drop(s, s.mask)
			budget++
			continue
		}
		in := &code[s.pc]
		m := s.mask
		if in.guarded {
			if x := m &^ w.pinit[in.guard.slot]; x != 0 {
				w.uninitialised(in, x)
				return
			}
			m &= w.pred(in.guard)
		}
		w.steps++
		w.work += uint64(bits.OnesCount32(m))
		if m == 0 {
			s.pc++
			continue
		}
		for _, r := range in.uses {
			if m&^w.init[r] != 0 {
				w.uninitialised(in, m)
				return
			}
		}
		for _, r := range in.puses {
			if m&^w.pinit[r] != 0 {
				w.uninitialised(in, m)
				return
			}
		}
		if in.kind >= kindBarrier && m != s.mask {
			// Only the lanes whose guard holds may block.
			w.branch(s, s.pc+1, []path{{s.pc + 1, s.mask &^ m}, {s.pc, m}})
			continue
		}
		switch in.kind {
		case kindPlain:
			in.exec(w, m)
			s.pc++
		case kindBranch:
			switch m {
			case s.mask:
				s.pc = in.target
			default:
				w.branch(s, in.reconv, []path{{s.pc + 1, s.mask &^ m}, {in.target, m}})
			}
			continue
		case kindIndex:
			w.indexed(s, in, m)
		case kindExit:
			w.exit(s, m)
			continue
		case kindRet:
			w.ret(s, m)
			continue
		case kindCall:
			if in.exec != nil {
				in.exec(w, m)
			}
			w.call(s, in.target, m)
		case kindCallIndirect:
			if !w.callIndirect(s, in, m) && w.err == nil {
				continue
			}
		case kindBarrier:
			w.current(s, in, m)
		case kindSync:
			w.collective(s, in, m)
		}
		if w.err != nil {
			return
		}
		for _, r := range in.defs {
			w.init[r] |= m
		}
		for _, r := range in.pdefs {
			w.pinit[r] |= m
		}
	}
	if w.cur != nil && len(w.leaves) > 1 {
		w.rotate()
	}
}

// current executes an instruction that may block its lanes; the program
// counter is behind it when they wake up.
func (w *warp) current(s *split, in *inst, m uint32) {
	in.exec(w, m)
	s.pc++
	if s.state != splitReady && w.err == nil {
		w.pick()
	}
}

// indexed executes brx.idx.
func (w *warp) indexed(s *split, in *inst, m uint32) {
	idx := w.lanes(in.index)
	var paths []path
	if rest := s.mask &^ m; rest != 0 {
		paths = append(paths, path{s.pc + 1, rest})
	}
	for m != 0 {
		lane := bits.TrailingZeros32(m)
		v := idx[lane]
		if v >= uint64(len(in.targets)) {
			w.faultf(lane, "index %d is beyond the %d branch targets", v, len(in.targets))
			return
		}
		var same uint32
		for k := m; k != 0; {
			if i := next(&k); idx[i] == v {
				same |= 1 << i
			}
		}
		m &^= same
		paths = append(paths, path{in.targets[v], same})
	}
	if len(paths) == 1 {
		s.pc = paths[0].pc
		return
	}
	w.branch(s, in.reconv, paths)
}

// uninitialised reports the first register that in reads before any write.
func (w *warp) uninitialised(in *inst, m uint32) {
	s := in.stmt
	report := func(name string, slot int32, lanes uint32) {
		for _, q := range []struct {
			name  string
			queue *registerQueue
		}{{"wgmma", &w.products}, {"tcgen05.ld", &w.loads}} {
			if q.queue.writes(slot) {
				w.faultf(bits.TrailingZeros32(lanes), "register '%s' is read while an asynchronous '%s' that writes it is in flight", name, q.name)
			}
		}
		w.faultf(bits.TrailingZeros32(lanes), "register '%s' is read before it is written", name)
	}
	for sym, slot := range w.prog.slots {
		var bad uint32
		switch {
		case sym.typ == tPred && usesPred(in, slot):
			bad = m &^ w.pinit[slot]
		case sym.typ != tPred && contains(in.uses, slot):
			bad = m &^ w.init[slot]
			if sym.typ.bits() > 64 {
				bad |= m &^ w.init[slot+1]
			}
		}
		if bad != 0 {
			report(sym.name, slot, bad)
			return
		}
	}
	w.faultf(bits.TrailingZeros32(m), "'%s' reads a register before it is written", s.op)
}

func usesPred(in *inst, slot int32) bool {
	return contains(in.puses, slot) || in.guarded && in.guard.slot == slot
}

func contains(list []int32, x int32) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}
