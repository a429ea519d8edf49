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
	block    ir.Block
	ops      []ir.Op
	values   []ir.Value // the tensors
	member   map[ir.Op]bool
	axes     map[ir.Op][]strip.Axis
	nodes    map[node]int    // numbers in the union
	parents  []int           // the union-find of nodes
	at       map[place]int   // a node that splits a dimension
	places   []place         // those dimensions, in order
	fixed    map[place]ir.Op // what prevents splitting a dimension
	loop     ir.Op           // of a chain that is the body of a loop of the program, and its description
	describe ir.Loop
	infos    map[int]*class
	list     []*class
	lives    []life

	extracted map[ir.Value]bool // values that are made whole, and split by extract
}

// A place is a dimension of a tensor.
type place struct {
	v   ir.Value
	dim int
}

// A node is an axis of an operation.
type node struct {
	op   ir.Op
	axis int
}

// A class is a set of axes that are split together.
type class struct {
	id      int
	most    int64 // the most parts
	culprit ir.Op // what cannot be split; a zero Op: nothing
	rank    int   // the outermost dimension of a value that it splits
	ordered bool  // some operation reduces or scans along it
}

// See the package comment for values that are free.

// free reports whether a tensor is computed from scalars, without memory, by operations that can be split.
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
		if ir.IsTensor(x) && !m.free(x) {
			return false
		}
	}
	m.freeValues[v] = true
	return true
}

// freeParts returns into how many parts a free tensor can be split along a dimension.
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
	} else if op.NumRegions() > 0 {
		a = m.loopAxes(op)
	}
	m.axesKnown[op] = a
	return a
}

// chains returns the chains of a block.
func (m *miner) chains(b ir.Block) []*chain {
	owner := make(map[ir.Value]*chain) // which chain a tensor belongs to
	var all []*chain
	for op := range b.Ops() {
		tensors, ok := m.tensorsOf(op)
		if !ok {
			continue
		}
		var to *chain
		for _, v := range tensors {
			from := owner[v]
			switch {
			case from == nil || from == to:
			case to == nil:
				to = from
			default:
				// The larger chain absorbs the smaller one, so that absorbing all of them stays near linear.
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
		for _, v := range tensors {
			owner[v] = to
			to.values = append(to.values, v)
		}
	}
	all = slices.DeleteFunc(all, func(c *chain) bool { return len(c.ops) == 0 })
	for _, c := range all {
		slices.SortFunc(c.ops, ir.Op.CompareInBlock)
		c.classify()
	}
	return all
}

// tensorsOf returns the tensors, other than free ones, that an operation uses and makes, and whether it belongs to a
// chain: one that only makes free tensors does not.
func (m *miner) tensorsOf(op ir.Op) (tensors []ir.Value, ok bool) {
	tensors = m.tensorsUsed(op)
	for _, v := range op.Results() {
		if ir.IsTensor(v) && !m.free(v) {
			tensors = append(tensors, v)
		}
	}
	return tensors, len(tensors) > 0 || hasTensor(op) && (op.NumRegions() > 0 || !op.HasTrait(ir.Pure))
}

// renew updates the chain after another one was split: operations that nothing used are gone, and others have moved.
func (c *chain) renew() {
	c.ops = slices.DeleteFunc(c.ops, ir.Op.Erased)
	slices.SortFunc(c.ops, ir.Op.CompareInBlock)
	c.measure()
}

func hasTensor(op ir.Op) bool { return slices.ContainsFunc(op.Operands(), ir.IsTensor) }

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
			if ir.IsTensor(v) && !m.free(v) && !(inner != op && op.IsAncestorOf(v.Block().ParentOp())) {
				out = append(out, v)
			}
		}
		return ir.Advance
	})
	return out
}
