package transfers

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// Elements that are converted on the way, as f32 to tf32, are copied unconverted. All threads together then load them
// from the buffer, convert them, and pass them through shared memory to the warps that multiply. So each element is
// converted once.
//
// If threads converted their MMA operands, each warp would convert what it shares with others. For
// matmul_tf32_128x64x32 that is 96 elements of a thread instead of 48, of six instructions each on sm_80
// (nvvm-legalize-arith).

// Converted reports whether elements are converted on the way to an end.
func (e End) Converted() bool { return slices.ContainsFunc(e.Steps, tma.Converts) }

// converts reports whether threads convert elements on the way to an end.
func (c *Copy) converts(e End) bool { return e.Converted() && !c.Rounds }

// canRound reports whether each end takes elements of f32 rounded to tf32, once, to the nearest, and so as TMA
// copies can convert them.
func (c *Copy) canRound() bool {
	return !slices.ContainsFunc(c.Ends, func(e End) bool {
		steps := ir.Filter(e.Steps, tma.Converts)
		if len(steps) != 1 {
			return true
		}
		from, to := ir.ElementType(steps[0].Operand(0).Type()).(*ir.FloatType), ir.ElementType(steps[0].Result(0).Type()).(*ir.FloatType)
		mode := steps[0].StringAttr(arith.AttrRounding)
		return from.Format != numeric.F32 || to.Format != numeric.TF32 || mode != "" && mode != "nearest_even"
	})
}

// between returns the layout in which elements are converted for an end in the layout to. Both layouts have the
// dimensions of the loaded tile.
//
// No thread has an element twice, and each reads chunks. It also holds elements that share a thread in the MMA, so that
// it writes them as the MMA reads them.
//
//	B of matmul_tf32_128x64x32, which has rows along N: in the MMA a thread has rows k and k + 4 of two columns;
//	in the conversion it has them of four, reads two chunks, and writes two words of 16 bytes of another order
func (c *Copy) between(to linear.Layout) linear.Layout {
	shape, from := to.Shape(), c.from
	left := map[[2]int]bool{} // bits of the coordinates, each with its dimension
	for d, extent := range shape {
		for bit := 1; bit < extent; bit *= 2 {
			left[[2]int{d, bit}] = true
		}
	}
	n := len(left)
	threads := bits.Len(uint(32*c.warps)) - 1
	var bases linear.Bases
	give := func(a linear.Axis, base []int) { // each coordinate bit of a basis, unless it is given already
		for d, x := range base {
			if bit := [2]int{d, x}; left[bit] {
				delete(left, bit)
				if a == linear.Lane && len(bases[a]) == 5 {
					a = linear.Warp
				}
				basis := make([]int, len(shape))
				basis[d] = x
				bases[a] = append(bases[a], basis)
			}
		}
	}
	room := func() bool { return len(bases[linear.Register]) < n-threads }
	take := func(l linear.Layout, most int) {
		for i := 0; i < min(most, l.Bits(linear.Register)) && room(); i++ {
			give(linear.Register, l.Base(linear.Register, i))
		}
	}
	const vector = 2 // log2 of the registers of a chunk
	take(from, vector)
	// In the MMA a thread may hold part of a chunk. Its other elements then fill the registers of the rest. Where it
	// holds no two elements of a chunk, as of rows along K, ldmatrix takes the chunk apart.
	if n := vector - shared(from, to, vector); n < vector {
		take(to, n)
	}
	take(from, from.Bits(linear.Register))
	// What is left goes to lanes and then to warps, as the copy has it: neighbours read what is adjacent.
	for _, a := range []linear.Axis{linear.Lane, linear.Warp, linear.Register} {
		for i := range from.Bits(a) {
			give(linear.Lane, from.Base(a, i))
		}
	}
	for len(bases[linear.Lane]) < 5 {
		bases[linear.Lane] = append(bases[linear.Lane], make([]int, len(shape)))
	}
	for len(bases[linear.Warp]) < threads-5 {
		bases[linear.Warp] = append(bases[linear.Warp], make([]int, len(shape)))
	}
	l, _ := linear.New(shape, bases) // of bits of the coordinates of another layout
	return l
}

// shared returns how many of the lowest n bits of the registers of one layout are bits of the registers of another one.
func shared(l, o linear.Layout, n int) (count int) {
	for i := range min(n, l.Bits(linear.Register)) {
		for j := range o.Bits(linear.Register) {
			if slices.Equal(l.Base(linear.Register, i), o.Base(linear.Register, j)) {
				count++
			}
		}
	}
	return count
}

// Take loads an end from a view of the buffer; where elements are converted on the way, in a layout between that of
// the copy and that of the MMA.
func (c *Copy) Take(b *ir.Builder, e End, from ir.Value) (load ir.Op, v ir.Value) {
	buffer := from.Type().(*tileas.BufferType)
	want := e.Value.Type().(*ir.TensorType)
	if !c.converts(e) {
		load = b.Create(tileas.LocalLoad, []ir.Value{from}, []ir.Type{want})
		return load, load.Result(0)
	}
	layout := e.layout() // of fragments that are nobody else's, or of the operand of an MMA in TMEM: each element is converted once
	if use, described := e.described(); !e.passes() && !(described && instr.InTMEM(use.Owner())) {
		layout = c.between(layout)
	}
	for _, step := range e.Steps {
		layout = across(layout, step, false)
	}
	load = b.Create(tileas.LocalLoad, []ir.Value{from}, []ir.Type{tileas.WithLayout(arith.WithElement(want, buffer.Elem).(*ir.TensorType), layout)})
	v = load.Result(0)
	for _, step := range e.Steps {
		if tma.Converts(step) {
			converted := b.CloneWith(step, func(ir.Value) ir.Value { return v }).Result(0)
			converted.SetType(arith.WithElement(v.Type(), ir.ElementType(step.Result(0).Type())))
			v = converted
		}
	}
	if v.Type() == ir.Type(want) {
		return load, v
	}
	return load, b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{want}).Result(0)
}
