package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// datapath says which lanes of tensor memory hold the rows of a product in
// one CTA (PTX ISA, "Data Path Layout Organization", Layouts A to G).
//
// Seven figures of the ISA with their tables of lanes come down to three numbers.
type datapath struct {
	rows int
	// parts divide the lanes; each has a share of the columns of D, and all
	// need the rows of A, its metadata and its scale factors.
	parts int
	half  bool // 16 of each 32 lanes are used
}

func (o *description) datapath() datapath {
	switch {
	case o.pair && o.M == 256: // A
		return datapath{rows: 128, parts: 1}
	case o.pair && !o.sparse: // B
		return datapath{rows: 64, parts: 2}
	case o.pair: // C
		return datapath{rows: 64, parts: 1, half: true}
	case o.M == 128: // D
		return datapath{rows: 128, parts: 1}
	case o.ws: // E and G
		return datapath{rows: o.M, parts: memoryLanes / o.M}
	}
	return datapath{rows: 64, parts: 1, half: true} // F
}

// lane is where a row of A or D is, from the first lane of its part.
func (p datapath) lane(r int) int {
	if p.half {
		return r/16*32 + r%16
	}
	return r
}

// span is the number of lanes of a part.
func (p datapath) span() int { return memoryLanes / p.parts }

// area is a checked address of tensor memory.
type area struct{ row, column int }

// place checks where a matrix is in the tensor memory of the CTAs.
//
// Accumulators of half the lanes may start at lane 16 of each quarter, which makes room for two of them in the same
// columns.
func (o *execution) place(i int, what string, addr uint64, columns int, mayHalve bool) area {
	rows := memoryLanes
	if mayHalve && o.path.half {
		rows -= 16
	}
	for _, c := range o.ctas {
		row, column, ok := cellsOf(o.w, c, i, addr&num.Mask(32), rows, columns)
		if !ok {
			return area{}
		}
		if row != 0 && (row != 16 || !mayHalve || !o.path.half) {
			o.w.Faultf(i, "%s of an MMA with %d rows starts at lane %d of TMEM", what, o.M, row)
			return area{}
		}
		if c == o.ctas[len(o.ctas)-1] {
			return area{row, column}
		}
	}
	return area{}
}
