package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// propagate gives the remaining classes layouts that follow from their neighbours, forwards before backwards and
// earlier operations before later ones. A class for which nothing follows gets a default. Each class gets a
// layout once, and is then asked about once in each direction, so the work is linear except for the queues.
func (c *chooser) propagate() error {
	forward, backward := ir.NewQueue(len(c.ops)), ir.NewQueue(len(c.ops))
	notify := func(class int) {
		for _, i := range c.concerns[class] {
			forward.Push(i)
			backward.Push(i)
		}
	}
	for _, v := range c.values {
		if _, ok := c.home(v); ok {
			notify(c.classes.Find(v))
		}
	}
	set := func(v ir.Value, l linear.Layout) {
		if _, ok := c.home(v); ok || !c.classed(v) || l.Dims() == 0 {
			return
		}
		class := c.classes.Find(v)
		c.homes[class] = l
		notify(class)
	}
	next := 0
	for {
		switch {
		// Everything that follows forwards comes first: the layouts of loads and fragments reach their users
		// before a store favors the same values.
		case forward.Len() > 0:
			c.pass(c.ops[forward.Pop()], false, set)
		case backward.Len() > 0:
			c.pass(c.ops[backward.Pop()], true, set)
		default:
			i := slices.IndexFunc(c.values[next:], func(v ir.Value) bool { _, ok := c.home(v); return !ok })
			if i < 0 {
				return nil
			}
			next += i
			l, err := c.defaultLayout(c.values[next])
			if err != nil {
				return ir.Errorf(c.fn.Loc(), "a tensor cannot be distributed: %v", err)
			}
			// A default is a seed like others. Its neighbours follow it, so values without a preference agree,
			// and need no conversions among themselves.
			set(c.values[next], l)
		}
	}
}

// pass takes the layout of the first operand with a layout to the results, or backwards that of the first such
// result to the operands. Whether another operand would be a cheaper choice is left to the search, when all have
// homes.
func (c *chooser) pass(op ir.Op, backward bool, set func(ir.Value, linear.Layout)) {
	t, ok := transfer.Transfers.Of(op)
	if !ok {
		return
	}
	places := placesOf(op)
	for _, from := range places {
		l, ok := c.home(from.Value(op))
		if !ok || from.Result != backward {
			continue
		}
		s, err := t.From(op, from, l)
		if err != nil {
			return // others may decide
		}
		for _, to := range places {
			if to.Result != backward {
				set(to.Value(op), s.At(to))
			}
		}
		return
	}
}
