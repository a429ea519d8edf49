package divisibility

import "github.com/tilewright/tilewright/ir"

// If computes what the facts would be if some values were multiples of numbers. A pass uses it to learn what such a
// fact is worth, or whether to test it at run time.
//
// The supposed facts hold where the test holds, until control comes to the values again. What a loop around them
// carries to the next iteration comes from the values of the last iteration, of which nothing is supposed.
//
//	scf.for iter_args(%last = %c0) {
//	  %now = ...                       supposed to be a multiple of 8
//	  use %now, %last                  %last is the %now of another iteration, whatever it was there
//	  scf.continue %now
//	}
func (s *Facts) If(divisors map[ir.Value]uint64) *Facts {
	around := make(map[ir.Op]bool)
	for v := range divisors {
		for p := v.Block().ParentOp(); !p.IsNil() && !around[p]; p = p.ParentOp() {
			around[p] = true
			if p == s.root {
				break
			}
		}
	}
	suppose := func(v ir.Value, f Fact) Fact {
		if d := divisors[v]; d > 0 && f.Width > 0 {
			return f.DivisibleBy(d)
		}
		return f
	}
	problem := problemOf(s.Ranges)
	problem.Unknown = func(v ir.Value) Fact { return suppose(v, Unknown(v.Type())) }
	problem.Transfer = func(op ir.Op, in, out []Fact) {
		for i := range out {
			out[i] = Unknown(op.Result(i).Type())
		}
		transfer(op, in, out, s.Ranges)
		for i := range out {
			out[i] = suppose(op.Result(i), out[i])
		}
	}
	problem.Use = func(op ir.Op, v ir.Value, f Fact) Fact {
		if op.HasTrait(ir.Terminator) && around[ir.ExitTarget(op)] {
			return s.Of(v)
		}
		return f
	}
	return &Facts{Ranges: s.Ranges, root: s.root, facts: problem.Run(s.root)}
}
