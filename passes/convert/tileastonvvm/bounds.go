package tileastonvvm

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// maskOf returns the condition that register r's element is inside; a zero Value when it always is.
func (a *tiledAccess) maskOf(r int) ir.Value {
	l := a.l
	var all ir.Value
	key := ""
	for d, k := range a.place.known(r) {
		// Dimensions that the program promised or that facts proved inside have no check: each would be a compare for every distinct coordinate of the tile.
		if !a.acc.Checked(d) {
			continue
		}
		// Without the sum there is no part that registers share.
		if !a.place.add {
			k += r << 32 // the thread's part depends on the register
		}
		id := [2]int64{int64(d), int64(k)}
		in, ok := a.inside[id]
		if !ok {
			in = a.insideAt(r, d)
			a.inside[id] = in
		}
		key += fmt.Sprint(d, ":", k, " ")
		switch m, ok := a.masks[key]; {
		case ok:
			all = m
		case all.IsNil():
			all = in
		default:
			all = l.create(arith.AndI, l.ctx.Int(1), all, in)
		}
		// Every prefix of the conjunction is kept: the elements of a row share that of the outer dimensions, so a tile costs rows plus columns and not rows
		// times columns of ands.
		a.masks[key] = all
	}
	return all
}

// insideAt returns the condition that coordinate d of register r is inside.
func (a *tiledAccess) insideAt(r, d int) ir.Value {
	l := a.l
	if a.place.add && a.aboveZero(d) {
		// As thread < left - known: what is left is the same for all threads, so that each register costs one comparison of 32 bits, and no register of its own.
		left := a.leftOf(d)
		if k := a.place.known(r)[d]; k != 0 {
			left = l.create(arith.AddI, l.i32(), left, l.const32(int64(-k)))
		}
		return l.compare("slt", a.place.thread[d], left)
	}
	v, c := a.coordinate(r, d)
	if c != 0 {
		v = l.create(arith.AddI, l.i64(), v, l.const64(c))
	}
	// Unsigned, so that a negative coordinate is outside as well.
	return l.compare("ult", v, l.Value(a.acc.Sizes[d]))
}

// aboveZero reports whether the offset along a dimension is never negative.
func (a *tiledAccess) aboveZero(d int) bool {
	v := a.acc.Offsets[d]
	if k, ok := constOf(a.l.Value(v)); ok {
		return k >= 0
	}
	return a.l.integers().Of(v).SMin >= 0
}

// leftOf returns how many coordinates from the offset on are inside along a dimension: from 0 to the tile's extent, so that 32 bits hold it.
func (a *tiledAccess) leftOf(d int) ir.Value {
	if !a.left[d].IsNil() {
		return a.left[d]
	}
	l := a.l
	n := l.create(arith.SubI, l.i64(), l.Value(a.acc.Sizes[d]), l.Value(a.acc.Offsets[d]))
	n = l.create(arith.MaxSI, l.i64(), n, l.const64(0))
	n = l.create(arith.MinSI, l.i64(), n, l.const64(tile.Shape(a.acc.Tile)[d]))
	a.left[d] = l.create(arith.TruncI, l.i32(), n)
	return a.left[d]
}

// emptyUnless makes all masks false unless a condition holds, and reports whether it could.
func (a *tiledAccess) emptyUnless(holds ir.Value) bool {
	if !a.place.add {
		return false
	}
	for d := len(a.left) - 1; d >= 0; d-- {
		if a.acc.Checked(d) && a.aboveZero(d) {
			a.left[d] = a.l.create(arith.Select, a.l.i32(), holds, a.leftOf(d), a.l.const32(0))
			return true
		}
	}
	return false
}
