package stripmine

import (
	"math"

	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
)

// classify finds the classes.
func (c *chain) classify() {
	c.axes, c.nodes = make(map[ir.Op][]strip.Axis), make(map[node]int)
	c.at, c.fixed = make(map[place]int), make(map[place]ir.Op)
	c.infos = make(map[int]*class)
	for _, op := range c.ops {
		c.link(op)
		c.fix(op)
	}
	for _, op := range c.ops {
		c.collect(op)
	}
	for _, p := range c.places {
		op, ok := c.fixed[p]
		if info := c.infos[c.find(c.at[p])]; ok && info != nil && info.culprit.IsNil() {
			info.culprit = op
		}
	}
}

// newNode adds a node to the union.
func (c *chain) newNode() int {
	c.parents = append(c.parents, len(c.parents))
	return len(c.parents) - 1
}

// cutAt notes that a node splits a dimension.
func (c *chain) cutAt(n int, p place) {
	if other, ok := c.at[p]; ok {
		c.parents[c.find(n)] = c.find(other)
		return
	}
	c.at[p] = n
	c.places = append(c.places, p)
}

// link adds the axes of an operation to the union.
func (c *chain) link(op ir.Op) {
	c.axes[op] = c.axesIn(op)
	for k, a := range c.axes[op] {
		n := c.newNode()
		c.nodes[node{op, k}] = n
		for _, d := range a.Dims {
			if v := valueAt(op, d); !c.free(v) {
				c.cutAt(n, place{v, d.Dim})
			}
			if op == c.terminator() {
				c.cutAt(n, place{c.carried(d.Index), d.Dim})
			}
		}
		for _, p := range c.usedInside(op, k) {
			c.cutAt(n, p)
		}
	}
}

// fix notes the dimensions that an operation does not split, and those of what comes from outside.
func (c *chain) fix(op ir.Op) {
	cut := make(map[place]bool)
	for _, a := range c.axes[op] {
		for _, d := range a.Dims {
			cut[place{valueAt(op, d), d.Dim}] = true
		}
	}
	for k := range c.axes[op] {
		// An operation that uses a dimension without an axis for it needs all of it.
		for _, p := range c.usedInside(op, k) {
			cut[p] = true
		}
	}
	for _, v := range append(c.tensorsUsed(op), op.Results()...) {
		t, ok := v.Type().(*ir.TensorType)
		if !ok || c.free(v) {
			continue
		}
		made := v.DefiningOp()
		for d, n := range t.Shape {
			p := place{v, d}
			if _, ok := c.fixed[p]; ok || n == 1 {
				continue
			}
			switch {
			case !c.loop.IsNil() && v.Block() != c.block || c.extracted[v]:
				// The chain around the loop splits what is made before the loop.
				if !cut[p] {
					c.fixed[p] = op
				}
			case made.IsNil() && !(v.Block() == c.block && !c.loop.IsNil()):
				c.fixed[p] = v.Block().ParentOp()
			case !made.IsNil() && !c.member[made]:
				c.fixed[p] = made
			case !cut[p]:
				c.fixed[p] = op
			}
		}
	}
}

// collect adds what an operation knows to the classes of its axes.
func (c *chain) collect(op ir.Op) {
	seen := make(map[int]bool)
	for k, a := range c.axes[op] {
		id := c.find(c.nodes[node{op, k}])
		info := c.infos[id]
		if info == nil {
			info = &class{id: id, most: math.MaxInt64, rank: math.MaxInt}
			c.infos[id] = info
			c.list = append(c.list, info)
		}
		if seen[id] && op != c.terminator() {
			info.culprit = op // it would need other parts than number i of each operand
		}
		seen[id] = true
		info.ordered = info.ordered || a.Kind != strip.Parallel
		for _, d := range a.Dims {
			v := valueAt(op, d)
			info.rank = min(info.rank, d.Dim)
			info.most = min(info.most, extent(op, d))
			if c.free(v) {
				info.most = min(info.most, c.freeParts(v, d.Dim))
			}
		}
		if l := c.carriers[op]; l != nil {
			info.most = min(info.most, l.body.infos[l.ids[k]].most)
		}
	}
}

func (c *chain) find(n int) int {
	for c.parents[n] != n {
		// Path halving keeps the trees of the union-find flat.
		c.parents[n] = c.parents[c.parents[n]]
		n = c.parents[n]
	}
	return n
}

// axisIn returns the axis of an operation that is in a class.
func (c *chain) axisIn(op ir.Op, id int) (strip.Axis, bool) {
	a, _, ok := c.numberedAxis(op, id)
	return a, ok
}

// numberedAxis is axisIn with the number of the axis.
func (c *chain) numberedAxis(op ir.Op, id int) (a strip.Axis, k int, ok bool) {
	for k, a := range c.axes[op] {
		if c.find(c.nodes[node{op, k}]) == id {
			return a, k, true
		}
	}
	return strip.Axis{}, 0, false
}
