package stripmine

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
)

// A chain is the operations of a block that tensors connect, in their order.
type chain struct {
	*miner
	block   ir.Block
	ops     []ir.Op
	values  []ir.Value // the tensors
	member  map[ir.Op]bool
	axes    map[ir.Op][]strip.Axis
	nodes   map[node]int // numbers in the union
	parents []int        // the union-find of nodes
	infos   map[int]*class
	list    []*class
	words   map[ir.Value]int64
	lives   []life
}

// A node is an axis of an operation.
type node struct {
	op   ir.Op
	axis int
}

// A class is a set of axes that are cut together.
type class struct {
	id      int
	most    int64 // the most parts
	culprit ir.Op // what cannot be cut; a zero Op: nothing
	rank    int   // the outermost dimension of a value that it cuts
	ordered bool  // some operation reduces or scans along it
}

// Operations and values that are free: see the package comment.

func isTensor(v ir.Value) bool { _, ok := v.Type().(*ir.TensorType); return ok }

// free reports whether a tensor is computed from scalars, without memory, by operations that can be cut.
func (m *miner) free(v ir.Value) bool {
	if f, ok := m.freeValues[v]; ok {
		return f
	}
	m.freeValues[v] = false
	def := v.DefiningOp()
	if def.IsNil() || !def.HasTrait(ir.Pure) || def.NumRegions() > 0 {
		return false
	}
	if _, ok := strip.Rows.Of(def); !ok {
		return false
	}
	for _, x := range def.Operands() {
		if isTensor(x) && !m.free(x) {
			return false
		}
	}
	m.freeValues[v] = true
	return true
}

// freeParts returns into how many parts a free tensor can be cut along a dimension.
func (m *miner) freeParts(v ir.Value, dim int) int64 {
	def := v.DefiningOp()
	for _, a := range m.axesOf(def) {
		if a.Dim(true, v.Index()) != dim {
			continue
		}
		n := int64(math.MaxInt64)
		for _, d := range a.Dims {
			n = min(n, extent(def, d))
			if x := operand(def, d); !x.IsNil() {
				n = min(n, m.freeParts(x, d.Dim))
			}
		}
		return n
	}
	return 1
}

func operand(op ir.Op, d strip.Dim) ir.Value {
	if d.Result {
		return ir.Value{}
	}
	return op.Operand(d.Index)
}

func valueAt(op ir.Op, d strip.Dim) ir.Value {
	if d.Result {
		return op.Result(d.Index)
	}
	return op.Operand(d.Index)
}

func extent(op ir.Op, d strip.Dim) int64 {
	return valueAt(op, d).Type().(*ir.TensorType).Shape[d.Dim]
}

// axesOf returns the axes of an operation; none when nothing is known of it.
func (m *miner) axesOf(op ir.Op) []strip.Axis {
	if a, ok := m.axesKnown[op]; ok {
		return a
	}
	var a []strip.Axis
	if row, ok := strip.Rows.Of(op); ok {
		a = row.Axes(op)
	}
	m.axesKnown[op] = a
	return a
}

// chains returns the chains of a block.
func (m *miner) chains(b ir.Block) []*chain {
	owner := make(map[ir.Value]*chain) // which chain a tensor belongs to
	var all []*chain
	for op := range b.Ops() {
		var tensors []ir.Value
		for _, v := range op.Results() {
			if isTensor(v) && !m.free(v) {
				tensors = append(tensors, v)
			}
		}
		needs := m.tensorsUsed(op)
		if len(tensors)+len(needs) == 0 && (!hasTensor(op) || op.NumRegions() == 0 && op.HasTrait(ir.Pure)) {
			continue
		}
		var to *chain
		for _, v := range needs {
			from := owner[v]
			switch {
			case from == nil || from == to:
			case to == nil:
				to = from
			default:
				if len(to.values) < len(from.values) {
					to, from = from, to
				}
				to.absorb(from, owner)
			}
		}
		if to == nil {
			to = &chain{miner: m, block: b, member: make(map[ir.Op]bool)}
			all = append(all, to)
		}
		to.ops = append(to.ops, op)
		to.member[op] = true
		for _, v := range append(tensors, needs...) {
			owner[v] = to
			to.values = append(to.values, v)
		}
	}
	all = slices.DeleteFunc(all, func(c *chain) bool { return len(c.ops) == 0 })
	for _, c := range all {
		slices.SortFunc(c.ops, inOrder)
		c.classify()
		c.measure()
	}
	return all
}

