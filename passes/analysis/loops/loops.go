package loops

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A Loop is a natural loop of a control-flow graph. For a back edge from t to h, where h dominates t, it is h and all
// blocks from which t is reached without passing h. Loops with one header are one loop.
type Loop struct {
	Header  ir.Block
	Latches []ir.Block // the blocks with an edge back to the header
	Parent  *Loop      // the next loop around this one, or nil
	Inner   []*Loop
	Own     []ir.Block // the blocks that are in no inner loop, dominators first
	Height  int        // levels of nesting from this loop inwards, this one included

	top *Loop // union-find parent: some loop around this one, or itself
}

// A Nest is the natural loops of a region, and their nesting.
type Nest struct {
	Loops     []*Loop // inner before outer
	innermost map[ir.Block]*Loop
}

// Find finds the natural loops of a region. It visits headers in reverse order, so inner loops are known when an outer
// one absorbs them.
//
// It is almost linear: each block is put into its innermost loop once, and an inner loop is stepped over by its
// header.
func Find(r ir.Region, dom *ir.Dominance) *Nest {
	n := &Nest{innermost: make(map[ir.Block]*Loop)}
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
			l.Own = append(l.Own, b)
		}
	}
	return n
}

// add adds a loop. It finds the blocks backwards from the latches.
func (n *Nest) add(header ir.Block, latches []ir.Block, dom *ir.Dominance) {
	l := &Loop{Header: header, Latches: latches, Height: 1}
	l.top = l
	n.Loops = append(n.Loops, l)
	n.innermost[l.Header] = l
	work := slices.Clone(l.Latches)
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
			in.Parent, in.top = l, l
			l.Height = max(l.Height, in.Height+1)
			l.Inner = append(l.Inner, in)
			b = in.Header
		}
		for term := range b.Preds() {
			if p := term.Block(); dom.Reachable(p) {
				work = append(work, p)
			}
		}
	}
}

// outermost returns the outermost loop found so far that contains a block, or nil. It is a union-find with path
// halving, so that deep nests do not cost a walk through all levels per block.
func (n *Nest) outermost(b ir.Block) *Loop {
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

// Contains reports whether a block of the region is in the loop.
func (n *Nest) Contains(l *Loop, b ir.Block) bool {
	in := n.innermost[b]
	for in != nil && in.Height < l.Height { // loops around it have more levels
		in = in.Parent
	}
	return in == l
}

// Preheader returns the terminator of the preheader: the one block from which the loop is entered, if it leads nowhere
// else; else a zero Op.
//
// No preheaders are created: convert-tileas-to-nvvm ends the block before each loop with an unconditional branch.
func (n *Nest) Preheader(l *Loop, dom *ir.Dominance) ir.Op {
	var found ir.Op
	for term := range l.Header.Preds() {
		switch p := term.Block(); {
		case n.Contains(l, p):
		case !found.IsNil() || !dom.Reachable(p):
			return ir.Op{}
		default:
			found = term
		}
	}
	// With another successor, an operation moved there would execute on a path that does not enter the loop. Splitting
	// that edge is left to the creator of the graph.
	if found.IsNil() || found.NumSuccessors() != 1 {
		return ir.Op{}
	}
	return found
}

// All returns the blocks of the loop, including those of inner loops.
func (l *Loop) All() (out []ir.Block) {
	for stack := []*Loop{l}; len(stack) > 0; {
		in := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], in.Inner...)
		out = append(out, in.Own...)
	}
	return out
}

// Innermost returns the innermost loop that a block is in, or nil.
func (n *Nest) Innermost(b ir.Block) *Loop { return n.innermost[b] }

// Depth returns the number of loops around a block.
func (n *Nest) Depth(b ir.Block) (d int) {
	for l := n.innermost[b]; l != nil; l = l.Parent {
		d++
	}
	return d
}

// mostUsers bounds how many operations that a result reaches are looked at.
const mostUsers = 64

// UsedDeeper reports whether a loop that an operation is not in may compute with its result. What a loop begins with, as
// an argument of its block, is computed before it.
func (n *Nest) UsedDeeper(op ir.Op) bool {
	left := mostUsers
	return n.reaches(op, n.Depth(op.Block()), &left)
}

func (n *Nest) reaches(op ir.Op, depth int, left *int) bool {
	for u := range op.Result(0).Uses() {
		user := u.Owner()
		if *left--; *left < 0 || n.Depth(user.Block()) > depth {
			return true
		}
		if ir.IsPure(user) && user.NumResults() == 1 && n.reaches(user, depth, left) {
			return true
		}
	}
	return false
}
