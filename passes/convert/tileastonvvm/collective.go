package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// reduce combines registers, then lanes by butterfly shuffles, after which all lanes that took part hold the result.
//
// Along lanes 1, 2, 4, 8 of 16 lanes with one register each, that is 4 rounds of
//
//	%o = shfl.bfly %a, 1 ; %a = body(%a, %o) ; %o = shfl.bfly %a, 2 ; ...
//
// Both lanes of a pair run the body on the same two values with the arguments exchanged: all lanes hold the
// same bits only if the body commutes.
func (l *lowering) reduce(op ir.Op) error {
	lay, err := l.layout(op.Operand(0))
	if err != nil {
		return err
	}
	dim, _ := op.IntAttr(tile.AttrDim)
	plan, err := linear.PlanReduction(lay, int(dim))
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	if len(plan.Warps)+len(plan.Blocks) > 0 {
		return op.Errorf("across warps must be split before it is lowered to nvvm")
	}
	// Registers come first: combining two of them is one run of the body, and afterwards each exchange between lanes moves one value instead of one for each register.
	n := op.NumOperands()
	results := make([][]ir.Value, n)
	for _, group := range plan.Registers {
		acc := make([]ir.Value, n)
		for k, r := range group {
			elem := make([]ir.Value, n)
			for i, v := range op.Operands() {
				elem[i] = l.Values(v)[r]
			}
			if k == 0 {
				acc = elem
			} else if acc, err = l.combine(op, elem, acc); err != nil {
				return err
			}
		}
		// A butterfly, in which both lanes of a pair combine what both have, rather than a tree that halves the lanes: it takes as many rounds, and leaves the result in all lanes that took part, as the
		// layout of the result says. A tree would need a broadcast behind it.
		for _, mask := range plan.Lanes {
			elem := make([]ir.Value, n)
			for i := range elem {
				elem[i] = l.shuffle("bfly", acc[i], l.const32(int64(mask)))
			}
			if acc, err = l.combine(op, elem, acc); err != nil {
				return err
			}
		}
		for i := range results {
			results[i] = append(results[i], acc[i])
		}
	}
	for i, v := range op.Results() {
		l.Bind(v, results[i]...)
	}
	return nil
}

