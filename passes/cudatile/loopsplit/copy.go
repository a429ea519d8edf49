package loopsplit

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// apply replaces the loop by the two loops.
func (s *split) apply() {
	upper, lower := s.points()
	inits := s.loop.Operands()[3:]
	first := s.half(s.loop.Operand(0), upper, inits, !s.late)
	second := s.half(lower, s.loop.Operand(1), first.Results(), s.late)
	for i, v := range s.loop.Results() {
		second.Result(i).SetName(v.Name())
	}
	s.loop.ReplaceWith(second.Results()...)
}

// half creates a copy of the loop before it in which the comparison is a constant. Both halves are copies, and
// the original stays unchanged until both are made: the second one still reads its bounds and its body.
func (s *split) half(lower, upper ir.Value, inits []ir.Value, holds bool) ir.Op {
	b := ir.BuilderBefore(s.loop)
	loop := cudatile.NewFor(b, lower, upper, s.loop.Operand(2), inits)
	if unsigned := s.loop.Attr("unsignedCmp"); unsigned != nil {
		loop.SetAttr("unsignedCmp", unsigned)
	}
	loop.SetDiscardableAttrs(s.loop.DiscardableAttrs())
	m := ir.NewMapping()
	for i, arg := range s.loop.Body().Args() {
		m.Values[arg] = loop.Body().Arg(i)
		loop.Body().Arg(i).SetName(arg.Name())
	}
	b.SetInsertionPointToEnd(loop.Body())
	for op := range s.loop.Body().Ops() {
		switch {
		case op == s.cmp:
			if s.keep {
				b.SetLocOf(op)
				m.Values[op.Result(0)] = cudatile.NewSplat(b, op.Result(0).Type().(*cudatile.TileType), truth(holds))
			}
		case s.ifs[op]:
			if ended := inline(b, op, m, holds); ended {
				return loop
			}
		default:
			b.Clone(op, m)
		}
	}
	return loop
}

func truth(holds bool) uint64 {
	if holds {
		return 1
	}
	return 0
}

// inline copies the region of an if that a condition chooses, and reports whether that ends the iteration.
func inline(b *ir.Builder, branch ir.Op, m *ir.Mapping, holds bool) (ended bool) {
	region := branch.Region(0)
	if !holds {
		region = branch.Region(1)
	}
	if region.Empty() {
		return false
	}
	for op := range region.First().Ops() {
		if op.Is(cudatile.Yield) {
			for i := range op.NumOperands() {
				m.Values[branch.Result(i)] = m.Lookup(op.Operand(i))
			}
			return false
		}
		b.Clone(op, m)
		if op.HasTrait(ir.Terminator) {
			return true
		}
	}
	return false
}
