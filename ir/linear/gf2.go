package linear

import "math/bits"

// A vector over GF(2) is a uint64, a set of generators a []uint64.

// echelon is a growing row echelon form. Each row keeps a payload that is transformed along with it. After a reduction
// the payload shows a relation between generators, or the value of a linear map.
type echelon struct {
	rows    [64]uint64 // rows[i] has its leading bit at i, or is 0
	payload [64]uint64
}

// reduce returns what is left of v after elimination and the payload that goes
// with it: payload XOR the payloads of the rows that were used.
func (e *echelon) reduce(v, payload uint64) (rest, outPayload uint64) {
	for rem := v; rem != 0; {
		top := bits.Len64(rem) - 1
		rem &^= 1 << top
		if e.rows[top] != 0 {
			v ^= e.rows[top]
			payload ^= e.payload[top]
			rem = v & (1<<top - 1)
		}
	}
	return v, payload
}

// add inserts v and reports whether it was independent of the rows. When it was
// not, the returned payload belongs to the zero vector: it is a relation.
func (e *echelon) add(v, payload uint64) (relation uint64, independent bool) {
	v, payload = e.reduce(v, payload)
	if v == 0 {
		return payload, false
	}
	top := bits.Len64(v) - 1
	e.rows[top], e.payload[top] = v, payload
	return 0, true
}

func (e *echelon) contains(v uint64) bool {
	rest, _ := e.reduce(v, 0)
	return rest == 0
}

func spanOf(sets ...[]uint64) *echelon {
	e := new(echelon)
	for _, set := range sets {
		for _, v := range set {
			e.add(v, 0)
		}
	}
	return e
}

func rankOf(sets ...[]uint64) int {
	e, n := new(echelon), 0
	for _, set := range sets {
		for _, v := range set {
			if _, ok := e.add(v, 0); ok {
				n++
			}
		}
	}
	return n
}

// extend returns the candidates that are independent of base and of each other,
// first come first kept.
func extend(base, candidates []uint64) []uint64 {
	e := spanOf(base)
	var out []uint64
	for _, v := range candidates {
		if _, ok := e.add(v, 0); ok {
			out = append(out, v)
		}
	}
	return out
}

// intersect returns a basis of span(a) and span(b)'s common subspace.
func intersect(a, b []uint64) []uint64 {
	e := new(echelon)
	for _, v := range a {
		e.add(v, v)
	}
	var out []uint64
	for _, v := range b {
		// The payload counts generators of a only, so a relation reads
		// "sum of some a = sum of some b" and its payload is that sum.
		if common, ok := e.add(v, 0); !ok && common != 0 {
			out = append(out, common)
		}
	}
	return extend(nil, out)
}

// apply multiplies the matrix with the given columns by v.
func apply(cols []uint64, v uint64) uint64 {
	var out uint64
	for ; v != 0; v &= v - 1 {
		if i := bits.TrailingZeros64(v); i < len(cols) {
			out ^= cols[i]
		}
	}
	return out
}

// columns returns the matrix of the linear map on n bits that takes points[i] to
// values[i]. Points that depend on others must agree with them; the points are
// completed to a basis by unit vectors that go to zero.
func columns(n int, points, values []uint64) []uint64 {
	var e echelon
	for i, p := range points {
		e.add(p, values[i])
	}
	for i := range n {
		e.add(1<<i, 0)
	}
	cols := make([]uint64, n)
	for i := range cols {
		_, cols[i] = e.reduce(1<<i, 0)
	}
	return cols
}

// unit returns the vectors with one bit set, from bit 0 to bit n-1.
func unit(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = 1 << i
	}
	return out
}
