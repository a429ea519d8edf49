package integers

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// A checker compares the facts of an entry with what a tile block computes.
type checker struct {
	ranges *intrange.Ranges
	facts  *divisibility.Facts
	last   map[ir.Value][]uint64 // what was computed last
	broken bool                  // a promise of the program was broken, after which it has no meaning
	values int                   // that were compared
	useful int                   // of which something was known
	errs   []error
}

func newChecker(entry ir.Op) *checker {
	ranges := intrange.Analyze(entry)
	return &checker{ranges: ranges, facts: divisibility.Analyze(entry, ranges), last: make(map[ir.Value][]uint64)}
}

// trace is an interp.Engine.Trace.
func (c *checker) trace(e interp.Event) {
	if c.broken || len(c.errs) > 0 {
		return
	}
	if c.broken = c.breaksPromise(e.Op); c.broken {
		return
	}
	if !c.ranges.Executed(e.Op) {
		c.failf(e.Op, "is executed, which the analysis excludes")
	}
	for _, t := range e.Tiles {
		c.last[t.Value] = t.Bits
		if e.Op.Is(cudatile.OrI) { // perhaps a copy of an argument, which no event shows
			if zero := constant(e.Op.Operand(1)); zero != nil && !slices.ContainsFunc(zero, func(x uint64) bool { return x != 0 }) {
				c.last[e.Op.Operand(0)] = t.Bits
			}
		}
		w := width(t.Value.Type())
		if t.Undef != nil {
			delete(c.last, t.Value)
			continue
		}
		if w != 0 {
			c.values++
			c.checkRange(e.Op, t)
			c.checkFact(e.Op, t, w)
		}
	}
}

func width(t ir.Type) numeric.Int {
	switch elem := ir.ElementType(t).(type) {
	case *ir.IntegerType:
		return numeric.Int(elem.Width)
	case *cudatile.PtrType, *tile.PtrType:
		return 64
	}
	return 0
}

// breaksPromise reports whether an operation is undefined for some element, as the interpreter goes on then.
func (c *checker) breaksPromise(op ir.Op) bool {
	computes, ok := constfold.Computes.Of(op)
	if !ok {
		return false
	}
	spec, ok := computes(op)
	if !ok || spec.In.Int == 0 || spec.Out.Int == 0 {
		return false
	}
	n := 0
	in := make([][]uint64, op.NumOperands())
	for i, v := range op.Operands() {
		if in[i] = c.last[v]; in[i] == nil {
			if in[i] = constant(v); in[i] == nil {
				return false
			}
		}
		n = len(in[i])
	}
	args := make([]uint64, len(in))
	for k := range n {
		for i := range in {
			args[i] = in[i][k]
		}
		if _, ok := spec.Eval(args...); !ok {
			return true
		}
	}
	return false
}

// constant returns the elements of a constant, which is not executed.
func constant(v ir.Value) []uint64 {
	switch a := ir.ConstantValue(v).(type) {
	case *ir.IntegerAttr:
		return []uint64{a.Unsigned()}
	case *ir.DenseElementsAttr:
		n := int64(1)
		shape, _ := ir.ShapeOf(v.Type())
		for _, size := range shape {
			n *= size
		}
		out := make([]uint64, n)
		for i := range out {
			out[i] = a.Bits(ir.ElementType(v.Type()), i)
		}
		return out
	}
	return nil
}

func (c *checker) failf(op ir.Op, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s", asm.String(op), fmt.Sprintf(format, args...)))
}

func (c *checker) checkRange(op ir.Op, t interp.Tile) {
	r := c.ranges.Of(t.Value)
	if r.W == 0 {
		return
	}
	if !r.IsFull() {
		c.useful++
	}
	for i, bits := range t.Bits {
		if !r.Contains(bits) {
			c.failf(op, "element %d of %v is %d, which is not in %s", i, t.Value, r.W.Signed(bits), r)
			return
		}
	}
}

func (c *checker) checkFact(op ir.Op, t interp.Tile, w numeric.Int) {
	f := c.facts.Of(t.Value)
	if f.Width != int(w) {
		c.failf(op, "the fact has %d bits, expected %d", f.Width, w)
		return
	}
	if f.Exp > 0 {
		c.useful++
	}
	base := uint64(0) // the linear index bits
	for k, s := range f.Steps {
		if !s.Linear {
			continue
		}
		base |= 1 << k
		for i := range t.Bits {
			if j := i | 1<<k; j != i && w.Sub(t.Bits[j], t.Bits[i]) != w.Wrap(uint64(s.By)) {
				c.failf(op, "element %d is %#x and element %d is %#x, but index bit %d should add %d", i, t.Bits[i], j, t.Bits[j], k, s.By)
				return
			}
		}
	}
	mask := uint64(1)<<f.Exp - 1
	for i, bits := range t.Bits {
		if uint64(i)&base == 0 && bits&mask != 0 {
			c.failf(op, "element %d is %#x, which is not divisible by 2^%d (%s)", i, bits, f.Exp, f.Describe(t.Value.Type()))
			return
		}
	}
}

func (c *checker) report(t *testing.T, what func() string) {
	t.Helper()
	for _, err := range c.errs {
		t.Errorf("%v\n%s", err, what())
	}
}
