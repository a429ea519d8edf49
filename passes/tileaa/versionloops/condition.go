package versionloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// affine reports whether a value is invariant in the loop or grows with its counter, and by how much if the
// counter grows by one. Accepted are the counter, sign-extended and multiplied by positive constants, plus
// invariant values. A counter of 32 bits is multiplied in 64 bits, so that differences of two results do not
// wrap.
func (v *version) affine(x ir.Value) (by int64, ok bool) {
	if v.outside(x) {
		return 0, true
	}
	body := v.loop.Body()
	// An unsigned counter may pass the largest signed number, where offsets become negative.
	if v.loop.HasUnitAttr("unsigned") {
		return 0, false
	}
	counter := body.Arg(0)
	// The step of a counter of 64 bits must be small, so that what is computed from it does not pass 2^63.
	if x == counter {
		return 1, ir.BitWidth(x.Type()) <= 32 || v.smallStep()
	}
	def := x.DefiningOp()
	switch {
	case def.IsNil() || def.Block() != body:
		return 0, false
	case def.Is(arith.ExtSI):
		return 1, def.Operand(0) == counter && ir.BitWidth(counter.Type()) <= 32
	case ir.BitWidth(x.Type()) != 64 || ir.BitWidth(counter.Type()) > 32:
		return 0, false
	case def.Is(arith.MulI):
		k, isConst := ir.ConstantValue(def.Operand(1)).(*ir.IntegerAttr)
		if !isConst || k.Value <= 0 || k.Value > maxFactor {
			return 0, false
		}
		by, ok = v.affine(def.Operand(0))
		return by * k.Value, ok && by*k.Value <= maxFactor
	case def.Is(arith.AddI) && v.outside(def.Operand(1)):
		return v.affine(def.Operand(0))
	case def.Is(arith.AddI) && v.outside(def.Operand(0)):
		return v.affine(def.Operand(1))
	}
	return 0, false
}

// maxFactor keeps multiples of counters far from the largest number: no tile has so large an extent.
const maxFactor = 1 << 24

// smallStep reports whether the step is a constant, and below maxFactor.
func (v *version) smallStep() bool {
	k, ok := ir.ConstantValue(v.loop.Operand(2)).(*ir.IntegerAttr)
	return ok && k.Value > 0 && k.Value <= maxFactor
}

// A tester makes conditions before a loop.
type tester struct {
	v     *version
	b     *ir.Builder
	all   ir.Value // the conjunction so far; the zero Value: nothing is tested yet
	end   ir.Value // where the counters end for which the bounds hold, of 64 bits; the zero Value: for all or none
	known map[test]bool
	count int
}

// A test is one that need not be made twice.
type test struct {
	x, y ir.Value
	n    int64
}

func (t *tester) create(def *ir.OpDef, lhs, rhs ir.Value) ir.Value {
	return t.b.Create(def, []ir.Value{lhs, rhs}, []ir.Type{lhs.Type()}).Result(0)
}

func (t *tester) constant(typ ir.Type, n int64) ir.Value { return arith.NewInt(t.b, typ, n) }

// wide returns a number of 64 bits.
func (t *tester) wide(x ir.Value) ir.Value {
	i64 := t.b.Context().Int(64)
	if x.Type() == i64 {
		return x
	}
	return t.b.Create(arith.ExtSI, []ir.Value{x}, []ir.Type{i64}).Result(0)
}

// want adds a comparison to the condition.
func (t *tester) want(predicate string, lhs, rhs ir.Value) {
	t.count++
	t.all = t.both(t.all, arith.NewCmpI(t.b, predicate, lhs, rhs))
}

// both returns the conjunction of two conditions; the zero Value is one that always holds.
func (t *tester) both(x, y ir.Value) ir.Value {
	switch {
	case x.IsNil():
		return y
	case y.IsNil():
		return x
	}
	return t.create(arith.AndI, x, y)
}

// not returns the opposite of a condition.
func (t *tester) not(x ir.Value) ir.Value {
	return t.create(arith.XOrI, x, t.constant(x.Type(), -1))
}

func (t *tester) once(x, y ir.Value, n int64) bool {
	k := test{x, y, n}
	if t.known[k] {
		return false
	}
	t.known[k] = true
	return true
}

// take returns the condition, and begins another one.
func (t *tester) take() ir.Value {
	all := t.all
	t.all = ir.Value{}
	return all
}

// inside requires that the first tile of a dimension lies inside, and computes up to which counter all others do.
//
//	room = size - extent                       does not wrap: sizes are not negative
//	0 <= at(lower) <= room
//	end  = lower + ((room - at(lower)) / (by * step) + 1) * step
//
// The difference of two numbers that are not negative does not wrap either. It is limited to maxRoom, far beyond
// what a loop with a counter of 32 bits reaches, so that end does not wrap.
func (t *tester) inside(offset, size ir.Value, extent int64) {
	if !t.once(offset, size, extent) {
		return
	}
	first := t.at(offset, t.v.loop.Operand(0))
	room := t.create(arith.SubI, size, t.constant(size.Type(), extent))
	t.want("sge", first, t.constant(first.Type(), 0))
	t.want("sle", first, room)
	by, _ := t.v.affine(offset)
	if by == 0 {
		return
	}
	t.upTo(first, room, by)
}

