package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
)

// The search is bounded, so that a module costs in proportion to its operations: so many rounds over all classes, so many layouts for each, which come from so many of
// the operations that it concerns.
const (
	maxRounds     = 2
	maxCandidates = 6
	maxAsked      = 64
)

// improve weighs, for each class in program order, the layouts that the operations around it speak for, by what those operations cost all together, and keeps the
// cheapest. The first choice stays unless another one is better, so that equal costs decide nothing.
//
// An integer program over all classes would find the optimum, and take time that grows with more than the
// number of classes. The first choice is good in most kernels, since seeds are what speaks loudest; what the
// search mends is a class between two loud neighbours.
func (c *chooser) improve() {
	var order []int
	seen := make(map[int]bool)
	for _, v := range c.values {
		if class := c.classes.find(v); !seen[class] {
			seen[class] = true
			order = append(order, class)
		}
	}
	for range maxRounds {
		changed := false
		for _, class := range order {
			if !c.fixed[class] && c.improveClass(class) {
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// Costs of operations inside loops weigh more (weight), so that a store behind a loop converts rather than the
// operations in it.
func (c *chooser) improveClass(class int) bool {
	first := c.homes[class]
	candidates := c.candidates(class)
	if len(candidates) == 0 {
		return false
	}
	best, cost := first, c.around(class)
	for _, l := range candidates {
		// Tried in place, since signatures ask for homes by class: a copy of the map for each trial would make the search quadratic.
		c.homes[class] = l
		if n := c.around(class); n < cost {
			best, cost = l, n
		}
	}
	c.homes[class] = best
	return !best.Equal(first)
}

// around is what the operations cost that a class concerns.
//
// It is the local part of the whole cost: all that changes when the class does, since signatures read the homes
// of their operation's values only.
func (c *chooser) around(class int) int {
	cost := 0
	for _, i := range c.concerns[class] {
		_, n, err := c.signature(c.ops[i])
		if err != nil {
			// As dear as layouts.Never: a layout that one operation around cannot have loses to any that all can, without failing the search.
			n = 1 << 40
		}
		cost += n * c.weight(c.ops[i])
	}
	return cost
}

// candidates returns other layouts for a class than the one it has.
func (c *chooser) candidates(class int) []linear.Layout {
	list := []linear.Layout{c.homes[class]}
	add := func(l linear.Layout) {
		if l.Dims() == 0 || len(list) > maxCandidates {
			return
		}
		for _, have := range list {
			if have.Equal(l) {
				return
			}
		}
		list = append(list, l)
	}
	concerned := c.concerns[class]
	for _, i := range concerned[:min(len(concerned), maxAsked)] {
		c.spokenFor(c.ops[i], class, add)
	}
	return list[1:]
}

// spokenFor adds the layouts that an operation would like a class to have: the access's own, the fragments of a matrix instruction, and what follows from the homes of its other values.
//
// Nothing is proposed that no operation wants: layouts from a catalogue would be tried for every class, and a
// layout that none of the operations around wants costs conversions on all sides.
func (c *chooser) spokenFor(op ir.Op, class int, add func(linear.Layout)) {
	mine := func(v ir.Value) bool { return c.classed(v) && c.classes.find(v) == class }
	if s, ok := c.dots[op]; ok {
		for i, v := range op.Operands() {
			if mine(v) && s.Operands[i].Dims() > 0 {
				add(s.Operands[i])
			}
		}
		return
	}
	if access, ok := transfer.Accesses.Of(op); ok {
		if a := access(op); mine(a.Value) || a.Store && slices.ContainsFunc(op.Operands(), mine) { // the pointers of a store have a class of their own
			if l, err := c.memoryLayout(a); err == nil {
				add(l)
			}
		}
	}
	t, ok := transfer.Transfers.Of(op)
	if !ok {
		return
	}
	for _, at := range placesOf(op) {
		l, ok := c.home(at.Value(op))
		if !ok || t.Tied != nil && mine(at.Value(op)) {
			continue
		}
		s, err := t.From(op, at, l)
		if err != nil {
			continue
		}
		for _, to := range placesOf(op) {
			if mine(to.Value(op)) {
				add(s.At(to))
			}
		}
	}
}

// given returns the layout that the IR came with.
func given(v ir.Value) (linear.Layout, bool) { return tileas.LayoutOf(v.Type()) }
