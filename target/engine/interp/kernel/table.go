package kernel

import (
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A function of one operand of at most 16 bits is looked up in a table of its results. The table is filled once the
// elements computed so far have cost as much as filling it.

// TableKey names a function: an operation from one format to another.
type TableKey struct {
	Def      *ir.OpDef
	From, To numeric.Format
	Env      numeric.Env
}

// A table holds the results of a function, of at most 32 bits.
type table struct {
	asked  atomic.Int64
	fill   sync.Once
	values atomic.Pointer[[]uint32]
}

// tables holds a *table for each TableKey.
var tables sync.Map

// Tabulated returns the kernel that applies f, or nil if no table can hold its results.
//
// Filling a table of 65536 results takes as long as 65536 elements do, so that it begins to pay when as many have been
// asked for. A small test never fills one. Tables are shared by all engines of the process and never given back: there
// are few functions.
func Tabulated(key TableKey, f func(x uint64) uint64) Unary {
	if key.From.Bits() > 16 || key.To.Bits() > 32 {
		return nil
	}
	found, _ := tables.LoadOrStore(key, new(table))
	t, size := found.(*table), 1<<key.From.Bits()
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
