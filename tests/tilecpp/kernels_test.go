package tilecpp

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tilewright/tilewright/target/engine/npy"
)

// A launch is a kernel of testdata/kernels.cu with arguments, and what its buffers hold afterwards, by index.
type launch struct {
	entry string
	grid  [3]int
	args  []any // []int32, []float32, halves, bfloats; int32
	want  map[int]any
	tol   float64
}

// Bits of numbers of 16 bits, of values that need no rounding.
type (
	halves  []float32
	bfloats []float32
)

// ragged is an extent that no tile divides.
const ragged = 100

// launches are those of all kernels but checked, whose output is looked at.
func launches() []launch {
	return []launch{addition(), product(), persistent(), softmax(), gather(), histogram(), reduction(), scan(), steps(), layouts(), views()}
}

// fill makes numbers that look random, from -8 to 7.
func fill(n, seed int) []int32 {
	out, x := make([]int32, n), uint32(seed)*2654435761+1
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = int32(x>>28) - 8
	}
	return out
}

func floats(in []int32) []float32 {
	out := make([]float32, len(in))
	for i, v := range in {
		out[i] = float32(v) / 4
	}
	return out
}

func addition() launch {
	a, b := floats(fill(ragged, 1)), floats(fill(ragged, 2))
	want := make([]float32, ragged)
	for i := range want {
		want[i] = a[i] + b[i]
	}
	return launch{entry: "add", grid: [3]int{2, 1, 1}, args: []any{a, b, make([]float32, ragged), int32(ragged)}, want: map[int]any{2: want}}
}

func product() launch {
	const m, n, k = 40, 50, 72
	a, b, want := floats(fill(m*k, 3)), floats(fill(n*k, 4)), make([]float32, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				want[i*n+j] += a[i*k+l] * b[j*k+l] // exact: all are quarters
			}
		}
	}
	return launch{entry: "product", grid: [3]int{2, 2, 1}, args: []any{halves(a), halves(b), make([]float32, m*n), int32(m), int32(n), int32(k)}, want: map[int]any{2: want}}
}

func persistent() launch {
	const m, n, k = 64, 64, 96
	a, b, want := floats(fill(m*k, 13)), floats(fill(k*n, 14)), make([]float32, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				want[i*n+j] += a[i*k+l] * b[l*n+j]
			}
		}
	}
	return launch{entry: "persistent", grid: [3]int{3, 1, 1}, args: []any{halves(a), halves(b), halves(make([]float32, m*n))}, want: map[int]any{2: halves(want)}}
}

func softmax() launch {
	const rows = 3
	x, want := floats(fill(rows*ragged, 5)), make([]float32, rows*ragged)
	for r := range rows {
		row, sum := x[r*ragged:][:ragged], 0.0
		for _, v := range row {
			sum += math.Exp(float64(v))
		}
		for i, v := range row {
			want[r*ragged+i] = float32(math.Exp(float64(v)) / sum)
		}
	}
	return launch{entry: "softmax", grid: [3]int{rows, 1, 1}, args: []any{bfloats(x), make([]float32, len(x)), int32(ragged)}, want: map[int]any{1: want}, tol: 1e-5}
}

func gather() launch {
	const n = 50
	at, from, want := fill(n, 6), fill(8, 7), make([]int32, n)
	for i, a := range at {
		want[n-1-i] = 7
		if a >= 0 {
			want[n-1-i] = from[a]
		}
	}
	return launch{entry: "gather", grid: [3]int{2, 1, 1}, args: []any{at, from, make([]int32, n), int32(n)}, want: map[int]any{2: want}}
}

func histogram() launch {
	const n, blocks = 90, 3
	x, bins, most := fill(n, 8), make([]int32, 16), int32(0)
	for i := range x {
		x[i] += 8
		bins[x[i]]++
		most = max(most, x[i])
	}
	return launch{entry: "histogram", grid: [3]int{blocks, 1, 1}, args: []any{x, make([]int32, 16), make([]int32, 1), make([]int32, 2), int32(n)},
		want: map[int]any{1: bins, 2: []int32{most}, 3: []int32{0, blocks}}}
}

