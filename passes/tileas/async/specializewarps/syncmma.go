package specializewarps

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// profitableSync is the estimate for a kernel whose MMAs are all synchronous.
//
// A loop of one chain of MMAs loses its copies and its barrier: 6.9 instead of 11.4 instructions besides each 65,536
// multiply-adds of an MMA of 128x128x64. With one stage, loads and MMAs would alternate. Loops without MMAs, or with
// arithmetic between them, keep their copies, which the scheduler overlaps there.
//
// A producer warp must not take registers from the consumers, whose accumulators and fragments live there. i8 MMAs of
// 512x128x64 with 128 registers of accumulators per thread spill 12 bytes.
func (p *plan) profitableSync() (*plan, error) {
	if p.regs.Move() {
		return nil, errors.New("a producer warp would take registers from the consumers")
	}
	for _, g := range p.groups {
		switch {
		case !g.pipe.once && (chains(g.block) != 1 || len(g.buffers) != 2): // both operands, and nothing else
			return nil, nil
		case !g.pipe.once && g.pipe.stages < 2:
			return nil, errors.New("shared memory holds one stage only, so that loads and MMAs cannot overlap")
		}
	}
	return p, nil
}

// chains counts the MMAs of a block that do not add to the accumulator of another one there.
func chains(b ir.Block) (n int) {
	for _, op := range b.Collect(tileas.IsMMA) {
		if accumulator := op.Operand(2).DefiningOp(); accumulator.IsNil() || !tileas.IsMMA(accumulator) || accumulator.Block() != b {
			n++
		}
	}
	return n
}
