package assignlayouts

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// chooseAsync returns the instruction that computes a dot asynchronously, with its extent of N and the warp
// tiling, or nil. The first warp tiling is that with most warpgroups along the rows. Each of these then has rows
// of its own. All read the same columns, which the hardware fetches once for a warpgroup in any warp tiling.
func (c *chooser) chooseAsync(op ir.Op) (row *sm.Matrix, cols int, a mma.WarpTiling) {
	if !c.async {
		return nil, 0, a
	}
	if a, ok := c.tilings[op]; ok {
		if !instr.Async(op) {
			return nil, 0, a
		}
		row, cols = mma.ChooseAsync(c.arch, op, a)
		return row, cols, a
	}
	for _, transposed := range c.orders(op) {
		for _, at := range mma.WarpTilings(c.warps) {
			at.Transposed = transposed
			if row, cols = mma.ChooseAsync(c.arch, op, at); row != nil && c.columnsLeft(op, row) && c.operandsFit(op, row, transposed) {
				c.tilings[op], c.tiles[op] = at, mma.WarpTiling{M: c.warps, N: c.warps}
				return row, cols, at
			}
		}
	}
	return nil, 0, a
}

// operandsFit reports whether shared memory has room for what the instruction reads there. Loops over parts of K make
// operands smaller, if they run; without them an MMA of 256x64x256 in tf32 would need 320 KiB.
func (c *chooser) operandsFit(op ir.Op, row *sm.Matrix, transposed bool) bool {
	operands := []ir.Value{op.Operand(0), op.Operand(1)}
	if transposed {
		slices.Reverse(operands)
	}
	if row.A.Places&^sm.InShared != 0 && c.computed(operands[0]) {
		operands = operands[1:]
	}
	n := ir.Sum(operands, func(v ir.Value) int64 { return tile.Bytes(v.Type()) })
	if n < int64(c.arch.Shared.PerCTA) {
		return true
	}
	c.full[op] = fmt.Sprintf("its operands take %d of %d bytes of shared memory", n, c.arch.Shared.PerCTA)
	return false
}

// columnsLeft reports whether TMEM has room for the accumulator of an MMA in addition to those of others.
func (c *chooser) columnsLeft(op ir.Op, row *sm.Matrix) bool {
	if row.D.Places&sm.InTensor == 0 {
		return true
	}
	_, n := pressure.Columns(c.fn, func(o ir.Op) bool { return o == op || tileas.IsMMA(o) && instr.InTMEM(o) })
	if n <= linear.ColumnsOfTMEM {
		return true
	}
	c.full[op] = fmt.Sprintf("with its accumulator those that are live together take %d of %d columns of TMEM", n, linear.ColumnsOfTMEM)
	return false
}

// first returns the dimension along which the elements of a thread, or else of neighbouring lanes, are next to each
// other.
func first(l linear.Layout) int {
	for _, a := range []linear.Axis{linear.Register, linear.Lane} {
		for i := range l.Bits(a) {
			if d := slices.Index(l.Base(a, i), 1); d >= 0 {
				return d
			}
		}
	}
	return l.Dims() - 1
}

// mostTraced bounds the operations that are looked at between an operand and the loads that it comes from.
const mostTraced = 64

// computed reports whether an operand is computed from something else than loaded values by element-wise
// arithmetic, such as from another MMA. Then it is in registers, and stays there. Loaded values go through shared
// memory, whatever is done to them on the way.
func (c *chooser) computed(v ir.Value) bool {
	left, work := mostTraced, ir.NewWorklist(v)
	for v := range work.All() {
		def := v.DefiningOp()
		// Too long a chain, or an argument of a block, counts as computed.
		if left--; left < 0 || def.IsNil() {
			return true
		}
		if transfer.Accesses.Has(def) {
			continue
		}
		l := tileas.Level
		if !arith.Elementwise.Has(def) && !transfer.Cheap.Has(def) && !def.Is(l.Pack) && !def.Is(l.Unpack) && !def.Is(l.Extract) && !def.Is(tileas.ConvertLayout) || def.Is(scf.For) {
			return true
		}
		work.Add(ir.Filter(def.Operands(), ir.IsTensor)...)
	}
	return false
}
