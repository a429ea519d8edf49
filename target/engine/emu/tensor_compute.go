package emu

import "math"

// tensorTile is the working space of tcgen05.mma.
type tensorTile struct {
	a [tensorLanes * 128]float64
	b [128 * 256]float64
	s [128 * 256]float64 // B with its scale factors
	c [tensorLanes * 256]float64
}

// window is where the shared memory of a CTA is in that of the cluster.
func (c *cta) window() uint64 { return uint64(c.rank) << clusterShift }

// compute performs the product.
func (o *tensorMma) compute(i int) {
	w := o.w
	if !w.peersLive(i, o.ctas) {
		return
	}
	if memoryOf(w.cta).tile == nil {
		memoryOf(w.cta).tile = new(tensorTile)
	}
	t := memoryOf(w.cta).tile
	w.async = true
	defer func() { w.async = false }()
	// The CTAs of a pair have one half of the columns of B each.
	share := o.n / len(o.ctas)
	for h, c := range o.ctas {
		o.b.gather(w, i, c.window(), o.mask.shift, share, o.k, o.tb, t.b[h*share:], 1, o.n)
	}
	o.mask.apply(t.b[:o.k*o.n], o.n)
	for h, c := range o.ctas {
		if o.loadA(i, c, t); w.err != nil {
			return
		}
		b := t.b[:o.k*o.n]
		if o.kind.scaled {
			if b = o.scaleBoth(i, c, t); w.err != nil {
				return
			}
		}
		o.loadD(c, t)
		multiply(shape{o.path.rows, o.n, o.k}, t.a[:], b, t.c[:])
		o.storeD(c, t, o.disabled[h*tensorLanes/32:])
		if o.shift {
			memoryOf(c).shiftRows(0, tensorLanes, o.atA.column)
		}
	}
}

// loadA reads the rows of A of one CTA, with the zeros of a sparse one and
// the sign of the product.
func (o *tensorMma) loadA(i int, c *cta, t *tensorTile) {
	stored := o.k
	if o.sparse {
		stored /= 2
	}
	rows := o.path.rows
	if o.fromTensor {
		for r := range rows {
			at := o.atA.row + o.path.lane(r)
			row := memoryOf(c).data[at][o.atA.column:]
			for p := 1; p < o.path.parts; p++ {
				other := memoryOf(c).data[at+p*o.path.span()][o.atA.column:]
				for k := range stored * o.ta.held / 32 {
					if row[k] != other[k] {
						o.w.faultf(i, "the copies of row %d of A in lanes %d and %d of tensor memory differ", r, at, at+p*o.path.span())
						return
					}
				}
			}
			for k := range stored {
				t.a[r*stored+k] = o.ta.from(row, k)
			}
		}
	} else if o.a.gather(o.w, i, c.window(), 0, rows, stored, o.ta, t.a[:], stored, 1); o.w.err != nil {
		return
	}
	if o.sparse && !o.expand(i, c, t.a[:rows*o.k]) {
		return
	}
	if o.negate {
		for k := range t.a[:rows*o.k] {
			t.a[k] = -t.a[k]
		}
	}
}

// partsD visits the accumulator of one CTA by runs of cells of a lane, with the elements that they hold.
func (o *tensorMma) partsD(c *cta, t *tensorTile, visit func(lane int, cells []uint32, elements []float64)) {
	n := o.n / o.path.parts
	for r := range o.path.rows {
		for p := range o.path.parts {
			lane := o.atD.row + o.path.lane(r) + p*o.path.span()
			visit(lane, memoryOf(c).data[lane][o.atD.column:][:n], t.c[r*o.n+p*n:][:n])
		}
	}
}

func (o *tensorMma) loadD(c *cta, t *tensorTile) {
	if !o.keep {
		clear(t.c[:o.path.rows*o.n])
		return
	}
	load, used := elementValue(o.td), uint32(mask(o.td.bits()))
	o.partsD(c, t, func(_ int, cells []uint32, elements []float64) {
		if o.td == tF32 {
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

func (o *tensorMma) storeD(c *cta, t *tensorTile, disabled []uint32) {
	o.partsD(c, t, func(lane int, cells []uint32, elements []float64) {
		if disabled[lane/32]>>(lane%32)&1 == 1 {
			return
		}
		if o.td == tF32 {
			for i, x := range elements {
				cells[i] = uint32(canon(float32(x)))
			}
			return
		}
		for i, x := range elements {
			cells[i] = uint32(o.result(x))
		}
	})
}

// result rounds an element of an accumulator that is not of .f32.
func (o *tensorMma) result(x float64) uint64 {
	switch {
	case o.td == tF16:
		return fmtF16.round(x, rnNearest)
	case o.saturate:
		return clampInt(int64(x), 32)
	}
	return uint64(int64(x)) & mask(32)
}

// shiftRows moves the 32 bytes at a column of each lane to the lane before,
// within groups of 32 lanes; the last of a group keeps its own. Which way is
// down the ISA does not say; NVIDIA's example of '.ashift' does.
func (t *tensorMemory) shiftRows(first, n, column int) {
	for lane := first; lane < first+n; lane++ {
		if lane%32 != 31 {
			copy(t.data[lane][column:column+8], t.data[lane+1][column:column+8])
		}
	}
}
