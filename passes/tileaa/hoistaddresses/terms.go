package hoistaddresses

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// mostTerms bounds the work for one offset: how much of it is taken apart.
const mostTerms = 16

// A term is computed where a builder stands.
type term func(b *ir.Builder) ir.Value

// terms are those of a sum, by whether they change in a loop.
type terms struct{ fixed, changing []term }

// each returns terms of which something is computed.
func (t terms) each(of func(b *ir.Builder, v ir.Value) ir.Value) terms {
	all := func(list []term) []term {
		out := make([]term, len(list))
		for i, x := range list {
			out[i] = func(b *ir.Builder) ir.Value { return of(b, x(b)) }
		}
		return out
	}
	return terms{all(t.fixed), all(t.changing)}
}

// sum computes terms and adds them.
func sum(b *ir.Builder, list []term) ir.Value {
	v := list[0](b)
	for _, t := range list[1:] {
		v = b.Create(arith.AddI, []ir.Value{v, t(b)}, []ir.Type{v.Type()}).Result(0)
	}
	return v
}

// A splitter takes offsets in a loop apart.
type splitter struct {
	loop   ir.Loop
	ranges *intrange.Ranges
	apart  []ir.Op
}

// split returns the terms of an integer.
func (s *splitter) split(v ir.Value) terms {
	def := v.DefiningOp()
	self := []term{func(*ir.Builder) ir.Value { return v }}
	switch {
	case s.loop.IsInvariant(v):
		return terms{fixed: self}
	case def.IsNil() || len(s.apart) > mostTerms:
	case def.Is(arith.AddI):
		s.apart = append(s.apart, def)
		l, r := s.split(def.Operand(0)), s.split(def.Operand(1))
		return terms{append(l.fixed, r.fixed...), append(l.changing, r.changing...)}
	case def.Is(arith.ExtSI) && s.exact(def.Operand(0)):
		if t, ok := s.within(def, 0); ok {
			return t.each(func(b *ir.Builder, x ir.Value) ir.Value {
				return b.Create(arith.ExtSI, []ir.Value{x}, []ir.Type{v.Type()}).Result(0)
			})
		}
	case def.Is(arith.MulI) && intrange.Width(v) == 64: // as addresses count; a narrow product may wrap before it is extended
		for i := range 2 {
			by := def.Operand(1 - i)
			if !s.loop.IsInvariant(by) {
				continue
			}
			if t, ok := s.within(def, i); ok {
				return t.each(func(b *ir.Builder, x ir.Value) ir.Value {
					return b.Create(arith.MulI, []ir.Value{x, by}, []ir.Type{v.Type()}).Result(0)
				})
			}
		}
	}
	return terms{changing: self}
}

// within returns the terms of an operand, if computing the operation for each of them pays: all are the same along a
// dimension, as rows and columns are. Then few numbers are kept, and few computed.
func (s *splitter) within(op ir.Op, i int) (terms, bool) {
	if !repeated(op.Operand(i)) {
		return terms{}, false
	}
	had := len(s.apart)
	s.apart = append(s.apart, op)
	t := s.split(op.Operand(i))
	if len(t.fixed) > 0 && len(t.changing) > 0 {
		return t, true
	}
	s.apart = s.apart[:had]
	return terms{}, false
}

// repeated reports whether a tensor consists of terms that have the same elements along a dimension.
func repeated(v ir.Value) bool {
	def := v.DefiningOp()
	switch {
	case def.IsNil():
		return false
	case def.Is(tileaa.Level.Broadcast) || def.Is(tileaa.Level.Splat):
		return true
	case def.Is(arith.ExtSI):
		return repeated(def.Operand(0))
	}
	return (def.Is(arith.AddI) || def.Is(arith.MulI)) && repeated(def.Operand(0)) && repeated(def.Operand(1))
}

// exact reports whether a sum never wraps.
func (s *splitter) exact(v ir.Value) bool {
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.AddI) {
		return true
	}
	l, r, w := s.ranges.Of(def.Operand(0)), s.ranges.Of(def.Operand(1)), intrange.Width(v)
	if w > 32 {
		return false
	}
	most := int64(1) << (w - 1)
	return l.SMin+r.SMin >= -most && l.SMax+r.SMax < most && s.exact(def.Operand(0)) && s.exact(def.Operand(1))
}
