package access

import (
	"fmt"
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Mask returns the condition that register r's element is inside; a zero Value when it always is.
func (a *Tile) Mask(r int) ir.Value {
	l := a.l
	var all ir.Value
	key := ""
	for d, k := range a.Coordinates.Known(r) {
		// Dimensions that the program promised or that facts proved inside have no check: each would be a compare for
		// every distinct coordinate of the tile.
		if !a.Access.Checked(d) {
			continue
		}
		// If coordinates are no sums, there is no part that registers share.
		if !a.Coordinates.Additive {
			k += r << 32 // the thread's part depends on the register
		}
		id := [2]int64{int64(d), int64(k)}
		in, ok := a.inside[id]
		if !ok {
			in = a.insideAt(r, d)
			if !a.gate.IsNil() && d == a.gateDim {
				in = l.And(in, a.gate)
			}
			a.inside[id] = in
		}
		key += fmt.Sprint(d, ":", k, " ")
		switch m, ok := a.masks[key]; {
		case ok:
			all = m
		case all.IsNil():
			all = in
		default:
			all = l.Make(arith.AndI, l.Ctx.Int(1), all, in)
		}
		// Every prefix of the conjunction is kept. The elements of a row share the prefix of the outer
		// dimensions, so a tile costs rows plus columns of ands, and not rows times columns.
		a.masks[key] = all
	}
	return all
}

// manyCoordinates is from how many coordinates on what is left is worth its computation, some ten instructions: each
// costs one instruction then, and four by itself.
const manyCoordinates = 4

// insideAt returns the condition that coordinate d of register r is inside.
func (a *Tile) insideAt(r, d int) ir.Value {
	l := a.l
	if a.Coordinates.Additive && a.coordinates(d) >= manyCoordinates && a.aboveZero(d) {
		// As known < left - thread, where the right side is one register for the entire tile, and each register of it
		// costs one comparison of 32 bits with a constant.
		return l.Compare("slt", l.Const32(int64(a.Coordinates.Known(r)[d])), a.leftOf(d))
	}
	if a.Coordinates.Additive && !a.narrow[d].IsNil() && a.narrowSize(d) {
		v := a.narrow[d]
		if c := a.Coordinates.Known(r)[d]; c != 0 {
			v = l.Make(arith.AddI, l.I32(), v, l.Const32(int64(c)))
		}
		return l.Compare("ult", v, l.Low(a.Access.Sizes[d], core.MaxLow))
	}
	v, c := a.coordinateOf(r, d)
	if c != 0 {
		v = l.Make(arith.AddI, l.I64(), v, l.Const64(c))
	}
	// Unsigned, so that a negative coordinate is outside as well.
	return l.Compare("ult", v, l.Value(a.Access.Sizes[d]))
}

// narrowIndex returns where the thread's elements begin along a dimension, as an unsigned number of 32 bits. It
// returns a zero Value unless all coordinates of the tile provably fit. Offsets of tiles mostly do: a number of
// 64 bits takes two registers, and its sums and comparisons two instructions.
func (a *Tile) narrowIndex(d int) ir.Value {
	if !a.below(d, math.MaxUint32) {
		return ir.Value{}
	}
	return a.l.Sum32(a.l.Low(a.Access.Offsets[d], core.MaxLow), a.Coordinates.Thread[d], numeric.Wraps{Signed: a.below(d, math.MaxInt32), Unsigned: true})
}

// below reports whether the coordinates of the tile along a dimension are provably from 0 to a number.
func (a *Tile) below(d int, most int64) bool {
	v := a.Access.Offsets[d]
	k, known := core.ConstOf(a.l.Value(v))
	if !known {
		r := a.l.Integers().Of(v)
		if r.SMin < 0 {
			return false
		}
		k = r.SMax
	}
	return k >= 0 && k <= most-(tile.Shape(a.Access.Tile)[d]-1)
}

// wideIndex returns the same as an i64.
func (a *Tile) wideIndex(d int) ir.Value {
	offset := a.Access.Offsets[d]
	def := offset.DefiningOp()
	computed := !def.IsNil() && (def.Is(arith.MulI) || def.Is(arith.AddI) || def.Is(arith.SubI))
	if k, ok := core.ConstOf(a.Coordinates.Thread[d]); a.narrow[d].IsNil() || ok && k == 0 && !computed { // it is there already
		return a.l.Sum64(a.l.Value(offset), a.Coordinates.Thread[d])
	}
	return a.l.Make(arith.ExtUI, a.l.I64(), a.narrow[d])
}

// narrowSize reports whether the extent of the object along a dimension is an i32. A negative one, which no object
// has, is no less than all coordinates, as it would be in 64 bits.
func (a *Tile) narrowSize(d int) bool { return a.l.FitsI32(a.Access.Sizes[d]) }

// aboveZero reports whether the offset along a dimension is never negative.
//
// Offsets that are multiples of the tile could be taken too, since a negative one has nothing inside. It was
// tried. Registers fall by ten in loops over tiles whose number comes from a remainder. But their code then takes
// up to 8% more issue cycles (ptxas 13.5, group_gemm_f16, sm_80).
func (a *Tile) aboveZero(d int) bool {
	v := a.Access.Offsets[d]
	if k, ok := core.ConstOf(a.l.Value(v)); ok {
		return k >= 0
	}
	return a.l.Integers().Of(v).SMin >= 0
}

// leftOf returns how many coordinates from the thread's first one on are inside along a dimension. From the offset on
// these are 0 to the tile's extent, so that 32 bits hold it.
func (a *Tile) leftOf(d int) ir.Value {
	if !a.left[d].IsNil() {
		return a.left[d]
	}
	l := a.l
	if a.below(d, math.MaxInt32) && a.narrowSize(d) {
		n := l.Make(arith.SubI, l.I32(), l.Low(a.Access.Sizes[d], core.MaxLow), l.Low(a.Access.Offsets[d], core.MaxLow))
		a.left[d] = l.Make(arith.SubI, l.I32(), n, a.Coordinates.Thread[d])
		return a.left[d]
	}
	n := l.Make(arith.SubI, l.I64(), l.Value(a.Access.Sizes[d]), l.Value(a.Access.Offsets[d]))
	n = l.Make(arith.MaxSI, l.I64(), n, l.Const64(0))
	n = l.Make(arith.MinSI, l.I64(), n, l.Const64(tile.Shape(a.Access.Tile)[d]))
	a.left[d] = l.Make(arith.SubI, l.I32(), l.Make(arith.TruncI, l.I32(), n), a.Coordinates.Thread[d])
	return a.left[d]
}

// Gate makes all masks false unless a condition holds, and reports whether there are any. The condition is tested
// along the dimension with the fewest coordinates, where masks are shared by the most registers.
func (a *Tile) Gate(holds ir.Value) bool {
	a.gateDim = -1
	for d := range a.Access.Sizes {
		if a.Access.Checked(d) && (a.gateDim < 0 || a.coordinates(d) < a.coordinates(a.gateDim)) {
			a.gateDim = d
		}
	}
	if a.gateDim >= 0 {
		a.gate = holds
	}
	return a.gateDim >= 0
}

// coordinates returns how many different coordinates registers have along a dimension, apart from the thread's part.
func (a *Tile) coordinates(d int) int {
	n := 1
	for i := range a.Coordinates.Layout.Bits(linear.Register) {
		if a.Coordinates.Layout.Base(linear.Register, i)[d] >= a.vectorAlong(d) {
			n *= 2
		}
	}
	return n
}

// vectorAlong returns how many elements along a dimension one access covers.
func (a *Tile) vectorAlong(d int) int {
	if d == a.dim {
		return a.Vector
	}
	return 1
}
