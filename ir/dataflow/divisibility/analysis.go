package divisibility

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// Infer is the capability of operations to compute the facts of their results from those of their operands; those of
// results that are neither integers nor pointers do not count. Of an operation with neither it nor constfold.Computes
// nothing is known.
var Infer = ir.NewCap[func(op ir.Op, in []Operand) []Fact]("divisibility")

// Facts are what is known of the values inside an operation.
type Facts struct {
	Ranges *intrange.Ranges
	root   ir.Op
	facts  *dataflow.Facts[Fact]
}

// Of returns the fact of a value.
func (s *Facts) Of(v ir.Value) Fact {
	if f, ok := s.facts.Of(v); ok {
		return f
	}
	return Unknown(v.Type())
}

// Analyze computes the facts of all values inside an operation, but not inside isolated operations in it, from the
// ranges of Analyze of package intrange.
func Analyze(root ir.Op, ranges *intrange.Ranges) *Facts {
	problem := problemOf(ranges)
	return &Facts{Ranges: ranges, root: root, facts: problem.Run(root)}
}

// problemOf returns the problem whose solution the facts are.
func problemOf(ranges *intrange.Ranges) dataflow.Forward[Fact] {
	return dataflow.Forward[Fact]{
		Join:     Join,
		Equal:    equal,
		Unknown:  func(v ir.Value) Fact { return Unknown(v.Type()) },
		Trivial:  func(v ir.Value) bool { return widthOf(v.Type()) == 0 },
		Transfer: func(op ir.Op, in, out []Fact) { transfer(op, in, out, ranges) },
		Argument: argument,
		TakesSuccessor: func(op ir.Op, succ int, _ []Fact) bool {
			b := op.Successor(succ)
			// What ranges exclude is excluded here too, so that a branch that never runs spoils no join.
			return b.Empty() || ranges.Executed(b.First())
		},
		TakesEdge: func(e ir.RegionEdge, _ []Fact) bool {
			r := e.To
			if e.Region == ir.RegionExit || r.Region(e.Region).Empty() || r.Region(e.Region).First().Empty() {
				return true
			}
			return ranges.Executed(r.Region(e.Region).First().First())
		},
	}
}

// transfer sets the facts of the results of op, of which nothing is known so far.
func transfer(op ir.Op, in, out []Fact, ranges *intrange.Ranges) {
	operands := make([]Operand, len(in))
	for i, f := range in {
		operands[i] = Operand{f, ranges.At(op, op.Operand(i))}
	}
	if a := ir.ConstantOf(op); a != nil && len(out) == 1 {
		out[0] = Constant(op.Result(0).Type(), a)
	} else if infer, ok := Infer.Of(op); ok {
		for i, f := range infer(op, operands) {
			if f.Width == out[i].Width && len(f.Steps) == len(out[i].Steps) {
				out[i] = f
			}
		}
	} else if computes, ok := constfold.Computes.Of(op); ok && len(out) == 1 {
		if spec, ok := computes(op); ok {
			if f := Of(&spec, operands, out[0]); f.Width == out[0].Width && len(f.Steps) == len(out[0].Steps) {
				out[0] = f
			}
		}
	}
	// A constant found by ranges says more than any rule above: divisibility alone cannot tell that the smaller of x
	// and 5 is 5.
	for i, v := range op.Results() {
		if bits, ok := ranges.Of(v).IsConst(); ok && out[i].Width > 0 {
			out[i] = Equal(v.Type(), exponent(bits, out[i].Width))
		}
	}
}

// argument returns the fact of an induction variable: the lower bound plus a multiple of the step.
func argument(op ir.Op, arg ir.Value, operands []Fact) Fact {
	f := Unknown(arg.Type())
	describe, ok := ir.LoopLike.Of(op)
	if !ok {
		return f
	}
	l := describe(op)
	if l.IndVar != arg {
		return f
	}
	exp := f.Width
	for i, v := range op.Operands() {
		if v == l.Lower || v == l.Step {
			exp = min(exp, operands[i].Exponent())
		}
	}
	return Equal(arg.Type(), exp)
}
