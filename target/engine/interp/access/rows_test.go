package access

import (
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// Boxes have the elements that their dimensions say: rows, columns that are read together, and what is left of both.
func TestBoxes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []uint64{1, 2, 4, 8} {
		s := int64(size)
		for _, dims := range [][]memory.Dim{
			{{N: 1, Stride: s}},
			{{N: 37, Stride: s}},
			{{N: 9, Stride: 3 * s}},
			{{N: 5, Stride: 64 * s}, {N: 19, Stride: s}},
			{{N: 8, Stride: s}, {N: 16, Stride: 11 * s}},
			{{N: 12, Stride: s}, {N: 21, Stride: 16 * s}},
			{{N: 7, Stride: s}, {N: 16, Stride: 7 * s}},
			{{N: 4, Stride: s}, {N: 5, Stride: 4 * s}},
			{{N: 3, Stride: 500 * s}, {N: 16, Stride: s}, {N: 17, Stride: 20 * s}},
			{{N: 2, Stride: 1000 * s}, {N: 3, Stride: 300 * s}, {N: 6, Stride: 40 * s}, {N: 10, Stride: 2 * s}},
			{{N: 6, Stride: 0}, {N: 8, Stride: s}},
			{{N: 5, Stride: 70 * s}, {N: 24, Stride: s}},
		} {
			n, length := 1, int(size)
			for _, d := range dims {
				n *= int(d.N)
				length += int((d.N - 1) * d.Stride)
			}
			at := func(i int) int {
				offset := 0
				for k := len(dims) - 1; k >= 0; k-- {
					offset += i % int(dims[k].N) * int(dims[k].Stride)
					i /= int(dims[k].N)
				}
				return offset
			}
			data := make([]byte, length)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			got := make([]uint64, n)
			loadBox(got, data, dims, size)
			for i, x := range got {
				if want := values.FromBytes(data[at(i):][:size]); x != want {
					t.Fatalf("%d bytes, %v: element %d is %#x, want %#x", size, dims, i, x, want)
				}
			}
			if dims[0].Stride == 0 {
				continue // no store has two values for one place
			}
			stored, want := make([]byte, length), make([]byte, length)
			storeBox(stored, got, dims, size)
			for i, x := range got {
				values.ToBytes(want[at(i):][:size], x)
			}
			if string(stored) != string(want) {
				t.Fatalf("%d bytes, %v: stored otherwise", size, dims)
			}
		}
	}
}
