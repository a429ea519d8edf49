package loopsplit

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A split is what is to be done with a loop.
type split struct {
	loop ir.Op
	cmp  ir.Op // the comparison
	at   ir.Value
	// above says that the second loop begins after at, not with it.
	above bool
	// late is the result of the comparison in the second half.
	late bool
	// ifs are directly in the body and test the comparison; keep says that it has other uses.
	ifs  map[ir.Op]bool
	keep bool
	// weight is what the heaviest if that tests the comparison has in a branch.
	weight int64
}

// find returns how a loop can be split, for the first if inside (inner ones first) that makes it worth while; nil if
// there is none.
func find(loop ir.Op, threshold int64) *split {
	if ir.BitWidth(cudatile.ElemOf(loop.Operand(0).Type())) < 8 {
		return nil // 1 as a step is negative in a single bit
	}
	of := make(map[ir.Op]*split) // by comparison, which many ifs may test; nil: none
	var found *split
	loop.WalkPost(func(op ir.Op) {
		if found != nil || !op.Is(cudatile.If) {
			return
		}
		limit := hinted(op, threshold)
		if limit < 1 {
			return
		}
		cmp := op.Operand(0).DefiningOp()
		s, known := of[cmp]
		if !known {
			if s = condition(loop, cmp); s != nil {
				s.collect()
			}
			of[cmp] = s
		}
		if s != nil && (limit == 1 || s.weight >= limit) {
			found = s
		}
	})
	return found
}

// condition returns how the loop would be split for a comparison; nil if it cannot be.
func condition(loop, cmp ir.Op) *split {
	if cmp.IsNil() || !cmp.Is(cudatile.CmpI) || cmp.Block() != loop.Body() {
		return nil
	}
	describe, _ := ir.LoopLike.Of(loop)
	l := describe(loop)
	if unsigned := cudatile.SignednessOf(cmp) == cudatile.Unsigned; unsigned != l.Unsigned {
		return nil
	}
	s := &split{loop: loop, cmp: cmp, ifs: make(map[ir.Op]bool)}
	predicate := cudatile.PredicateOf(cmp)
	switch l.IndVar {
	case cmp.Operand(0):
		s.at = cmp.Operand(1)
	case cmp.Operand(1):
		s.at, predicate = cmp.Operand(0), predicate.Exchanged()
	default:
		return nil
	}
	if !l.IsInvariant(s.at) {
		return nil
	}
	switch predicate {
	case cudatile.GreaterThan:
		s.above, s.late = true, true
	case cudatile.GreaterThanOrEqual:
		s.late = true
	case cudatile.LessThan:
	case cudatile.LessThanOrEqual:
		s.above = true
	default:
		return nil
	}
	if s.above && s.isGreatest() {
		return nil // the comparison never changes
	}
	return s
}

// collect notes the uses of the comparison.
func (s *split) collect() {
	for use := range s.cmp.Result(0).Uses() {
		user := use.Owner()
		if user.Is(cudatile.If) {
			s.weight = max(s.weight, weigh(user))
			if user.Block() == s.loop.Body() && endsAreKnown(user) {
				s.ifs[user] = true
				continue
			}
		}
		s.keep = true
	}
}

// endsAreKnown reports whether both branches of an if yield its results or end the iteration. A branch may end
// with an unknown operation, if the tool admits those.
func endsAreKnown(branch ir.Op) bool {
	for i := range branch.NumRegions() {
		for b := range branch.Region(i).Blocks() {
			if last := b.Last(); last.IsNil() || !last.Is(cudatile.Yield) && !last.Is(cudatile.Continue) {
				return false
			}
		}
	}
	return true
}

// heavy are operations of which one is worth a split.
var heavy = map[*ir.OpDef]bool{cudatile.LoadPtr: true, cudatile.LoadView: true, cudatile.StorePtr: true, cudatile.StoreView: true,
	cudatile.MmaF: true, cudatile.MmaI: true, cudatile.Reduce: true, cudatile.If: true, cudatile.For: true}

// weigh returns how many operations the larger branch of an if has, its terminator aside; very many when one of them
// is heavy.
func weigh(branch ir.Op) int64 {
	largest := int64(0)
	for i := range branch.NumRegions() {
		n := int64(-1) // the terminator does not count
		for b := range branch.Region(i).Blocks() {
			for op := range b.Ops() {
				if heavy[op.Def()] {
					return math.MaxInt64
				}
				n++
			}
		}
		largest = max(largest, n)
	}
	return largest
}
