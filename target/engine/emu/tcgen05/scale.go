package tcgen05

import (
	"math"
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// Scale factors of tcgen05.mma (PTX ISA, "Block Scaling for tcgen05.mma.sync", "Scale Factor A ID", "Scale Factor B
// ID"). The word of row r of A, or column r of B, is in column r/32 and lane r%32 of each quarter of its part's lanes.
// The bytes begin at the ID.

// scaleTables are the values of .ue8m0 and .ue4m3.
var scaleTables = sync.OnceValue(func() *[2][256]float64 {
	t := new([2][256]float64)
	for i := range 256 {
		t[0][i] = math.Ldexp(1, i-127)
		t[1][i] = fp.E4M3.Decode(uint64(i) & 0x7f)
	}
	t[0][255] = math.NaN()
	return t
})

func (o *execution) factors() *[256]float64 {
	if o.fine {
		return &scaleTables()[1]
	}
	return &scaleTables()[0]
}

// word returns the word with the scale factors of row r of a part, which
// all quarters of the part must have alike.
func (o *execution) word(i int, c *machine.CTA, p area, what string, part, parts, r, id int) uint32 {
	span := memoryLanes / parts
	column := p.column + r/32
	used := uint32(num.Mask(8*o.vectors)) << (8 * id)
	v := memoryOf(c).data[part*span+r%32][column]
	for lane := part*span + 32 + r%32; lane < (part+1)*span; lane += 32 {
		if x := memoryOf(c).data[lane][column]; (x^v)&used != 0 {
			o.w.Faultf(i, "the scale factors of %s in lanes %d and %d, column %d, of TMEM differ", what, part*span+r%32, lane, column)
			return 0
		}
	}
	return v >> (8 * id)
}

// scaleBoth scales the rows of A of one CTA in place and returns B scaled by
// the factors that this CTA has.
//
// B is scaled into a copy, as the other CTA of a pair multiplies the same B by factors of its own.
func (o *execution) scaleBoth(i int, c *machine.CTA, t *tile) []float64 {
	values, block := o.factors(), o.K/o.vectors
	for r := range o.path.rows {
		v := o.word(i, c, o.atSA, "A", 0, 1, r, o.idA)
		for j := range o.vectors {
			x := values[v>>(8*j)&0xff]
			for k := range block {
				t.a[r*o.K+j*block+k] *= x
			}
		}
	}
	part := o.N / o.path.parts
	for n := range o.N {
		v := o.word(i, c, o.atSB, "B", n/part, o.path.parts, n%part, o.idB)
		for j := range o.vectors {
			x := values[v>>(8*j)&0xff]
			for k := j * block; k < (j+1)*block; k++ {
				t.s[k*o.N+n] = t.b[k*o.N+n] * x
			}
		}
	}
	return t.s[:o.K*o.N]
}
