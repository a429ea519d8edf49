package specializewarps

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// profitableSync is the estimate for a kernel whose MMAs are all synchronous.
//
// A loop that only adds products loses its copies and its barrier: 6.9 instead of 11.4 instructions besides each 65,536
// multiply-adds of an MMA of 128x128x64. With one stage, loads and MMAs would alternate. Loops without MMAs, or with
// arithmetic between them, keep their copies, which the scheduler overlaps there.
//
// A producer warp must not take registers that the consumers need: their accumulators and fragments live there. ptxas
// counts on no more than at launch. i8 MMAs of 512x128x64, of which 150 registers are tiles, spilled 12 bytes.
func (p *plan) profitableSync() (*plan, error) {
	if p.regs.Move() && int64(p.tensors()+budget.ForLoops.Others()) > p.atLaunch() {
		return nil, errors.New("a producer warp would take registers from the consumers")
	}
	for _, g := range p.groups {
		switch {
		case !g.pipe.once && (len(g.buffers) < 2 || !adds(g.block)): // both operands come in one stage
			return nil, nil
		case !g.pipe.once && g.pipe.stages < 2:
			return nil, errors.New("shared memory holds one stage only, so that loads and MMAs cannot overlap")
		}
	}
	return p, nil
}

// adds reports whether the MMAs of a block only add to each other: they are one chain, or chains that all add to what
// the loop carries.
func adds(b ir.Block) bool {
	chains, carried := 0, true
	for _, op := range b.Collect(tileas.IsMMA) {
		if sum := op.Operand(2).DefiningOp(); sum.IsNil() || !tileas.IsMMA(sum) || sum.Block() != b {
			chains++
			carried = carried && instr.Accumulates(op)
		}
	}
	return chains == 1 || chains > 1 && carried
}
