package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Fragment says where the elements of a matrix operand of mma live: at gives row and column of element i of a lane. The
// formulas are those of the PTX ISA, "Matrix multiply-accumulate operation using mma instruction", one per shape and
// element size, written with group = lane/4 and member = lane%4.
//
// It is a formula, not a table of the ISA's more than thirty figures. The figures have one rule in common: a register
// holds neighbours along K, and registers step over the halves of the rows, then over K. A test compares the formula
// with all of them.
type Fragment struct {
	Rows, Cols int
	Elems      int // per lane
	At         func(lane, i int) (row, col int)
}

// Shape is the M, N and K of an MMA.
type Shape struct{ M, N, K int }

// FragmentA is the left operand, m x k.
func FragmentA(s Shape, bits int) Fragment {
	n := s.M * s.K / machine.WarpSize
	f := Fragment{Rows: s.M, Cols: s.K, Elems: n}
	switch {
	case s.M == 8: // one row per group, elements of a register side by side
		per := max(32/bits, 1)
		f.At = func(lane, i int) (int, int) { return lane / 4, lane%4*per + i%per + i/per*4*per }
	case bits >= 32:
		// Elements alternate between the upper and the lower half of the rows,
		// then step four columns.
		f.At = func(lane, i int) (int, int) { return lane/4 + i%2*8, lane%4 + i/2*4 }
	default:
		// A register holds neighbours of one row; registers alternate between
		// the halves of the rows, then step over the columns of all members.
		per := 32 / bits
		f.At = func(lane, i int) (int, int) {
			reg := i / per
			return lane/4 + reg%2*8, lane%4*per + i%per + reg/2*4*per
		}
	}
	return f
}

// FragmentB is the right operand, k x n.
//
// One formula serves all types because B stands in columns: neighbours in a register are neighbours along k in each
// of them.
func FragmentB(s Shape, bits int) Fragment {
	per := max(32/bits, 1)
	return Fragment{Rows: s.K, Cols: s.N, Elems: s.K * s.N / machine.WarpSize, At: func(lane, i int) (int, int) {
		return lane%4*per + i%per + i/per*4*per, lane / 4
	}}
}

// FragmentC is the accumulator, m x n.
func FragmentC(s Shape) Fragment {
	return Fragment{Rows: s.M, Cols: s.N, Elems: s.M * s.N / machine.WarpSize, At: func(lane, i int) (int, int) {
		return lane/4 + i/2*8, lane%4*2 + i%2
	}}
}

// table lists, for each lane and element, the index in a row-major matrix.
//
// The table is made when the instruction is decoded; a formula called through a pointer for each element would cost
// more than the multiplication.
func (f Fragment) table() [][machine.WarpSize]int32 {
	t := make([][machine.WarpSize]int32, f.Elems)
	for i := range t {
		for lane := range t[i] {
			r, c := f.At(lane, i)
			t[i][lane] = int32(r*f.Cols + c)
		}
	}
	return t
}

// The m8n8k4 form of f16 computes four MMAs at once. Lanes 4q to 4q+3 have the upper half of the rows or columns of MMA
// q, and the lanes 16 further up have the lower half. The matrices of the products stand one below the other. The
// formulas are those of the section "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".

// quad is the product of a lane and the start of its half.
//
// The instruction is that of Volta, whose tensor cores belonged to quads of threads; later hardware emulates it.
func quad(lane int) (q, half int) { return lane % 16 / 4, lane / 16 * 4 }

// quadA is the left operand, stored by rows or by columns.
func quadA(layout string) Fragment {
	return Fragment{Rows: 32, Cols: 4, Elems: 4, At: func(lane, i int) (int, int) {
		q, half := quad(lane)
		if layout == "row" {
			return q*8 + half + lane%4, i
		}
		return q*8 + half + i, lane % 4
	}}
}

// quadB is the right operand.
func quadB(layout string) Fragment {
	return Fragment{Rows: 16, Cols: 8, Elems: 4, At: func(lane, i int) (int, int) {
		q, half := quad(lane)
		if layout == "row" {
			return q*4 + lane%4, half + i
		}
		return q*4 + i, half + lane%4
	}}
}

// quadC is the accumulator, whose layout depends on its type.
func quadC(t syntax.Type) Fragment {
	return Fragment{Rows: 32, Cols: 8, Elems: 8, At: func(lane, i int) (int, int) {
		q, half := quad(lane)
		if t == syntax.F16 {
			return q*8 + half + lane%4, i
		}
		return q*8 + half + lane&1 + i&2, i&4 + lane&2 + i&1
	}}
}
