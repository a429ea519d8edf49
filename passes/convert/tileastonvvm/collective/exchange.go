package collective

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// convertLayout renames registers, or exchanges them between the lanes of a warp.
func convertLayout(l *core.Lowering, op ir.Op) error {
	from, err := l.Layout(op.Operand(0))
	if err != nil {
		return err
	}
	to, err := l.Layout(op.Result(0))
	if err != nil {
		return err
	}
	// One map composed with the inverse of the other over GF(2) says where every element goes (arXiv 2505.23819,
	// layout conversion); there are no cases by kind of layout.
	c, err := linear.Convert(from, to)
	if err != nil {
		return op.Errorf("cannot be done: %v", err)
	}
	src := l.Values(op.Operand(0))
	// The class follows from the two maps. A move inside a thread is a change of names: no instruction. Between lanes
	// there is a plan of shuffles. Between warps a pass has put shared memory in.
	switch {
	case c.Class <= linear.RegisterMove:
		m, err := c.RegisterMap()
		if err != nil {
			return op.Errorf("cannot be done: %v", err)
		}
		regs := make([]ir.Value, len(m))
		for r, s := range m {
			regs[r] = src[s]
		}
		l.Bind(op.Result(0), regs...)
		return nil
	case c.Class == linear.LaneMove:
		plan, err := c.Shuffles()
		if err != nil {
			return op.Errorf("cannot be done by shuffles: %v", err)
		}
		l.Bind(op.Result(0), exchange(l, plan, src, to.Size(linear.Register))...)
		return nil
	}
	return op.Errorf("between warps must go through shared memory before it is lowered to nvvm")
}

// A round moves one register of every lane:
//
//	select   registers trade places, by selects, so that all lanes send register t in round t
//	move     shfl.bfly where the lane to read from is the own one XOR a constant, else shfl.idx; nothing for the own
//	place    the way back: what arrived goes where the new layout has it
//
// What stays in its lane is selected twice by one condition. Canonicalization leaves one of the two out.
func exchange(l *core.Lowering, plan linear.ShufflePlan, src []ir.Value, n int) []ir.Value {
	// Lanes may have to send different registers in one round, while shfl sends the same named register from
	// each. So registers are permuted before, by what the thread must send, and back afterwards, by what it got.
	staged := permuteRegisters(l, plan.Select, src)
	got := make([]ir.Value, len(plan.Rounds))
	var source ir.Value
	// bfly takes its lane mask as an immediate; idx needs the source lane in a register, which is the same for
	// all rounds but for a constant.
	if !plan.XorLanes() {
		source = l.ThreadFn(plan.Source)
	}
	for t, round := range plan.Rounds {
		v := staged[round.Register]
		switch {
		// What this round moves stays in its lane, so it only changes its name.
		case round.Local:
		case plan.XorLanes():
			v = l.Shuffle("bfly", v, l.Const32(int64(round.Lane)))
		default:
			lane := source
			if round.Lane != 0 {
				lane = l.Make(arith.XOrI, l.I32(), source, l.Const32(int64(round.Lane)))
			}
			v = l.Shuffle("idx", v, lane)
		}
		got[t] = v
	}
	placed := permuteRegisters(l, plan.Place, got)
	regs := make([]ir.Value, n)
	for r := range regs {
		regs[r] = placed[plan.Results[r]]
	}
	return regs
}

// permuteRegisters returns the registers r -> regs[r ^ f(thread)], by selects.
func permuteRegisters(l *core.Lowering, f linear.ThreadFn, regs []ir.Value) []ir.Value {
	// The number of a register cannot depend on the thread. A thread can decide whether two registers are
	// exchanged. Each stage exchanges the pairs that differ in one combination of bits. So log n stages of n
	// selects replace a table of n x n.
	for _, s := range f.Stages() {
		cond := parity(l, s)
		next := make([]ir.Value, len(regs))
		for r := range regs {
			next[r] = l.Make(arith.Select, regs[r].Type(), cond, regs[r^int(s.Xor)], regs[r])
		}
		regs = next
	}
	return regs
}

// parity returns whether the number of bits of the thread's number that the stage names is odd.
func parity(l *core.Lowering, s linear.Stage) ir.Value {
	// It is not computed by popc. As a function of the thread it is hoisted and shared like any coordinate, and
	// for the usual mask of one bit it is just that bit.
	one := linear.ThreadFn{}
	column := func(mask uint32, bits int) []uint32 {
		cols := make([]uint32, bits)
		for i := range cols {
			cols[i] = mask >> i & 1
		}
		return cols
	}
	one.Lane = column(s.Lane, 5)
	for n := 1; n < l.Warps; n *= 2 {
		one.Warp = append(one.Warp, 0)
	}
	one.Warp = column(s.Warp, len(one.Warp))
	bit := l.ThreadFn(one)
	s.Xor = 0 // whatever trades places by it
	return l.Once(s, func(b *ir.Builder) ir.Value { return arith.NewCmpI(b, "ne", bit, arith.NewI32(b, 0)) })
}
