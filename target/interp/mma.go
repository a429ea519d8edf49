package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

func init() {
	define(map[*ir.OpDef]rule{cudatile.MmaF: (*machine).mmaF, cudatile.MmaI: (*machine).mmaI})
}

// matmul calls row for each row of each matrix of a batch: row computes n results from k elements of a and a k x n matrix of b.
func matmul(a, b, c *tile, row func(i0, b0, c0, k, n int)) {
	r := len(a.shape)
	rows, k, n := int(a.shape[r-2]), int(a.shape[r-1]), int(b.shape[r-1])
	batch := len(c.data) / (rows * n)
	for g := range batch {
		for i := range rows {
			row((g*rows+i)*k, g*k*n, (g*rows+i)*n, k, n)
		}
	}
}

// mmaF multiplies exactly and sums in double precision, rounding to the accumulator's format once.
func (m *machine) mmaF(op ir.Op) error {
	a, b, c := m.operand(op, 0), m.operand(op, 1), m.operand(op, 2)
	out, f := newTile(op.Result(0).Type()), c.format()
	x, y, z := decode(a), decode(b), decode(c)
	matmul(a, b, c, func(a0, b0, c0, k, n int) {
		sum := z[c0 : c0+n]
		for p, v := range x[a0 : a0+k] {
			if v == 0 && finite(y[b0+p*n:b0+p*n+n]) {
				continue
			}
			for j, w := range y[b0+p*n : b0+p*n+n] {
				sum[j] += v * w
			}
		}
		for j, s := range sum {
			out.data[c0+j] = f.Encode(s, numeric.Env{})
		}
	})
	m.result(op, 0, out)
	return nil
}

// finite reports whether zero times every element is zero.
func finite(row []float64) bool {
	for _, v := range row {
		if v-v != 0 {
			return false
		}
	}
	return true
}

func decode(t *tile) []float64 {
	out, f := make([]float64, len(t.data)), t.format()
	for i, v := range t.data {
		out[i] = f.Decode(v)
	}
	return out
}

func (m *machine) mmaI(op ir.Op) error {
	a, b, c := m.operand(op, 0), m.operand(op, 1), m.operand(op, 2)
	out, w := newTile(op.Result(0).Type()), c.width()
	lhs, rhs := cudatile.MmaSignednessOf(op)
	x, y := integers(a, lhs), integers(b, rhs)
	matmul(a, b, c, func(a0, b0, c0, k, n int) {
		for j := range n {
			sum := w.Signed(c.data[c0+j])
			for p := range k {
				sum += x[a0+p] * y[b0+p*n+j]
			}
			out.data[c0+j] = w.Wrap(uint64(sum))
		}
	})
	m.result(op, 0, out)
	return nil
}

func integers(t *tile, s cudatile.Signedness) []int64 {
	out, w := make([]int64, len(t.data)), t.width()
	for i, v := range t.data {
		if s == cudatile.Signed {
			out[i] = w.Signed(v)
		} else {
			out[i] = int64(v)
		}
	}
	return out
}
