package ir

import "math"

// A domTree is the dominator tree of one region's blocks, or the post-dominator tree. Its vertices are numbered in
// preorder of a depth-first search. Vertex 0 is the entry block, and for post-dominators a virtual block after all
// ends.
type domTree struct {
	order  []Block // reachable blocks in reverse postorder
	blocks []Block // by number; a zero Block for the virtual one
	num    []int32 // by block id less first: 1 + number, 0 for one that is not reached
	first  uint32  // the least id of the region's blocks
	idom   []int32 // by number; that of 0 is 0
	in     []int32 // entry and exit times of a walk of the tree: a dominates b iff
	out    []int32 // in[a] <= in[b] and out[b] <= out[a]
}

func buildDomTree(r Region, post bool) *domTree {
	t := &domTree{first: math.MaxUint32}
	last := uint32(0)
	for b := range r.Blocks() {
		t.first, last = min(t.first, b.id), max(last, b.id)
	}
	if !r.Empty() {
		t.num = make([]int32, last-t.first+1)
	}
	parent, preds := t.search(r, post)
	t.idom = dominators(parent, preds)
	t.time()
	return t
}

// edges returns the blocks that control can go to from b; backwards, those that it can come from.
func edges(b Block, backwards bool) (out []Block) {
	if backwards {
		for op := range b.Preds() {
			if p := op.Block(); !p.IsNil() && p.Region() == b.Region() {
				out = append(out, p)
			}
		}
		return out
	}
	if last := b.Last(); !last.IsNil() {
		for i := range last.NumSuccessors() {
			if s := last.Successor(i); !s.IsNil() && s.Region() == b.Region() {
				out = append(out, s)
			}
		}
	}
	return out
}

// search numbers the blocks that are reached. By number, it returns the parent in the search tree and the numbers of
// the predecessors.
func (t *domTree) search(r Region, post bool) (parent []int32, preds [][]int32) {
	type frame struct {
		n    int32
		next []Block // the last one first
	}
	var stack []frame
	enter := func(b Block, from int32) {
		if t.number(b) >= 0 {
			return
		}
		n := int32(len(t.blocks))
		t.num[b.id-t.first] = n + 1
		t.blocks = append(t.blocks, b)
		parent = append(parent, from)
		stack = append(stack, frame{n, edges(b, post)})
	}
	var ends []Block
	if post {
		t.blocks, parent = []Block{{}}, []int32{0}
		for b := range r.Blocks() {
			if len(edges(b, false)) == 0 {
				ends = append(ends, b)
			}
		}
		stack = append(stack, frame{0, ends})
	} else if !r.Empty() {
		enter(r.First(), 0)
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if n := len(top.next); n > 0 {
			b, from := top.next[n-1], top.n
			top.next = top.next[:n-1]
			enter(b, from)
			continue
		}
		if b := t.blocks[top.n]; !b.IsNil() {
			t.order = append(t.order, b)
		}
		stack = stack[:len(stack)-1]
	}
	for i, j := 0, len(t.order)-1; i < j; i, j = i+1, j-1 {
		t.order[i], t.order[j] = t.order[j], t.order[i]
	}
	preds = make([][]int32, len(t.blocks))
	for n, b := range t.blocks {
		if b.IsNil() {
			continue
		}
		for _, s := range edges(b, post) {
			k := t.number(s)
			preds[k] = append(preds[k], int32(n))
		}
	}
	for _, b := range ends {
		k := t.number(b)
		preds[k] = append(preds[k], 0)
	}
	return parent, preds
}

// dominators returns the immediate dominator of each vertex, given its predecessors and the tree of a depth-first
// search from vertex 0 that numbered the vertices in preorder. It is the simple form of the algorithm of Lengauer and
// Tarjan ("A fast algorithm for finding dominators in a flowgraph"), which needs m log n steps for any graph. The
// iterative algorithms are shorter, but quadratic for graphs that hostile input can contain.
func dominators(parent []int32, preds [][]int32) []int32 {
	n := len(parent)
	idom := make([]int32, n)
	semi := make([]int32, n)     // number of the semidominator
	ancestor := make([]int32, n) // in the forest of vertices that were linked; -1: a root
	label := make([]int32, n)    // vertex of least semidominator on the compressed path to the ancestor
	bucketHead := make([]int32, n)
	bucketNext := make([]int32, n)
	for v := range n {
		semi[v], label[v], ancestor[v], bucketHead[v] = int32(v), int32(v), -1, -1
	}
	var path []int32
	eval := func(v int32) int32 {
		if ancestor[v] < 0 {
			return v
		}
		path = path[:0]
		for u := v; ancestor[ancestor[u]] >= 0; u = ancestor[u] {
			path = append(path, u)
		}
		for i := len(path) - 1; i >= 0; i-- {
			u := path[i]
			a := ancestor[u]
			if semi[label[a]] < semi[label[u]] {
				label[u] = label[a]
			}
			ancestor[u] = ancestor[a]
		}
		return label[v]
	}
	for w := int32(n) - 1; w > 0; w-- {
		for _, p := range preds[w] {
			semi[w] = min(semi[w], semi[eval(p)])
		}
		bucketNext[w] = bucketHead[semi[w]]
		bucketHead[semi[w]] = w
		p := parent[w]
		ancestor[w] = p
		for v := bucketHead[p]; v >= 0; v = bucketNext[v] {
			if u := eval(v); semi[u] < semi[v] {
				idom[v] = u
			} else {
				idom[v] = p
			}
		}
		bucketHead[p] = -1
	}
	for w := 1; w < n; w++ {
		if idom[w] != semi[w] {
			idom[w] = idom[idom[w]]
		}
	}
	return idom
}

// time computes entry and exit times.
func (t *domTree) time() {
	n := len(t.idom)
	t.in, t.out = make([]int32, n), make([]int32, n)
	// Subtree sizes first, bottom up; then each child starts where its parent's used-up part ends.
	size := make([]int32, n)
	for v := n - 1; v >= 0; v-- {
		size[v]++
		if v > 0 {
			size[t.idom[v]] += size[v]
		}
	}
	next := make([]int32, n)
	for v := range n {
		if v > 0 {
			p := t.idom[v]
			t.in[v] = next[p]
			next[p] += size[v]
		}
		t.out[v] = t.in[v] + size[v]
		next[v] = t.in[v] + 1
	}
}

// number returns the number of a block, or -1 when it is not reached.
func (t *domTree) number(b Block) int32 {
	if i := b.id - t.first; int(i) < len(t.num) { // else it is newer than the tree
		return t.num[i] - 1
	}
	return -1
}

func (t *domTree) dominates(a, b Block) bool {
	bn := t.number(b)
	if bn < 0 {
		return true
	}
	an := t.number(a)
	return an >= 0 && t.in[an] <= t.in[bn] && t.out[bn] <= t.out[an]
}

func (t *domTree) parent(b Block) Block {
	n := t.number(b)
	if n <= 0 {
		return Block{}
	}
	return t.blocks[t.idom[n]]
}

func (t *domTree) common(a, b Block) Block {
	an, bn := t.number(a), t.number(b)
	if an < 0 || bn < 0 {
		return Block{}
	}
	for an != bn {
		if an > bn {
			an = t.idom[an]
		} else {
			bn = t.idom[bn]
		}
	}
	return t.blocks[an]
}
