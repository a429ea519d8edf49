package kernel

import (
	"math"
	"sync"
	"unsafe"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Decoder64 returns the function that decodes elements of a format, exactly.
func Decoder64(f numeric.Format) func(dst []float64, src []uint64) {
	if k := Conversion(f, numeric.F64); k != nil {
		return func(dst []float64, src []uint64) { k(patterns(dst), src) }
	}
	switch {
	case f == numeric.F64:
		return func(dst []float64, src []uint64) { copy(patterns(dst), src) }
	case f == numeric.TF32: // is f32 whose last places are ignored
		k, ignored := Conversion(numeric.F32, numeric.F64), uint64(1)<<f.Spec().Pad-1
		return func(dst []float64, src []uint64) {
			bits := patterns(dst)
			for i, b := range src[:len(bits)] {
				bits[i] = b &^ ignored
			}
			k(bits, bits)
		}
	case f.Bits() <= 8:
		var list [1 << 8]float64
		for b := range list[:1<<f.Bits()] {
			list[b] = f.Decode(uint64(b))
		}
		return func(dst []float64, src []uint64) {
			src = src[:len(dst)]
			for i, b := range src {
				dst[i] = list[uint8(b)]
			}
		}
	}
	return func(dst []float64, src []uint64) {
		for i := range dst {
			dst[i] = f.Decode(src[i])
		}
	}
}

// RowDecoder64 returns what decodes rows of a format from memory, or nil. Rows of some columns are step bytes apart. A NaN
// becomes any NaN.
func RowDecoder64(f numeric.Format) func(dst []float64, data []byte, columns, step int) {
	widen, size := vector.Widen(f), f.Bits()/8
	if widen == nil {
		return nil
	}
	return func(dst []float64, data []byte, columns, step int) {
		if rows := len(dst) / columns; widen(dst, data, rows, step, vector.RowsAhead*step) == len(dst) {
			return
		}
		for i := range dst {
			at := i/columns*step + i%columns*size
			dst[i] = f.Decode(uint64(data[at]) | uint64(data[at+1])<<8)
		}
	}
}

// HasPanelsF32 reports whether FusedMultiplyAddF32 has vectors for rows in memory.
func HasPanelsF32() bool { return len(vector.PanelsF32) > 0 }

// Encoder64 returns the function that rounds to a format, to nearest even.
func Encoder64(f numeric.Format) func(dst []uint64, src []float64) {
	if k := Conversion(numeric.F64, f); k != nil {
		return func(dst []uint64, src []float64) { k(dst, patterns(src)) }
	}
	return func(dst []uint64, src []float64) {
		for i, x := range src {
			dst[i] = f.Encode(x, numeric.Env{})
		}
	}
}

// patterns are the bits of numbers, in place.
func patterns(x []float64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// panelDepth is how many rows a panel has.
const panelDepth = 128

// A panel holds columns of a matrix without gaps. In place, rows are powers of two apart, which share the sets of a
// cache.
type panel [panelDepth * vector.WidestPanel]float64

var panels = sync.Pool{New: func() any { return new(panel) }}

// MultiplyAdd adds the product of x, with rows of k elements, and y, with rows of n, to sum. A sum is rounded after each
// product, of which none is rounded. The order of the additions is that of k.
//
// Neither blocking nor vectors change the order in which an element's products are added, which tests that compare bits
// rely on.
func MultiplyAdd(sum, x, y []float64, k, n int) {
	columns := 0
	if upTo := len(x) / k &^ (vector.PanelRows - 1); upTo > 0 && len(vector.Panels) > 0 {
		columns = multiplyPanels(x[:upTo*k], y, k, n, func(v *vector.Panel, at int, x, panel *float64, depth int) {
			v.Add(&sum[at], x, panel, depth, n, k)
		})
		multiplyAddColumns(sum, x[:upTo*k], y, k, n, columns)
		x, sum = x[upTo*k:], sum[upTo*n:]
	}
	multiplyAddRows(sum, x, y, k, n)
}

// MultiplyAddF32 is MultiplyAdd from sums of f32 to sums of f32, each rounded to nearest even at the end. It reports
// false if there are no vector instructions for these extents, and then does nothing.
//
// In registers, sums turn into double precision and back without a pass over memory for each.
func MultiplyAddF32(out, sum []uint64, x, y []float64, k, n int) bool {
	if rows := len(x) / k; len(vector.Panels) == 0 || k > panelDepth || rows%vector.PanelRows != 0 || n%vector.Panels[len(vector.Panels)-1].Width != 0 {
		return false
	}
	multiplyPanels(x, y, k, n, func(v *vector.Panel, at int, x, panel *float64, depth int) {
		v.AddF32(&out[at], &sum[at], x, panel, depth, n, k)
	})
	return true
}

// multiplyPanels multiplies by the columns for which there are panels, and returns their number. The function add gets
// the number of the first sum.
func multiplyPanels(x, y []float64, k, n int, add func(v *vector.Panel, at int, x, panel *float64, depth int)) int {
	rows, j := len(x)/k, 0
	p := panels.Get().(*panel)
	defer panels.Put(p)
	for i := range vector.Panels {
		for v := &vector.Panels[i]; n-j >= v.Width; j += v.Width {
			for from := 0; from < k; from += panelDepth {
				depth := min(panelDepth, k-from)
				v.Pack(&p[0], &y[from*n+j], depth, n)
				for i := 0; i < rows; i += vector.PanelRows {
					add(v, i*n+j, &x[i*k+from], &p[0], depth)
				}
			}
		}
	}
	return j
}

// multiplyAddColumns multiplies by the columns from one on.
func multiplyAddColumns(sum, x, y []float64, k, n, from int) {
	for j := from; j < n; j++ {
		for i := range len(x) / k {
			s := sum[i*n+j]
			for p, v := range x[i*k:][:k] {
				s = math.FMA(v, y[p*n+j], s)
			}
			sum[i*n+j] = s
		}
	}
}

// multiplyAddRows is MultiplyAdd without vectors. Two rows of x and four of y at a time save loads and stores.
func multiplyAddRows(sum, x, y []float64, k, n int) {
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
		r0[j] = math.FMA(a3, v3, math.FMA(a2, v2, math.FMA(a1, v1, math.FMA(a0, v0, r0[j]))))
		r1[j] = math.FMA(b3, v3, math.FMA(b2, v2, math.FMA(b1, v1, math.FMA(b0, v0, r1[j]))))
	}
}

func multiplyAddRow(row, x, y []float64) {
	n := len(row)
	for p, v := range x {
		y0 := y[p*n:][:n]
		for j := range row {
			row[j] = math.FMA(v, y0[j], row[j])
		}
	}
}

// A panelF32 has the size of a [panel].
type panelF32 [2 * panelDepth * vector.WidestPanel]float32

var panelsF32 = sync.Pool{New: func() any { return new(panelF32) }}

// FusedMultiplyAddF32 adds the product of x, with rows of k elements, and y, with rows of n, to sums, which are patterns
// of f32. A sum is rounded to f32 after each product, in the order of k.
func FusedMultiplyAddF32(out, sum []uint64, x, y vector.Rows, k, n int) {
	rows := len(sum) / n
	inPanels, columns := rows&^(vector.PanelRows-1), 0
	if inPanels > 0 {
		columns = multiplyPanelsF32(out, sum, x, y, inPanels, k, n)
	}
	if inPanels == rows && columns == n {
		return
	}
	fma, factor, factors := FMA(numeric.F32, numeric.Env{}), make([]uint64, n), make([]uint64, 0, k*n)
	for p := range k {
		for _, v := range y.Data[p*y.Stride:][:n] {
			factors = append(factors, uint64(math.Float32bits(v)))
		}
	}
	for i := range rows {
		if i == inPanels {
			columns = 0
		}
		if columns == n {
			continue
		}
		row := out[i*n+columns : (i+1)*n]
		copy(row, sum[i*n+columns:])
		for p, v := range x.Data[i*x.Stride:][:k] {
			values := factor[:len(row)]
			for j := range values {
				values[j] = uint64(math.Float32bits(v))
			}
			fma(row, values, factors[p*n+columns:][:len(row)], row)
		}
	}
}

// multiplyPanelsF32 multiplies rows of x by the columns for which there are panels, and returns their number.
func multiplyPanelsF32(out, sum []uint64, x, y vector.Rows, rows, k, n int) int {
	p, j := panelsF32.Get().(*panelF32), 0
	defer panelsF32.Put(p)
	for _, v := range vector.PanelsF32 {
		for ; n-j >= v.Width; j += v.Width {
			for from := 0; from < k; from += panelDepth {
				depth, before := min(panelDepth, k-from), sum
				if from > 0 {
					before = out
				}
				v.Pack(&p[0], &y.Data[from*y.Stride+j], depth, y.Stride)
				for i := 0; i < rows; i += vector.PanelRows {
					v.Add(&out[i*n+j], &before[i*n+j], &x.Data[i*x.Stride+from], &p[0], depth, n, x.Stride)
				}
			}
		}
	}
	return j
}
