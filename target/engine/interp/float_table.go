package interp

import (
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A function of one operand of at most 16 bits is looked up in a table of its results, once it has been asked for so often that filling the
// table costs no more than what it was asked for.

// tableKey names a function: an operation from one format to another.
type tableKey struct {
	def      *ir.OpDef
	from, to numeric.Format
	env      numeric.Env
}

// A table holds the results of a function, of at most 32 bits.
type table struct {
	asked  atomic.Int64
	fill   sync.Once
	values atomic.Pointer[[]uint32]
}

// tables holds a *table for each tableKey.
var tables sync.Map

// tabulated returns the kernel that applies f, or nil if no table can hold its results.
func tabulated(key tableKey, f func(x uint64) uint64) kernel1 {
	if key.from.Bits() > 16 || key.to.Bits() > 32 {
		return nil
	}
	found, _ := tables.LoadOrStore(key, new(table))
	t, size := found.(*table), 1<<key.from.Bits()
	return func(out, a []uint64) {
		a = a[:len(out)]
		if values := t.values.Load(); values != nil {
			list, mask := *values, uint64(size-1)
			for i, x := range a {
				out[i] = uint64(list[x&mask])
			}
			return
		}
		for i, x := range a {
			out[i] = f(x)
		}
		if t.asked.Add(int64(len(a))) >= int64(size) {
			t.fill.Do(func() {
				list := make([]uint32, size)
				for x := range list {
					list[x] = uint32(f(uint64(x)))
				}
				t.values.Store(&list)
			})
		}
	}
}
