package kernel

import (
	"github.com/tilewright/tilewright/ir/numeric"
)

// Decoder64 returns the function that decodes elements of a format, exactly.
func Decoder64(f numeric.Format) func(dst []float64, src []uint64) {
	switch f {
	case numeric.F16:
		return func(dst []float64, src []uint64) {
			src = src[:len(dst)]
			for i, b := range src {
				dst[i] = float64(f16Values[uint16(b)])
			}
		}
	case numeric.F32:
		return func(dst []float64, src []uint64) {
			src = src[:len(dst)]
			for i, b := range src {
				dst[i] = float64(f32(b))
			}
		}
	}
	return func(dst []float64, src []uint64) {
		for i := range dst {
			dst[i] = f.Decode(src[i])
		}
	}
}

// MultiplyAdd adds the product of x, with rows of k elements, and y, with rows of n, to sum. Two rows of x and four
// of y at a time save loads and stores; the order of the additions is that of k.
//
// Blocking by rows and by four steps of k does not change the order in which an element's products are added, which
// tests that compare bits rely on.
func MultiplyAdd(sum, x, y []float64, k, n int) {
	for ; len(x) >= 2*k; x, sum = x[2*k:], sum[2*n:] {
		r0, r1 := sum[:n], sum[n:2*n]
		p := 0
		for ; p+4 <= k; p += 4 {
			multiplyAdd2x4(r0, r1, x[p:p+4], x[k+p:k+p+4], y[p*n:])
		}
		multiplyAddRow(r0, x[p:k], y[p*n:])
		multiplyAddRow(r1, x[k+p:2*k], y[p*n:])
	}
	if len(x) > 0 {
		multiplyAddRow(sum[:n], x[:k], y)
	}
}

func multiplyAdd2x4(r0, r1, a, b, y []float64) {
	n := len(r0)
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
	r1 = r1[:n]
	y0, y1, y2, y3 := y[:n], y[n:][:n], y[2*n:][:n], y[3*n:][:n]
	for j := range r0 {
		v0, v1, v2, v3 := y0[j], y1[j], y2[j], y3[j]
		r0[j] = r0[j] + a0*v0 + a1*v1 + a2*v2 + a3*v3
		r1[j] = r1[j] + b0*v0 + b1*v1 + b2*v2 + b3*v3
	}
}

func multiplyAddRow(row, x, y []float64) {
	n := len(row)
	for p, v := range x {
		y0 := y[p*n:][:n]
		for j := range row {
			row[j] += v * y0[j]
		}
	}
}
