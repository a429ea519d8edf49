package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// zeroColumns is a decoded zero-column mask descriptor of tcgen05.mma.ws
// (PTX ISA, "Zero-Column Mask Descriptor"). Spans of columns of B that are
// used and spans of columns that count as zero alternate in each sub-mask.
// Where the table of the fields and the examples disagree on which span is
// which, the examples hold.
type zeroColumns struct {
	masks     int // sub-masks; 0 for no mask
	start     [4]int
	zero      [4]bool // the first span is of zeros
	skip, use int     // lengths of the spans
	shift     int     // of the columns of B
}

func (z *zeroColumns) parse(v uint64, m, maxShift int) string {
	z.shift = int(v >> 56 & num.Mask(6))
	limit := 32
	if m == 32 {
		limit = 16
	}
	switch {
	case v>>36&7 != 0 || v>>62 != 0:
		return "reserved bits of the zero-column mask descriptor are set"
	case z.shift > limit || z.shift > maxShift:
		return "the column shift of the zero-column mask descriptor is more than M and the instruction descriptor allow"
	case v>>39&1 == 0:
		return ""
	}
	z.masks = memoryLanes / m
	for i := range z.masks {
		z.start[i] = int(v >> (8 * i) & 0xff)
		z.zero[i] = v>>(32+i)&1 == 1
	}
	z.skip, z.use = int(v>>40&0xff)+1, int(v>>48&0xff)+1
	return ""
}

// apply clears the masked columns of b, which has n.
func (z *zeroColumns) apply(b []float64, n int) {
	for c := range n {
		if z.masks == 0 {
			return
		}
		part := n / z.masks
		i := c / part
		at := (c%part + z.start[i]) % (z.skip + z.use)
		first := z.use
		if z.zero[i] {
			first = z.skip
		}
		if (at < first) == z.zero[i] {
			for k := c; k < len(b); k += n {
				b[k] = 0
			}
		}
	}
}
