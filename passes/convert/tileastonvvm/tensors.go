package tileastonvvm

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// tensorRules are those of tensor maps and the copies that take them.
//
// A map is an address and a bit. No map is of an empty object, since none of its sizes is 0: such an object is described as if it had an element, and copies of it have a coordinate beyond that.
func tensorRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.MakeTensorMap: (*lowering).tensorMap, tileas.BuildTensorMap: (*lowering).tensorMap, tileas.TMALoad: (*lowering).tmaLoad, tileas.TMAStore: (*lowering).tmaStore, tileas.TMAReduce: (*lowering).tmaStore,
	}
}

// tensorMap makes a hidden parameter of the map, or has the tile block make it.
func (l *lowering) tensorMap(op ir.Op) error {
	t := op.Result(0).Type().(*tileas.TensorMapType)
	if !l.arch.Has(sm.TMALoad) {
		return op.Errorf("needs %s, which %s does not have", sm.TMALoad.Doc(), l.arch)
	}
	sizes, strides := op.OperandsNamed("sizes"), op.OperandsNamed("strides")
	var extents, steps []ir.Value
	var box []int64
	empty := l.constAttr(l.ctx.IntAttr(l.ctx.Int(1), 0))
	for i, d := range t.Order {
		extents, box = append(extents, l.Value(sizes[d])), append(box, t.Box[d])
		if i > 0 {
			steps = append(steps, l.Value(strides[d]))
		}
		if l.integers().Of(sizes[d]).SMin < 1 {
			none := l.compare("slt", l.Value(sizes[d]), l.const64(1))
			empty = l.create(arith.OrI, l.ctx.Int(1), empty, none)
		}
	}
	if l.maps == contract.TensorMapsDevice || op.Is(tileas.BuildTensorMap) {
		at, err := l.deviceMap(op, extents, steps, box)
		if err != nil {
			return err
		}
		l.Bind(op.Result(0), at, empty)
		return nil
	}
	st := l.NewState(nvvm.TensorMapParam, l.Loc)
	st.OperandGroups([]ir.Value{l.Value(op.Operand(0))}, extents, steps)
	st.SetAttr(nvvm.AttrElement, l.ctx.IntAttr(l.i32(), int64(tile.ElementBytes(t.Elem))))
	st.SetAttr(nvvm.AttrBox, l.ctx.DenseArray(l.i64(), box...))
	if t.Swizzle > 0 {
		st.SetAttr(nvvm.AttrSwizzle, l.ctx.IntAttr(l.i32(), t.Swizzle))
	}
	l.elementsOf(st, op)
	st.Types = []ir.Type{nvvm.Ptr(l.ctx, nvvm.Generic)}
	at := l.Insert(st).Result(0)
	if usedInLoop(op.Result(0)) {
		at = l.opaque(at)
	}
	l.Bind(op.Result(0), at, empty)
	return nil
}

// elementsOf writes on a map what its elements are, where copies do more than to move them.
func (l *lowering) elementsOf(st *ir.OpState, op ir.Op) {
	t := op.Result(0).Type().(*tileas.TensorMapType)
	if t.Rounded {
		st.SetAttr(nvvm.AttrRounded, l.ctx.Unit())
	}
	float, ok := t.Elem.(*ir.FloatType)
	for u := range op.Result(0).Uses() {
		if ok && u.Owner().Is(tileas.TMAReduce) {
			st.SetAttr(nvvm.AttrFloat, l.ctx.String(ir.TypeString(float)))
			return
		}
	}
}

// usedInLoop reports whether a load that takes a map is in a loop. Stores are executed seldom, and their maps need no register meanwhile.
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

// opaque returns an address that a warp has in common, of which ptxas does not know how it follows from the parameters. It computes those anew in front of each copy of a loop, two instructions each time (13.5: 8 of 68 instructions in
// the loop of batch_matmul_f16_128x128x64).
func (l *lowering) opaque(at ir.Value) ir.Value {
	i64, bits := l.i64(), l.const64(32)
	whole := l.create(nvvm.PtrToInt, i64, at)
	half := func(v ir.Value) ir.Value {
		v = l.create(arith.TruncI, l.i32(), v)
		v = l.Create(nvvm.Shuffle, []ir.Value{v, l.const32(0)}, []ir.Type{l.i32()}, ir.NamedAttr{Name: nvvm.AttrMode, Value: l.ctx.String("idx")}).Result(0)
		return l.create(arith.ExtUI, i64, v)
	}
	high := l.create(arith.ShLI, i64, half(l.create(arith.ShRUI, i64, whole, bits)), bits)
	return l.create(nvvm.IntToPtr, at.Type(), l.create(arith.OrI, i64, high, half(whole)))
}

// beyond is a coordinate in front of all tensors, whichever box of a tile it is of: those have sizes up to 2^31 along other dimensions.
const beyond = -1 << 30

// coordinates returns the coordinates at which a tile begins, innermost first.
func (l *lowering) coordinates(op ir.Op) []ir.Value {
	m := op.OperandNamed(tileas.FieldMap)
	t, offsets := m.Type().(*tileas.TensorMapType), op.OperandsNamed("offsets")
	var out []ir.Value
	for _, d := range t.Order {
		if op.HasUnitAttr(tileas.AttrNarrow) {
			out = append(out, l.low(offsets[d], maxLow))
		} else {
			out = append(out, l.coordinate(offsets[d]))
		}
	}
	if empty := l.empty(op, m); !isFalse(empty) {
		far := l.steadiest(op, t.Order)
		if !tileas.RowsOf(op).IsNil() {
			far = 0 // rows add numbers of their own to the other one
		}
		out[far] = l.create(arith.Select, l.i32(), empty, l.const32(beyond), out[far])
	}
	return out
}

