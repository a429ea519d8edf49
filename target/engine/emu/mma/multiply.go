package mma

import (
	"unsafe"
)

// Multiply adds the product of row-major a (m x k) and b (k x n) to c, in order of k. Eight columns of a row stay in
// registers for two steps of k.
//
// Order matters, as the sum of doubles rounds: k ascends for every element and the accumulator comes first, so that all
// shapes, fast ways and tests agree bit for bit. Sums of partial products, by tiles of k or by halves, would give other
// bits.
func Multiply(s Shape, a, b, c []float64) {
	rows, step := eights(b[:s.K*s.N]), s.N/8
	for row := range s.M {
		x, accs := a[row*s.K:][:s.K], eights(c[row*s.N:][:s.N])
		for col := range accs {
			acc, at, k := &accs[col], col, 0
			c0, c1, c2, c3, c4, c5, c6, c7 := acc[0], acc[1], acc[2], acc[3], acc[4], acc[5], acc[6], acc[7]
			for ; k+1 < len(x); k += 2 {
				u, v, y, z := x[k], x[k+1], &rows[at], &rows[at+step]
				at += 2 * step
				c0 = c0 + u*y[0] + v*z[0]
				c1 = c1 + u*y[1] + v*z[1]
				c2 = c2 + u*y[2] + v*z[2]
				c3 = c3 + u*y[3] + v*z[3]
				c4 = c4 + u*y[4] + v*z[4]
				c5 = c5 + u*y[5] + v*z[5]
				c6 = c6 + u*y[6] + v*z[6]
				c7 = c7 + u*y[7] + v*z[7]
			}
			acc[0], acc[1], acc[2], acc[3], acc[4], acc[5], acc[6], acc[7] = c0, c1, c2, c3, c4, c5, c6, c7
			if k < len(x) {
				for i, y := range rows[at] {
					acc[i] += x[k] * y
				}
			}
		}
	}
}

// eights views numbers, a multiple of eight of them, as arrays of eight.
//
// An array of eight lets the compiler drop bounds checks in the inner loop, and keep the accumulators in registers.
func eights(x []float64) [][8]float64 {
	return unsafe.Slice((*[8]float64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/8)
}
