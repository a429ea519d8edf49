package collective

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// A scanner is the state of a scan's lowering. Positions along the dimension are registers of a lane, then lanes; a
// reverse scan goes through both backwards.
//
// For a line of 16 elements in 4 lanes with 4 registers each:
//
//	registers   a0 a1 a2 a3 | b0 b1 b2 b3 | c0 ... | d0 ...     each lane scans its own, one after the other
//	lanes       a3   b3   c3   d3   ->   a3  a3+b3  a3+b3+c3   ...   2 rounds (Kogge and Stone)
//	again       every lane but the first combines what the lanes before have with each of its registers
type scanner struct {
	l       *core.Lowering
	op      ir.Op
	reverse bool
	// step is the distance of neighbours in registers, and in lanes.
	registerStep, laneStep int
	registers, lanes       int
}

func scan(l *core.Lowering, op ir.Op) error {
	lay, err := l.Layout(op.Operand(0))
	if err != nil {
		return err
	}
	dim, _ := op.IntAttr(tile.AttrDim)
	seq, err := lay.Sequence(int(dim))
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	// shfl.sync does not leave its warp. The split makes what a warp has a dimension of its own, so that a scan along
	// it passes here.
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
		// The other bits of a register's number belong to other dimensions: each number with zeros in the scanned
		// bits begins a line.
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
	// Inside the lane first, one after the other; then the lanes' totals are scanned, and what the lanes before have
	// together is combined into every element. That is two runs of the body for an element; a tree across registers
	// too would take log n.
	for k := 1; k < len(order); k++ {
		// The body need not commute, so what comes earlier in the order of the scan is always the accumulated
		// argument, in reverse as well.
		next, err := combine(s.l, s.op, at(order[k]), at(order[k-1]))
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
		all, err := combine(s.l, s.op, elem, before)
		if err != nil {
			return err
		}
		// The first lane has nothing before it. A select rather than the identity as a start: combining with that
		// need not keep every bit (0 + -0 is 0).
		set(r, s.l.Choice(exists, all, elem))
	}
	return nil
}

// acrossLanes scans the totals of the lanes: in each round a lane takes what the lane before it by a power of two has
// (Kogge and Stone, A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations, 1973). It
// returns what the lanes before have together, and whether there are any.
//
// Each round is a shuffle with a constant, a combination, a comparison of the lane and a select. Rounds in which the upper
// half reads one lane (Sklansky) are as many, but which lane that is takes two more instructions.
func (s *scanner) acrossLanes(total []ir.Value) (before []ir.Value, exists ir.Value, err error) {
	l := s.l
	position := l.Lane()
	if mask := int64((s.lanes - 1) * s.laneStep); mask != sm.WarpSize-1 {
		position = l.Make(arith.AndI, l.I32(), position, l.Const32(mask))
	}
	for bit := 1; bit < s.lanes; bit *= 2 {
		other := s.fetch(total, bit)
		both, err := combine(l, s.op, total, other)
		if err != nil {
			return nil, ir.Value{}, err
		}
		total = l.Choice(s.behind(position, bit), both, total)
	}
	return s.fetch(total, 1), s.behind(position, 1), nil
}

// behind returns whether there are so many lanes before one, in the order of the scan.
func (s *scanner) behind(position ir.Value, n int) ir.Value {
	if s.reverse {
		return s.l.Compare("ult", position, s.l.Const32(int64((s.lanes-n)*s.laneStep)))
	}
	return s.l.Compare("uge", position, s.l.Const32(int64(n*s.laneStep)))
}

// fetch reads the registers of the lane that is so many before. All lanes take part, also those whose result a select
// will drop: shfl.sync is undefined for a lane that is not in its member mask (PTX ISA, "shfl.sync").
func (s *scanner) fetch(vs []ir.Value, n int) []ir.Value {
	mode := "up"
	if s.reverse {
		mode = "down"
	}
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		out[i] = s.l.Shuffle(mode, v, s.l.Const32(int64(n*s.laneStep)))
	}
	return out
}
