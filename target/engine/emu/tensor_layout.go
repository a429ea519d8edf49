package emu

// datapath says which lanes of tensor memory hold the rows of a product in
// one CTA (PTX ISA, "Data Path Layout Organization", Layouts A to G).
type datapath struct {
	rows int
	// parts divide the lanes; each has a share of the columns of D, and all
	// need the rows of A, its metadata and its scale factors.
	parts int
	half  bool // 16 of each 32 lanes are used
}

func (o *tensorProduct) datapath() datapath {
	switch {
	case o.pair && o.m == 256: // A
		return datapath{rows: 128, parts: 1}
	case o.pair && !o.sparse: // B
		return datapath{rows: 64, parts: 2}
	case o.pair: // C
		return datapath{rows: 64, parts: 1, half: true}
	case o.m == 128: // D
		return datapath{rows: 128, parts: 1}
	case o.ws: // E and G
		return datapath{rows: o.m, parts: tensorLanes / o.m}
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
func (p datapath) span() int { return tensorLanes / p.parts }

// tensorPlace is a checked address of tensor memory.
type tensorPlace struct{ row, column int }

// place checks where a matrix is in the tensor memory of the CTAs.
func (o *tensorMma) place(i int, what string, addr uint64, columns int, mayHalve bool) tensorPlace {
	rows := tensorLanes
	if mayHalve && o.path.half {
		rows -= 16
	}
	for _, c := range o.ctas {
		row, column, ok := o.w.cellsOf(c, i, addr&mask(32), rows, columns)
		if !ok {
			return tensorPlace{}
		}
		if row != 0 && (row != 16 || !mayHalve || !o.path.half) {
			o.w.faultf(i, "%s of a product with %d rows starts at lane %d of tensor memory", what, o.m, row)
			return tensorPlace{}
		}
		if c == o.ctas[len(o.ctas)-1] {
			return tensorPlace{row, column}
		}
	}
	return tensorPlace{}
}
