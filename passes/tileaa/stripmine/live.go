package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
)

// A life is how long a chain holds a tensor in registers, from one operation's number to another's. What only
// rearranges elements holds none of its own.
type life struct {
	words     int64
	from, to  int
	def       ir.Op   // the operation of the chain that it is a result of; zero: it is from outside
	readers   []ir.Op // operations of the chain
	classes   []int   // those that split it
	collected int     // the class along which it is collected, so that the combination of its parts lives as long as the loop; -1: none
}

// wordBytes is the size of a register, and elementBytes what an element takes of one at least: arithmetic on bytes
// and bits unpacks them.
const (
	wordBytes    = 4
	elementBytes = 2
)

func words(v ir.Value) int64 {
	t := v.Type().(*ir.TensorType)
	return (t.NumElements()*int64(max(elementBytes, tile.ElementBytes(t.Elem))) + wordBytes - 1) / wordBytes
}

// measure finds the lives of the chain's tensors.
func (c *chain) measure() {
	lives := make(map[ir.Value]*life)
	var order []*life
	c.lives = nil
	for i, op := range c.ops {
		row, _ := strip.Rows.Of(op)
		for _, v := range c.tensorsUsed(op) {
			l := lives[v]
			if l == nil { // from outside
				l = &life{words: words(v), from: 0, collected: -1}
				lives[v] = l
				order = append(order, l)
			}
			l.to = i
			l.readers = append(l.readers, op)
		}
		for _, v := range op.Results() {
			if !ir.IsTensor(v) || c.free(v) {
				continue
			}
			// A reshape or transpose holds no registers of its own, so its result shares the life of its operand.
			if src := lives[firstOperand(op)]; row.Rearranges && src != nil {
				lives[v] = src
				continue
			}
			l := &life{words: words(v), from: i, to: i + 1, def: op, collected: -1}
			lives[v] = l
			order = append(order, l)
		}
		for k, a := range c.axes[op] {
			id := c.find(c.nodes[node{op, k}])
			for _, p := range c.usedInside(op, k) {
				if l := lives[p.v]; l != nil {
					l.cutBy(id)
				}
			}
			for _, d := range a.Dims {
				l := lives[valueAt(op, d)]
				if l == nil {
					continue
				}
				l.cutBy(id)
				if a.Kind != strip.Parallel && a.Kind != strip.Summed {
					// The combined part lives as long as the loop, and counts in addition to the part itself.
					l.collected = id
				}
			}
		}
	}
	for _, l := range order {
		c.lives = append(c.lives, *l)
	}
}

func firstOperand(op ir.Op) ir.Value {
	if op.NumOperands() == 0 {
		return ir.Value{}
	}
	return op.Operand(0)
}

func (l *life) cutBy(id int) {
	for _, have := range l.classes {
		if have == id {
			return
		}
	}
	l.classes = append(l.classes, id)
}

// live returns how many registers the chain needs at the place where it needs the most, if it is not split.
func (c *chain) live() int64 { return (&plan{chain: c, id: -1}).live(1) }

// live returns how many registers the chain needs at the place where it needs the most, if its class is split into
// parts; class -1: not split.
func (p *plan) live(parts int64) int64 {
	class, c := p.id, p.chain
	change := make([]int64, len(c.ops)+2)
	for i := range c.lives {
		l := &c.lives[i]
		if p.drops(l) {
			continue
		}
		n := l.words
		for _, id := range l.classes {
			if id == class {
				n = max(1, n/parts)
			}
		}
		change[l.from] += n
		change[l.to] -= n
		// A tensor collected along the class is live in the entire loop: it counts from the first operation to
		// the last.
		if l.collected == class && class >= 0 && parts > 1 {
			change[0] += n
			change[len(c.ops)] -= n
		}
	}
	live, most := int64(0), int64(0)
	for _, n := range change {
		live += n
		most = max(most, live)
	}
	return most
}

// drops reports whether a phase makes a value again, for the sake of another result of the same operation, and nothing
// in it reads this one. The loop that carries two sums is in the phases of both, with one of them each.
func (p *plan) drops(l *life) bool {
	again, read := false, false
	for _, ph := range p.phases {
		again = again || ph.pulled[l.def]
		read = read || slices.ContainsFunc(l.readers, func(op ir.Op) bool { return ph.pulled[op] || slices.Contains(ph.sinks, op) })
	}
	return again && !read
}
