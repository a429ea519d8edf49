package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

// signature returns the layouts that an operation takes and yields, and the cost with the current homes of its
// values: conversions, the access, and the work itself. Among equal costs, the signature that follows from the
// first operand wins, then those of later operands and of results.
//
// A load may be cheapest in a layout that is not its result's home: coalesced, and then converted. So an access
// proposes its own layout in addition to those of homes.
func (c *chooser) signature(op ir.Op) (transfer.Signature, int, error) {
	if s, ok := c.dots[op]; ok {
		s, err := c.completed(op, s)
		return s, c.price(op, s), err
	}
	t, ok := transfer.Transfers.Of(op)
	if !ok {
		s, err := c.asTheyAre(op)
		return s, 0, err
	}
	var best transfer.Signature
	cost := -1
	var failed error
	try := func(at transfer.Place, l linear.Layout, err error) {
		var s transfer.Signature
		if err == nil {
			s, err = t.From(op, at, l)
		}
		if err != nil {
			failed = err
			return
		}
		// Strictly less, so that the first place wins among equals, and the result depends on the order of places
		// and not on chance.
		if p := c.price(op, s); cost < 0 || p < cost {
			best, cost = s, p
		}
	}
	places := placesOf(op)
	var last linear.Layout // under a transfer that ties all, equal homes mean equal signatures
	for _, at := range places {
		if l, ok := c.home(at.Value(op)); ok && (t.Tied == nil || !l.Equal(last)) {
			last = l
			try(at, l, nil)
		}
	}
	if a, ok := transfer.AccessOf(op); ok {
		l, err := c.memoryLayout(a)
		try(c.placeOf(op, a.Value), l, err)
	}
	// If all tensors are cheap, or what is known decides nothing, a default does.
	for i := 0; i < len(places) && cost < 0; i++ {
		l, err := c.defaultLayout(places[i].Value(op))
		try(places[i], l, err)
	}
	if len(places) > 0 && cost < 0 {
		return best, 0, op.Errorf("cannot be distributed: %v", failed)
	}
	return best, max(cost, 0), nil
}

// completed returns a signature with layouts for the operands without one: that of their class, that which the IR came
// with, or a default. An operand of an MMA that goes to shared memory anyway stays in its home so.
func (c *chooser) completed(op ir.Op, s transfer.Signature) (transfer.Signature, error) {
	s.Operands = slices.Clone(s.Operands)
	for i, v := range op.Operands() {
		if s.Operands[i].Dims() > 0 || !ir.IsTensor(v) || len(transfer.Shape(v)) == 0 {
			continue
		}
		l, known := c.home(v)
		if !known {
			l, known = tileas.LayoutOf(v.Type())
		}
		if !known {
			var err error
			if l, err = c.defaultLayout(v); err != nil {
				return s, op.Errorf("cannot be distributed: %v", err)
			}
		}
		s.Operands[i] = l
	}
	return s, nil
}

// placesOf returns the places of tensors, operands first.
func placesOf(op ir.Op) (places []transfer.Place) {
	for i, v := range op.Operands() {
		if ir.IsTensor(v) {
			places = append(places, transfer.Place{Index: i})
		}
	}
	for i, v := range op.Results() {
		if ir.IsTensor(v) {
			places = append(places, transfer.Place{Result: true, Index: i})
		}
	}
	return places
}

func (c *chooser) placeOf(op ir.Op, v ir.Value) transfer.Place {
	for _, at := range placesOf(op) {
		if at.Value(op) == v {
			return at
		}
	}
	return transfer.Place{}
}

// asTheyAre is the signature of control flow, and of an operation of which nothing is known. Its tensors have the
// layouts of their classes. A cheap operand has the layout of the value that it becomes, or a default. What
// control flow passes on is in one class with what receives it.
func (c *chooser) asTheyAre(op ir.Op) (transfer.Signature, error) {
	s := transfer.Fill(op, linear.Layout{}, linear.Layout{})
	for i, v := range op.Results() {
		s.Results[i], _ = c.home(v)
	}
	open := false
	for i, v := range op.Operands() {
		l, ok := c.home(v)
		s.Operands[i] = l
		open = open || !ok && ir.IsTensor(v)
	}
	if !open {
		return s, nil
	}
	ir.RegionEdges(op, func(e ir.RegionEdge) {
		for i := range e.Len() {
			if e.From == op && s.Operands[e.Lo+i].Dims() == 0 {
				s.Operands[e.Lo+i], _ = c.home(e.Input(i))
			}
		}
	})
	return c.completed(op, s)
}

// price is the cost of an operation under a signature: conversions of operands and results, the access, and one
// step for each register of the results. That step keeps the search from layouts with copies, which convert to
// nothing and look free.
func (c *chooser) price(op ir.Op, s transfer.Signature) int {
	cost := 0
	for i, v := range op.Operands() {
		if home, ok := c.home(v); ok {
			// An operand without a home is rematerialized in the layout that is wanted, at a cost that no choice
			// should depend on.
			cost += c.cost.Convert(home, s.Operands[i], layouts.Bits(v.Type()))
		}
	}
	for i, v := range op.Results() {
		if home, ok := c.home(v); ok {
			cost += s.Results[i].Size(linear.Register)
			if v.HasUses() { // of an atomic operation the result often has none
				cost += c.cost.Convert(s.Results[i], home, layouts.Bits(v.Type()))
			}
		}
	}
	if a, ok := transfer.AccessOf(op); ok {
		cost += c.cost.Access(a, s.At(c.placeOf(op, a.Value)))
	}
	if t, ok := transfer.Transfers.Of(op); ok && t.Work != nil {
		cost += t.Work(op, s)
	}
	return cost
}
