package loopsplit

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A split is what is to be done with a loop.
type split struct {
	loop ir.Op
	cmp  ir.Op // the comparison
	at   ir.Value
	// above says that the second half begins behind at, not with it.
	above bool
	// late is the result of the comparison in the second half.
	late bool
	// ifs stand directly in the body and test the comparison; keep says that it has other uses.
	ifs  map[ir.Op]bool
	keep bool
}

// find returns how a loop can be split, for the first if inside (inner ones first) that makes it worth while; nil if there is none.
func find(loop ir.Op, threshold int64) *split {
	if ir.BitWidth(cudatile.ElemOf(loop.Operand(0).Type())) < 8 {
		return nil // 1 as a step is negative in a single bit
	}
	type question struct {
		cmp   ir.Op
		limit int64
	}
	asked := make(map[question]bool) // many ifs may test one comparison
	var found *split
	loop.WalkPost(func(op ir.Op) {
		if found != nil || !op.Is(cudatile.If) {
			return
		}
		q := question{op.Operand(0).DefiningOp(), hinted(op, threshold)}
		if q.limit < 1 || asked[q] {
			return
		}
		asked[q] = true
		if s := condition(loop, q.cmp); s != nil && s.collect(q.limit) {
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
		s.at, predicate = cmp.Operand(0), exchanged(predicate)
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

// exchanged returns the predicate that holds for (b, a) when the given one does for (a, b).
func exchanged(p cudatile.ComparisonPredicate) cudatile.ComparisonPredicate {
	switch p {
	case cudatile.LessThan:
		return cudatile.GreaterThan
	case cudatile.LessThanOrEqual:
		return cudatile.GreaterThanOrEqual
	case cudatile.GreaterThan:
		return cudatile.LessThan
	case cudatile.GreaterThanOrEqual:
		return cudatile.LessThanOrEqual
	}
	return p
}

// collect notes the uses of the comparison and reports whether an if among them is worth the split.
func (s *split) collect(threshold int64) bool {
	worth := false
	for use := range s.cmp.Result(0).Uses() {
		user := use.Owner()
		if !user.Is(cudatile.If) {
			s.keep = true
			continue
		}
		worth = worth || isWorth(user, threshold)
		if user.Block() == s.loop.Body() {
			s.ifs[user] = true
		} else {
			s.keep = true
		}
	}
	return worth
}

// heavy are operations of which one is worth a split.
var heavy = map[*ir.OpDef]bool{cudatile.LoadPtr: true, cudatile.LoadView: true, cudatile.StorePtr: true, cudatile.StoreView: true,
	cudatile.MmaF: true, cudatile.MmaI: true, cudatile.Reduce: true, cudatile.If: true, cudatile.For: true}

func isWorth(branch ir.Op, threshold int64) bool {
	if threshold == 1 {
		return true
	}
	for i := range branch.NumRegions() {
		n := int64(-1) // the terminator does not count
		for b := range branch.Region(i).Blocks() {
			for op := range b.Ops() {
				if heavy[op.Def()] {
					return true
				}
				n++
			}
		}
		if n >= threshold {
			return true
		}
	}
	return false
}
