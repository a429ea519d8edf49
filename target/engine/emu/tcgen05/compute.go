package tcgen05

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// tile is the working space of tcgen05.mma.
type tile struct {
	a [memoryLanes * 128]float64
	b [128 * 256]float64
	s [128 * 256]float64 // B with its scale factors
	c [memoryLanes * 256]float64
}

// compute performs the product.
//
// A product takes effect at once: everything is read, then D is written. Its parts are not spread over time, as
// nothing may touch operands or D before the commit.
func (o *execution) compute(i int) {
	w := o.w
	if !peersLive(w, i, o.ctas) {
		return
	}
	if memoryOf(w.CTA).tile == nil {
		memoryOf(w.CTA).tile = new(tile)
	}
	t := memoryOf(w.CTA).tile
	if w.CTA.Run.Launch.NoProducts {
		clear(t.c[:])
		for h, c := range o.ctas {
			o.storeD(c, t, o.disabled[h*memoryLanes/32:])
		}
		return
	}
	w.Async = true
	defer func() { w.Async = false }()
	// The CTAs of a pair have one half of the columns of B each.
	share := o.N / len(o.ctas)
	for h, c := range o.ctas {
		o.b.gather(w, i, c.Window(), o.mask.shift, share, o.K, o.tb, t.b[h*share:], 1, o.N)
	}
	o.mask.apply(t.b[:o.K*o.N], o.N)
	for h, c := range o.ctas {
		if o.loadA(i, c, t); w.Err != nil {
			return
		}
		b := t.b[:o.K*o.N]
		if o.kind.scaled {
			if b = o.scaleBoth(i, c, t); w.Err != nil {
				return
			}
		}
		o.loadD(c, t)
		mma.Multiply(mma.Shape{M: o.path.rows, N: o.N, K: o.K}, t.a[:], b, t.c[:])
		o.storeD(c, t, o.disabled[h*memoryLanes/32:])
		if o.shift {
			memoryOf(c).shiftRows(0, memoryLanes, o.atA.column)
		}
	}
}

// loadA reads the rows of A of one CTA, with the zeros of a sparse one and
// the sign of the product.
//
// Layouts with several parts want the rows of A in every part of the lanes. Which copy is read is not said, so that
// copies which differ fault.
func (o *execution) loadA(i int, c *machine.CTA, t *tile) {
	stored := o.K
	if o.sparse {
		stored /= 2
	}
	rows := o.path.rows
	if o.fromTMEM {
		for r := range rows {
			at := o.atA.row + o.path.lane(r)
			row := memoryOf(c).data[at][o.atA.column:]
			for p := 1; p < o.path.parts; p++ {
				other := memoryOf(c).data[at+p*o.path.span()][o.atA.column:]
				for k := range stored * o.ta.held / 32 {
					if row[k] != other[k] {
						o.w.Faultf(i, "the copies of row %d of A in lanes %d and %d of TMEM differ", r, at, at+p*o.path.span())
						return
					}
				}
			}
			for k := range stored {
				t.a[r*stored+k] = o.ta.from(row, k)
			}
		}
	} else if o.a.gather(o.w, i, c.Window(), 0, rows, stored, o.ta, t.a[:], stored, 1); o.w.Err != nil {
		return
	}
	if o.sparse && !o.expand(i, c, t.a[:rows*o.K]) {
		return
	}
	if o.negate {
		for k := range t.a[:rows*o.K] {
			t.a[k] = -t.a[k]
		}
	}
}

// partsD visits the accumulator of one CTA by runs of cells of a lane, with the elements that they hold.
//
// Visiting runs instead of elements lets loads and stores be loops over slices.
func (o *execution) partsD(c *machine.CTA, t *tile, visit func(lane int, cells []uint32, elements []float64)) {
	n := o.N / o.path.parts
	for r := range o.path.rows {
		for p := range o.path.parts {
			lane := o.atD.row + o.path.lane(r) + p*o.path.span()
			visit(lane, memoryOf(c).data[lane][o.atD.column:][:n], t.c[r*o.N+p*n:][:n])
		}
	}
}

func (o *execution) loadD(c *machine.CTA, t *tile) {
	if !o.keep {
		clear(t.c[:o.path.rows*o.N])
		return
	}
	load, used := mma.ElementValue(o.td), uint32(num.Mask(o.td.Bits()))
	o.partsD(c, t, func(_ int, cells []uint32, elements []float64) {
		if o.td == syntax.F32 {
			for i, v := range cells {
				elements[i] = float64(math.Float32frombits(v)) * o.scale
			}
			return
		}
		for i, v := range cells {
			elements[i] = load(uint64(v&used)) * o.scale
		}
	})
}

// Disabled lanes keep what they hold: the mask of disable-output-lane counts lanes of tensor memory, not rows of D.
func (o *execution) storeD(c *machine.CTA, t *tile, disabled []uint32) {
	o.partsD(c, t, func(lane int, cells []uint32, elements []float64) {
		if disabled[lane/32]>>(lane%32)&1 == 1 {
			return
		}
		if o.td == syntax.F32 {
			for i, x := range elements {
				cells[i] = uint32(fp.Canonical(float32(x)))
			}
			return
		}
		for i, x := range elements {
			cells[i] = uint32(o.result(x))
		}
	})
}

// result rounds an element of an accumulator that is not of .f32.
func (o *execution) result(x float64) uint64 {
	switch {
	case o.td == syntax.F16:
		return fp.F16.Round(x, fp.Nearest)
	case o.saturate:
		return num.ClampSigned(int64(x), 32)
	}
	return uint64(int64(x)) & num.Mask(32)
}

// shiftRows moves the 32 bytes at a column of each lane to the lane before,
// within groups of 32 lanes; the last of a group keeps its own. Which way is
// down the ISA does not say; NVIDIA's example of '.ashift' does.
func (t *memory) shiftRows(first, n, column int) {
	for lane := first; lane < first+n; lane++ {
		if lane%32 != 31 {
			copy(t.data[lane][column:column+8], t.data[lane+1][column:column+8])
		}
	}
}
