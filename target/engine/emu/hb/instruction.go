package hb

import "math/bits"

// registers is what the check keeps of a warp's registers: which of them depend on the schedule, by the instruction
// where the value comes from, plus one.
type registers struct {
	taint, predTaint []int32
	tainted          bool            // some of them
	released         bool            // the instruction has released
	multiplies       bool            // the instruction is a wgmma
	asynchronous     []asyncRegister // by register, if the program has wgmma
	fences           uint32          // wgmma.fence, and one
}

// asyncRegister is what is known of a register that wgmma may use.
type asyncRegister struct {
	fences uint32 // before a thread used it last
	pc     int32  // there
	flight uint32 // the last wgmma that has it as an operand
}

func newRegisters(regs, preds int, wgmma bool) registers {
	r := registers{taint: make([]int32, regs), predTaint: make([]int32, preds)}
	if wgmma {
		r.asynchronous = make([]asyncRegister, regs)
	}
	return r
}

func (r *registers) reset() {
	clear(r.taint)
	clear(r.predTaint)
	clear(r.asynchronous)
	r.tainted, r.released, r.multiplies, r.fences = false, false, false, 1
}

// Registers are those that an instruction reads and writes.
type Registers struct {
	Uses, PredUses, Defs, PredDefs []int32
	Guard                          int32 // predicate, or -1
	Branches                       bool  // the guard or a use decides where lanes go on
	Blocks                         bool  // the instruction synchronises
}

// Step says that lanes of the warp, of those that have not exited, are about to execute an instruction.
func (w *Warp) Step(pc int32, r *Registers, active, live uint32) {
	w.active, w.live, w.lane = active, live, uint64(bits.TrailingZeros32(active)&31)
	if pc <= w.pc && w.touched != 0 { // a clock and a place are one instruction, also in a loop
		w.tick()
	}
	w.how.known, w.together = false, false
	w.pc, w.order = pc, w.c.l.Orders[pc]
	w.value, w.loaded, w.hands, w.waited = 0, 0, 0, nil
	if w.tainted {
		w.spread(r)
	}
}

// spread finds what the operands depend on.
func (w *Warp) spread(r *Registers) {
	guard := int32(0)
	if r.Guard >= 0 {
		guard = w.predTaint[r.Guard]
	}
	for _, u := range r.Uses {
		w.value = max(w.value, w.taint[u])
	}
	for _, u := range r.PredUses {
		w.value = max(w.value, w.predTaint[u])
	}
	what := ""
	from := guard
	switch {
	case guard != 0 && r.Branches:
		what = "branch"
	case guard != 0 && (w.order != nil || r.Blocks):
		what = "guard of the instruction"
	case r.Branches && w.value != 0:
		what, from = "branch", w.value
	case w.order != nil:
		for _, b := range w.order.Bases {
			if b >= 0 && int(b) < len(w.taint) && w.taint[b] != 0 {
				what, from = "address", w.taint[b]
			}
		}
	}
	if what != "" {
		l := w.c.l
		if l.noted[[2]int32{w.pc, from}] {
			w.value = max(w.value, guard)
			return
		}
		s := l.Site(from - 1)
		l.depends(w.pc, from, "the %s at line %d depends on '%s' at line %d", what, l.Site(w.pc).Line, s.Instruction, s.Line)
	}
	w.value = max(w.value, guard)
}

// Done says that the warp has executed the instruction of Step.
func (w *Warp) Done(r *Registers) {
	w.flush()
	if len(w.doubts) > 0 {
		w.settle()
	}
	if w.asynchronous != nil {
		w.used(r)
	}
	if w.released {
		w.released = false
		w.tick()
	}
	from := max(w.value, w.loaded)
	if o := w.order; o != nil && o.Result && !o.Polled {
		from = w.pc + 1
	}
	if from == 0 && !w.tainted {
		return
	}
	w.tainted = true
	for _, d := range r.Defs {
		w.taint[d] = from
	}
	for _, d := range r.PredDefs {
		w.predTaint[d] = from
	}
}
