package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

// classed reports whether v has a class: it is a tensor that is not rematerialized wherever it is wanted.
func (c *chooser) classed(v ir.Value) bool {
	if v.IsNil() || !ir.IsTensor(v) {
		return false
	}
	w := c.cheap.At(v)
	if !w.known {
		*w = worth{true, layouts.IsCheap(v)}
	}
	return !w.cheap
}

type worth struct{ known, cheap bool }

// together puts those values that have a class into one.
func (c *chooser) together(vs ...ir.Value) {
	var first ir.Value
	for _, v := range vs {
		switch {
		case !c.classed(v):
		case first.IsNil():
			first = v
		default:
			c.classes.Union(first, v)
		}
	}
}

// tied returns the operands and results that an operation always has in one layout. The accumulator of a dot is
// its result: an instruction adds in place.
func tied(op ir.Op) []ir.Value {
	if tileas.IsMMA(op) { // its transfer is the instruction's, which the target's table has
		return []ir.Value{op.Operand(2), op.Result(0)}
	}
	if t, ok := transfer.Transfers.Of(op); ok && t.Tied != nil {
		return t.Tied(op)
	}
	return nil
}

// collect numbers the operations in program order, forms the classes, and notes which operations each of them concerns.
func (c *chooser) collect() {
	for op := range c.fn.All() {
		if op != c.fn {
			c.ops = append(c.ops, op)
		}
		if tileas.IsMMA(op) && tileas.MMAOf(op) != nil {
			c.named[op] = true
		}
		for _, v := range definedBy(op) {
			if c.classed(v) {
				c.values = append(c.values, v)
			}
		}
		c.together(tied(op)...)
		// What control flow passes on is tied to what receives it. For a loop that carries %x, these are: initial value to
		// argument, yielded value to argument, and yielded (or broken with) value to the loop's result.
		//
		// A cheap initial value, such as zeros, has no class. It becomes the argument, and also the result if the loop runs
		// no iteration. These two must agree although no value with a class connects them.
		for i, v := range op.Operands() {
			to, _ := op.OperandUse(i).HandedOn()
			c.together(append(to, v)...)
		}
	}
	for i, op := range c.ops {
		for _, v := range ir.Filter(append(op.Operands(), op.Results()...), c.classed) {
			class := c.classes.Find(v)
			// Operations come in order, so one that is in the list already is the last in it.
			if list := c.concerns[class]; len(list) == 0 || list[len(list)-1] != i {
				c.concerns[class] = append(list, i)
			}
		}
	}
}

// definedBy returns the results of an operation and the arguments of its blocks.
func definedBy(op ir.Op) []ir.Value {
	values := op.Results()
	for b := range op.Blocks() {
		values = append(values, b.Args()...)
	}
	return values
}
