package specializewarps

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// paysThreads is the estimate where threads wait for products (sm_120, 121). A loop of one chain of products loses its copies and its barrier: 6.9 instead of 11.4 instructions beside each 65,536 operations of a product of
// 128x128x64, and nothing of its arithmetic waits for another loop. One slot would load and multiply by turns. Loops without products, or with arithmetic between them, stay whole: a scheduler has the copies where it is.
//
// Where the warp that loads takes registers from those that compute, which have their sums and fragments there, they stay as they are: i8 products of 512x128x64, cut to 128 registers of sums a thread, spill 12 bytes with it.
func (p *plan) paysThreads() (*plan, error) {
	if p.regs != nil {
		return nil, errors.New("a warp that loads would take registers from those that compute")
	}
	for _, g := range p.groups {
		switch {
		case !g.ring.once && (chains(g.block) != 1 || len(g.copies) != 2): // both factors, and nothing else
			return nil, nil
		case !g.ring.once && g.ring.slots < 2:
			return nil, errors.New("a ring has room for one slot, which is filled and read by turns")
		}
	}
	return p, nil
}

// chains counts the products of a block that do not add to the sum of another one there.
func chains(b ir.Block) (n int) {
	for op := range b.Ops() {
		if !tileas.IsProduct(op) {
			continue
		}
		if sum := op.Operand(2).DefiningOp(); sum.IsNil() || !tileas.IsProduct(sum) || sum.Block() != b {
			n++
		}
	}
	return n
}
