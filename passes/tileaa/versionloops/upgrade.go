package versionloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// An upgrade is what one load gains.
type upgrade struct {
	access tile.Access
	inside []int // dimensions whose bounds can be tested before the loop
	vector int64 // elements of a wide access, where it lacks facts that can be tested; 0: it does not
	// enough says that a wide access needs no more than vector if the bounds of inside hold. Otherwise the size
	// of its dimension must be a multiple, so that bounds do not split it. That is worth a test of its own:
	// accesses at the edge are then wide too.
	enough bool
	never  bool // it is no multiple, and never will be
	tma    bool // if it is aligned, it is a TMA load, for which bounds do not matter
}

// collect finds what the loads of the loop would gain, and reports whether there is anything.
func (v *version) collect(fn ir.Op) bool {
	for op := range v.loop.Body().Ops() {
		if !op.Is(tileaa.Level.TiledLoad) || tile.IsHalf(ir.ElementType(op.Result(0).Type())) {
			continue
		}
		u := upgrade{access: tile.AccessOf(op), tma: v.tma != nil && v.tma.UsesTMA(op)}
		if u.tma && v.tma.Aligned(op) {
			continue // nothing is left to win
		}
		for d := range u.access.Sizes {
			if u.access.Checked(d) && v.outside(u.access.Sizes[d]) {
				if _, ok := v.affine(u.access.Offsets[d]); ok {
					u.inside = append(u.inside, d)
				}
			}
		}
		v.widen(&u)
		if u.vector > 0 {
			v.aligned++
		}
		if len(u.inside) > 0 {
			v.bounds++
		}
		if u.vector > 0 || len(u.inside) > 0 {
			v.upgrades = append(v.upgrades, u)
		}
	}
	v.compares()
	v.gather(fn)
	v.aligned += v.gathers.count
	// Only if every gain is alignment for TMA, one version without any test of bounds is enough.
	v.allTMA = len(v.upgrades) > 0 && len(v.comparisons)+v.gathers.count == 0 && !slices.ContainsFunc(v.upgrades, func(u upgrade) bool { return !u.tma || u.vector == 0 })
	return len(v.upgrades)+len(v.comparisons)+v.gathers.count > 0
}

// widen finds how many elements are 16 bytes, if a load lacks only facts that can be tested.
func (v *version) widen(u *upgrade) {
	a := u.access
	dim := a.ContiguousDim()
	if dim < 0 || !v.outside(a.Base) {
		return
	}
	shape := tile.Shape(a.Tile)
	// Rows of pairs, as of complex numbers, allow accesses of pairs.
	n := min(wideBytes/int64(tile.ElementBytes(ir.ElementType(a.Tile))), shape[dim]&-shape[dim])
	if n < 2 || fact(a.Op, tile.AttrOffsetDiv, dim)%n != 0 || int64(a.VectorElements()) >= n {
		return
	}
	for d, s := range a.Strides {
		if !v.outside(s) || d != dim && never(s, n) {
			// A constant that is no multiple never passes a test.
			return
		}
	}
	stays := a.Checked(dim) && fact(a.Op, tile.AttrSizeDiv, dim)%n != 0
	u.never = stays && (never(a.Sizes[dim], n) || !v.outside(a.Sizes[dim]))
	for _, d := range u.inside {
		stays = stays && d != dim
	}
	if u.enough = !stays; u.enough || !u.never {
		u.vector = n
	}
}

// never reports whether a value is a constant that is no multiple of n.
func never(x ir.Value, n int64) bool {
	k, ok := ir.ConstantValue(x).(*ir.IntegerAttr)
	return ok && k.Value%n != 0
}

// wideBytes is what one access of a thread moves at most.
const wideBytes = tile.MaxVectorBytes

// apply writes what is known in a version on its copy of the load.
func (u upgrade) apply(op ir.Op, k knowledge) {
	c := op.Context()
	rank := len(u.access.Sizes)
	if k.inside && len(u.inside) > 0 {
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
	if u.vector == 0 || !k.aligned || !k.allTMA && !(k.divided && !u.never) && !(k.inside && u.enough) {
		return
	}
	// The least common multiple keeps what was known of the base, such as divisibility by 3.
	if base, _ := op.IntAttr(tile.AttrBaseDiv); base%wideBytes != 0 || base == 0 {
		op.SetAttr(tile.AttrBaseDiv, c.IntAttr(c.Int(64), lcm(max(1, base), wideBytes)))
	}
	dim := u.access.ContiguousDim()
	strides, sizes := make([]int64, rank), make([]int64, rank)
	for d := range strides {
		strides[d], sizes[d] = fact(op, tile.AttrStrideDiv, d), fact(op, tile.AttrSizeDiv, d)
		if d != dim {
			strides[d] = lcm(strides[d], u.vector)
		}
	}
	op.SetAttr(tile.AttrStrideDiv, c.DenseI64(strides...))
	if k.divided && !u.never {
		sizes[dim] = lcm(sizes[dim], u.vector)
		op.SetAttr(tile.AttrSizeDiv, c.DenseI64(sizes...))
	}
}

// fact returns what an attribute of divisors says of a dimension; 1: nothing.
func fact(op ir.Op, name string, d int) int64 {
	if list, ok := op.Attr(name).(*ir.DenseArrayAttr); ok && d < len(list.Values) {
		return list.Values[d]
	}
	return 1
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// outside reports whether a value is there before the loop.
func (v *version) outside(x ir.Value) bool {
	if def := x.DefiningOp(); !def.IsNil() {
		return !v.loop.IsAncestorOf(def)
	}
	return !v.loop.Region(0).IsAncestorOf(x.Block().Region()) && x.Block() != v.loop.Body()
}
