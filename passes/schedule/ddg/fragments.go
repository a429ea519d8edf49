package ddg

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// wgmma may read A from registers. They belong to the hardware until the MMA is complete, as those of its accumulator
// do (PTX ISA, wgmma.mma_async: registers must not be accessed before the wait).
//
// The value of the next iteration is in the same registers, since the loop's body exists once in the code. So an
// iteration's MMA must be complete before the next iteration computes the operand. An operand also must not cross the
// end of a steady-state iteration, where it would be copied.

// findFragments finds the nodes that write the registers of MMA operands.
func (g *Graph) findFragments() error {
	for k := range g.MMAs {
		p := &g.MMAs[k]
		op := g.Nodes[p.Node].Op
		if instr.InTMEM(op) { // threads have stored A to TMEM before the MMA starts
			continue
		}
		for _, v := range op.Operands()[:2] {
			if !ir.IsTensor(v) { // it is in shared memory
				continue
			}
			if err := g.fragmentMakers(v, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// fragmentMakers adds the nodes that write the registers of an operand: its definition and, through operations that
// only rename, what they rename.
func (g *Graph) fragmentMakers(v ir.Value, p *MMA) error {
	if _, carried := g.Carried(v); carried {
		return fmt.Errorf("'%s' #%d has a loop-carried operand in registers", g.Nodes[p.Node].Op.Name(), p.Node)
	}
	i := g.Node(v)
	if i < 0 {
		return nil
	}
	p.Fragments = append(p.Fragments, i)
	if renames(g.Nodes[i].Op) {
		return ir.Try(g.Nodes[i].Op.Operands(), func(o ir.Value) error { return g.fragmentMakers(o, p) })
	}
	return nil
}

// renames reports whether the result of an operation may be in the registers of its operands.
func renames(op ir.Op) bool {
	l := tileas.Level
	return slices.ContainsFunc([]*ir.OpDef{tileas.ConvertLayout, l.Permute, l.Reshape, l.Broadcast, l.Pack, l.Unpack, l.Extract, arith.Bitcast}, op.Is)
}

// HasFragments reports whether an MMA reads an operand from registers that the loop writes.
func (g *Graph) HasFragments() bool {
	return slices.ContainsFunc(g.MMAs, func(p MMA) bool { return len(p.Fragments) > 0 })
}
