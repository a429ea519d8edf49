package tileas_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// An operand of an MMA comes back from its buffer by ldmatrix or by words, in the registers that mma takes: a vector of
// several rows would bring registers of several MMAs.
func TestBufferBetweenForOperands(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(tileas.Dialect)
	// Threads have loaded rows of 64 x 256 halves by 16 bytes; 2 x 4 warps multiply.
	rows, err := linear.New([]int{64, 256}, linear.Bases{linear.Register: {{0, 1}, {0, 2}, {0, 4}, {8, 0}, {16, 0}, {32, 0}},
		linear.Lane: {{0, 8}, {0, 16}, {0, 32}, {0, 64}, {0, 128}}, linear.Warp: {{1, 0}, {2, 0}, {4, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16, Warps: 1}.OperandA([]int{64, 256}, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tileas.BufferBetween(c.Tensor([]int64{64, 256}, c.F16(), nil), rows, a, true)
	if err != nil {
		t.Fatal(err)
	}
	mode, cost, err := linear.BestAccess(a, b.Layout.Shared, 16, linear.AccessOptions{Matrix: true})
	if err != nil || mode == linear.Plain || cost.Ways != 1 {
		t.Errorf("read by %s in %d ways, %v: %s", mode, cost.Ways, err, b.Layout.Shared)
	}
}