func inOrder(a, b ir.Op) int {
	switch {
	case a == b:
		return 0
	case a.IsBeforeInBlock(b):
		return -1
	}
	return 1
}

func hasTensor(op ir.Op) bool { return slices.ContainsFunc(op.Operands(), isTensor) }

// absorb joins two chains.
func (c *chain) absorb(other *chain, owner map[ir.Value]*chain) {
	c.ops = append(c.ops, other.ops...)
	for op := range other.member {
		c.member[op] = true
	}
	for _, v := range other.values {
		owner[v] = c
	}
	c.values = append(c.values, other.values...)
	other.ops = nil
}

// tensorsUsed returns the tensors, other than free ones, that an operation uses, with what is inside it.
func (m *miner) tensorsUsed(op ir.Op) []ir.Value {
	var out []ir.Value
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for _, v := range inner.Operands() {
			if isTensor(v) && !m.free(v) && !(inner != op && op.IsAncestorOf(v.Block().ParentOp())) {
				out = append(out, v)
			}
		}
		return ir.Advance
	})
	return out
}

// classify finds the classes.
func (c *chain) classify() {
	c.axes, c.nodes = make(map[ir.Op][]strip.Axis), make(map[node]int)
	type place struct {
		v   ir.Value
		dim int
	}
	at := make(map[place]int)      // a node that cuts a dimension
	fixed := make(map[place]ir.Op) // what cannot cut it
	outermost := make(map[int]int) // by node
	join := func(a, b int) { c.parents[c.find(a)] = c.find(b) }
	for _, op := range c.ops {
		axes := c.axesOf(op)
		c.axes[op] = axes
		cut := make(map[place]bool)
		for k, a := range axes {
			n := len(c.parents)
			c.parents = append(c.parents, n)
			c.nodes[node{op, k}] = n
			outermost[n] = math.MaxInt
			for _, d := range a.Dims {
				v := valueAt(op, d)
				if outermost[n] = min(outermost[n], d.Dim); c.free(v) {
					continue
				}
				p := place{v, d.Dim}
				cut[p] = true
				if other, ok := at[p]; ok {
					join(n, other)
				} else {
					at[p] = n
				}
			}
		}
		uses := append(c.tensorsUsed(op), op.Results()...)
		for _, v := range uses {
			t, ok := v.Type().(*ir.TensorType)
			if !ok || c.free(v) {
				continue
			}
			made := v.DefiningOp()
			for d, n := range t.Shape {
				switch p := (place{v, d}); {
				case n == 1:
				case made.IsNil(): // what comes from outside the chain is whole
					fixed[p] = v.Block().ParentOp()
				case !c.member[made]:
					fixed[p] = made
				case !cut[p]:
					fixed[p] = op
				}
			}
		}
	}
	c.infos = make(map[int]*class)
	for _, op := range c.ops {
		seen := make(map[int]bool)
		for k, a := range c.axes[op] {
			id := c.find(c.nodes[node{op, k}])
			info := c.infos[id]
			if info == nil {
				info = &class{id: id, most: math.MaxInt64, rank: math.MaxInt}
				c.infos[id] = info
				c.list = append(c.list, info)
			}
			if seen[id] {
				info.culprit = op // it would need other parts than number i of each operand
			}
			seen[id] = true
			info.ordered = info.ordered || a.Kind != strip.Parallel
			info.rank = min(info.rank, outermost[c.nodes[node{op, k}]])
			for _, d := range a.Dims {
				v := valueAt(op, d)
				info.most = min(info.most, extent(op, d))
				if c.free(v) {
					info.most = min(info.most, c.freeParts(v, d.Dim))
				}
			}
		}
	}
	for p, n := range at {
		if op, ok := fixed[p]; ok {
			c.infos[c.find(n)].culprit = op
		}
	}
}

func (c *chain) find(n int) int {
	for c.parents[n] != n {
		c.parents[n] = c.parents[c.parents[n]]
		n = c.parents[n]
	}
	return n
}

// axisIn returns the axis of an operation that is in a class.
func (c *chain) axisIn(op ir.Op, id int) (strip.Axis, bool) {
	for k, a := range c.axes[op] {
		if c.find(c.nodes[node{op, k}]) == id {
			return a, true
		}
	}
	return strip.Axis{}, false
}
