package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// A scanner is the state of a scan's lowering. Positions along the dimension are registers of a lane, then lanes; a reverse scan goes through both backwards.
//
// For a line of 16 elements in 4 lanes with 4 registers each:
//
//	registers   a0 a1 a2 a3 | b0 b1 b2 b3 | c0 ... | d0 ...     each lane scans its own, one after the other
//	lanes       a3   b3   c3   d3   ->   a3  a3+b3  a3+b3+c3   ...   2 rounds (Sklansky)
//	again       every lane but the first combines what the lanes before have with each of its registers
type scanner struct {
	l       *lowering
	op      ir.Op
	reverse bool
	// step is the distance of neighbours in registers, and in lanes.
	registerStep, laneStep int
	registers, lanes       int
}

func (l *lowering) scan(op ir.Op) error {
	lay, err := l.layout(op.Operand(0))
	if err != nil {
		return err
	}
	dim, _ := op.IntAttr(tile.AttrDim)
	seq, err := lay.Sequence(int(dim))
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	// shfl.sync does not leave its warp. The split makes what a warp has a dimension of its own, so that a scan along it passes here.
	if seq.Warps > 0 {
		return op.Errorf("across warps must be split before it is lowered to nvvm")
	}
	s := scanner{l: l, op: op, reverse: op.HasUnitAttr(tile.AttrReverse), registerStep: 1 << seq.FirstRegister, laneStep: 1 << seq.FirstLane,
		registers: 1 << seq.Registers, lanes: 1 << seq.Lanes}
	n := lay.Size(linear.Register)
	out := make([][]ir.Value, op.NumOperands())
	for i, v := range op.Operands() {
		out[i] = append([]ir.Value(nil), l.Values(v)...)
	}
	for r := range n {
		// The other bits of a register's number belong to other dimensions: each number with zeros in the scanned bits begins a line.
		if r/s.registerStep%s.registers == 0 {
			if err := s.line(r, out); err != nil {
				return err
			}
		}
	}
	for i, v := range op.Results() {
		l.Bind(v, out[i]...)
	}
	return nil
}

// line scans the positions whose first one is in register r, in place.
func (s *scanner) line(r int, values [][]ir.Value) error {
	order := make([]int, s.registers)
	for k := range order {
		order[k] = r + k*s.registerStep
		if s.reverse {
			order[k] = r + (s.registers-1-k)*s.registerStep
		}
	}
	at := func(r int) []ir.Value {
		out := make([]ir.Value, len(values))
		for i := range out {
			out[i] = values[i][r]
		}
		return out
	}
	set := func(r int, vs []ir.Value) {
		for i, v := range vs {
			values[i][r] = v
		}
	}
	// Inside the lane first, one after the other; then the lanes' totals are scanned, and what the lanes before have together is combined into every element. That is two runs of the body for an
	// element; a tree across registers too would take log n.
	for k := 1; k < len(order); k++ {
		// The body need not commute, so what comes earlier in the order of the scan is always the accumulated argument, in reverse as well.
		next, err := s.l.combine(s.op, at(order[k]), at(order[k-1]))
		if err != nil {
			return err
		}
		set(order[k], next)
	}
	if s.lanes == 1 {
		return nil
	}
	before, exists, err := s.acrossLanes(at(order[len(order)-1]))
	if err != nil {
		return err
	}
	for _, r := range order {
		elem := at(r)
		all, err := s.l.combine(s.op, elem, before)
		if err != nil {
			return err
		}
		// The first lane has nothing before it. A select rather than the identity as a start: combining with that need not keep every bit (0 + -0 is 0).
		set(r, s.l.choice(exists, all, elem))
	}
	return nil
}

