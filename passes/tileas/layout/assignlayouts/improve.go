package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// The search is bounded, so a module costs time in proportion to its operations: maxRounds rounds over all
// classes, and maxCandidates layouts for each, from maxAsked operations at most.
const (
	maxRounds     = 2
	maxCandidates = 6
	maxAsked      = 64
)

// improve weighs, for each class in program order, the layouts that the operations around it prefer. It keeps the
// one under which these operations cost the least together. The first choice stays unless another one is better,
// so equal costs change nothing.
//
// An integer program over all classes would find the optimum, in time that grows faster than the number of
// classes. The first choice is good in most kernels, since seeds are the strongest reasons. The search corrects
// classes between two neighbours with strong reasons.
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

// improveClass searches the layout of one class. Costs of operations inside loops count more (weight), so a store
// after a loop converts rather than the operations in it.
func (c *chooser) improveClass(class int) bool {
	first := c.homes[class]
	candidates := c.candidates(class)
	if len(candidates) == 0 {
		return false
	}
	best, cost := first, c.around(class)
	for _, l := range candidates {
		// Tried in place, since signatures look up homes by class: a copy of the map for each trial would make
		// the search quadratic.
		c.homes[class] = l
		if n := c.around(class); n < cost {
			best, cost = l, n
		}
	}
	c.homes[class] = best
	return !best.Equal(first)
}

// around is the cost of the operations that a class concerns. Nothing else of the total cost changes when the
// class does, since signatures read only the homes of their operation's values.
func (c *chooser) around(class int) int {
	cost := 0
	for _, i := range c.concerns[class] {
		_, n, err := c.signature(c.ops[i])
		if err != nil {
			// As expensive as layouts.Never: a layout that one operation around cannot have loses to any that all
			// can have, without failing the search.
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

// spokenFor adds the layouts that an operation prefers for a class. These are the access's own, the fragments of
// a matrix instruction, and what follows from the homes of its other values.
//
// Nothing is proposed that no operation wants. A catalogue of layouts would be tried for every class, and a
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
