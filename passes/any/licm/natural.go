package licm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A natural is a natural loop of a control-flow graph.
//
// For a back edge from t to h, where h dominates t, it is h and all blocks from which t is reached without
// passing h; loops of one header are one loop.
type natural struct {
	header  ir.Block
	latches []ir.Block // the blocks with an edge back to the header
	parent  *natural
	top     *natural   // some loop around this one, or itself: a shortcut to the outermost so far
	own     []ir.Block // the blocks that are in no inner loop
	height  int        // how many loops lie in each other here, this one included
	// first and last number the loops such that those inside this one are first..last.
	first, last int
	inner       []*natural
}

// A nest is how the natural loops of a region lie in each other.
type nest struct {
	loops     []*natural // inner before outer
	innermost map[ir.Block]*natural
}

// findNest finds the natural loops of a region. Headers are taken in reverse, so that inner loops are there before the outer ones, which then
// take them as a whole.
//
// Almost linear: each block is put into the innermost loop once, and an inner loop is stepped over as a whole,
// by its header.
func findNest(r ir.Region, dom *ir.Dominance) *nest {
	n := &nest{innermost: make(map[ir.Block]*natural)}
	order := dom.Order(r)
	for _, h := range slices.Backward(order) {
		var latches []ir.Block
		for term := range h.Preds() {
			if p := term.Block(); dom.Reachable(p) && dom.BlockDominates(h, p) && !slices.Contains(latches, p) {
				latches = append(latches, p)
			}
		}
		if latches != nil {
			n.add(h, latches, dom)
		}
	}
	for _, b := range order { // dominators first
		if l := n.innermost[b]; l != nil {
			l.own = append(l.own, b)
		}
	}
	number := 0
	for _, l := range slices.Backward(n.loops) { // outer before inner
		if l.parent == nil {
			number = l.number(number)
		}
	}
	return n
}

// number numbers a loop and those inside it from n on, and returns the next number. The stack is our own, since loops may lie
// deeply in each other.
func (l *natural) number(n int) int {
	type visit struct {
		loop *natural
		done bool
	}
	for stack := []visit{{loop: l}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.done {
			v.loop.last = n - 1
			continue
		}
		v.loop.first = n
		n++
		stack = append(stack, visit{v.loop, true})
		for _, in := range v.loop.inner {
			stack = append(stack, visit{loop: in})
		}
	}
	return n
}

// add adds a loop, whose blocks it finds backwards from the latches.
func (n *nest) add(header ir.Block, latches []ir.Block, dom *ir.Dominance) {
	l := &natural{header: header, latches: latches, height: 1}
	l.top = l
	n.loops = append(n.loops, l)
	n.innermost[l.header] = l
	work := slices.Clone(l.latches)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		in := n.outermost(b)
		switch {
		case in == l:
			continue
		case in == nil:
			n.innermost[b] = l
		default:
			in.parent, in.top = l, l
			l.height = max(l.height, in.height+1)
			l.inner = append(l.inner, in)
			b = in.header
		}
		for term := range b.Preds() {
			if p := term.Block(); dom.Reachable(p) {
				work = append(work, p)
			}
		}
	}
}

// outermost returns the outermost loop found so far that a block is in, or nil.
// The shortcuts are a union-find with path halving, so that deep nests do not cost a walk through all levels for each block.
func (n *nest) outermost(b ir.Block) *natural {
	l := n.innermost[b]
	if l == nil {
		return nil
	}
	for l.top != l {
		l.top = l.top.top
		l = l.top
	}
	return l
}

// contains reports whether a block of the region is in the loop.
func (n *nest) contains(l *natural, b ir.Block) bool {
	in := n.innermost[b]
	return in != nil && l.first <= in.first && in.first <= l.last
}

// maxHeight bounds how often the blocks of inner loops are looked at for the sake of those around them. No program is nested as deeply; loops that
// contain more levels are left.
const maxHeight = 64

// naturalLoops returns the natural loops of a region that something can be moved out of, inner ones first.
func naturalLoops(r ir.Region, dom *ir.Dominance) []*loop {
	n := findNest(r, dom)
	var out []*loop
	for _, l := range n.loops {
		before := n.preheader(l, dom)
		if before.IsNil() || l.height > maxHeight {
			continue
		}
		out = append(out, &loop{
			before:    before,
			everyTime: l.everyTime(dom),
			all:       l.all,
			runs:      true,
			carried:   l.header.NumArgs(),
			contains: func(b ir.Block) bool {
				for b.Region() != r {
					op := b.ParentOp()
					if op.IsNil() || op.Block().IsNil() {
						return false
					}
					b = op.Block()
				}
				return n.contains(l, b)
			},
		})
	}
	return out
}

// preheader returns the terminator of the block in front of a loop, if there is one block from which the loop is entered and which leads
// nowhere else; else a zero Op.
//
// Blocks for it are not made: convert-tileas-to-nvvm writes a branch to each loop's head that leads nowhere
// else.
func (n *nest) preheader(l *natural, dom *ir.Dominance) ir.Op {
	var found ir.Op
	for term := range l.header.Preds() {
		switch p := term.Block(); {
		case n.contains(l, p):
		case !found.IsNil() || !dom.Reachable(p):
			return ir.Op{}
		default:
			found = term
		}
	}
	// With another successor, what is moved there would run on a way that does not lead to the loop. Splitting that edge is left to who makes the graph.
	if found.IsNil() || found.NumSuccessors() != 1 {
		return ir.Op{}
	}
	return found
}

// everyTime returns the loop's own blocks that dominate all latches, the header first.
func (l *natural) everyTime(dom *ir.Dominance) (out []ir.Block) {
	for _, b := range l.own {
		if !slices.ContainsFunc(l.latches, func(latch ir.Block) bool { return !dom.BlockDominates(b, latch) }) {
			out = append(out, b)
		}
	}
	return out
}

// all returns the blocks of the loop and of those inside it.
func (l *natural) all() (out []ir.Block) {
	for stack := []*natural{l}; len(stack) > 0; {
		in := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], in.inner...)
		out = append(out, in.own...)
	}
	return out
}
