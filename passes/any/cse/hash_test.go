package cse

import (
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/ir"
)

// TestCommutativeHash: the hash of a commutative operation does not depend on the order of its operands, but on which
// they are. It was that of the sum of their numbers, so that pairs of equal sums met in one entry of the table, and a
// module of n of them took n*n comparisons.
func TestCommutativeHash(t *testing.T) {
	t.Parallel()
	ctx := ir.NewContext(testdialect.Dialect)
	i32 := ctx.Int(32)
	top := ir.NewBuilder(ctx.NewArena())
	st := top.NewState(testdialect.Func, nil)
	const n = 64
	var types []ir.Type
	for range n {
		types = append(types, i32)
	}
	body := st.AddRegion().AddBlock(types...)
	top.Insert(st)
	b := ir.BuilderAtEnd(body)
	seen := make(map[uint64]int)
	for i := range n / 2 {
		x, y := body.Arg(i), body.Arg(n-1-i)
		one, other := b.Create(testdialect.Add, []ir.Value{x, y}, []ir.Type{i32}), b.Create(testdialect.Add, []ir.Value{y, x}, []ir.Type{i32})
		if hash(one, false) != hash(other, false) {
			t.Errorf("add(%d, %d) and add(%d, %d) have different hashes", i, n-1-i, n-1-i, i)
		}
		if k, ok := seen[hash(one, false)]; ok {
			t.Errorf("add(%d, %d) and add(%d, %d) have one hash", i, n-1-i, k, n-1-k)
		}
		seen[hash(one, false)] = i
	}
}
