package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/target/sm"
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
		if class := c.classes.Find(v); !seen[class] {
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

// A move gives classes other layouts.
type move map[int]linear.Layout

// improveClass searches the layout of one class. Costs of operations inside loops count more (weight), so a store
// after a loop converts rather than the operations in it.
//
// Each layout is tried alone, and with the classes that are the same elements in another shape. Row statistics of
// attention go through a reshape and back: by itself, neither shape gains, since the conversion only moves to the
// other side of the reshape.
func (c *chooser) improveClass(class int) bool {
	var best move
	most := 0
	try := func(m move, ops []int, before int) {
		if gain := before - c.after(m, ops); gain > most {
			best, most = m, gain
		}
	}
	alone := c.concerns[class]
	before := c.total(alone)
	for _, l := range c.candidates(class) {
		try(move{class: l}, alone, before)
		if m := c.reshaped(class, l); m != nil {
			ops := c.concerned(m)
			try(m, ops, c.total(ops))
		}
	}
	for moved, l := range best {
		c.homes[moved] = l
	}
	return most > 0
}

// concerned returns the operations that a move concerns. Nothing else of the total cost changes with it, since
// signatures read only the homes of their operation's values.
func (c *chooser) concerned(m move) (ops []int) {
	for class := range m {
		ops = append(ops, c.concerns[class]...)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}

// after is the cost of operations after a move. It is tried in place, since signatures look up homes by class: a copy
// of the map for each trial would make the search quadratic.
func (c *chooser) after(m move, ops []int) int {
	old := make(move, len(m))
	for class, l := range m {
		old[class], c.homes[class] = c.homes[class], l
	}
	cost := c.total(ops)
	for class, l := range old {
		c.homes[class] = l
	}
	return cost
}

// total is the cost of operations with the current homes.
func (c *chooser) total(ops []int) int {
	cost := 0
	for _, i := range ops {
		_, n, err := c.signature(c.ops[i])
		if err != nil {
			// A layout that one operation around cannot have loses to any that all can have, without failing the
			// search.
			n = layouts.Never
		}
		cost += n * c.weight(c.ops[i])
	}
	return cost
}

// reshaped returns the move of a class to a layout with the classes that hold the same elements in other shapes; nil
// if there are none. It is also nil if a loop loads some, or if what is loaded would take more registers: what becomes
// of a load depends on more than what is priced here, as copies to shared memory, and how long it is alive.
func (c *chooser) reshaped(class int, l linear.Layout) move {
	m := move{class: l}
	for work := []int{class}; len(work) > 0; work = work[1:] {
		concerned := c.concerns[work[0]]
		for _, i := range concerned[:min(len(concerned), maxAsked)] {
			op := c.ops[i]
			if a, ok := transfer.AccessOf(op); ok && !a.Store && (c.weight(op) > 1 || m[work[0]].Size(linear.Register) > c.homes[work[0]].Size(linear.Register)) {
				return nil
			}
			if op.NumOperands() != 1 || op.NumResults() != 1 || !ir.IsTensor(op.Operand(0)) || !ir.IsTensor(op.Result(0)) {
				continue
			}
			from, to := op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
			t, ok := transfer.Transfers.Of(op)
			if !ok || from.NumElements() != to.NumElements() {
				continue
			}
			for _, at := range placesOf(op) {
				to := transfer.Place{Result: !at.Result}
				v, w := at.Value(op), to.Value(op)
				if !c.classed(v) || !c.classed(w) || c.classes.Find(v) != work[0] {
					continue
				}
				other := c.classes.Find(w)
				if _, moved := m[other]; moved || c.fixed[other] {
					continue
				}
				if s, err := t.From(op, at, m[work[0]]); err == nil && s.At(to).Dims() > 0 {
					m[other] = s.At(to)
					work = append(work, other)
				}
			}
		}
	}
	if len(m) == 1 {
		return nil
	}
	return m
}

// candidates returns other layouts for a class than the one it has.
func (c *chooser) candidates(class int) []linear.Layout {
	list := []linear.Layout{c.homes[class]}
	add := func(l linear.Layout) {
		if l.Dims() > 0 && len(list) <= maxCandidates && !slices.ContainsFunc(list, l.Equal) {
			list = append(list, l)
		}
	}
	concerned, inMemory := c.concerns[class], false
	for _, i := range concerned[:min(len(concerned), maxAsked)] {
		c.spokenFor(c.ops[i], class, add)
		inMemory = inMemory || transfer.Accesses.Has(c.ops[i])
	}
	for _, i := range concerned {
		// What is computed of rows and columns is reduced without exchanges where each thread has entire lines of it.
		if op := c.ops[i]; !inMemory && op.Is(tileas.Level.Reduce) && c.classed(op.Operand(0)) && c.classes.Find(op.Operand(0)) == class {
			dim, _ := op.IntAttr(tile.AttrDim)
			l, _ := linear.EntireLines(transfer.Shape(op.Operand(0)), sm.WarpSize, c.warps, int(dim))
			add(l)
		}
	}
	return list[1:]
}

// spokenFor adds the layouts that an operation prefers for a class. These are the access's own, the fragments of
// a matrix instruction, and what follows from the homes of its other values.
//
// Nothing is proposed that no operation wants. A catalogue of layouts would be tried for every class, and a
// layout that none of the operations around wants costs conversions on all sides.
func (c *chooser) spokenFor(op ir.Op, class int, add func(linear.Layout)) {
	mine := func(v ir.Value) bool { return c.classed(v) && c.classes.Find(v) == class }
	if s, ok := c.dots[op]; ok {
		for i, v := range op.Operands() {
			if mine(v) && s.Operands[i].Dims() > 0 {
				add(s.Operands[i])
			}
		}
		return
	}
	// The pointers of a store have a class of their own.
	if a, ok := transfer.AccessOf(op); ok && (mine(a.Value) || a.Store && slices.ContainsFunc(op.Operands(), mine)) {
		if l, err := c.memoryLayout(a); err == nil {
			add(l)
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
