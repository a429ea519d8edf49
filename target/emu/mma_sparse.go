package emu

// metadata says where the stored elements of a sparse A operand stand (PTX
// ISA, "Sparse matrix storage" and the figures "metadata layout" of "Matrix
// fragments for multiply-accumulate operation with sparse matrix A").
//
// A row consists of chunks with two indices of two bits each: of the
// elements of a chunk of four, of the pairs of a chunk of eight for types of
// four bits. For tf32, chunks are of two elements, and the four bits name
// two halves of one element.
type metadata struct {
	e        src
	selector int
	ordered  bool
	t        scalar
	rows     int
	chunks   int // of a row
	unit     int // elements that an index stands for; 0 for tf32
}

func (d *decoder) metadata(f *mmaForm, e, selector *operand) *metadata {
	m := &metadata{e: d.src(e, tB32), ordered: f.ordered, t: f.ta, rows: f.s.m}
	switch {
	case f.ta == tTF32:
		m.chunks = f.s.k / 2
	case f.container(f.ta) == 4:
		m.unit, m.chunks = 2, f.s.k/8
	default:
		m.unit, m.chunks = 1, f.s.k/4
	}
	if top := 4 / m.lanes(); selector.kind != opInt || selector.bits >= uint64(top) {
		d.badOperand(selector, "expected a sparsity selector that is a constant below %d", top)
	}
	m.selector = int(selector.bits)
	return m
}

// lanes is the number of lanes of four that hold the metadata of two rows.
func (m *metadata) lanes() int { return m.chunks / 4 }

// at gives the lane and the lowest bit of the indices of a chunk. With
// elements of 16 bits and more, the lower half of a register holds four
// chunks of a row and the upper half those of the row eight further down;
// with elements of a byte or less a register holds eight chunks of one row.
func (m *metadata) at(row, chunk int) (lane, shift int) {
	first := row%8*4 + m.selector*m.lanes()
	if m.t.bits() >= 16 {
		return first + chunk/4, row/8*16 + chunk%4*4
	}
	return first + row/8 + chunk/8*2, chunk % 8 * 4
}

// expand turns the stored elements into the matrix with its zeros. It
// returns false after a fault, which indices without a meaning are.
func expand[T int64 | float64](m *metadata, w *warp, a []T) bool {
	var stored [16 * 64]T
	per := max(2*m.unit, 1) // stored elements of a chunk
	n := m.rows * m.chunks * per
	copy(stored[:n], a)
	clear(a[:2*n])
	e := w.lanes(m.e)
	from, to := stored[:n], a[:2*n]
	for row := range m.rows {
		for chunk := range m.chunks {
			lane, shift := m.at(row, chunk)
			v := e[lane&31] >> (shift & 31) & 0xf
			lo, hi := int(v&3), int(v>>2)
			switch {
			case m.unit == 0 && (v == 0b0100 || v == 0b1110):
				to[lo/2] = from[0]
			case m.unit == 0 || lo == hi || m.ordered && lo > hi:
				w.faultf(lane, "metadata 0b%04b of row %d, chunk %d, is not valid", v, row, chunk)
				return false
			case m.unit == 1:
				to[lo], to[hi] = from[0], from[1]
			default:
				to[2*lo], to[2*lo+1] = from[0], from[1]
				to[2*hi], to[2*hi+1] = from[2], from[3]
			}
			from, to = from[per:], to[2*per:]
		}
	}
	return true
}
