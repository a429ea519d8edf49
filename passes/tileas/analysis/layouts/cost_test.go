package layouts

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
)

func must(l linear.Layout, err error) linear.Layout {
	if err != nil {
		panic(err)
	}
	return l
}

// coalesced is a layout over 4 warps with vectors along the dimension that order begins with.
func coalesced(shape []int, bits, vector int, order ...int) linear.Layout {
	return must(linear.Coalesced(shape, bits, vector*bits, 32, 4, order))
}

func TestConvertRanksClasses(t *testing.T) {
	t.Parallel()
	m := NewModel(ir.NewContext(builtin.Dialect, tileas.Dialect))
	shape := []int{32, 32}
	mma := linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16, Warps: 1}
	rows, columns := coalesced(shape, 32, 1, 1, 0), coalesced(shape, 32, 1, 0, 1)
	sum := must(mma.Accumulator(shape, 2, 2))
	inside := must(linear.Blocked([]int{4, 32}, []int{1, 1}, []int{4, 8}, []int{1, 1}, []int{1, 0}))
	moved := must(linear.Blocked([]int{4, 32}, []int{1, 1}, []int{1, 32}, []int{1, 1}, []int{1, 0}))
	registers := must(linear.Blocked([]int{4, 32}, []int{1, 1}, []int{1, 32}, []int{1, 1}, []int{0, 1}))
	for _, tt := range []struct {
		name     string
		from, to linear.Layout
		low, top int
	}{
		{"the same", rows, rows, 0, 0},
		{"other registers", moved, registers, 0, 0},
		{"other lanes", inside, moved, 1, barriers},
		{"other warps", rows, columns, barriers + 1, 10 * barriers},
		{"to a fragment", rows, sum, barriers + 1, 10 * barriers},
	} {
		if got := m.Convert(tt.from, tt.to, 32); got < tt.low || got > tt.top {
			t.Errorf("%s: cost %d, want from %d to %d", tt.name, got, tt.low, tt.top)
		}
	}
	if m.Convert(rows, coalesced([]int{64, 32}, 32, 1, 1, 0), 32) < Never {
		t.Error("a conversion to another shape has a price")
	}
	if wide, narrow := m.Convert(rows, columns, 64), m.Convert(rows, columns, 32); wide <= narrow {
		t.Errorf("64-bit elements cost %d, 32-bit ones %d", wide, narrow)
	}
}

func TestAccessRanksLines(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(builtin.Dialect, tileas.Dialect)
	m := NewModel(c)
	shape := []int64{64, 64}
	block := builtin.NewModule(c, nil).Body()
	cost := func(elem ir.Type, l linear.Layout, vector, dim int, store bool) int {
		v := block.AddArg(c.Tensor(shape, elem, nil))
		return m.Access(transfer.Access{Value: v, Contiguous: dim, Vector: vector, Store: store}, l)
	}
	f32, size := c.F32(), []int{64, 64}
	vectors := cost(f32, coalesced(size, 32, 4, 1, 0), 4, 1, false)
	words := cost(f32, coalesced(size, 32, 1, 1, 0), 4, 1, false)
	narrow := cost(f32, coalesced(size, 32, 4, 1, 0), 1, 1, false)
	across := cost(f32, coalesced(size, 32, 4, 0, 1), 4, 1, false)
	if !(vectors < words && words <= narrow && narrow < across) {
		t.Errorf("vectors %d, words %d, words of unaligned vectors %d, across rows %d: must rise", vectors, words, narrow, across)
	}
	// Copies are loaded by each thread, but stored by one.
	copies := must(linear.Blocked(size, []int{1, 1}, []int{1, 1}, []int{1, 1}, []int{1, 0}))
	if load, store := cost(f32, copies, 1, 1, false), cost(f32, copies, 1, 1, true); load < store {
		t.Errorf("copies cost %d to load and %d to store", load, store)
	}
	// Four lanes of a row take half of a sector of 16-bit elements; 16 lanes take sectors entirely.
	f16 := c.F16()
	fragment := must(linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16, Warps: 1}.Accumulator(size, 2, 2))
	if half, whole := cost(f16, fragment, 2, 1, false), cost(f16, coalesced(size, 16, 2, 1, 0), 2, 1, false); half < 2*whole {
		t.Errorf("halves of sectors cost %d, whole ones %d", half, whole)
	}
	// The halves of a byte must not be of two threads.
	f4 := c.Float(numeric.F4E2M1FN)
	if cost(f4, coalesced(size, 8, 1, 1, 0), 2, 1, true) < Never {
		t.Error("two threads store halves of one byte")
	}
	if cost(f4, coalesced(size, 8, 2, 1, 0), 2, 1, true) >= Never {
		t.Error("whole bytes cannot be stored")
	}
}