// combine runs the body of a reduce or scan on scalars. Its arguments are, for each operand, what was accumulated and the next element.
func (l *lowering) combine(op ir.Op, elem, acc []ir.Value) ([]ir.Value, error) {
	// The body is repeated for each combination, with its arguments bound anew: it is short, straight code, and a loop over registers cannot be written, since a register is named and not numbered.
	body := op.Body()
	for i := range elem {
		l.Bind(body.Arg(2*i), acc[i])
		l.Bind(body.Arg(2*i+1), elem[i])
	}
	out := make([]ir.Value, len(elem))
	for inner := range body.Ops() {
		if inner.HasTrait(ir.Terminator) {
			for i, v := range inner.Operands() {
				out[i] = l.Value(v)
			}
			break
		}
		if err := l.Op(inner); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shuffle moves a value of any width between lanes: 32 bits at a time.
//
// Not redux.sync, which combines a whole warp in one instruction: it has a few operations on integers of 32
// bits (on f32 for sm_100a alone; PTX ISA, "redux.sync"), and a reduction has a body.
func (l *lowering) shuffle(mode string, v, offset ir.Value) ir.Value {
	t := v.Type()
	if _, isPtr := t.(*nvvm.PtrType); isPtr {
		return l.create(nvvm.IntToPtr, t, l.shuffle(mode, l.create(nvvm.PtrToInt, l.i64(), v), offset))
	}
	// shfl.sync exists for .b32 alone. Narrower values travel in the low bits, wider ones in two halves.
	width := ir.BitWidth(t)
	shfl := func(w ir.Value) ir.Value {
		return l.Create(nvvm.Shuffle, []ir.Value{w, offset}, []ir.Type{w.Type()},
			ir.NamedAttr{Name: nvvm.AttrMode, Value: l.ctx.String(mode)}).Result(0)
	}
	if width == 32 {
		return shfl(v)
	}
	bits := v
	intType := ir.Type(l.ctx.Int(width))
	if t != intType {
		bits = l.create(arith.Bitcast, intType, v)
	}
	if width < 32 {
		bits = l.create(arith.TruncI, intType, shfl(l.create(arith.ExtUI, l.i32(), bits)))
	} else {
		low := shfl(l.create(arith.TruncI, l.i32(), bits))
		high := shfl(l.create(arith.TruncI, l.i32(), l.create(arith.ShRUI, l.i64(), bits, l.const64(32))))
		wide := l.create(arith.ShLI, l.i64(), l.create(arith.ExtUI, l.i64(), high), l.const64(32))
		bits = l.create(arith.OrI, l.i64(), wide, l.create(arith.ExtUI, l.i64(), low))
	}
	if t != intType {
		return l.create(arith.Bitcast, t, bits)
	}
	return bits
}

// convertLayout renames registers, or exchanges them between the lanes of a warp.
func (l *lowering) convertLayout(op ir.Op) error {
	from, err := l.layout(op.Operand(0))
	if err != nil {
		return err
	}
	to, err := l.layout(op.Result(0))
	if err != nil {
		return err
	}
	// One map composed with the inverse of the other over GF(2) tells where every element goes (arXiv 2505.23819, layout conversion); there are no cases by
	// kind of layout.
	c, err := linear.Convert(from, to)
	if err != nil {
		return op.Errorf("cannot be done: %v", err)
	}
	src := l.Values(op.Operand(0))
	// The class follows from the two maps. A move inside a thread is a change of names: no instruction. Between lanes there is a plan of shuffles. Between warps a pass has put shared memory in.
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
		l.Bind(op.Result(0), l.exchange(plan, src, to.Size(linear.Register))...)
		return nil
	}
	return op.Errorf("between warps must go through shared memory before it is lowered to nvvm")
}

// A round moves one register of every lane:
//
//	select   registers trade places, by selects, so that all lanes send register t in round t
//	move     shfl: bfly where the lane to read from is the own one XOR a constant, idx otherwise; nothing where it is the own
//	place    the way back: what arrived goes where the new layout has it
func (l *lowering) exchange(plan linear.ShufflePlan, src []ir.Value, n int) []ir.Value {
	// A lane may have to send different registers to different lanes in one round, while shfl sends the same named register from each: so registers are permuted before, by what the thread must
	// send, and back afterwards, by what it got.
	staged := l.permuteRegisters(plan.Select, src)
	got := make([]ir.Value, len(plan.Rounds))
	var source ir.Value
	// bfly takes its lane mask as an immediate; idx needs the source lane in a register, which is the same for
	// all rounds but for a constant.
	if !plan.XorLanes() {
		source = l.threadFn(plan.Source)
	}
	for t, round := range plan.Rounds {
		v := staged[round.Register]
		switch {
		// What this round moves stays in its lane, so it only changes its name.
		case round.Local:
		case plan.XorLanes():
			v = l.shuffle("bfly", v, l.const32(int64(round.Lane)))
		default:
			lane := source
			if round.Lane != 0 {
				lane = l.create(arith.XOrI, l.i32(), source, l.const32(int64(round.Lane)))
			}
			v = l.shuffle("idx", v, lane)
		}
		got[t] = v
	}
	placed := l.permuteRegisters(plan.Place, got)
	regs := make([]ir.Value, n)
	for r := range regs {
		regs[r] = placed[plan.Results[r]]
	}
	return regs
}

// permuteRegisters returns the registers r -> regs[r ^ f(thread)], by selects.
func (l *lowering) permuteRegisters(f linear.ThreadFn, regs []ir.Value) []ir.Value {
	// The number of a register cannot depend on the thread. What can is whether two registers are exchanged: each stage exchanges the pairs that differ in one combination of bits, so that log n stages
	// of n selects do what a table of n would take n x n for.
	for _, s := range f.Stages() {
		cond := l.parity(s)
		next := make([]ir.Value, len(regs))
		for r := range regs {
			next[r] = l.create(arith.Select, regs[r].Type(), cond, regs[r^int(s.Xor)], regs[r])
		}
		regs = next
	}
	return regs
}

// parity returns whether the number of bits of the thread's number that the stage names is odd.
func (l *lowering) parity(s linear.Stage) ir.Value {
	// Not by popc: as a function of the thread it is hoisted and shared like any coordinate, and for the usual mask of one bit it is no more than that bit.
	one := linear.ThreadFn{}
	column := func(mask uint32, bits int) []uint32 {
		cols := make([]uint32, bits)
		for i := range cols {
			cols[i] = mask >> i & 1
		}
		return cols
	}
	one.Lane = column(s.Lane, 5)
	for n := 1; n < l.warps; n *= 2 {
		one.Warp = append(one.Warp, 0)
	}
	one.Warp = column(s.Warp, len(one.Warp))
	return l.compare("ne", l.threadFn(one), l.const32(0))
}
