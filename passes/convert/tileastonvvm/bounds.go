package tileastonvvm

import (
	"fmt"
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
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
			if !a.gate.IsNil() && d == a.gateDim {
				in = l.both(in, a.gate)
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
			all = l.create(arith.AndI, l.ctx.Int(1), all, in)
		}
		// Every prefix of the conjunction is kept: the elements of a row share that of the outer dimensions, so a tile costs rows plus columns and not rows
		// times columns of ands.
		a.masks[key] = all
	}
	return all
}

// manyCoordinates is from how many coordinates on what is left is worth its computation, some ten instructions: each costs one instruction then, and four by itself.
const manyCoordinates = 4

// insideAt returns the condition that coordinate d of register r is inside.
func (a *tiledAccess) insideAt(r, d int) ir.Value {
	l := a.l
	if a.place.add && a.coordinates(d) >= manyCoordinates && a.aboveZero(d) {
		// As known < left - thread, where the right side is one register for the whole tile, and each register of it costs one comparison of 32 bits with a constant.
		return l.compare("slt", l.const32(int64(a.place.known(r)[d])), a.leftOf(d))
	}
	if a.place.add && !a.narrow[d].IsNil() && a.narrowSize(d) {
		v := a.narrow[d]
		if c := a.place.known(r)[d]; c != 0 {
			v = l.create(arith.AddI, l.i32(), v, l.const32(int64(c)))
		}
		return l.compare("ult", v, l.low(a.acc.Sizes[d], maxLow))
	}
	v, c := a.coordinate(r, d)
	if c != 0 {
		v = l.create(arith.AddI, l.i64(), v, l.const64(c))
	}
	// Unsigned, so that a negative coordinate is outside as well.
	return l.compare("ult", v, l.Value(a.acc.Sizes[d]))
}

// narrowIndex returns where the thread's elements begin along a dimension as a number of 32 bits without a sign, if all coordinates of the tile surely are such; else a zero Value. Offsets of tiles mostly are: a
// number of 64 bits takes two registers, and its sums and comparisons two instructions.
func (a *tiledAccess) narrowIndex(d int) ir.Value {
	if !a.below(d, math.MaxUint32) {
		return ir.Value{}
	}
	return a.l.sum32(a.l.low(a.acc.Offsets[d], maxLow), a.place.thread[d], numeric.Wraps{Signed: a.below(d, math.MaxInt32), Unsigned: true})
}

// below reports whether the coordinates of the tile along a dimension surely are from 0 to a number.
func (a *tiledAccess) below(d int, most int64) bool {
	v := a.acc.Offsets[d]
	k, known := constOf(a.l.Value(v))
	if !known {
		r := a.l.integers().Of(v)
		if r.SMin < 0 {
			return false
		}
		k = r.SMax
	}
	return k >= 0 && k <= most-(tile.Shape(a.acc.Tile)[d]-1)
}

// wideIndex returns the same as an i64.
func (a *tiledAccess) wideIndex(d int) ir.Value {
	offset := a.acc.Offsets[d]
	def := offset.DefiningOp()
	computed := !def.IsNil() && (def.Is(arith.MulI) || def.Is(arith.AddI) || def.Is(arith.SubI))
	if k, ok := constOf(a.place.thread[d]); a.narrow[d].IsNil() || ok && k == 0 && !computed { // it is there already
		return a.l.sum64(a.l.Value(offset), a.place.thread[d])
	}
	return a.l.create(arith.ExtUI, a.l.i64(), a.narrow[d])
}

// narrowSize reports whether the extent of the object along a dimension is an i32. A negative one, which no object has, is no less than all coordinates, as it would be in 64 bits.
func (a *tiledAccess) narrowSize(d int) bool { return a.l.fits(a.acc.Sizes[d]) }

// sum32 adds numbers of 32 bits.
func (l *lowering) sum32(v, w ir.Value, promised numeric.Wraps) ir.Value {
	if k, ok := constOf(v); ok && k == 0 {
		return w
	}
	if k, ok := constOf(w); ok && k == 0 {
		return v
	}
	return l.half(arith.AddI, v, w, promised)
}

// half computes an operation on numbers of 32 bits, with what is promised of them: so nvvm-reduce-strength sees through their extensions.
func (l *lowering) half(def *ir.OpDef, v, w ir.Value, promised numeric.Wraps) ir.Value {
	return l.Create(def, []ir.Value{v, w}, []ir.Type{l.i32()}, arith.Promise(l.ctx, promised)...).Result(0)
}

// maxLow is how many operations low makes anew, one behind the other.
const maxLow = 3

