package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// matrixForm says how ldmatrix or stmatrix spreads one matrix over a warp
// ("ldmatrix", "stmatrix", the tables of fragments). A row of a matrix is 16
// bytes of shared memory.
//
// One description serves the shapes of sm_75, those of bytes of sm_100, and both directions; what differs is where
// element e of register r of a lane lies.
type matrixForm struct {
	count int // matrices
	rows  int // of a matrix; lane rows*k+r has the address of row r of matrix k
	regs  int // of a matrix
	elems int // of a register
	place func(lane, reg, elem int) (row, col int)
	// unpack makes bytes of the elements of a row, when memory holds them
	// in another way.
	unpack func(row [16]byte) [16]byte
}

// place16 is where element e (0 or 1) of a lane's register lies in an 8x8
// matrix of 16-bit elements.
func place16(lane, _, e int) (row, col int)      { return lane / 4, lane%4*2 + e }
func transposed16(lane, _, e int) (row, col int) { return lane%4*2 + e, lane / 4 }

// matrixShape consumes the modifiers of ldmatrix and stmatrix.
func matrixShape(d *decode.Decoder, load bool) matrixForm {
	if !d.Opt("sync") || !d.Opt("aligned") {
		d.Fail("'%s' needs .sync.aligned", d.Stmt.Op)
	}
	shape := d.OneOf("m8n8", "m16n16", "m8n16", "m16n8")
	f := matrixForm{count: map[string]int{"x1": 1, "x2": 2, "x4": 4}[d.OneOf("x1", "x2", "x4")], rows: 8, regs: 1, elems: 4}
	if f.count == 0 {
		d.Fail("'%s' needs .x1, .x2 or .x4", d.Stmt.Op)
	}
	trans := d.Opt("trans")
	if sp := d.Space(); sp != syntax.Shared && sp != syntax.Generic {
		d.Fail("'%s' accesses shared memory only", d.Stmt.Op)
	}
	switch {
	case shape == "m8n8":
		d.Type(syntax.B16)
		if f.elems, f.place = 2, place16; trans {
			f.place = transposed16
		}
	case shape == "m16n16" && load && trans && f.count <= 2:
		f.unpack = packedBytes(d)
		f.rows, f.regs = 16, 2
		f.place = func(lane, reg, e int) (row, col int) { return lane%4*4 + e, lane/4 + 8*reg }
	case shape == "m8n16" && load && !trans:
		if f.unpack = packedBytes(d); f.unpack == nil {
			d.Fail("'%s' with this shape needs packed elements", d.Stmt.Op)
		}
		f.place = func(lane, _, e int) (row, col int) { return lane / 4, lane%4*4 + e }
	case shape == "m16n8" && !load && trans:
		d.Type(syntax.B8)
		f.place = func(lane, _, e int) (row, col int) { return lane%4*2 + e%2, lane/4 + e/2*8 }
	default:
		d.Fail("this shape is not supported by '%s'", d.Stmt.Op)
	}
	return f
}

// packedBytes consumes a type of 8-bit elements, which memory may hold as
// 16 elements of 6 or 4 bits and padding.
//
// Memory holds packed elements and padding, as the TMA copies leave them; registers get a byte for each, from the
// low bits.
func packedBytes(d *decode.Decoder) func(row [16]byte) [16]byte {
	if !d.Opt("b8x16") {
		d.Type(syntax.B8)
		return nil
	}
	bits := map[string]int{"b6x16_p32": 6, "b4x16_p64": 4}[d.OneOf("b6x16_p32", "b4x16_p64")]
	if bits == 0 {
		d.Fail("'.b8x16' needs .b6x16_p32 or .b4x16_p64")
	}
	return func(packed [16]byte) (row [16]byte) {
		for i := range row {
			at := i * bits
			two := uint(packed[at/8]) | uint(packed[at/8+1])<<8 // the last byte is padding
			row[i] = byte(two >> (at % 8) & (1<<bits - 1))
		}
		return row
	}
}

// row returns the bytes of row r of matrix k.
//
// Lanes give addresses of rows of which they need not have an element: lane 8k+r that of row r of matrix k.
func (f *matrixForm) row(w *machine.Warp, a decode.Addr, base *machine.Lanes, k, r int, write bool) []byte {
	lane := f.rows*k + r
	return w.At(syntax.Shared, machine.AddressIn(syntax.Shared, a.Lane(w, base, lane)), 16, lane, write)
}

