package dataflow

import "github.com/tilewright/tilewright/ir"

// A segment is a run of operations that are executed one after the other: a block, split after each operation whose
// regions are control flow. Its successors are where control goes from its last operation.
type segment struct {
	block        ir.Block
	after        ir.Op // the operation that it follows; a zero Op at the start of a block
	first, last  ir.Op // zero Ops for an empty block
	succs, preds []int
	entered      bool // control comes from outside, or in a way that is not known
	left         bool // control leaves, or goes on in a way that is not known
}

// A graph is the segments of everything inside an operation.
type graph struct {
	segs    []segment
	atBlock map[ir.Block]int // the first segment of a block
	after   map[ir.Op]int    // the segment after an operation with control flow
}

// breaks reports whether control can go elsewhere in op.
func breaks(op ir.Op) bool {
	_, ok := ir.RegionBranch.Of(op)
	return ok && !op.HasTrait(ir.IsolatedFromAbove)
}

func newGraph(root ir.Op) *graph {
	g := &graph{atBlock: make(map[ir.Block]int), after: make(map[ir.Op]int)}
	g.cut(root)
	for i := range root.NumRegions() {
		if r := root.Region(i); !r.Empty() {
			g.segs[g.atBlock[r.First()]].entered = true
		}
	}
	for i := range g.segs {
		g.connect(root, i)
	}
	return g
}

// cut makes the segments of the regions of op, in the order of the text.
func (g *graph) cut(op ir.Op) {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			g.atBlock[b] = len(g.segs)
			g.segs = append(g.segs, segment{block: b})
			at := len(g.segs) - 1
			for inner := range b.Ops() {
				s := &g.segs[at]
				if s.first.IsNil() {
					s.first = inner
				}
				s.last = inner
				if inner.HasTrait(ir.IsolatedFromAbove) {
					continue
				}
				g.cut(inner)
				if breaks(inner) && !inner.Next().IsNil() {
					at = len(g.segs)
					g.after[inner] = at
					g.segs = append(g.segs, segment{block: b, after: inner})
				}
			}
		}
	}
}

// connect finds where control goes from the end of segment i, and from operations in it with regions of which nothing
// is known.
func (g *graph) connect(root ir.Op, i int) {
	s := &g.segs[i]
	if s.last.IsNil() {
		s.left = true
		return
	}
	for op := s.first; !op.IsNil(); op = op.Next() {
		if op.NumRegions() > 0 && !op.HasTrait(ir.IsolatedFromAbove) && !breaks(op) {
			for k := range op.NumRegions() {
				if r := op.Region(k); !r.Empty() {
					g.segs[g.atBlock[r.First()]].entered = true
				}
			}
		}
		if op == s.last {
			break
		}
	}
	known := ir.RegionEdges(s.last, func(e ir.RegionEdge) {
		switch {
		case e.Region == ir.RegionExit && e.To == root:
			s.left = true
		case e.Region == ir.RegionExit:
			if after, ok := g.after[e.To]; ok {
				g.link(i, after)
			} else {
				s.left = true
			}
		default:
			if r := e.To.Region(e.Region); !r.Empty() {
				g.link(i, g.atBlock[r.First()])
			}
		}
	})
	for k := range s.last.NumSuccessors() {
		g.link(i, g.atBlock[s.last.Successor(k)])
		known = true
	}
	if !known {
		s.left = true
	}
}

func (g *graph) link(from, to int) {
	for _, s := range g.segs[from].succs {
		if s == to {
			return
		}
	}
	g.segs[from].succs = append(g.segs[from].succs, to)
	g.segs[to].preds = append(g.segs[to].preds, from)
}

// order returns the segments in reverse postorder from those that control enters; those that are not reached come last.
func (g *graph) order() []int {
	seen := make([]bool, len(g.segs))
	var post []int
	type frame struct{ seg, next int }
	visit := func(root int) {
		if seen[root] {
			return
		}
		seen[root] = true
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if succs := g.segs[top.seg].succs; top.next < len(succs) {
				s := succs[top.next]
				top.next++
				if !seen[s] {
					seen[s] = true
					stack = append(stack, frame{s, 0})
				}
				continue
			}
			post = append(post, top.seg)
			stack = stack[:len(stack)-1]
		}
	}
	for i := len(g.segs) - 1; i >= 0; i-- {
		if !g.segs[i].entered {
			visit(i)
		}
	}
	for i := len(g.segs) - 1; i >= 0; i-- {
		if g.segs[i].entered {
			visit(i)
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}
