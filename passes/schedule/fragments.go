package schedule

import (
	"fmt"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// keepsFragments reports the first factor in registers that crosses the end of a turn on the way to its product: there it would be copied to where the one of the turn before is, which that product may still read. With no overlap
// of iterations none does.
func keepsFragments(g *ddg.Graph, at []int, ii int) error {
	for _, p := range g.Products {
		for _, i := range p.Fragments {
			if at[i]/ii != at[p.Node]/ii {
				return fmt.Errorf("'%s' #%d makes in one turn what '%s' #%d takes from registers in another one", g.Nodes[i].Op.Name(), i, g.Nodes[p.Node].Op.Name(), p.Node)
			}
		}
	}
	return nil
}

// latest returns at the head of how many turns later the products of a turn may be known to be done: what they read from registers is written in the next one.
func latest(g *ddg.Graph) int {
	if g.HasFragments() {
		return 1
	}
	return 2
}