// counts says what there is to count: the rows of 16 bytes whose addresses lanes have. A matrix of 8 rows is so what
// a quarter of a warp accesses.
func (f *matrixForm) counts(d *decode.Decoder, kind machine.AccessKind, a decode.Addr) {
	lanes := f.rows * f.count
	d.AccessesIn(kind, syntax.Shared, func(w *machine.Warp, lane int) (uint64, int) {
		if lane >= lanes {
			return 0, 0
		}
		return a.Lane(w, w.Lanes(a.Base), lane), 16
	})
}

func decodeLdmatrix(d *decode.Decoder) {
	f := matrixShape(d, true)
	args := d.Args(2)
	var dsts []int32
	for _, o := range d.Elements(args[0], f.count*f.regs) {
		dsts = append(dsts, d.Dst(o, syntax.B32))
	}
	a := d.Addr(args[1])
	f.counts(d, machine.AccessLoad, a)
	size := 4 / f.elems
	// Worked out once, and not by a call for each element of each execution; docs/measurements/engines.md has the
	// difference.
	places := make([][machine.WarpSize][4]uint8, f.regs) // where in a matrix the elements of a register are
	for reg := range places {
		for lane := range places[reg] {
			for e := range f.elems {
				r, c := f.place(lane, reg, e)
				places[reg][lane][e] = uint8(16*r + size*c)
			}
		}
	}
	d.WholeWarp(func(w *machine.Warp, m uint32) {
		w.Together()
		base := *w.Lanes(a.Base) // may be a destination
		for k := range f.count {
			var matrix [16 * 16]byte
			for r := range f.rows {
				b := f.row(w, a, &base, k, r, false)
				if b == nil {
					return
				}
				row := [16]byte(b)
				if f.unpack != nil {
					row = f.unpack(row)
				}
				copy(matrix[16*r:], row[:])
			}
			for reg := range f.regs {
				out := w.Reg(dsts[k*f.regs+reg])
				for lane := range out {
					at := &places[reg][lane]
					if size == 2 {
						out[lane] = uint64(matrix[at[0]]) | uint64(matrix[at[0]|1])<<8 | uint64(matrix[at[1]])<<16 | uint64(matrix[at[1]|1])<<24
					} else {
						out[lane] = uint64(matrix[at[0]]) | uint64(matrix[at[1]])<<8 | uint64(matrix[at[2]])<<16 | uint64(matrix[at[3]])<<24
					}
				}
			}
		}
	})
}

func decodeStmatrix(d *decode.Decoder) {
	f := matrixShape(d, false)
	args := d.Args(2)
	a := d.Addr(args[0])
	var srcs []machine.Src
	for _, o := range d.Elements(args[1], f.count) {
		srcs = append(srcs, d.Src(o, syntax.B32))
	}
	f.counts(d, machine.AccessStore, a)
	size := 4 / f.elems
	d.WholeWarp(func(w *machine.Warp, m uint32) {
		w.Together()
		base := w.Lanes(a.Base)
		for k, s := range srcs {
			var rows [8][]byte
			for r := range rows {
				if rows[r] = f.row(w, a, base, k, r, true); rows[r] == nil {
					return
				}
			}
			in := w.Lanes(s)
			for lane := range in {
				for e := range f.elems {
					r, c := f.place(lane, 0, e)
					machine.Store(rows[r][size*c:][:size], in[lane]>>(8*size*e))
				}
			}
		}
	})
}

func decodeMovmatrix(d *decode.Decoder) {
	if !d.Opt("sync") || !d.Opt("aligned") || !d.Opt("m8n8") || !d.Opt("trans") {
		d.Fail("'movmatrix' needs .sync.aligned.m8n8.trans")
	}
	d.Type(syntax.B16)
	args := d.Args(2)
	dst, a := d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B32)
	d.WholeWarp(func(w *machine.Warp, m uint32) {
		var mat [8][8]uint64
		in, out := w.Lanes(a), w.Reg(dst)
		for lane := range in {
			for e := range 2 {
				r, c := place16(lane, 0, e)
				mat[r][c] = in[lane] >> (16 * e) & 0xffff
			}
		}
		for lane := range out {
			var v uint64
			for e := range 2 {
				r, c := transposed16(lane, 0, e)
				v |= mat[r][c] << (16 * e)
			}
			out[lane] = v
		}
	})
}
