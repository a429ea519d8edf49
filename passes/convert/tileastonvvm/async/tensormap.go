package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// tensorMap makes the map a hidden parameter, or has the CTA make it. A map is an address and a bit. No size of a map
// is 0: an empty object is described as if it had an element, and the bit makes coordinates lie outside of it.
func tensorMap(l *core.Lowering, op ir.Op) error {
	t := op.Result(0).Type().(*tileas.TensorMapType)
	if !l.Arch.Has(sm.TMALoad) {
		return op.Errorf("needs %s, which %s does not have", sm.TMALoad.Doc(), l.Arch)
	}
	sizes, strides := op.OperandsNamed("sizes"), op.OperandsNamed("strides")
	var extents, steps []ir.Value
	var box []int64
	empty := l.Const(l.Ctx.IntAttr(l.Ctx.Int(1), 0))
	for i, d := range t.Order {
		extents, box = append(extents, l.Value(sizes[d])), append(box, t.Box[d])
		if i > 0 {
			steps = append(steps, l.Value(strides[d]))
		}
		if l.Integers().Of(sizes[d]).SMin < 1 {
			none := l.Compare("slt", l.Value(sizes[d]), l.Const64(1))
			empty = l.Make(arith.OrI, l.Ctx.Int(1), empty, none)
		}
	}
	switch {
	case op.Is(tileas.BuildTensorMap):
		return mapInPlace(l, op, mapShape{extents, steps, box, empty})
	case l.TensorMaps == contract.TensorMapsDevice:
		return mapAtStart(l, op, mapShape{extents, steps, box, empty})
	}
	st := l.NewState(nvvm.TensorMapParam, l.Loc)
	st.OperandGroups([]ir.Value{l.Value(op.Operand(0))}, extents, steps)
	st.SetAttr(nvvm.AttrElement, l.Ctx.IntAttr(l.I32(), int64(tile.ElementBytes(t.Elem))))
	st.SetAttr(nvvm.AttrBox, l.Ctx.DenseArray(l.I64(), box...))
	if t.Swizzle > 0 {
		st.SetAttr(nvvm.AttrSwizzle, l.Ctx.IntAttr(l.I32(), t.Swizzle))
	}
	elementsOf(l, st, op)
	st.Types = []ir.Type{nvvm.Ptr(l.Ctx, nvvm.Generic)}
	at := l.Insert(st).Result(0)
	if usedInLoop(op.Result(0)) {
		at = opaque(l, at)
	}
	l.Bind(op.Result(0), at, empty)
	return nil
}

// elementsOf writes on a map what its elements are, where copies do more than move them.
func elementsOf(l *core.Lowering, st *ir.OpState, op ir.Op) {
	t := op.Result(0).Type().(*tileas.TensorMapType)
	if t.Rounded {
		st.SetAttr(nvvm.AttrRounded, l.Ctx.Unit())
	}
	float, ok := t.Elem.(*ir.FloatType)
	for u := range op.Result(0).Uses() {
		if ok && u.Owner().Is(tileas.TMAReduce) {
			st.SetAttr(nvvm.AttrFloat, l.Ctx.String(ir.TypeString(float)))
			return
		}
	}
}

// usedInLoop reports whether a load that takes a map is in a loop. Stores are executed seldom, and their maps need no
// register meanwhile.
func usedInLoop(v ir.Value) bool {
	for u := range v.Uses() {
		if u.Owner().Is(tileas.TMAStore) || u.Owner().Is(tileas.TMAReduce) {
			continue
		}
		for p := u.Owner().ParentOp(); !p.IsNil(); p = p.ParentOp() {
			if _, ok := ir.LoopLike.Of(p); ok {
				return true
			}
		}
	}
	return false
}

// opaque returns an address that a warp has in common, of which ptxas does not know how it follows from the
// parameters. It would rematerialize those before each copy of a loop, two instructions each time (13.5: 8 of 68
// instructions in the loop of batch_matmul_f16_128x128x64).
func opaque(l *core.Lowering, at ir.Value) ir.Value {
	i64, bits := l.I64(), l.Const64(32)
	bits64 := l.Make(nvvm.PtrToInt, i64, at)
	half := func(v ir.Value) ir.Value {
		v = l.Make(arith.TruncI, l.I32(), v)
		v = l.Create(nvvm.Shuffle, []ir.Value{v, l.Const32(0)}, []ir.Type{l.I32()}, ir.NamedAttr{Name: nvvm.AttrMode, Value: l.Ctx.String("idx")}).Result(0)
		return l.Make(arith.ExtUI, i64, v)
	}
	high := l.Make(arith.ShLI, i64, half(l.Make(arith.ShRUI, i64, bits64, bits)), bits)
	return l.Make(nvvm.IntToPtr, at.Type(), l.Make(arith.OrI, i64, high, half(bits64)))
}
