package schedule

import (
	"fmt"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// keepsFragments reports the first MMA operand in registers that crosses the end of a steady-state iteration. It would
// be copied to the registers that the previous iteration's MMA may still read. Without overlap there is none.
func keepsFragments(g *ddg.Graph, at []int, ii int) error {
	for _, p := range g.MMAs {
		for _, i := range p.Fragments {
			if at[i]/ii != at[p.Node]/ii {
				return fmt.Errorf("'%s' #%d computes an operand in registers that '%s' #%d uses in another iteration", g.Nodes[i].Op.Name(), i, g.Nodes[p.Node].Op.Name(), p.Node)
			}
		}
	}
	return nil
}

// holdFragments has MMA operands in registers computed and used in the same iteration. A problem cannot leave open which
// one that is, so a search tries them (Shape.Fragments).
func holdFragments(g *ddg.Graph, p *modulo.Problem, s Shape, head int) {
	if s.Fragments == 0 {
		return
	}
	end := s.Prefetch + s.Fragments
	for _, mma := range g.MMAs {
		for _, i := range mma.Fragments {
			after(p, head, i, (end-1)*s.II, 0)
			after(p, mma.Node, head, 1, end)
		}
	}
}
