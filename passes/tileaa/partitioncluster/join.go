package partitioncluster

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
)

// now returns what replaces a replicated value since CTAs exchange it.
func (e *emitter) now(v ir.Value) ir.Value {
	if all, ok := e.replicated[v]; ok {
		return all
	}
	return v
}

// original returns the value that another one replaces.
func (e *emitter) original(v ir.Value) ir.Value {
	if old, ok := e.wasOf[v]; ok {
		return old
	}
	return v
}

// replace replaces a value by one that CTAs have exchanged.
func (e *emitter) replace(v, all ir.Value) {
	v.ReplaceAllUsesWith(all)
	e.replicated[v], e.wasOf[all] = all, v
}

// gatherOf replicates a value of which the CTAs have parts, if that is needed.
func (e *emitter) gatherOf(b *ir.Builder, v ir.Value) {
	f, ok := e.gathers[v]
	if !ok {
		return
	}
	// The parts of what control flow merges are the value itself, which changes its type last.
	part := e.parts[wanted{v, f}]
	all := b.Create(tileaa.Level.AllGather, []ir.Value{part}, []ir.Type{v.Type()}, e.dim(f))
	e.replace(v, all.Result(0))
	// If the part is v itself, the gather's own operand was replaced too.
	all.SetOperand(0, part)
	e.made++
}

func (e *emitter) dim(d form) ir.NamedAttr {
	c := e.op.Context()
	return ir.NamedAttr{Name: tile.AttrDim, Value: c.IntAttr(c.Int(64), int64(d))}
}

// stacked returns the values that all CTAs have, along a new first dimension.
func (e *emitter) stacked(b *ir.Builder, v ir.Value) ir.Value {
	c, def := b.Context(), tileaa.Level.Reshape
	elem := ir.ElementType(v.Type())
	shape := append([]int64{1}, tile.Shape(v.Type())...)
	if len(shape) == 1 {
		def = tileaa.Level.Splat
	}
	one := b.Create(def, []ir.Value{v}, []ir.Type{c.Tensor(shape, elem, nil)}).Result(0)
	shape = slices.Clone(shape)
	shape[0] = int64(e.ctas)
	return b.Create(tileaa.Level.AllGather, []ir.Value{one}, []ir.Type{c.Tensor(shape, elem, nil)}, e.dim(0)).Result(0)
}

// fromFirst returns what the first CTA has of a value.
func (e *emitter) fromFirst(b *ir.Builder, v ir.Value) ir.Value {
	all, def := e.stacked(b, v), tileaa.Level.Reshape
	one := e.take(b, all, 0, 0)
	if len(tile.Shape(v.Type())) == 0 {
		def = tileaa.Level.Unsplat
	}
	return b.Create(def, []ir.Value{one}, []ir.Type{v.Type()}).Result(0)
}

// take takes the part of size 1 at a position along a dimension.
func (e *emitter) take(b *ir.Builder, v ir.Value, dim, at int) ir.Value {
	operands := []ir.Value{v}
	for d := range tile.Shape(v.Type()) {
		n := int64(0)
		if d == dim {
			n = int64(at)
		}
		operands = append(operands, arith.NewInt(b, b.Context().Int(32), n))
	}
	return b.Create(tileaa.Level.Extract, operands, []ir.Type{strip.Resize(v.Type().(*ir.TensorType), dim, 1)}).Result(0)
}

// zero is the result, in all other CTAs, of what the first CTA does.
func (e *emitter) zero(b *ir.Builder, t ir.Type) ir.Value {
	c := b.Context()
	var scalar ir.Attribute
	switch elem := ir.ElementType(t).(type) {
	case *ir.FloatType:
		scalar = c.FloatAttr(elem, 0)
	default:
		scalar = c.IntAttr(elem, 0)
	}
	return arith.NewConstant(b, t, arith.OfType(scalar, t))
}

// join makes a joint reduction or scan. Each CTA reduces its subtile, and then the results of all, in the order
// of the CTAs. So results have the same bits everywhere.
func (e *emitter) join(op ir.Op, a strip.Axis) {
	p := e.partOf(op, a)
	if a.Kind != strip.Reduced {
		for i, v := range e.scan(p, op) {
			e.parts[wanted{op.Result(i), form(a.Dim(true, i))}] = v
		}
		return
	}
	// The same reduction twice: of the subtile, and of the stacked results of all CTAs along their new dimension.
	alone := p.Copy(op)
	all := p.Clone(op, ir.NewMapping())
	for i, v := range alone.Results() {
		b := ir.BuilderBefore(all)
		b.SetLocOf(op)
		all.SetOperand(i, e.stacked(b, v))
	}
	all.SetAttr(tile.AttrDim, e.dim(0).Value)
	for i, v := range op.Results() {
		e.replace(v, all.Result(i))
	}
}

// scan scans the subtile of a CTA and combines it with the totals of the CTAs before it:
//
//	elements       a b c d | e f g h
//	alone          a ab abc abcd | e ef efg efgh     each CTA its own
//	ends           abcd | efgh                       gathered by each CTA
//	before         - | abcd                          of the CTAs before
//	joined         a ab abc abcd | abcde abcdef ...  but for the first CTA
func (e *emitter) scan(p *strip.Part, op ir.Op) []ir.Value {
	row, _ := strip.Rows.Of(op)
	alone := p.Copy(op).Results()
	dim := p.Axis.Dims[0].Dim
	ends := row.Ends(p, op, alone)
	for i, v := range ends {
		t := v.Type().(*ir.TensorType)
		ends[i] = p.Create(tileaa.Level.AllGather, []ir.Value{v}, []ir.Type{strip.Resize(t, dim, int64(e.ctas))}, e.dim(form(dim))).Result(0)
	}
	// The number of a CTA in the order of the scan.
	at := func(i int) int { return i }
	if p.Axis.Kind == strip.Backward {
		at = func(i int) int { return e.ctas - 1 - i }
	}
	endsOf := func(i int) []ir.Value {
		out := make([]ir.Value, len(ends))
		for k, v := range ends {
			out[k] = e.take(p.Builder, v, dim, at(i))
		}
		return out
	}
	is := func(i int) ir.Value {
		return arith.NewCmpI(p.Builder, "eq", e.number, arith.NewInt(p.Builder, p.Context().Int(32), int64(at(i))))
	}
	pick := func(cond ir.Value, yes, no []ir.Value) []ir.Value {
		out := make([]ir.Value, len(yes))
		for k := range yes {
			out[k] = p.Create(arith.Select, []ir.Value{cond, yes[k], no[k]}, []ir.Type{yes[k].Type()}).Result(0)
		}
		return out
	}
	// Every CTA computes the totals before each CTA and selects its own, so that control flow stays the same in
	// all. There are few CTAs.
	sum := endsOf(0)
	before := sum
	for i := 2; i < e.ctas; i++ {
		sum = row.Combine(p.Builder, op, sum, endsOf(i-1))
		before = pick(is(i), sum, before)
	}
	wide := make([]ir.Value, len(before))
	for k, v := range before {
		wide[k] = p.Create(tileaa.Level.Broadcast, []ir.Value{v}, []ir.Type{alone[k].Type()}).Result(0)
	}
	// The first CTA has nothing before it. A body may be any code, so no identity is known to combine with.
	return pick(is(0), alone, row.Combine(p.Builder, op, wide, alone))
}
