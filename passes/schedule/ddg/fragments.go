package ddg

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// An asynchronous product may take a factor from registers, which are the machine's until it is done, as those of its sum are (PTX ISA, wgmma: registers must not be accessed before the wait). A value of the next iteration is in the
// same registers, whatever its name is here: the text of a loop's body is there once. So the product of an iteration is done before the next one makes the factor, and a factor crosses no end of a turn, where it would be copied.

// findFragments finds what makes the registers of factors.
func (g *Graph) findFragments() error {
	for k := range g.Products {
		p := &g.Products[k]
		op := g.Nodes[p.Node].Op
		if matrix.InTensorMemory(op) { // threads store what they have before the product starts
			continue
		}
		for _, v := range op.Operands()[:2] {
			if _, inRegisters := v.Type().(*ir.TensorType); !inRegisters {
				continue
			}
			if err := g.makers(v, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// makers adds to a product the nodes that write registers which become a factor: what makes it, and what that only names otherwise.
func (g *Graph) makers(v ir.Value, p *Product) error {
	if _, carried := g.Carried(v); carried {
		return fmt.Errorf("'%s' #%d takes a factor from registers that an iteration hands to the next one", g.Nodes[p.Node].Op.Name(), p.Node)
	}
	i := g.Node(v)
	if i < 0 {
		return nil
	}
	p.Fragments = append(p.Fragments, i)
	if renames(g.Nodes[i].Op) {
		for _, o := range g.Nodes[i].Op.Operands() {
			if err := g.makers(o, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// renames reports whether the result of an operation may be in the registers of its operands.
func renames(op ir.Op) bool {
	l := tileas.Level
	for _, def := range []*ir.OpDef{tileas.ConvertLayout, l.Permute, l.Reshape, l.Broadcast, l.Pack, l.Unpack, l.Extract, arith.Bitcast} {
		if op.Is(def) {
			return true
		}
	}
	return false
}

// fragments keeps registers from being written while a product reads them.
func (g *Graph) fragments() {
	for _, p := range g.Products {
		for _, i := range p.Fragments {
			g.edge(p.Done, i, 0, 1, modulo.Output, ir.Value{})
		}
	}
}

// HasFragments reports whether a product takes a factor from registers that the loop writes.
func (g *Graph) HasFragments() bool {
	for _, p := range g.Products {
		if len(p.Fragments) > 0 {
			return true
		}
	}
	return false
}
