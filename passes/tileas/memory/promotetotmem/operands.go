package promotetotmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// Operands that threads store to TMEM go where no MMA in flight reads: to a stage of a circular buffer with as
// many stages as there are mbarriers. An MMA that reuses a stage has waited for the previous MMA of that stage,
// as it has for its mbarrier.

// operand stores operand A of MMA n, if it is in registers. If there is no room for all stages, there is one, and
// all MMAs complete before it is stored to again.
func (x *rewriter) operand(b *ir.Builder, op ir.Op, n ir.Value) (ir.Value, error) {
	v := op.Operand(0)
	t, registers := v.Type().(*ir.TensorType)
	if !registers {
		return v, nil
	}
	cells, err := instr.OperandCells(t)
	if err != nil {
		return v, op.Errorf("has an operand without a place in TMEM: %v", err)
	}
	if x.room.Take(t, int(x.stages)) {
		return x.stored(b, v, x.stageOf(b, x.pipeFor(t, cells, x.stages), n)), nil
	}
	x.await(b, n, 0)
	return x.stored(b, v, x.pipeFor(t, cells, 1)), nil
}

// scales stores the scales of MMA n.
func (x *rewriter) scales(b *ir.Builder, op ir.Op, n ir.Value) (out []ir.Value, err error) {
	for i, v := range mma.Scales(op) {
		t := v.Type().(*ir.TensorType)
		cells, err := instr.ScaleCells(t.Shape, i)
		if err != nil {
			return nil, op.Errorf("has scales without a place in TMEM: %v", err)
		}
		out = append(out, x.stored(b, v, x.stageOf(b, x.pipeFor(t, cells, x.stages), n)))
	}
	return out, nil
}

// pipeFor makes a pipe in TMEM for values of a type.
func (x *rewriter) pipeFor(t *ir.TensorType, cells linear.Shared, stages int64) ir.Value {
	one := tileas.TMEMBuffer(x.ctx, t.Shape, t.Elem, tileas.SharedLayout(x.ctx, cells))
	return x.front.Create(tileas.AllocTMEM, nil, []ir.Type{one.WithStages(stages)}).Result(0)
}

func (x *rewriter) stored(b *ir.Builder, v, stage ir.Value) ir.Value {
	b.Create(tileas.TMEMStore, []ir.Value{v, stage}, nil)
	x.moves++
	return stage
}

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
