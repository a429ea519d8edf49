package price

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// dotAsync counts the instructions of an asynchronous MMA. A warp issues those of its group one after the other without
// waiting for any, and the tensor cores of the SM work on one at a time. They read operands in shared memory while they
// multiply, A once for each instruction along N and B once for each group of warps.
func (m *Model) dotAsync(op ir.Op) (t cost.Timing) {
	attr := tileas.MMAOf(op)
	row, err := instr.RowOf(op)
	if err != nil {
		return m.Issue(1)
	}
	timing, known := row.Timing(m.Arch, attr.N)
	if !known {
		return m.Issue(1)
	}
	n := 1 // instructions of all groups of warps
	sum, a := op.Operand(2).Type().(*ir.TensorType).Shape, tile.OperandType(op, 0).Shape
	r := len(sum)
	for _, d := range sum[:r-2] {
		n *= int(d)
	}
	rows, cols := int(sum[r-2]), int(sum[r-1])
	if attr.Transposed {
		rows, cols = cols, rows
	}
	for _, side := range [][2]int{{rows, attr.M}, {cols, attr.N}, {int(a[r-1]), attr.K}} {
		n *= (side[0] + side[1] - 1) / side[1]
	}
	groups := max(1, m.Warps/max(1, row.Warps))
	t.Busy[sm.UnitIssue] = (n + groups - 1) / groups * m.PerPartition
	t.Busy[sm.UnitTensor] = n * timing.Issue
	t.Busy[sm.UnitShared] = int(float64(n*m.operandBytes(op, attr)/max(1, row.CTAs)) / m.Memory.SharedBytes)
	t.Latency = t.Work() + timing.Latency - timing.Issue
	return t
}

// operandBytes returns what one instruction reads from shared memory, of all CTAs that do it.
func (m *Model) operandBytes(op ir.Op, attr *tileas.MMAAttr) (n int) {
	extents := [...]int{attr.M, attr.N}
	for i, v := range op.Operands()[:2] {
		if b, ok := v.Type().(*tileas.BufferType); ok {
			n += extents[instr.Side(op, i)] * attr.K / tile.PerElement(op) * int(b.ElementBytes())
		}
	}
	return n
}