// acrossLanes scans the totals of the lanes (Sklansky, Conditional-sum addition logic, 1960): in each round the lanes whose bit is set take what the last
// lane without it has. It returns what the lanes before have together, and whether there are any.
func (s *scanner) acrossLanes(total []ir.Value) (before []ir.Value, exists ir.Value, err error) {
	l := s.l
	lane := l.lane()
	// Sklansky's network has the least depth, and its fan-out, which costs in hardware, is free in shfl.idx: any number of lanes may read the same one.
	for bit := 1; bit < s.lanes; bit *= 2 {
		low := int64((bit - 1) * s.laneStep)
		high := l.create(arith.AndI, l.i32(), lane, l.const32(int64(bit*s.laneStep)))
		cond, source := l.compare("ne", high, l.const32(0)), ir.Value{}
		if s.reverse {
			// The first lane of the upper half: the bit set, the ones below clear.
			cond = l.compare("eq", high, l.const32(0))
			source = l.create(arith.AndI, l.i32(), l.create(arith.OrI, l.i32(), lane, l.const32(int64(bit*s.laneStep))), l.const32(31&^low))
		} else {
			source = l.create(arith.OrI, l.i32(), l.create(arith.AndI, l.i32(), lane, l.const32(31&^int64(bit*s.laneStep))), l.const32(low))
		}
		other := s.fetch(total, source)
		both, err := l.combine(s.op, total, other)
		if err != nil {
			return nil, ir.Value{}, err
		}
		total = l.choice(cond, both, total)
	}
	mask := int64((s.lanes - 1) * s.laneStep)
	position := l.create(arith.AndI, l.i32(), lane, l.const32(mask))
	first, def := int64(0), arith.SubI
	if s.reverse {
		first, def = mask, arith.AddI
	}
	exists = l.compare("ne", position, l.const32(first))
	source := l.create(arith.AndI, l.i32(), l.create(def, l.i32(), lane, l.const32(int64(s.laneStep))), l.const32(31))
	return s.fetch(total, source), exists, nil
}

// fetch reads the registers of another lane. All lanes take part, also those whose result a select will drop:
// shfl.sync is undefined for a lane that is not in its member mask (PTX ISA, "shfl.sync").
func (s *scanner) fetch(vs []ir.Value, lane ir.Value) []ir.Value {
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		out[i] = s.l.shuffle("idx", v, lane)
	}
	return out
}

// choice selects between two lists.
func (l *lowering) choice(cond ir.Value, yes, no []ir.Value) []ir.Value {
	out := make([]ir.Value, len(yes))
	for i := range out {
		out[i] = l.create(arith.Select, yes[i].Type(), cond, yes[i], no[i])
	}
	return out
}

// extractLine takes one element of each line along a dimension, at a position that is known, from the lane that holds it. The part has the layout that a reduction
// along the dimension would leave: every lane of the line gets the element.
func (l *lowering) extractLine(op ir.Op, part, whole linear.Layout) error {
	dim, at, err := linePosition(op, part, whole)
	if err != nil {
		return err
	}
	seq, err := whole.Sequence(dim)
	if err != nil || seq.Warps > 0 {
		return op.Errorf("needs a layout in which a warp holds all parts")
	}
	plan, err := linear.PlanReduction(whole, dim)
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	if want, err := plan.Result.ExpandDim(dim); err != nil || !want.Equal(part) {
		return op.Errorf("needs a part in the layout of a reduction of the whole")
	}
	// Sequence has checked that positions count registers first and then lanes, so the position's low bits are the one and its high bits the other.
	register, lane := at&(1<<seq.Registers-1)<<seq.FirstRegister, at>>seq.Registers<<seq.FirstLane
	mask := (1<<seq.Lanes - 1) << seq.FirstLane
	along := (1<<seq.Registers - 1) << seq.FirstRegister
	source := l.create(arith.OrI, l.i32(), l.create(arith.AndI, l.i32(), l.lane(), l.const32(int64(31&^mask))), l.const32(int64(lane)))
	var out []ir.Value
	for _, group := range plan.Registers {
		v := l.Values(op.Operand(0))[group[0]&^along|register]
		// Where no lanes run along the dimension the thread has the element already.
		if seq.Lanes > 0 {
			v = l.shuffle("idx", v, source)
		}
		out = append(out, v)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// linePosition returns the one dimension along which an extract takes single elements, and which.
func linePosition(op ir.Op, part, whole linear.Layout) (dim, at int, err error) {
	dim = -1
	for d, n := range part.Shape() {
		if n == whole.Shape()[d] {
			continue
		}
		k, ok := constOf(op.Operand(1 + d))
		if dim >= 0 || n != 1 || !ok {
			return 0, 0, op.Errorf("needs a layout in which every thread holds all parts")
		}
		dim, at = d, int(k)&(whole.Shape()[d]-1)
	}
	if dim < 0 {
		return 0, 0, op.Errorf("needs a layout in which every thread holds all parts")
	}
	return dim, at, nil
}
