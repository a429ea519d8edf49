package linear

import (
	"fmt"
	"slices"
)

// Map is a linear map between two spaces of indices, such as the place where a
// conversion finds the value for a register of a lane. It is immutable.
type Map struct {
	from, to widths
	cols     []uint64 // one packed value of "to" per bit of "from"
}

// FromBits returns the number of bits that m reads of the axis.
func (m Map) FromBits(a Axis) int { return int(m.from[a]) }

// ToBits returns the number of bits that m produces for the axis.
func (m Map) ToBits(a Axis) int { return int(m.to[a]) }

// Apply returns the image of idx. Bits beyond an axis are ignored.
func (m Map) Apply(idx Index) Index {
	return m.to.unpack(apply(m.cols, m.from.pack(idx)))
}

// Col returns the image of one input bit. The bit must be below FromBits(a).
func (m Map) Col(a Axis, bit int) Index {
	return m.to.unpack(m.cols[m.from.shift(a)+bit])
}

// axisCols returns, for each bit of the axis, the packed image.
func (m Map) axisCols(a Axis) []uint64 {
	s := m.from.shift(a)
	return m.cols[s : s+int(m.from[a])]
}

// component returns the matrix from one axis to another one.
func (m Map) component(from, to Axis) []uint64 {
	cols := slices.Clone(m.axisCols(from))
	for i := range cols {
		cols[i] = cols[i] & m.to.mask(to) >> m.to.shift(to)
	}
	return cols
}

// Rank returns the rank of the matrix.
func (m Map) Rank() int { return rankOf(m.cols) }

// Equal reports whether m and o are the same map between the same spaces.
func (m Map) Equal(o Map) bool {
	return m.from == o.from && m.to == o.to && slices.Equal(m.cols, o.cols)
}

// Compose returns the map that applies m, then next.
func (m Map) Compose(next Map) (Map, error) {
	if m.to != next.from {
		return Map{}, fmt.Errorf("cannot compose linear maps: the first produces %s, the second reads %s", m.to, next.from)
	}
	cols := make([]uint64, len(m.cols))
	for i, c := range m.cols {
		cols[i] = apply(next.cols, c)
	}
	return Map{m.from, next.to, cols}, nil
}

// Inverse returns a map with m(Inverse(y)) = y for every y. Input bits that m does
// not need are zero in the result, the bits of the first axes are preferred. It
// fails when m is not surjective.
func (m Map) Inverse() (Map, error) {
	cols, ok := preimages(m.cols, unit(m.to.total()))
	if !ok {
		return Map{}, fmt.Errorf("linear map of rank %d does not cover %s", m.Rank(), m.to)
	}
	return Map{m.to, m.from, cols}, nil
}

// preimages solves cols*x = v for each v; the first independent columns are used.
func preimages(cols, vs []uint64) ([]uint64, bool) {
	var e echelon
	for i, c := range cols {
		e.add(c, 1<<i)
	}
	out := make([]uint64, len(vs))
	for i, v := range vs {
		rest, x := e.reduce(v, 0)
		if rest != 0 {
			return nil, false
		}
		out[i] = x
	}
	return out, true
}

// String lists the extents, for messages.
func (w widths) String() string {
	s := ""
	for a, b := range w {
		if b == 0 {
			continue
		}
		if s != "" {
			s += " x "
		}
		s += fmt.Sprintf("%d %ss", uint64(1)<<b, Axis(a))
	}
	if s == "" {
		return "a single element"
	}
	return s
}
