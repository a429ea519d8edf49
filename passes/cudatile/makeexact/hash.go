package makeexact

import (
	"hash/fnv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// mixers are odd multipliers of a 32-bit finalizer of high quality (Wellons, "Prospecting for Hash Functions", 2018,
// lowbias32).
var mixers = [2]uint32{0x7feb352d, 0x846ca68b}

// A writer creates operations of one shape.
type writer struct {
	b     *ir.Builder
	shape *cudatile.TileType // the shape, of any elements
}

func newWriter(before ir.Op, shape *cudatile.TileType) *writer {
	b := ir.BuilderBefore(before)
	b.SetLocOf(before)
	return &writer{b, shape}
}

func (w *writer) ints(width int) *cudatile.TileType { return w.shape.With(w.b.Context().Int(width)) }

func (w *writer) floats(f numeric.Format) *cudatile.TileType {
	return w.shape.With(w.b.Context().Float(f))
}

func (w *writer) op(def *ir.OpDef, t ir.Type, operands []ir.Value, attrs ...ir.NamedAttr) ir.Value {
	return w.b.Create(def, operands, []ir.Type{t}, attrs...).Result(0)
}

// i32 creates an operation of 32-bit integers with a constant as second operand.
func (w *writer) i32(def *ir.OpDef, x ir.Value, y uint32, attrs ...ir.NamedAttr) ir.Value {
	t := w.ints(32)
	return w.op(def, t, []ir.Value{x, cudatile.NewSplat(w.b, t, uint64(y))}, attrs...)
}

func (w *writer) overflow() ir.NamedAttr {
	return ir.NamedAttr{Name: "overflow", Value: cudatile.OverflowNone.Attr(w.b.Context())}
}

func (w *writer) signed(s cudatile.Signedness) ir.NamedAttr {
	return ir.NamedAttr{Name: "signedness", Value: s.Attr(w.b.Context())}
}

// rounding is a clause for results in a format. What it rounds does not need it.
func (w *writer) rounding(to numeric.Format) ir.NamedAttr {
	mode := cudatile.NearestEven
	if to == numeric.F8E8M0FNU {
		mode = cudatile.Zero // the mode of conversions to it
	}
	return ir.NamedAttr{Name: "rounding_mode", Value: mode.Attr(w.b.Context())}
}

// word reads a value as 32 bits that are the same for equal values: zeros of both signs are, and so are all NaNs.
func (w *writer) word(v ir.Value) ir.Value {
	f, ok := formatOf(v.Type())
	if !ok {
		return w.wordOfInt(v)
	}
	c := w.b.Context()
	if f != numeric.F64 && f != numeric.F32 {
		v, f = w.op(cudatile.FToF, w.floats(numeric.F32), []ir.Value{v}, w.rounding(numeric.F32)), numeric.F32
	}
	t := w.floats(f)
	nan := w.op(cudatile.CmpF, w.ints(1), []ir.Value{v, v},
		ir.NamedAttr{Name: "comparison_predicate", Value: cudatile.NotEqual.Attr(c)},
		ir.NamedAttr{Name: "comparison_ordering", Value: cudatile.Unordered.Attr(c)})
	zero := cudatile.NewSplat(w.b, t, f.Zero(false))
	positive := w.op(cudatile.AddF, t, []ir.Value{v, zero}, w.rounding(f)) // -0 + 0 is +0
	bits := w.ints(f.Bits())
	word := w.op(cudatile.Bitcast, bits, []ir.Value{positive})
	word = w.op(cudatile.Select, bits, []ir.Value{nan, cudatile.NewSplat(w.b, bits, f.NaN()), word})
	return w.wordOfInt(word)
}

// wordOfInt widens an integer to 32 bits, or mixes the halves of a longer one.
func (w *writer) wordOfInt(v ir.Value) ir.Value {
	t := v.Type().(*cudatile.TileType)
	to := w.ints(32)
	switch width := ir.BitWidth(t.Elem); {
	case width < 32:
		return w.op(cudatile.ExtI, to, []ir.Value{v}, w.signed(cudatile.Unsigned))
	case width > 32:
		upper := w.op(cudatile.ShRI, t, []ir.Value{v, cudatile.NewSplat(w.b, t, 32)}, w.signed(cudatile.Unsigned))
		v = w.op(cudatile.XorI, t, []ir.Value{v, upper})
		return w.op(cudatile.TruncI, to, []ir.Value{v}, w.overflow())
	}
	return v
}

// hash mixes words to an integer of magnitude 1 to 2^(bits-1), as a float of a format. The salt makes different
// functions of it.
func (w *writer) hash(words []ir.Value, salt uint32, bits int, to *cudatile.TileType) ir.Value {
	h := w.i32(cudatile.XorI, words[0], salt)
	for i := range words {
		if i > 0 {
			h = w.op(cudatile.XorI, w.ints(32), []ir.Value{h, words[i]})
		}
		for _, m := range mixers {
			h = w.op(cudatile.XorI, w.ints(32), []ir.Value{h, w.i32(cudatile.ShRI, h, 15, w.signed(cudatile.Unsigned))})
			h = w.i32(cudatile.MulI, h, m, w.overflow())
		}
	}
	f := to.Elem.(*ir.FloatType).Format
	if bits == bitsPower {
		h = w.i32(cudatile.AddI, w.i32(cudatile.ShRI, h, 31, w.signed(cudatile.Unsigned)), 1, w.overflow())
	} else {
		h = w.i32(cudatile.ShRI, h, uint32(32-bits), w.signed(cudatile.Signed))
		negative := w.i32(cudatile.ShRI, h, 31, w.signed(cudatile.Signed)) // -1 or 0
		h = w.op(cudatile.AddI, w.ints(32), []ir.Value{h, w.i32(cudatile.AddI, negative, 1, w.overflow())}, w.overflow())
	}
	v := w.op(cudatile.IToF, w.floats(numeric.F32), []ir.Value{h}, w.signed(cudatile.Signed), w.rounding(numeric.F32))
	if f != numeric.F32 {
		v = w.op(cudatile.FToF, to, []ir.Value{v}, w.rounding(f))
	}
	return v
}

// hashOperand puts a hash between an operand and its operation.
func hashOperand(op ir.Op, index, bits int) {
	v := op.Operand(index)
	t := v.Type().(*cudatile.TileType)
	w := newWriter(op, t)
	op.SetOperand(index, w.hash([]ir.Value{w.word(v)}, mixers[1], bits, t))
}

// hashResult replaces an operation by a hash of its operands.
func hashResult(op ir.Op, bits int) {
	t := op.Result(0).Type().(*cudatile.TileType)
	w := newWriter(op, t)
	var words []ir.Value
	for _, v := range op.Operands() {
		words = append(words, w.word(v))
	}
	name := fnv.New32a()
	name.Write([]byte(op.Def().Name))
	op.ReplaceWith(w.hash(words, name.Sum32(), bits, t))
}
