package machine

import (
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Warp is 32 threads in execution.
//
// Registers are vectors of 32 lanes, not structs of a thread. An instruction is one loop over two or three arrays of a
// fixed size, in which Go's compiler drops the bounds checks. Each has a mask of the lanes that have written it. The
// mask is by register and not by bit, so that half of a packed register that was never written passes. A shadow of each
// bit would find that, at the price of a second computation for every instruction.
type Warp struct {
	Regs     []Lanes
	Init     []uint32 // lanes in which a register has been written
	Preds    []uint32
	PredInit []uint32
	Carry    uint32 // condition code register CC.CF
	consts   []Lanes
	Program  *Program
	CTA      *CTA
	ID       int
	Live     uint32 // lanes that have not exited
	passed   uint32 // lanes that the cluster barrier lets through
	leaves   []*Split
	Cur      *Split
	spare    []*Split
	Local    []byte
	recent   *allocation
	last     *allocation // likewise, where accesses are checked
	copies   asyncCopies
	MMAs     RegisterQueue // wgmma.mma_async in flight
	Loads    RegisterQueue // tcgen05.ld in flight
	Stores   []func()      // tcgen05.st in flight
	// Scratch is the working space of the package whose instructions need one. It has no meaning between two
	// instructions and stays from one CTA to the next.
	Scratch any
	written genericWrites // not published
	stored  globalWrites  // likewise
	Async   bool          // accesses go through the asynchronous proxy
	Err     *Fault
	// Yield ends the warp's turn; stalled says that it did so because a
	// wait failed.
	Yield, Stalled bool
	before         uint64 // warp instructions counted already
	steps          uint64 // warp instructions since
	work           uint64 // thread instructions
	// sheet is the profile to count in, nil for none.
	sheet *Profile
	watch *hb.Warp // nil: not checked
}

// Stmt is the instruction that the warp executes.
func (w *Warp) Stmt() *syntax.Stmt { return w.Program.Code[w.Cur.pc].Stmt }

// thread is %tid of a lane.
func (w *Warp) thread(lane int) [3]uint32 {
	n := w.CTA.Run.block
	i := uint32(w.ID*WarpSize + lane)
	return [3]uint32{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}
}

// start makes the warp ready to execute its program from the beginning.
func (w *Warp) start(c *CTA, id int, live uint32) {
	w.CTA, w.ID, w.Live, w.passed = c, id, live, 0
	// What a register held in the CTA before must not count as written.
	clear(w.Init)
	clear(w.PredInit)
	w.Init[SlotSink], w.Init[SlotSink+1] = Full, Full
	w.Preds[PredTrue], w.PredInit[PredTrue], w.PredInit[PredSink] = Full, Full, Full
	if c.Run.Launch.AllowUninitialized {
		for i := range w.Init {
			w.Init[i] = Full
		}
		for i := range w.PredInit {
			w.PredInit[i] = Full
		}
		c.Cluster.scramble(w)
	}
	for _, s := range w.Program.Specials {
		s.Fill(w, &w.Regs[s.Slot])
		w.Init[s.Slot] = Full
	}
	c.Cluster.Poison(w.Local)
	w.copies.reset()
	w.Async = false
	w.Loads.reset()
	w.Stores = w.Stores[:0]
	w.written.fence()
	clear(w.stored)
	w.MMAs.reset()
	w.leaves = w.leaves[:0]
	w.Err, w.Cur, w.Yield, w.before, w.steps, w.work = nil, nil, false, 0, 0, 0
	w.add(&Split{pc: w.Program.Starts[w.Program.Entry], rpc: -1, mask: live})
}

// pollBranches is how many branches a loop that polls has from one wait to the next.
const pollBranches = 2

// run gives the warp a turn of up to budget warp instructions. It ends early when no leaf can run or after a fault.
//
// A warp whose last wait failed comes to the next one, however short its turn is. Where many warps poll, turns that end
// before the wait would keep all of them from being seen to wait at once. Then copies that complete only when nothing
// else can happen never would, and a deadlock would not show.
func (w *Warp) run(budget int) {
	if w.Stalled {
		budget += pollBranches
	}
	w.Yield, w.Stalled = false, false
	switch {
	case w.sheet != nil:
		w.executeCounted(budget)
	case w.watch != nil:
		w.executeWatched(budget)
	default:
		w.execute(budget)
	}
	if w.Err == nil && w.Cur != nil && len(w.leaves) > 1 {
		w.rotate()
	}
}

// execute executes up to budget warp instructions of the current leaf.
//
// This is the emulator's inner loop. Plain instructions and branches are in it, all others are in control. The checks
// for unwritten registers are loops here and not a function, which would be called for every instruction.
func (w *Warp) execute(budget int) {
	code := w.Program.Code
	for ; budget > 0 && w.Cur != nil && !w.Yield; budget-- {
		s := w.Cur
		if s.pc == s.rpc { // a join, which is no instruction: lanes go back to the leaf that they split from
			w.drop(s, s.mask)
			budget++
			continue
		}
		in := &code[s.pc]
		m := s.mask
		if in.Guarded { // the guard must be written in all lanes before any of them trusts it
			if x := m &^ w.PredInit[in.Guard.Slot]; x != 0 {
				w.uninitialised(in, x)
				return
			}
			m &= w.Pred(in.Guard)
		}
		w.steps++
		w.work += uint64(bits.OnesCount32(m))
		if m == 0 {
			s.pc++
			continue
		}
		for _, r := range in.Uses { // by the lanes that execute; those whose guard is false may lack them
			if m&^w.Init[r] != 0 {
				w.uninitialised(in, m)
				return
			}
		}
		for _, r := range in.PredUses {
			if m&^w.PredInit[r] != 0 {
				w.uninitialised(in, m)
				return
			}
		}
		// An instruction that may block gets a leaf of its own, or the lanes whose guard is false would wait too.
		if in.Kind >= KindBarrier && m != s.mask {
			w.branch(s, s.pc+1, []path{{s.pc + 1, s.mask &^ m}, {s.pc, m}})
			continue
		}
		switch in.Kind {
		case KindPlain:
			in.Exec(w, m)
			s.pc++
		case KindBranch:
			switch m {
			case s.mask:
				s.pc = in.Target
			default:
				w.branch(s, in.Join, []path{{s.pc + 1, s.mask &^ m}, {in.Target, m}})
			}
			continue
		default:
			if !w.control(s, in, m) {
				continue
			}
		}
		if w.Err != nil {
			return
		}
		for _, r := range in.Defs {
			w.Init[r] |= m
		}
		for _, r := range in.PredDefs {
			w.PredInit[r] |= m
		}
	}
}

// control executes an instruction that is neither plain nor a branch. It reports whether the instruction wrote its
// results, in the lanes of m: a return, an exit and a call that has split its lanes did not.
func (w *Warp) control(s *Split, in *Inst, m uint32) (done bool) {
	switch in.Kind {
	case KindIndex:
		w.indexed(s, in, m)
	case KindExit:
		w.exit(s, m)
		return false
	case KindRet:
		w.ret(s, m)
		return false
	case KindCall:
		if in.Exec != nil {
			in.Exec(w, m)
		}
		w.call(s, in.Target, m)
	case KindCallIndirect:
		return w.callIndirect(s, in, m) || w.Err != nil
	case KindBarrier:
		w.current(s, in, m)
	case KindSync:
		w.collective(s, in, m)
	}
	return true
}

// current executes an instruction that may block its lanes; the program
// counter follows it when they wake up.
func (w *Warp) current(s *Split, in *Inst, m uint32) {
	in.Exec(w, m)
	s.pc++
	if s.State != SplitReady && w.Err == nil {
		w.Pick()
	}
}

// indexed executes brx.idx.
//
// The ISA leaves an index beyond the list undefined; it faults here.
func (w *Warp) indexed(s *Split, in *Inst, m uint32) {
	idx := w.Lanes(in.Index)
	var paths []path
	if rest := s.mask &^ m; rest != 0 {
		paths = append(paths, path{s.pc + 1, rest})
	}
	for m != 0 {
		lane := bits.TrailingZeros32(m)
		v := idx[lane]
		if v >= uint64(len(in.Targets)) {
			w.Faultf(lane, "index %d is beyond the %d branch targets", v, len(in.Targets))
			return
		}
		var same uint32
		for k := m; k != 0; {
			if i := Next(&k); idx[i] == v {
				same |= 1 << i
			}
		}
		m &^= same
		paths = append(paths, path{in.Targets[v], same})
	}
	if len(paths) == 1 {
		s.pc = paths[0].pc
		return
	}
	w.branch(s, in.Join, paths)
}
