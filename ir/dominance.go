package ir

// A Dominance answers which operations and values are available where. It computes the dominator tree of a region at
// the first query and keeps it. A change of the blocks or branches of a region must be followed by Invalidate;
// operations may be added, moved and erased freely. It is used by one goroutine at a time.
//
// A block that the entry does not reach is dominated by every block, as in MLIR: what it does never happens.
type Dominance struct {
	regions map[Region]*domTree
	// recent is the tree that was asked last, of region of: most queries are about it.
	recent *domTree
	of     Region
}

// NewDominance returns a Dominance that knows no region yet.
func NewDominance() *Dominance { return &Dominance{} }

// Invalidate forgets what was computed about r.
func (d *Dominance) Invalidate(r Region) {
	delete(d.regions, r)
	d.recent = nil
}

func (d *Dominance) tree(r Region) *domTree {
	if d.recent == nil || d.of != r {
		d.recent, d.of = d.find(r), r
	}
	return d.recent
}

func (d *Dominance) find(r Region) *domTree {
	t := d.regions[r]
	if t == nil {
		t = buildDomTree(r, false)
		if d.regions == nil {
			d.regions = make(map[Region]*domTree)
		}
		d.regions[r] = t
	}
	return t
}

// Dominates reports whether v may be used by op.
func (d *Dominance) Dominates(v Value, op Op) bool {
	if def := v.DefiningOp(); !def.IsNil() {
		return d.properlyDominates(def, op, false)
	}
	b := v.Block()
	if b.Region().IsNil() {
		return false
	}
	at := op.AncestorIn(b.Region())
	return !at.IsNil() && d.BlockDominates(b, at.Block())
}

// ProperlyDominates reports whether a is executed before b is, whenever b is, and is not b. An operation dominates
// those in its regions.
func (d *Dominance) ProperlyDominates(a, b Op) bool { return d.properlyDominates(a, b, true) }

func (d *Dominance) properlyDominates(a, b Op, enclosing bool) bool {
	r := a.ParentRegion()
	if r.IsNil() {
		return enclosing && a != b && a.IsAncestorOf(b)
	}
	at := b.AncestorIn(r)
	if at.IsNil() {
		return false
	}
	if HasGraphOrder(r) {
		return a != b || !enclosing
	}
	if at == a {
		return enclosing && a != b
	}
	if ab, bb := a.Block(), at.Block(); ab != bb {
		return d.BlockDominates(ab, bb)
	}
	return a.IsBeforeInBlock(at)
}

// HasGraphOrder reports whether the order of operations in r means nothing, so that all values are available
// everywhere in it.
func HasGraphOrder(r Region) bool {
	op := r.Op()
	return !op.IsNil() && op.HasTrait(GraphRegion)
}

// AncestorIn returns op or the ancestor of op that stands directly in r; a zero Op when op is not inside r.
func (op Op) AncestorIn(r Region) Op {
	for !op.IsNil() {
		p := op.ParentRegion()
		if p == r {
			return op
		}
		if p.IsNil() {
			break
		}
		op = p.Op()
	}
	return Op{}
}

// BlockDominates reports whether every path to b, a block of the same region, passes a.
func (d *Dominance) BlockDominates(a, b Block) bool {
	if a == b {
		return true
	}
	r := a.Region()
	return r == b.Region() && d.tree(r).dominates(a, b)
}

// Reachable reports whether control can reach b from the entry of its region.
func (d *Dominance) Reachable(b Block) bool {
	return b.IsEntry() || d.tree(b.Region()).number(b) >= 0
}

// IDom returns the immediate dominator of b; a zero Block for an entry block and for one that is not reachable.
func (d *Dominance) IDom(b Block) Block { return d.tree(b.Region()).parent(b) }

// CommonDominator returns the innermost block that dominates both a and b, which are in one region; a zero Block when
// one of them is not reachable.
func (d *Dominance) CommonDominator(a, b Block) Block { return d.tree(a.Region()).common(a, b) }

// Order returns the reachable blocks of r, dominators before those that they dominate (reverse postorder).
func (d *Dominance) Order(r Region) []Block {
	t := d.tree(r)
	return t.order[:len(t.order):len(t.order)]
}

// A PostDominance answers which blocks are passed on every way from a block to the end of its region. The rules for
// changes are those of Dominance. A block from which no end is reached (it leads into an endless loop) is
// post-dominated by itself only.
type PostDominance struct {
	regions map[Region]*domTree
}

// NewPostDominance returns a PostDominance that knows no region yet.
func NewPostDominance() *PostDominance { return &PostDominance{regions: make(map[Region]*domTree)} }

func (d *PostDominance) tree(r Region) *domTree {
	t := d.regions[r]
	if t == nil {
		t = buildDomTree(r, true)
		d.regions[r] = t
	}
	return t
}

// BlockPostDominates reports whether every path from b, a block of the same region, to an end passes a.
func (d *PostDominance) BlockPostDominates(a, b Block) bool {
	if a == b {
		return true
	}
	r := a.Region()
	if r != b.Region() {
		return false
	}
	t := d.tree(r)
	return t.number(b) >= 0 && t.dominates(a, b)
}

// PostDominates reports whether a is executed after b is, whenever control leaves the region of a after b, or is b.
func (d *PostDominance) PostDominates(a, b Op) bool {
	at := b.AncestorIn(a.ParentRegion())
	if at.IsNil() {
		return false
	}
	if ab, bb := a.Block(), at.Block(); ab != bb {
		return d.BlockPostDominates(ab, bb)
	}
	return a == at || at.IsBeforeInBlock(a)
}
