package prunetokens

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A node is what makes a token. It is computed once, since the walks of all accesses come by the same tokens.
type node struct {
	joined bool
	merged bool
	from   []ir.Value // what a join joins
	access ir.Op      // the access that makes the token, or a zero Op
	before ir.Value   // the token that the access takes
}

func (p *pruner) node(v ir.Value) *node {
	id := v.ID()
	for len(p.nodes) <= id {
		p.nodes = append(p.nodes, nil)
	}
	n := p.nodes[id]
	if n == nil {
		n = &node{}
		p.nodes[id] = n
		if n.from, n.joined = tokens.Joined(v); !n.joined {
			_, n.merged = p.graph.Merged(v)
		}
		if def := v.DefiningOp(); !def.IsNil() && tokens.Access(def) {
			n.access, n.before = def, tokens.Of(def)
		}
	}
	return n
}
