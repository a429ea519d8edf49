package versionloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// affine reports whether a value does not change in the loop, or grows with its counter: it is the counter, extended and multiplied by positive constants, with something added that does not change. Products
// and sums are of 64 bits, of a counter of 32, so that they do not wrap.
func (v *version) affine(x ir.Value) bool {
	if v.outside(x) {
		return true
	}
	body := v.loop.Body()
	if v.loop.HasUnitAttr("unsigned") { // which may pass the largest signed number, where offsets become negative
		return false
	}
	if x == body.Arg(0) {
		return true
	}
	def := x.DefiningOp()
	switch {
	case def.IsNil() || def.Block() != body:
		return false
	case def.Is(arith.ExtSI):
		return def.Operand(0) == body.Arg(0) && ir.BitWidth(def.Operand(0).Type()) <= 32
	case ir.BitWidth(x.Type()) != 64 || ir.BitWidth(body.Arg(0).Type()) > 32:
		return false
	case def.Is(arith.MulI):
		k, ok := ir.ConstantValue(def.Operand(1)).(*ir.IntegerAttr)
		return ok && k.Value > 0 && k.Value <= maxFactor && v.affine(def.Operand(0))
	case def.Is(arith.AddI):
		return v.affine(def.Operand(0)) && v.outside(def.Operand(1)) || v.outside(def.Operand(0)) && v.affine(def.Operand(1))
	}
	return false
}

// maxFactor keeps products of counters far from the largest number: no tile has so large an extent.
const maxFactor = 1 << 24

// A tester makes the condition of a version, in front of the loop.
type tester struct {
	v           *version
	b           *ir.Builder
	first, last ir.Value // counters
	all         ir.Value // the conjunction so far
	known       map[test]bool
}

// A test is one that need not be made twice.
type test struct {
	x, y ir.Value
	n    int64
}

// condition returns whether the facts of all upgrades hold.
func (v *version) condition(b *ir.Builder) ir.Value {
	t := &tester{v: v, b: b, known: make(map[test]bool)}
	lower, upper, step := v.loop.Operand(0), v.loop.Operand(1), v.loop.Operand(2)
	one := t.constant(lower.Type(), 1)
	t.first, t.last = lower, t.create(arith.SubI, upper, one)
	if !arith.IsInt(step, 1) {
		steps := t.create(arith.DivUI, t.create(arith.SubI, t.last, lower), step) // a loop that does not run has no last counter, and either version does for it
		t.last = t.create(arith.AddI, lower, t.create(arith.MulI, steps, step))
	}
	for _, u := range v.upgrades {
		shape := tile.Shape(u.access.Tile)
		for _, d := range u.inside {
			t.inside(u.access.Offsets[d], u.access.Sizes[d], shape[d])
		}
		if u.vector > 0 {
			t.aligned(u.access, u.vector)
		}
	}
	return t.all
}

func (t *tester) create(def *ir.OpDef, lhs, rhs ir.Value) ir.Value {
	return t.b.Create(def, []ir.Value{lhs, rhs}, []ir.Type{lhs.Type()}).Result(0)
}

func (t *tester) constant(typ ir.Type, n int64) ir.Value { return arith.NewInt(t.b, typ, n) }

// want adds a comparison to the condition.
func (t *tester) want(predicate string, lhs, rhs ir.Value) {
	holds := arith.NewCmpI(t.b, predicate, lhs, rhs)
	if t.all.IsNil() {
		t.all = holds
		return
	}
	t.all = t.create(arith.AndI, t.all, holds)
}

func (t *tester) once(x, y ir.Value, n int64) bool {
	k := test{x, y, n}
	if t.known[k] {
		return false
	}
	t.known[k] = true
	return true
}

// inside wants the first tile to begin at 0 or later, and the last one to end inside.
func (t *tester) inside(offset, size ir.Value, extent int64) {
	if !t.once(offset, size, extent) {
		return
	}
	t.want("sge", t.at(offset, t.first), t.constant(offset.Type(), 0))
	// As last <= size - extent, which does not wrap: sizes are not negative.
	t.want("sle", t.at(offset, t.last), t.create(arith.SubI, size, t.constant(size.Type(), extent)))
}

// at returns what an offset is for a value of the counter.
func (t *tester) at(x, counter ir.Value) ir.Value {
	if t.v.outside(x) {
		return x
	}
	if x == t.v.loop.Body().Arg(0) {
		return counter
	}
	def := x.DefiningOp()
	m := ir.NewMapping()
	for _, v := range def.Operands() {
		m.Values[v] = t.at(v, counter)
	}
	return t.b.Clone(def, m).Result(0)
}

