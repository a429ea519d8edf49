package intrange

import (
	"math"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// scopes are what the first solution says for the second one.
type scopes struct {
	arena *ir.Arena
	// at is the facts that hold where an operation stands, by its number, because control comes there only if
	// comparisons have a certain outcome. The operations after its end have none.
	at []*scope
	// carried bounds loop-carried values. By the number of a value, carriedAt has 1 + its place there, or 0. The values
	// after its end have none.
	carried   []Range
	carriedAt []int32
}

type scope struct {
	around *scope
	limits []limit
}

// A limit says that a value is in a range.
type limit struct {
	v ir.Value
	r Range
}

// use implements dataflow.Forward.Use.
func (s *scopes) use(op ir.Op, v ir.Value, r Range) Range {
	if op.Arena() != s.arena {
		return r
	}
	if r = s.bounded(v, r); op.ID() >= len(s.at) {
		return r
	}
	for at := s.at[op.ID()]; at != nil; at = at.around {
		for _, l := range at.limits {
			if l.v != v {
				continue
			}
			if m, ok := Meet(r, l.r); ok {
				r = m
			} else {
				r = l.r
			}
		}
	}
	return r
}

// bounded returns the range of a value with what is known of it as a loop-carried one.
func (s *scopes) bounded(v ir.Value, r Range) Range {
	if v.ID() >= len(s.carriedAt) || s.carriedAt[v.ID()] == 0 {
		return r
	}
	b := s.carried[s.carriedAt[v.ID()]-1]
	if m, ok := Meet(r, b); ok {
		return m
	}
	return b
}

// findScopes finds what branches say about the operations inside root.
func findScopes(root ir.Op, known *Ranges) *scopes {
	s := &scopes{arena: root.InnerArena()}
	s.findCarried(root, known)
	for i := range root.NumRegions() {
		s.region(root.Region(i), nil, known)
	}
	return s
}

func (s *scopes) region(r ir.Region, around *scope, known *Ranges) {
	for b := range r.Blocks() {
		at := around
		for op := range b.Ops() {
			if at != nil {
				if n := op.ID() + 1 - len(s.at); n > 0 {
					s.at = append(s.at, make([]*scope, n)...)
				}
				s.at[op.ID()] = at
			}
			if asserts, ok := Asserts.Of(op); ok {
				at = extend(at, asserts(op), true, known)
			}
			if op.NumRegions() == 0 || op.HasTrait(ir.IsolatedFromAbove) {
				continue
			}
			guard, ok := Guard.Of(op)
			for i := range op.NumRegions() {
				inner := at
				if ok {
					if cond, is, ok := guard(op, i); ok {
						inner = extend(at, cond, is, known)
					}
				}
				s.region(op.Region(i), inner, known)
			}
			// With several blocks, what follows op in its block need not be all that it leads to, and blocks are not
			// visited in the order of dominance.
			if ok && r.HasOneBlock() {
				at = scopeAfter(op, guard, at, known)
			}
		}
	}
}

// scopeAfter returns the scope after an operation with guarded regions. If all regions but one leave it for somewhere
// else, the condition of that one still holds.
func scopeAfter(op ir.Op, guard func(ir.Op, int) (ir.Value, bool, bool), at *scope, known *Ranges) *scope {
	through, ways := 0, 0
	for i := ir.RegionExit; i < op.NumRegions(); i++ {
		if i == ir.RegionExit {
			if _, _, ok := guard(op, i); !ok {
				continue // it is not gone past
			}
		} else if op.Region(i).Empty() || !fallsThrough(op, op.Region(i)) {
			continue
		}
		through = i
		ways++
	}
	if ways != 1 {
		return at
	}
	cond, is, ok := guard(op, through)
	if !ok {
		return at
	}
	return extend(at, cond, is, known)
}

// fallsThrough reports whether control may go from a region of op to the point after op.
func fallsThrough(op ir.Op, r ir.Region) bool {
	found := false
	for b := range r.Blocks() {
		if b.Empty() {
			return true
		}
		known := ir.RegionEdges(b.Last(), func(e ir.RegionEdge) {
			found = found || e.To == op && e.Region == ir.RegionExit
		})
		if !known && ir.ExitTarget(b.Last()) == op || b.Last().NumSuccessors() > 0 {
			return true
		}
	}
	return found
}

// extend adds what a condition says.
func extend(around *scope, cond ir.Value, is bool, known *Ranges) *scope {
	inner := &scope{around: around}
	inner.learn(cond, is, known, 0)
	if len(inner.limits) == 0 {
		return around
	}
	return inner
}

// maxCondition is how deep the conjunctions of a condition are followed.
// Shared operands make a tree of a graph: without a bound, n conjunctions could take 2^n steps.
const maxCondition = 8

func (s *scope) learn(cond ir.Value, is bool, known *Ranges, depth int) {
	w := Width(cond)
	if w != numeric.I1 {
		return
	}
	bits := uint64(0)
	if is {
		bits = 1
	}
	s.limits = append(s.limits, limit{cond, Const(w, bits)})
	op := cond.DefiningOp()
	if op.IsNil() || op.NumOperands() != 2 || depth >= maxCondition {
		return
	}
	computes, ok := constfold.Computes.Of(op)
	if !ok {
		return
	}
	spec, ok := computes(op)
	if !ok {
		return
	}
	a, b := op.Operand(0), op.Operand(1)
	switch {
	case spec.Op == constfold.And && is, spec.Op == constfold.Or && !is:
		s.learn(a, is, known, depth+1)
		s.learn(b, is, known, depth+1)
	case spec.Op == constfold.Compare && spec.In.Int != 0:
		p := spec.Predicate
		if !is {
			p = negated[p]
		}
		s.compare(a, p, spec.Signed, known.Of(b))
		s.compare(b, swapped[p], spec.Signed, known.Of(a))
	}
}

var negated = map[numeric.Predicate]numeric.Predicate{numeric.Equal: numeric.NotEqual, numeric.NotEqual: numeric.Equal,
	numeric.LessThan: numeric.GreaterOrEqual, numeric.GreaterOrEqual: numeric.LessThan, numeric.LessOrEqual: numeric.GreaterThan,
	numeric.GreaterThan: numeric.LessOrEqual}

var swapped = map[numeric.Predicate]numeric.Predicate{numeric.Equal: numeric.Equal, numeric.NotEqual: numeric.NotEqual,
	numeric.LessThan: numeric.GreaterThan, numeric.GreaterThan: numeric.LessThan, numeric.LessOrEqual: numeric.GreaterOrEqual,
	numeric.GreaterOrEqual: numeric.LessOrEqual}

// compare adds that v compares so to a number of the range to.
func (s *scope) compare(v ir.Value, p numeric.Predicate, signed bool, to Range) {
	w := Width(v)
	if w == 0 || to.W != w {
		return
	}
	r := Full(w)
	switch p {
	case numeric.Equal:
		r = to
	case numeric.NotEqual:
		// Only a number at the end of the range can be cut off; of those zero is what programs compare with.
		if bits, ok := to.IsConst(); ok && bits == 0 {
			r = Unsigned(w, 1, math.MaxUint64)
		}
	case numeric.LessThan:
		if signed && to.SMax > r.SMin {
			r = Signed(w, r.SMin, to.SMax-1)
		} else if !signed && to.UMax > 0 {
			r = Unsigned(w, 0, to.UMax-1)
		}
	case numeric.LessOrEqual:
		if signed {
			r = Signed(w, r.SMin, to.SMax)
		} else {
			r = Unsigned(w, 0, to.UMax)
		}
	case numeric.GreaterThan:
		if signed && to.SMin < r.SMax {
			r = Signed(w, to.SMin+1, r.SMax)
		} else if !signed && to.UMin < r.UMax {
			r = Unsigned(w, to.UMin+1, r.UMax)
		}
	case numeric.GreaterOrEqual:
		if signed {
			r = Signed(w, to.SMin, r.SMax)
		} else {
			r = Unsigned(w, to.UMin, r.UMax)
		}
	}
	if !r.IsFull() {
		s.limits = append(s.limits, limit{v, r})
	}
}