// upTo computes up to which counter a value is at most room. The value is first in the first iteration, where it
// is at most room, and grows by a constant per counter. Both are of 64 bits.
func (t *tester) upTo(first, room ir.Value, by int64) {
	i64 := t.b.Context().Int(64)
	loop := t.v.loop
	lower, step := loop.Operand(0), loop.Operand(2)
	limit := t.constant(i64, maxRoom)
	// The end is computed as lower + iterations * stride; a lower bound below the limit keeps that from wrapping.
	if ir.BitWidth(lower.Type()) > 32 {
		t.want("sle", lower, limit)
	}
	left := t.create(arith.MinSI, t.create(arith.SubI, t.wide(room), t.wide(first)), limit)
	stride := t.wide(step)
	perIteration := stride
	if k, ok := ir.ConstantValue(step).(*ir.IntegerAttr); ok {
		perIteration = t.constant(i64, by*k.Value)
		// room >= first here, or the condition is false and the end is not used. So an unsigned division does, which
		// is cheaper.
	} else if by != 1 {
		perIteration = t.create(arith.MulI, stride, t.constant(i64, by))
	}
	iterations := t.create(arith.AddI, t.create(arith.DivUI, left, perIteration), t.constant(i64, 1))
	end := t.create(arith.AddI, t.wide(lower), t.create(arith.MulI, iterations, stride))
	if t.end.IsNil() {
		t.end = end
	} else {
		t.end = t.create(arith.MinSI, t.end, end)
	}
}

const maxRoom = 1 << 61

// interior returns where the counters end for which all bounds hold. It is clamped to the bounds of the loop, so
// it fits the type of the counter.
func (t *tester) interior() ir.Value {
	lower, upper := t.v.loop.Operand(0), t.v.loop.Operand(1)
	if t.end.IsNil() {
		return upper
	}
	end := t.create(arith.MaxSI, t.create(arith.MinSI, t.end, t.wide(upper)), t.wide(lower))
	if end.Type() != lower.Type() {
		end = t.b.Create(arith.TruncI, []ir.Value{end}, []ir.Type{lower.Type()}).Result(0)
	}
	return end
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

// aligned requires that the address and the strides of an access are multiples of what a wide access moves.
func (t *tester) aligned(a tile.Access, n int64) {
	// Without a fact the base may have any address; with one, it lacks only the remaining power of two.
	if base, _ := a.Op.IntAttr(tile.AttrBaseDiv); base%wideBytes != 0 || base == 0 {
		if t.once(a.Base, a.Base, wideBytes) {
			i64 := t.b.Context().Int(64)
			t.multiple(t.b.Create(tileaa.Level.PtrToInt, []ir.Value{a.Base}, []ir.Type{i64}).Result(0), wideBytes)
		}
	}
	for d, s := range a.Strides {
		if d != a.ContiguousDim() && fact(a.Op, tile.AttrStrideDiv, d)%n != 0 && t.once(s, s, n) {
			t.multiple(s, n)
		}
	}
}

// divided requires that the size of an access is a multiple of what a wide access moves, along its dimension.
func (t *tester) divided(a tile.Access, n int64) {
	dim := a.ContiguousDim()
	if a.Checked(dim) && fact(a.Op, tile.AttrSizeDiv, dim)%n != 0 && t.once(a.Sizes[dim], a.Sizes[dim], n) {
		t.multiple(a.Sizes[dim], n)
	}
}

// place requires that a scalar is a multiple, or that a pointer points to one.
func (t *tester) place(x multiple) {
	if !t.once(x.v, x.v, int64(x.n)) {
		return
	}
	v := x.v
	if _, isPtr := v.Type().(*tile.PtrType); isPtr {
		v = t.b.Create(tileaa.Level.PtrToInt, []ir.Value{v}, []ir.Type{t.b.Context().Int(64)}).Result(0)
	}
	t.multiple(v, int64(x.n))
}

// multiple wants a value to be a multiple of a power of two.
func (t *tester) multiple(x ir.Value, n int64) {
	t.want("eq", t.create(arith.AndI, x, t.constant(x.Type(), n-1)), t.constant(x.Type(), 0))
}

// chain makes a version of the loop that runs if a condition holds. Its results are the loop's results then, and
// the initial values otherwise. Versions follow each other, each continuing from what the last one leaves. As
// arms of one if, their results would come to the same registers from several sides, for which ptxas moves every
// accumulator.
func chain(b *ir.Builder, cond ir.Value, inits []ir.Value, body func(b *ir.Builder) []ir.Value) ir.Op {
	types := make([]ir.Type, len(inits))
	for i, x := range inits {
		types[i] = x.Type()
	}
	choice := scf.CreateIf(b, cond, types)
	then, other := at(choice, 0, b.Loc), at(choice, 1, b.Loc)
	results := body(then)
	then.SetInsertionPointToEnd(then.Block())
	then.Create(scf.Yield, results, nil)
	other.Create(scf.Yield, inits, nil)
	return choice
}

// at returns a builder at the end of an arm.
func at(choice ir.Op, arm int, loc ir.Location) *ir.Builder {
	b := ir.BuilderAtEnd(choice.Region(arm).First())
	b.Loc = loc
	return b
}
