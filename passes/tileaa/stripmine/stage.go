package stripmine

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// stage makes a load run once, in its place: it stores the tile to memory of the CTA and reads it from there.
func (m *miner) stage(load ir.Op) {
	l := tileaa.Level
	v := load.Result(0)
	t := v.Type().(*ir.TensorType)
	b := ir.BuilderAfter(load)
	c := b.Context()
	i64 := c.Int(64)
	bytes := t.NumElements() * int64(tile.ElementBytes(t.Elem))
	object := m.nextObject()
	attrs := []ir.NamedAttr{{Name: tile.AttrBytes, Value: c.IntAttr(i64, bytes)}, {Name: tile.AttrAlignment, Value: c.IntAttr(i64, alignment)},
		{Name: tile.AttrObject, Value: c.IntAttr(i64, object)}}
	// Shared memory is for the version that is expected to run. The tiles of the version for overlapping
	// parameters go to memory of the device's heap (AttrGlobal).
	if bytes > m.shared || m.oneVersion[load] {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrGlobal, Value: c.Unit()})
	} else {
		m.shared -= bytes
	}
	base := b.Create(l.Alloca, nil, []ir.Type{l.Ptr(c, t.Elem)}, attrs...).Result(0)
	number := func(n int64) ir.Value { return integer(b, n) }
	var offsets, sizes, strides, ones, extents, steps []int64
	stride := t.NumElements()
	for _, n := range t.Shape {
		stride /= n
		// The tile has its own layout: row-major, no bounds, and all divisors known, so accesses to it are as
		// wide as they can be.
		offsets, ones, sizes, strides = append(offsets, 0), append(ones, 1<<30), append(sizes, n), append(strides, stride)
		extents, steps = append(extents, n), append(steps, stride)
	}
	list := func(ns []int64) (vs []ir.Value) {
		for _, n := range ns {
			vs = append(vs, number(n))
		}
		return vs
	}
	place := [][]ir.Value{{base}, list(offsets), list(sizes), list(strides)}
	facts := func(st *ir.OpState) {
		st.SetAttr(tile.AttrBounds, c.DenseArray(c.Int(1), make([]int64, len(t.Shape))...))
		st.SetAttr(tile.AttrBaseDiv, c.IntAttr(i64, alignment))
		st.SetAttr(tile.AttrOffsetDiv, c.DenseI64(ones...))
		st.SetAttr(tile.AttrSizeDiv, c.DenseI64(extents...))
		st.SetAttr(tile.AttrStrideDiv, c.DenseI64(steps...))
		st.SetAttr(tile.AttrObjects, tileaa.Objects(c, []tile.ObjectRef{{Kind: tile.ObjectAlloca, Index: int(object)}}, false))
	}
	token := b.Create(l.MakeToken, nil, []ir.Type{l.Token(c)}).Result(0)
	st := b.NewState(l.TiledStore, nil)
	st.OperandGroups(append(append([][]ir.Value{{v}}, place...), []ir.Value{token})...)
	st.Types = []ir.Type{l.Token(c)}
	facts(st)
	store := b.Insert(st)
	st = b.NewState(l.TiledLoad, nil)
	st.OperandGroups(append(place, store.Results())...)
	st.Types = []ir.Type{t, l.Token(c)}
	facts(st)
	again := b.Insert(st)
	// Only the store still needs the loaded value: all others read the copy, so that the value is not live in the
	// loops.
	v.ReplaceUsesIf(again.Result(0), func(u ir.Use) bool { return u.Owner() != store })
}
