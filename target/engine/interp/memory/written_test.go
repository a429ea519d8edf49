package memory

import (
	"math/rand/v2"
	"testing"
)

// TestWrittenRows compares rows with a definition by bytes, below and above what is compared at once.
func TestWrittenRows(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(27, 3))
	for range 300 {
		n := len(written)/2 + rnd.IntN(3*len(written))
		b := &Buffer{Data: make([]byte, n), Written: make([]uint8, n)}
		has := make([]bool, n)
		for range 20 {
			size := uint64(1) << rnd.IntN(4)
			step := int64(rnd.IntN(3 * int(size)))
			if rnd.IntN(2) == 0 {
				step = int64(size)
			}
			count := 1 + rnd.IntN(n/(int(max(uint64(step), size)))/2)
			off := rnd.Uint64N(uint64(n) - uint64(count-1)*uint64(step) - size + 1)
			set, want := rnd.IntN(2) == 0, true
			for i := range uint64(count) {
				for k := range size {
					at := &has[off+i*uint64(step)+k]
					want = want && *at
					*at = *at || set
				}
			}
			if got := b.RowHasValue(off, count, size, step); got != want {
				t.Fatalf("%d elements of %d bytes, %d apart, from %d on: RowHasValue is %t", count, size, step, off, got)
			}
			if set {
				b.SetRow(off, count, size, step)
			}
		}
		for i, want := range has {
			if b.HasValue(uint64(i), 1) != want {
				t.Fatalf("byte %d of %d: HasValue is %t", i, n, !want)
			}
		}
	}
}
