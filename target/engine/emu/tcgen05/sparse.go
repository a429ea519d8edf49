package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// Sparsity metadata of tcgen05.mma.sp (PTX ISA, "Sparse Matrices", "Sparsity selector"). A chunk of a row has four
// bits, two indices. They count the elements of a chunk of four, the pairs of a chunk of eight for kinds of four bits,
// or the halves of two elements for .kind::tf32.

// chunk returns the metadata of chunk j of row r in a part of the lanes. Elements of 16 and 32 bits have eight chunks
// in a row, four of them in a half of a word. The lower half is for the first eight of sixteen rows, the upper one for
// the others. The rest is eight lanes further. Other elements have sixteen chunks, in two words.
func (o *execution) chunk(c *machine.CTA, part, r, j int) uint32 {
	lane := o.atMeta.row + part*o.path.span()
	if o.ta.packed >= 16 {
		lane += o.path.lane(r/16*16) + r%8 + j/4*8
		return memoryOf(c).data[lane][o.atMeta.column] >> (r / 8 % 2 * 16) >> (j % 4 * 4) & 0xf
	}
	return memoryOf(c).data[lane+o.path.lane(r)][o.atMeta.column+j/8] >> (j % 8 * 4) & 0xf
}

// meaningful are the metadata that the ISA lists for chunks of two indices.
const meaningful = 1<<0b0100 | 1<<0b1000 | 1<<0b1100 | 1<<0b1001 | 1<<0b1101 | 1<<0b0110 | 1<<0b1110

// expand turns the stored elements into the rows with their zeros. It
// returns false after a fault, which metadata without a meaning are.
//
// Rows are done from the last to the first, as stored and expanded rows share the buffer and the expanded ones are
// longer.
func (o *execution) expand(i int, c *machine.CTA, a []float64) bool {
	chunks, unit := 8, 1
	if o.ta.packed < 16 {
		chunks = 16
	}
	per := o.K / chunks // elements of a chunk
	if o.ta.held == 4 {
		unit = 2
	}
	for r := o.path.rows - 1; r >= 0; r-- {
		var stored [64]float64
		copy(stored[:o.K/2], a[r*o.K/2:])
		row := a[r*o.K:][:o.K]
		clear(row)
		for j := range chunks {
			v := o.chunk(c, 0, r, j)
			for p := 1; p < o.path.parts; p++ {
				if x := o.chunk(c, p, r, j); x != v {
					o.w.Faultf(i, "the copies of the metadata of row %d, chunk %d, differ: %#x and %#x", r, j, v, x)
					return false
				}
			}
			from, to := stored[j*per/2:], row[j*per:]
			lo, hi := int(v&3), int(v>>2)
			switch {
			case o.ta.packed == 32 && (v == 0b0100 || v == 0b1110):
				to[lo/2] = from[0]
			case o.ta.packed == 32 || meaningful>>v&1 == 0:
				o.w.Faultf(i, "metadata 0b%04b of row %d, chunk %d, is not valid", v, r, j)
				return false
			default:
				for e := range unit {
					to[lo*unit+e] = from[e]
					to[hi*unit+e] = from[unit+e]
				}
			}
		}
	}
	return true
}