func reduction() launch {
	x := fill(16*8, 9)
	rows, cols, where := make([]int32, 16), append([]int32{}, x[:8]...), make([]int32, 16)
	for i, v := range x {
		r, c := i/8, i%8
		rows[r] += v
		cols[c] = max(cols[c], v)
		if v > x[r*8+int(where[r])] {
			where[r] = int32(c)
		}
	}
	return launch{entry: "reduce", grid: [3]int{1, 1, 1}, args: []any{x, make([]int32, 16), make([]int32, 8), make([]int32, 16)}, want: map[int]any{1: rows, 2: cols, 3: where}}
}

func scan() launch {
	x := fill(64, 10)
	up, down := make([]int32, 64), make([]int32, 64)
	for i := range x {
		for j := range x {
			if j <= i {
				up[i] += x[j]
			}
			if j >= i {
				down[i] += x[j]
			}
		}
	}
	return launch{entry: "scan", grid: [3]int{1, 1, 1}, args: []any{x, make([]int32, 64), make([]int32, 64)}, want: map[int]any{1: up, 2: down}}
}

func steps() launch {
	const limit = 20
	x, want := []int32{1, 2, 3, 6, 7, 27, 64, 5}, []int32(nil)
	for _, n := range x {
		count := int32(0)
		for ; n != 1; count++ {
			if count >= limit {
				count = -1
				break
			}
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
		}
		last := int32(30)
		switch count % 4 {
		case 0:
			last = 10
		case 1:
			last = 20
		}
		want = append(want, count, last)
	}
	return launch{entry: "steps", grid: [3]int{len(x), 1, 1}, args: []any{x, make([]int32, 2*len(x)), int32(limit)}, want: map[int]any{1: want}}
}

func layouts() launch {
	x := fill(64, 11)
	left, permuted := make([]int32, 64), make([]int32, 64)
	for i := range 8 {
		for j := range 4 {
			for k := range 2 {
				v := x[i*8+j*2+k]
				left[(i+4)%8+j*8+k*32] = v // the halves change places
				permuted[k*32+i*4+j] = v
			}
		}
	}
	swapped := append(append([]int32{}, x[32:]...), x[:32]...)
	return launch{entry: "layouts", grid: [3]int{1, 1, 1}, args: []any{x, make([]int32, 64), make([]int32, 64), make([]int32, 64)}, want: map[int]any{1: left, 2: permuted, 3: swapped}}
}

func views() launch {
	const n = 8
	x, rows := fill(n*16, 12), []int32{5, 0, 7, 5, 1, 2, 3, 6}
	strided, gathered := make([]int32, 64), make([]int32, 128)
	for i := range 4 {
		for j := range 8 {
			strided[i*8+j] = x[(3+i)*16+8+j]
			if row := 6 + i; row < n { // the rest of the tile is outside, and 0
				strided[(4+i)*8+j] = x[row*16+j]
			}
		}
	}
	for i, r := range rows {
		copy(gathered[i*16:], x[r*16:][:16])
	}
	return launch{entry: "views", grid: [3]int{1, 1, 1}, args: []any{x, rows, make([]int32, 64), make([]int32, 128), int32(n)}, want: map[int]any{2: strided, 3: gathered}}
}

// array is a buffer as an array of a file, with the name of the element type where the file's says less.
func array(v any) (a *npy.Array, dtype string) {
	a = &npy.Array{}
	put := func(n int, d npy.DType) { a.DType, a.Shape = d, []int{n} }
	switch v := v.(type) {
	case []int32:
		put(len(v), "i4")
		for _, x := range v {
			a.Data = binary.LittleEndian.AppendUint32(a.Data, uint32(x))
		}
	case []float32:
		put(len(v), "f4")
		for _, x := range v {
			a.Data = binary.LittleEndian.AppendUint32(a.Data, math.Float32bits(x))
		}
	case bfloats:
		put(len(v), "u2")
		for _, x := range v {
			a.Data = binary.LittleEndian.AppendUint16(a.Data, uint16(math.Float32bits(x)>>16))
		}
		return a, "bf16"
	case halves:
		put(len(v), "f2")
		for _, x := range v {
			a.Data = binary.LittleEndian.AppendUint16(a.Data, half(x))
		}
	default:
		panic(fmt.Sprintf("no buffer: %T", v))
	}
	return a, ""
}

// half is a number that f16 has exactly, and that is 0 or normal there.
func half(x float32) uint16 {
	if x == 0 {
		return 0
	}
	b := math.Float32bits(x)
	return uint16(b>>16&0x8000 | (b>>23&0xff-112)<<10 | b>>13&0x3ff)
}