// aligned wants the address and the strides of an access to be multiples of what a wide access moves.
func (t *tester) aligned(a tile.Access, n int64) {
	c := t.b.Context()
	if base, _ := a.Op.IntAttr(tile.AttrBaseDiv); base%wideBytes != 0 || base == 0 {
		if t.once(a.Base, a.Base, wideBytes) {
			address := t.b.Create(tileaa.Level.PtrToInt, []ir.Value{a.Base}, []ir.Type{c.Int(64)}).Result(0)
			t.multiple(address, wideBytes)
		}
	}
	for d, s := range a.Strides {
		if d != a.ContiguousDim() && fact(a.Op, tile.AttrStrideDiv, d)%n != 0 && t.once(s, s, n) {
			t.multiple(s, n)
		}
	}
}

// multiple wants a value to be a multiple of a power of two.
func (t *tester) multiple(x ir.Value, n int64) {
	t.want("eq", t.create(arith.AndI, x, t.constant(x.Type(), n-1)), t.constant(x.Type(), 0))
}

// fact returns what an attribute of divisors says of a dimension; 1: nothing.
func fact(op ir.Op, name string, d int) int64 {
	if list, ok := op.Attr(name).(*ir.DenseArrayAttr); ok && d < len(list.Values) {
		return list.Values[d]
	}
	return 1
}

// make puts both versions in the place of the loop, one behind the other: the second goes on from what the first leaves, which is where it began if that did not run. As the two arms of one if, their results would
// have to come to the same registers from two sides, for which ptxas moves every accumulator.
func (v *version) make() {
	b := ir.BuilderBefore(v.loop)
	b.Loc = v.loop.Loc()
	holds := v.condition(b)
	v.loop.SetAttr(attrVersion, v.loop.Context().Unit())
	types := v.loop.ResultTypes()
	first, second := scf.CreateIf(b, holds, types), scf.CreateIf(b, holds, types)
	for i, r := range v.loop.Results() {
		r.ReplaceAllUsesWith(second.Result(i))
	}
	inits := v.loop.Operands()[scf.NumBounds:]
	fast := at(first, 0, b.Loc)
	loop := fast.Clone(v.loop, ir.NewMapping())
	fast.Create(scf.Yield, loop.Results(), nil)
	at(first, 1, b.Loc).Create(scf.Yield, inits, nil)
	copies := make(map[ir.Op]ir.Op)
	next := loop.Body().First()
	for op := range v.loop.Body().Ops() {
		copies[op] = next
		next = next.Next()
	}
	for _, u := range v.upgrades {
		u.apply(copies[u.access.Op])
	}
	at(second, 0, b.Loc).Create(scf.Yield, first.Results(), nil)
	slow := at(second, 1, b.Loc)
	v.loop.MoveToEnd(slow.Block())
	for i, r := range first.Results() {
		v.loop.SetOperand(scf.NumBounds+i, r)
	}
	slow.SetInsertionPointToEnd(slow.Block())
	slow.Create(scf.Yield, v.loop.Results(), nil)
}

// at returns a builder at the end of an arm.
func at(choice ir.Op, arm int, loc ir.Location) *ir.Builder {
	b := ir.BuilderAtEnd(choice.Region(arm).First())
	b.Loc = loc
	return b
}

// apply writes what was tested on the load of the fast version.
func (u upgrade) apply(op ir.Op) {
	c := op.Context()
	rank := len(u.access.Sizes)
	if len(u.inside) > 0 {
		flags := make([]int64, rank)
		for d := range flags {
			if u.access.Checked(d) {
				flags[d] = 1
			}
		}
		for _, d := range u.inside {
			flags[d] = 0
		}
		op.SetAttr(tile.AttrBounds, c.DenseArray(c.Int(1), flags...))
	}
	if u.vector == 0 {
		return
	}
	if base, _ := op.IntAttr(tile.AttrBaseDiv); base%wideBytes != 0 || base == 0 {
		op.SetAttr(tile.AttrBaseDiv, c.IntAttr(c.Int(64), lcm(max(1, base), wideBytes)))
	}
	strides := make([]int64, rank)
	for d := range strides {
		if strides[d] = fact(op, tile.AttrStrideDiv, d); d != u.access.ContiguousDim() {
			strides[d] = lcm(strides[d], u.vector)
		}
	}
	op.SetAttr(tile.AttrStrideDiv, c.DenseArray(c.Int(64), strides...))
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
