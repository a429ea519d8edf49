package promotetotmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// multiply scales the rows of an accumulator in TMEM (tmem_scale), if that is all that is done to it, and reports
// whether it did.
func (x *rewriter) multiply(b *ir.Builder, accumulator, buffer ir.Value) bool {
	scale := instr.RowScale(accumulator, func(v ir.Value) bool {
		load := v.DefiningOp()
		return !load.IsNil() && load.Is(tileas.TMEMLoad) && load.Operand(0) == buffer && load.Result(0).HasOneUse()
	})
	if scale.IsNil() {
		return false
	}
	mul := accumulator.DefiningOp()
	load := mul.Operand(0).DefiningOp()
	if mul.Operand(0) == scale {
		load = mul.Operand(1).DefiningOp()
	}
	b.Create(tileas.TMEMScale, []ir.Value{scale, buffer}, nil)
	accumulator.ReplaceAllUsesWith(scale) // the MMA takes the buffer; its operand only has to exist
	mul.Erase()
	load.Erase()
	return true
}
