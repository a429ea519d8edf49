package tileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
)

func reduceAxes(op ir.Op) (axes []strip.Axis) {
	dim, _ := op.IntAttr(tile.AttrDim)
	joins := combines(op)
	for d := range tile.Shape(op.Operand(0).Type()) {
		a := strip.Axis{}
		for i := range op.NumOperands() {
			a.Dims = append(a.Dims, strip.Dim{Index: i, Dim: d})
			switch {
			case int64(d) < dim:
				a.Dims = append(a.Dims, strip.Dim{Result: true, Index: i, Dim: d})
			case int64(d) > dim:
				a.Dims = append(a.Dims, strip.Dim{Result: true, Index: i, Dim: d - 1})
			}
		}
		if int64(d) == dim {
			if a.Kind = strip.Reduced; !joins {
				continue
			}
		}
		axes = append(axes, a)
	}
	return axes
}

func scanAxes(op ir.Op) []strip.Axis {
	dim, _ := op.IntAttr(tile.AttrDim)
	joins := combines(op)
	return alike(op, func(d int) (strip.Kind, bool) {
		switch {
		case int64(d) != dim:
			return strip.Parallel, true
		case op.HasUnitAttr(tile.AttrReverse):
			return strip.Backward, joins
		}
		return strip.Scanned, joins
	})
}

// combines reports whether the body of a reduce or scan can be applied to tensors: it consists of element-wise
// operations and constants on numbers. Identities are not asked for: neither engine uses them, so that nothing has
// ever shown a wrong one.
func combines(op ir.Op) bool {
	for _, v := range op.Operands() {
		if !isNumber(ir.ElementType(v.Type())) {
			return false
		}
	}
	for inner := range op.Body().Ops() {
		_, elementwise := arith.Elementwise.Of(inner)
		if !elementwise && !inner.Is(arith.Constant) && !inner.HasTrait(ir.Terminator) {
			return false
		}
		for _, v := range inner.Results() {
			if !isNumber(v.Type()) {
				return false
			}
		}
	}
	return true
}

func isNumber(t ir.Type) bool { return arith.NumberLike.Check(t) }

// combine applies the body of a reduce or scan to tensors, element by element.
func combine(b *ir.Builder, op ir.Op, acc, elems []ir.Value) []ir.Value {
	c := &combiner{Builder: b, whole: acc[0].Type(), values: make(map[ir.Value]ir.Value)}
	for i := range acc {
		c.values[op.Body().Arg(2*i)] = acc[i]
		c.values[op.Body().Arg(2*i+1)] = elems[i]
	}
	for inner := range op.Body().Ops() {
		if inner.HasTrait(ir.Terminator) {
			return c.all(inner.Operands())
		}
		m := ir.NewMapping()
		for _, v := range inner.Operands() {
			m.Values[v] = c.tensor(v)
		}
		if value := ir.ConstantOf(inner); value != nil {
			continue // made as a tensor where it is used
		}
		copied := b.Clone(inner, m)
		for i, v := range inner.Results() {
			copied.Result(i).SetType(arith.WithElement(c.whole, v.Type()))
			c.values[v] = copied.Result(i)
		}
	}
	return nil
}

// A combiner knows the tensors that stand for the scalars of a body.
type combiner struct {
	*ir.Builder
	whole  ir.Type
	values map[ir.Value]ir.Value
}

func (c *combiner) all(vs []ir.Value) []ir.Value {
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		out[i] = c.tensor(v)
	}
	return out
}

// tensor returns what stands for a scalar: one of the body, a constant of it, or one from outside, which is the same
// for all elements.
func (c *combiner) tensor(v ir.Value) ir.Value {
	if t, ok := c.values[v]; ok {
		return t
	}
	if def := v.DefiningOp(); !def.IsNil() && ir.ConstantOf(def) != nil {
		v = c.Clone(def, ir.NewMapping()).Result(0)
	}
	t := c.Create(Level.Splat, []ir.Value{v}, []ir.Type{arith.WithElement(c.whole, v.Type())}).Result(0)
	c.values[v] = t
	return t
}