// low returns the lower half of an i64 of the source, which is computed from lower halves where its operands are at hand.
func (l *lowering) low(v ir.Value, most int) ir.Value {
	if k, ok := constOf(l.Value(v)); ok {
		return l.const32(int64(int32(k)))
	}
	switch def := v.DefiningOp(); {
	case def.IsNil():
	case (def.Is(arith.ExtSI) || def.Is(arith.ExtUI)) && def.Operand(0).Type() == l.i32():
		return l.Value(def.Operand(0))
	case most > 0 && (def.Is(arith.MulI) || def.Is(arith.AddI) || def.Is(arith.SubI)):
		x, y := def.Operand(0), def.Operand(1)
		signed := l.fits(v) && l.fits(x) && l.fits(y)
		unsigned := l.natural(v) && l.natural(x) && l.natural(y)
		return l.half(def.Def(), l.low(x, most-1), l.low(y, most-1), numeric.Wraps{Signed: signed, Unsigned: unsigned})
	}
	return l.create(arith.TruncI, l.i32(), l.Value(v))
}

// fits reports whether an i64 of the source surely is an i32.
func (l *lowering) fits(v ir.Value) bool { return l.within(v, math.MinInt32, math.MaxInt32) }

// natural reports whether an i64 of the source surely is an i32 without a sign.
func (l *lowering) natural(v ir.Value) bool { return l.within(v, 0, math.MaxUint32) }

func (l *lowering) within(v ir.Value, least, most int64) bool {
	if k, ok := constOf(l.Value(v)); ok {
		return k >= least && k <= most
	}
	r := l.integers().Of(v)
	return r.SMin >= least && r.SMax <= most
}

// aboveZero reports whether the offset along a dimension is never negative.
//
// Offsets of whole tiles, which have nothing inside when they are negative, could be taken too, with a choice of 0 then: tried, registers fall by ten in loops over tiles whose number comes from a remainder, but ptxas (13.5) then needs
// up to 8% more cycles to issue them (group_gemm_f16, sm_80).
func (a *tiledAccess) aboveZero(d int) bool {
	v := a.acc.Offsets[d]
	if k, ok := constOf(a.l.Value(v)); ok {
		return k >= 0
	}
	return a.l.integers().Of(v).SMin >= 0
}

// leftOf returns how many coordinates from the thread's first one on are inside along a dimension. From the offset on these are 0 to the tile's extent, so that 32 bits hold it.
func (a *tiledAccess) leftOf(d int) ir.Value {
	if !a.left[d].IsNil() {
		return a.left[d]
	}
	l := a.l
	if a.below(d, math.MaxInt32) && a.narrowSize(d) {
		n := l.create(arith.SubI, l.i32(), l.low(a.acc.Sizes[d], maxLow), l.low(a.acc.Offsets[d], maxLow))
		a.left[d] = l.create(arith.SubI, l.i32(), n, a.place.thread[d])
		return a.left[d]
	}
	n := l.create(arith.SubI, l.i64(), l.Value(a.acc.Sizes[d]), l.Value(a.acc.Offsets[d]))
	n = l.create(arith.MaxSI, l.i64(), n, l.const64(0))
	n = l.create(arith.MinSI, l.i64(), n, l.const64(tile.Shape(a.acc.Tile)[d]))
	a.left[d] = l.create(arith.SubI, l.i32(), l.create(arith.TruncI, l.i32(), n), a.place.thread[d])
	return a.left[d]
}

// gateBy makes all masks false unless a condition holds, and reports whether there are any. The condition is tested along the dimension with the fewest coordinates, where masks are shared by the most registers.
func (a *tiledAccess) gateBy(holds ir.Value) bool {
	a.gateDim = -1
	for d := range a.acc.Sizes {
		if a.acc.Checked(d) && (a.gateDim < 0 || a.coordinates(d) < a.coordinates(a.gateDim)) {
			a.gateDim = d
		}
	}
	if a.gateDim >= 0 {
		a.gate = holds
	}
	return a.gateDim >= 0
}

// coordinates returns how many different coordinates registers have along a dimension, apart from the thread's part.
func (a *tiledAccess) coordinates(d int) int {
	n := 1
	for i := range a.place.layout.Bits(linear.Register) {
		if a.place.layout.Base(linear.Register, i)[d] >= a.vectorAlong(d) {
			n *= 2
		}
	}
	return n
}

// vectorAlong returns how many elements along a dimension one access covers.
func (a *tiledAccess) vectorAlong(d int) int {
	if d == a.dim {
		return a.vector
	}
	return 1
}
