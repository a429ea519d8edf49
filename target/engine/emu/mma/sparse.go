package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// metadata says where the stored elements of a sparse A operand are. PTX ISA, "Sparse matrix storage", and the figures
// "metadata layout" of "Matrix fragments for multiply-accumulate operation with sparse matrix A".
//
// A row consists of chunks with two indices of two bits each. They count the elements of a chunk of four or, for types
// of four bits, the pairs of a chunk of eight. For tf32, chunks are of two elements, and the four bits name two halves
// of one element.
type metadata struct {
	e        machine.Src
	selector int
	ordered  bool
	t        syntax.Type
	rows     int
	chunks   int // of a row
	unit     int // elements that an index stands for; 0 for tf32
	places   []chunkPlace
	valid    uint16 // the pairs of indices that have a meaning
}

// chunkPlace is where the indices of a chunk stand.
type chunkPlace struct{ lane, shift uint8 }

func newMetadata(d *decode.Decoder, f *mmaForm, e, selector *syntax.Operand) *metadata {
	m := &metadata{e: d.Src(e, syntax.B32), ordered: f.ordered, t: f.ta, rows: f.s.M}
	switch {
	case f.ta == syntax.TF32:
		m.chunks = f.s.K / 2
	case f.container(f.ta) == 4:
		m.unit, m.chunks = 2, f.s.K/8
	default:
		m.unit, m.chunks = 1, f.s.K/4
	}
	if top := 4 / m.lanes(); selector.Kind != syntax.OpInt || selector.Bits >= uint64(top) {
		d.FailAt(selector, "expected a sparsity selector that is a constant below %d", top)
	}
	m.selector = int(selector.Bits)
	m.prepare()
	return m
}

// prepare works out where indices stand and which have a meaning.
func (m *metadata) prepare() {
	for row := range m.rows {
		for chunk := range m.chunks {
			lane, shift := m.at(row, chunk)
			m.places = append(m.places, chunkPlace{uint8(lane), uint8(shift)})
		}
	}
	// Two indices must differ, and with ordered metadata ascend; tf32 has only the two pairs that name both halves of
	// one element.
	for v := range 16 {
		if lo, hi := v&3, v>>2; m.unit == 0 && (v == 0b0100 || v == 0b1110) || m.unit != 0 && lo != hi && !(m.ordered && lo > hi) {
			m.valid |= 1 << v
		}
	}
}

// lanes is the number of lanes of four that hold the metadata of two rows.
func (m *metadata) lanes() int { return m.chunks / 4 }

// at gives the lane and the lowest bit of the indices of a chunk. With elements of 16 bits and more, the lower half of
// a register holds four chunks of a row and the upper half those of the row eight further down. With elements of a byte
// or less a register holds eight chunks of one row.
func (m *metadata) at(row, chunk int) (lane, shift int) {
	first := row%8*4 + m.selector*m.lanes()
	if m.t.Bits() >= 16 {
		return first + chunk/4, row/8*16 + chunk%4*4
	}
	return first + row/8 + chunk/8*2, chunk % 8 * 4
}

// indices returns the two of chunk i, counted through the rows, and whether
// they have a meaning.
func (m *metadata) indices(e *machine.Lanes, i int) (lo, hi int, ok bool) {
	p := m.places[i]
	v := e[p.lane&31] >> (p.shift & 31) & 0xf
	return int(v & 3), int(v >> 2), m.valid>>v&1 != 0
}

// fault reports that the indices of chunk i have no meaning.
func (m *metadata) fault(w *machine.Warp, i, lo, hi int) bool {
	w.Faultf(int(m.places[i].lane), "metadata 0b%02b%02b of row %d, chunk %d, is not valid", hi, lo, i/m.chunks, i%m.chunks)
	return false
}

// expand turns the stored elements into the matrix with its zeros. It
// returns false after a fault, which indices without a meaning are.
//
// To expand and multiply as if dense is the definition; it costs twice the products. multiplyStored takes the short
// way where it can show no difference.
func expand[T int64 | float64](m *metadata, w *machine.Warp, a []T) bool {
	var stored [16 * 64]T
	per := max(2*m.unit, 1) // stored elements of a chunk
	n := m.rows * m.chunks * per
	copy(stored[:n], a)
	clear(a[:2*n])
	e := w.Lanes(m.e)
	from, to := stored[:n], a[:2*n]
	for i := range m.places {
		lo, hi, ok := m.indices(e, i)
		switch {
		case !ok:
			return m.fault(w, i, lo, hi)
		case m.unit == 0:
			to[lo/2] = from[0]
		case m.unit == 1:
			to[lo], to[hi] = from[0], from[1]
		default:
			to[2*lo], to[2*lo+1] = from[0], from[1]
			to[2*hi], to[2*hi+1] = from[2], from[3]
		}
		from, to = from[per:], to[2*per:]
	}
	return true
}

// multiplyStored adds the product of the stored elements of a and of b (k x 8) to c. It does nothing and returns false
// where the zeros that are not stored could show: next to an infinity or NaN of b, or in an accumulator of -0. It does
// so too where elements are out of order, and where indices have no meaning.
//
// -0 in the accumulator: 0 times a number that is left out could be +0, and -0 plus +0 is +0. Infinities and NaNs of B:
// times the zero that is left out they are NaN.
func (m *metadata) multiplyStored(w *machine.Warp, s Shape, t *tile) bool {
	if m.unit != 1 {
		return false
	}
	for _, y := range t.b[:s.K*8] {
		if y-y != 0 {
			return false
		}
	}
	for _, z := range t.c[:s.M*8] {
		if fp.Bits64(z) == 1<<63 {
			return false
		}
	}
	var columns [16 * 32][2]uint8 // of the two elements of a chunk
	e := w.Lanes(m.e)
	for i := range m.places {
		lo, hi, ok := m.indices(e, i)
		if !ok || lo > hi {
			return false
		}
		first := 4 * (i % m.chunks)
		columns[i&511] = [2]uint8{uint8(first + lo), uint8(first + hi)}
	}
	rows, accs := eights(t.b[:s.K*8]), eights(t.c[:s.M*8])
	for row := range accs {
		addRows(&accs[row], t.a[row*s.K/2:][:s.K/2], columns[row*m.chunks:][:m.chunks], rows)
	}
	return true
}

// addRows adds multiples of the rows that at names in pairs to sums. It is the
// inner loop of multiply with rows by number: sharing it costs that a fifth of
// its speed.
func addRows(accs *[8]float64, x []float64, at [][2]uint8, rows [][8]float64) {
	c0, c1, c2, c3, c4, c5, c6, c7 := accs[0], accs[1], accs[2], accs[3], accs[4], accs[5], accs[6], accs[7]
	for i, pair := range at {
		u, v, y, z := x[2*i], x[2*i+1], &rows[pair[0]], &rows[pair[1]]
		c0 = c0 + u*y[0] + v*z[0]
		c1 = c1 + u*y[1] + v*z[1]
		c2 = c2 + u*y[2] + v*z[2]
		c3 = c3 + u*y[3] + v*z[3]
		c4 = c4 + u*y[4] + v*z[4]
		c5 = c5 + u*y[5] + v*z[5]
		c6 = c6 + u*y[6] + v*z[6]
		c7 = c7 + u*y[7] + v*z[7]
	}
	accs[0], accs[1], accs[2], accs[3], accs[4], accs[5], accs[6], accs[7] = c0, c1, c2, c3, c4, c5, c6, c7
}
