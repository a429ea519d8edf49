package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// orders returns whether the instruction of a dot should compute the transposed MMA, the better order first. An
// operand whose order in memory no descriptor can describe goes through registers, and the instruction reads only
// its A from there (instr.Side). So the MMA is transposed if B is such an operand. If both are, threads store one
// of them to shared memory in any case.
func (c *chooser) orders(op ir.Op) []bool {
	if c.alongRows(op, 1) && !c.alongRows(op, 0) && !c.computed(op.Operand(0)) {
		return []bool{true, false}
	}
	return []bool{false}
}

// alongRows reports whether adjacent elements of an operand in memory are along its rows or columns and not along
// K. Descriptors describe that for elements of 16 bits only.
func (c *chooser) alongRows(op ir.Op, i int) bool {
	v := op.Operand(i)
	l := c.memoryOrder(v, maxChain)
	return layouts.Bits(v.Type()) != unitBits && l.Dims() >= 2 && first(l) != l.Dims()-1-i
}

// name names the instruction of an asynchronous dot. Rows of operands that go through registers are dealt out to
// fragments as they are for mma.sync (dealOut).
func (c *chooser) name(op ir.Op, a *tileas.MMAAttr, transposed bool) {
	if transposed {
		a = a.Transposing(c.ctx)
	}
	op.SetAttr(tileas.AttrMMA, a)
	if instr.InTMEM(op) {
		return
	}
	var units [2]int // of the instruction's operands
	for i, v := range op.Operands()[:2] {
		units[instr.Side(op, i)] = 1
		if c.alongRows(op, i) {
			units[instr.Side(op, i)] = c.unitAlong(v, 2-i)
		}
	}
	c.dealOut(op, a, units[0], units[1])
}

// passOperands lets operands of an asynchronous dot come in registers if they must: computed ones, where the
// instruction reads registers, and those that no descriptor describes.
func (c *chooser) passOperands(op ir.Op, s transfer.Signature) (err error) {
	for i := range op.Operands()[:2] {
		if instr.Side(op, i) == 0 && c.computed(op.Operand(i)) || c.alongRows(op, i) {
			if s.Operands[i], err = instr.Passing(op, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnOperands lets threads have operands of an MMA in TMEM that no descriptor describes so that they read them along
// rows of memory and write them along K with few passes through the banks of shared memory.
func (c *chooser) turnOperands(op ir.Op, s transfer.Signature) error {
	row, err := instr.RowOf(op)
	if err != nil {
		return err
	}
	for i, v := range op.Operands()[:2] {
		o := [2]sm.Operand{row.A, row.B}[instr.Side(op, i)]
		if o.EitherMajor || o.Cell < 8 || !c.alongRows(op, i) || c.computed(v) {
			continue
		}
		l, err := c.turned(op, i)
		if err != nil {
			return err
		}
		s.Operands[i] = l
	}
	return nil
}

// turned returns the layout with the fewest passes for reads along rows and writes along K. For example, 32 rows of B
// with 128 columns of tf32 are read by 16 bytes and written by 4. If a warp reads an entire row, its 32 words are in
// columns of two banks: 16 passes for each write. If it reads 16 columns of 8 rows, there are two.
func (c *chooser) turned(op ir.Op, operand int) (best linear.Layout, err error) {
	t := op.Operand(operand).Type().(*ir.TensorType)
	shape, bits := linear.Ints(t.Shape), layouts.Bits(t)
	along, across := len(shape)-1-operand, len(shape)-2+operand // K, and rows of A or columns of B
	order := linear.ContiguousFirst(len(shape), across)
	written, err := instr.BufferLayout(op, operand, along)
	if err != nil {
		return best, err
	}
	read, err := linear.SharedRowMajor(shape, order)
	if err != nil {
		return best, err
	}
	fewest := 0
	for lanes := 1; lanes <= sm.WarpSize; lanes *= 2 {
		size, threads, warps := ones(shape), ones(shape), ones(shape)
		size[across] = min(shape[across], cost.VectorBytes*8/bits)
		threads[across], threads[along] = lanes, sm.WarpSize/lanes
		warps[along] = min(c.warps, max(1, shape[along]/threads[along]))
		warps[across] = c.warps / warps[along]
		l, err := linear.Blocked(shape, size, threads, warps, order)
		if err != nil {
			return best, err
		}
		passes := 0
		for _, b := range []linear.Shared{read, written} {
			_, n, err := linear.BestAccess(l, b, bits, linear.AccessOptions{})
			if err != nil {
				return best, err
			}
			passes += n.Wavefronts
		}
		if best.Dims() == 0 || passes < fewest {
			best, fewest = l, passes
		}
	}
	return best, nil
}

func ones(shape []int) []int { return slices.Repeat([]int{1}, len(shape)) }