// steadiest returns which of the coordinates of a copy, in an order, changes in the fewest loops around it: what is made of that stands in front of them.
func (l *lowering) steadiest(op ir.Op, order []int64) (best int) {
	least := -1
	for i, d := range order {
		n := 0
		for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
			if _, ok := ir.LoopLike.Of(p); ok && varies(op.OperandsNamed("offsets")[d], p) {
				n++
			}
		}
		if least < 0 || n < least {
			best, least = i, n
		}
	}
	return best
}

// varies reports whether a value is made in an operation.
func varies(v ir.Value, in ir.Op) bool {
	if def := v.DefiningOp(); !def.IsNil() {
		return in.IsAncestorOf(def)
	}
	owner := v.Block().ParentOp()
	return owner == in || in.IsAncestorOf(owner)
}

// empty tells whether the object of a copy has no elements. Loads, which stand in loops, have it as a bit that is computed with the map. A store stands at the end of the kernel, to which that bit would take a register for each
// size: attention spilled 44 bytes on sm_90. So it looks at the sizes again, where it stands and in other instructions, which nothing merges with those.
func (l *lowering) empty(op ir.Op, m ir.Value) ir.Value {
	def := m.DefiningOp()
	known := l.Values(m)[1]
	if op.Is(tileas.TMALoad) || def.IsNil() || !def.Is(tileas.MakeTensorMap) || isFalse(known) {
		return known
	}
	var least ir.Value
	for _, n := range def.OperandsNamed("sizes") {
		if l.integers().Of(n).SMin >= 1 {
			continue
		}
		if least.IsNil() {
			least = l.coordinate(n)
		} else {
			least = l.create(arith.MinSI, l.i32(), least, l.coordinate(n))
		}
	}
	return l.compare("slt", least, l.const32(1))
}

// coordinate returns an offset in 32 bits. Objects have fewer than 2^31 elements along a dimension, so that what has no room is outside as the nearest that has.
func (l *lowering) coordinate(v ir.Value) ir.Value {
	if l.fits(v) {
		return l.low(v, maxLow)
	}
	n, r := l.Value(v), l.integers().Of(v)
	if r.SMin < math.MinInt32 {
		n = l.create(arith.MaxSI, l.i64(), n, l.const64(math.MinInt32))
	}
	if r.SMax > math.MaxInt32 {
		n = l.create(arith.MinSI, l.i64(), n, l.const64(math.MaxInt32))
	}
	return l.create(arith.TruncI, l.i32(), n)
}

func isFalse(v ir.Value) bool {
	k, ok := constOf(v)
	return ok && k == 0
}

// firstIf returns the condition that this is the thread that acts for the tile block, and that it is to act.
func (l *lowering) firstIf(op ir.Op) (ir.Value, error) {
	first, err := l.actor()
	if err != nil || op.Def().OperandField(tile.FieldPredicate) < 0 || op.OperandNamed(tile.FieldPredicate).IsNil() {
		return first, err
	}
	return l.create(arith.AndI, l.ctx.Int(1), first, l.Value(op.OperandNamed(tile.FieldPredicate))), nil
}

func (l *lowering) tmaLoad(op ir.Op) error {
	if rows := tileas.RowsOf(op); !rows.IsNil() {
		return l.gatherRows(op, rows)
	}
	first, err := l.firstIf(op)
	if err != nil {
		return err
	}
	at, m, bar := l.pointer(op.Operand(0)), l.Values(op.OperandNamed(tileas.FieldMap))[0], l.pointer(op.OperandNamed("mbarrier"))
	if op.HasUnitAttr(tileas.AttrMulticast) {
		return l.multicast(op, first, at, m, bar)
	}
	l.eachBox(op, func(coordinates []ir.Value, offset int64) {
		st := l.NewState(nvvm.TensorLoad, l.Loc)
		st.OperandGroups([]ir.Value{at}, []ir.Value{m}, coordinates, []ir.Value{bar}, []ir.Value{first})
		l.offset(st, offset)
		l.Insert(st)
	})
	return nil
}

func (l *lowering) tmaStore(op ir.Op) error {
	first, err := l.firstIf(op)
	if err != nil {
		return err
	}
	at, m := l.pointer(op.Operand(0)), l.Values(op.OperandNamed(tileas.FieldMap))[0]
	l.eachBox(op, func(coordinates []ir.Value, offset int64) {
		def := nvvm.TensorStore
		if op.Is(tileas.TMAReduce) {
			def = nvvm.TensorReduce
		}
		st := l.NewState(def, l.Loc)
		st.Attrs = append(st.Attrs, l.kind(op)...)
		st.OperandGroups([]ir.Value{m}, coordinates, []ir.Value{at}, []ir.Value{first})
		l.offset(st, offset)
		l.Insert(st)
	})
	return nil
}

// eachBox calls f for each box of a tensor copy, with its coordinates and where it is in the buffer, in bytes.
func (l *lowering) eachBox(op ir.Op, f func(coordinates []ir.Value, offset int64)) {
	boxes := tileas.TensorBoxes(op)
	start := l.coordinates(op)
	size := op.Operand(0).Type().(*tileas.BufferType).ElementBytes()
	for _, p := range boxes.Places {
		at := make([]ir.Value, len(start))
		for i, d := range boxes.Order {
			if at[i] = start[i]; p.From[d] > 0 {
				at[i] = l.create(arith.AddI, l.i32(), at[i], l.const32(int64(p.From[d])))
			}
		}
		f(at, int64(p.Offset)*size)
	}
}