// scanPart scans a part and joins it with what comes before. The first part is taken as it is: an identity would have
// to leave every bit alone.
func scanPart(p *strip.Part, op ir.Op) []ir.Value {
	part := p.Copy(op)
	if p.Axis.Kind == strip.Parallel {
		return part.Results()
	}
	before := make([]ir.Value, len(p.Carry))
	for i, v := range p.Carry {
		before[i] = p.Create(Level.Broadcast, []ir.Value{v}, []ir.Type{part.Result(i).Type()}).Result(0)
	}
	all := combine(p.Builder, op, before, part.Results())
	for i, v := range part.Results() {
		all[i] = p.Create(arith.Select, []ir.Value{p.First, v, all[i]}, []ir.Type{v.Type()}).Result(0)
	}
	p.Carry = ends(p, op, all)
	return all
}

func ends(p *strip.Part, op ir.Op, results []ir.Value) []ir.Value {
	dim, _ := op.IntAttr(tile.AttrDim)
	return last(p, results, int(dim), op.HasUnitAttr(tile.AttrReverse))
}

// last returns the last elements along a dimension, or the first, as tensors of size 1 there. It reduces to the
// element with the greatest or least number, by an exchange between threads. Taking them out by index would first
// bring a full line into one thread.
func last(p *strip.Part, vs []ir.Value, dim int, first bool) []ir.Value {
	c := p.Context()
	whole := vs[0].Type().(*ir.TensorType)
	i32 := c.Int(32)
	line := make([]int64, len(whole.Shape))
	for d := range line {
		line[d] = 1
	}
	line[dim] = whole.Shape[dim]
	number := p.Create(Level.Range, nil, []ir.Type{c.Tensor([]int64{whole.Shape[dim]}, i32, nil)}).Result(0)
	number = p.Create(Level.Reshape, []ir.Value{number}, []ir.Type{c.Tensor(line, i32, nil)}).Result(0)
	number = p.Create(Level.Broadcast, []ir.Value{number}, []ir.Type{c.Tensor(whole.Shape, i32, nil)}).Result(0)
	vs = append(append([]ir.Value(nil), vs...), number)

	st := p.NewState(Level.Reduce, nil)
	st.Operands = vs
	st.SetAttr(tile.AttrDim, c.IntAttr(c.Int(64), int64(dim)))
	rest := append(append([]int64(nil), whole.Shape[:dim]...), whole.Shape[dim+1:]...)
	var args []ir.Type
	for _, v := range vs {
		elem := ir.ElementType(v.Type())
		args = append(args, elem, elem)
		if len(rest) == 0 {
			st.Types = append(st.Types, elem)
		} else {
			st.Types = append(st.Types, c.Tensor(rest, elem, nil))
		}
	}
	body := st.AddRegion().AddBlock(args...)
	reduced := p.Insert(st)
	keepOutermost(body, first)

	out := make([]ir.Value, len(vs)-1)
	for i := range out {
		t := strip.Resize(vs[i].Type().(*ir.TensorType), dim, 1)
		def := Level.Reshape
		if len(rest) == 0 {
			def = Level.Splat
		}
		out[i] = p.Create(def, []ir.Value{reduced.Result(i)}, []ir.Type{t}).Result(0)
	}
	return out
}

// keepOutermost fills the body of a reduction of values and their numbers that keeps the one with the greatest
// number, or the least.
func keepOutermost(body ir.Block, least bool) {
	b := ir.BuilderAtEnd(body)
	n := body.NumArgs()
	predicate := "sgt"
	if least {
		predicate = "slt"
	}
	c := b.Context()
	further := b.Create(arith.CmpI, []ir.Value{body.Arg(n - 1), body.Arg(n - 2)}, []ir.Type{c.Int(1)},
		ir.NamedAttr{Name: arith.AttrPredicate, Value: c.String(predicate)}).Result(0)
	var kept []ir.Value
	for i := 0; i < n; i += 2 {
		acc, elem := body.Arg(i), body.Arg(i+1)
		kept = append(kept, b.Create(arith.Select, []ir.Value{further, elem, acc}, []ir.Type{acc.Type()}).Result(0))
	}
	b.Create(Level.Yield, kept, nil)
}
