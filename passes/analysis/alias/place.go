package alias

import (
	"hash/maphash"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A place is where the elements of an access lie: each at an address of the form, size bytes long.
type place struct {
	form
	size int64
}

// place returns the place of an access.
func (a *Aliases) place(op ir.Op) *place {
	if p := *a.places.At(op); p != nil {
		return p
	}
	p := &place{form: form{none: true}}
	*a.places.At(op) = p
	ptr := a.touches(op).through
	// Only if all effects go through the pointer operand does its form describe the access.
	if ptr.IsNil() || ptr != tile.Pointer(op) {
		return p
	}
	pt, ok := ir.ElementType(ptr.Type()).(*tile.PtrType)
	if !ok || tile.IsHalf(pt.Pointee) {
		return p // half-byte elements have no address of their own
	}
	p.size = int64(tile.ElementBytes(pt.Pointee))
	e := &expander{ranges: a.ranges, budget: maxExpanded}
	p.form = e.value(ptr, 0)
	if op.Def().OperandField("offsets") >= 0 {
		if op.Def().OperandField("value") < 0 && op.NumResults() == 0 {
			p.none = true // no tile tells the extent
			return p
		}
		p.addTile(e, tile.AccessOf(op))
	}
	return p
}

// addTile adds the elements of a tile to the place of its base.
func (p *place) addTile(e *expander, a tile.Access) {
	shape := tile.Shape(a.Tile)
	if p.none = p.none || len(a.Offsets) != len(shape) || len(a.Strides) != len(shape); p.none {
		return
	}
	for d, n := range shape {
		stride, ok := ir.ConstantValue(a.Strides[d]).(*ir.IntegerAttr)
		if !ok { // the product of two values has no form
			p.none = true
			return
		}
		off := e.value(a.Offsets[d], 0)
		off.hi = off.total(off.hi, n-1)
		step := off.product(stride.Value, p.size)
		p.form = p.plus(off.times(step), 1)
	}
}

// apart reports whether no element of p overlaps one of q. Function same tells whether a value is equal for both.
func (a *Aliases) apart(p, q *place, same func(ir.Value) bool) bool {
	if p.none || q.none {
		return false
	}
	// The difference p - q: disjoint if it is at least q.size, or at most -p.size, for all spreads.
	var d form
	d.lo, d.hi = d.total(p.lo, -q.hi), d.total(p.hi, -q.lo)
	c := int64(p.c - q.c)
	d.lo, d.hi = d.total(d.lo, c), d.total(d.hi, c)
	add := func(v ir.Value, k int64) {
		if k != 0 {
			d.widen(a.ranges.Of(v), k)
		}
	}
	for _, t := range p.terms {
		k := q.factor(t.v)
		if same(t.v) {
			add(t.v, int64(t.k-k))
		} else { // different values in the same range
			add(t.v, int64(t.k))
			add(t.v, int64(-k))
		}
	}
	for _, t := range q.terms {
		if !slices.ContainsFunc(p.terms, func(u term) bool { return u.v == t.v }) {
			add(t.v, int64(-t.k))
		}
	}
	return !d.none && (d.lo >= q.size || d.hi <= -p.size)
}

// SameLocation reports whether two accesses, in the same iteration of the loops around both, access the same elements.
// They have equal pointers, or equal bases, offsets, sizes and strides, and the same mask or bounds and type. Their
// padding values may differ.
func SameLocation(x, y ir.Op) bool {
	if p := tile.Pointer(x); p.IsNil() || !ir.SameValue(p, tile.Pointer(y)) || x.Dialect() != y.Dialect() {
		return false
	}
	tiled := x.Def().OperandField("offsets") >= 0
	if tiled != (y.Def().OperandField("offsets") >= 0) {
		return false
	}
	if !tiled {
		return ir.SameValue(x.OperandNamed("mask"), y.OperandNamed("mask"))
	}
	a, b := tile.AccessOf(x), tile.AccessOf(y)
	same := func(x, y []ir.Value) bool { return slices.EqualFunc(x, y, ir.SameValue) }
	return a.Tile == b.Tile && same(a.Offsets, b.Offsets) && same(a.Sizes, b.Sizes) && same(a.Strides, b.Strides) &&
		x.Attr(tile.AttrBounds) == y.Attr(tile.AttrBounds) && x.Attr(tile.AttrPacked) == y.Attr(tile.AttrPacked)
}

// LocationKey returns a hash that is equal for accesses of which SameLocation holds. So candidates are found without
// comparing all pairs.
func LocationKey(op ir.Op) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	parts := ir.Group(tile.Pointer(op))
	if op.Def().OperandField("offsets") >= 0 {
		parts = append(parts, op.OperandsNamed("offsets")...)
	}
	for _, v := range parts {
		if k := ir.ConstantValue(v); k != nil { // equal constants may be different SSA values
			maphash.WriteComparable(&h, k)
		} else {
			maphash.WriteComparable(&h, v)
		}
	}
	return h.Sum64()
}

var seed = maphash.MakeSeed()
