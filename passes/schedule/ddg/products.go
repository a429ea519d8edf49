package ddg

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// A Product is an asynchronous product of the body. It reads its operands until it is done, which the program knows behind a wait.
type Product struct {
	Node int
	Done int // the wait, a node, that leaves it finished
	// Fragments are the nodes that write registers from which it takes a factor.
	Fragments []int
}

// findProducts finds for each asynchronous product the wait that leaves it finished: by the text, as products are done in the order in which they start.
func (g *Graph) findProducts() error {
	g.done = make(map[int]int)
	var open []int
	for i, n := range g.Nodes {
		switch {
		case n.Op.Is(tileas.DotAsync):
			open = append(open, i)
		case n.Op.Is(tileas.DotWait):
			pending, _ := n.Op.IntAttr(tileas.AttrPending)
			for ; len(open) > int(pending); open = open[1:] {
				g.Products = append(g.Products, Product{Node: open[0], Done: i})
				g.done[open[0]] = i
			}
			for _, v := range n.Op.Operands() {
				j := g.Node(v)
				if _, done := g.done[j]; !done && j >= 0 && g.Nodes[j].Op.Is(tileas.DotAsync) {
					return fmt.Errorf("'%s' #%d leaves a product that it is for under way", n.Op.Name(), i)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("nothing in an iteration waits for '%s' #%d", g.Nodes[open[0]].Op.Name(), open[0])
	}
	return nil
}

// findDrain makes one of the waits for nothing but slots of buffers: at which of its places in the text a slot is found free means nothing, since slots are filled at the head of a turn. All products that none of the
// other waits is for have it, and a schedule says in which turn its iteration's are done.
func (g *Graph) findDrain() {
	g.Drain = -1
	glue := func(i int) bool { return g.Nodes[i].Role == Glue && g.Nodes[i].Op.Is(tileas.DotWait) }
	for _, p := range g.Products {
		if glue(p.Done) {
			g.Drain = max(g.Drain, p.Done)
		}
	}
	for k := range g.Products {
		if p := &g.Products[k]; glue(p.Done) {
			p.Done = g.Drain
			g.done[p.Node] = g.Drain
		}
	}
}

// Done returns the wait, a node, that leaves an asynchronous product finished; ok is false for other operations.
func (g *Graph) Done(product int) (wait int, ok bool) {
	wait, ok = g.done[product]
	return wait, ok
}

// forSlots reports whether a wait is for nothing but slots of buffers that copies of the loop fill: who waits for those is for an expansion to say.
func (g *Graph) forSlots(wait int) bool {
	if g.Nodes[wait].Op.NumOperands() > 0 {
		return false
	}
	for _, p := range g.Products {
		if p.Done == wait && !g.reads[p.Node] {
			return false
		}
	}
	return true
}

// forValues reports whether a node is a wait that is for values, and for slots of buffers that copies of the loop fill: nothing else must stand behind it.
func (g *Graph) forValues(i int) bool {
	if !g.Nodes[i].Op.Is(tileas.DotWait) {
		return false
	}
	for _, p := range g.Products {
		if p.Done == i && !g.reads[p.Node] {
			return false
		}
	}
	return true
}

// stores reports whether threads store to buffers in the loop, themselves and not by copies: then fences stand behind that.
func (g *Graph) stores() bool {
	for _, n := range g.Nodes {
		if n.Op.Is(tileas.LocalStore) {
			return true
		}
	}
	return false
}

// products adds the edges from asynchronous products to the waits that leave them finished.
func (g *Graph) products() {
	for _, p := range g.Products {
		g.edge(p.Node, p.Done, g.Nodes[p.Node].Timing.Latency, 0, modulo.Async, ir.Value{})
	}
}

// fixed reports whether a buffer is made outside of the loop and the loop only reads it, so that its readers need no order.
func (g *Graph) fixed(buffer ir.Value) bool {
	for {
		def := buffer.DefiningOp()
		if def.IsNil() || g.Loop.IsAncestorOf(def) && !tileas.IsView(def) {
			return false
		}
		if !tileas.IsView(def) {
			break
		}
		buffer = def.Operand(0)
	}
	return g.onlyRead(buffer)
}

// onlyRead reports whether what the loop does with a buffer, itself or through views, is to load from it and to multiply it.
func (g *Graph) onlyRead(buffer ir.Value) bool {
	for u := range buffer.Uses() {
		op := u.Owner()
		switch {
		case tileas.IsView(op):
			if !g.onlyRead(op.Result(0)) {
				return false
			}
		case !g.Loop.IsAncestorOf(op), op.Is(tileas.LocalLoad), op.Is(tileas.DotAsync):
		default:
			return false
		}
	}
	return true
}
