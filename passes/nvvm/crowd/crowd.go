package crowd

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// A Counter counts in the blocks of a kernel.
type Counter struct {
	Place *ir.OpTable[int]    // of each operation of the block that was counted last
	seen  *ir.ValueTable[int] // the latest round that came to a value
	round int
}

// New returns a counter for a kernel.
func New(kernel ir.Op) *Counter {
	return &Counter{Place: ir.NewOpTable[int](kernel), seen: ir.NewValueTable[int](kernel)}
}

// Of returns the most registers that values take at once which a block defines or uses, if its operations have this
// order. A value that other blocks use too is taken to live in all of it.
func (c *Counter) Of(b ir.Block, ops []ir.Op) int {
	for i, op := range ops {
		*c.Place.At(op) = i
	}
	live := make([]int, len(ops)+1) // changes from operation to operation
	c.round++
	note := func(v ir.Value) {
		def, seen := v.DefiningOp(), c.seen.At(v)
		if *seen == c.round || !def.IsNil() && def.Is(arith.Constant) {
			return
		}
		*seen = c.round
		from, to := 0, 0 // from the beginning if another block defines it
		if !def.IsNil() && def.Block() == b {
			from = *c.Place.At(def)
		}
		for u := range v.Uses() {
			if user := u.Owner(); user.Block() == b {
				to = max(to, *c.Place.At(user))
			} else {
				to = len(ops)
			}
		}
		if to > from {
			live[from] += Width(v)
			live[to] -= Width(v)
		}
	}
	for _, op := range ops {
		for _, v := range op.Operands() {
			note(v)
		}
		for _, v := range op.Results() {
			note(v)
		}
	}
	most, now := 0, 0
	for _, change := range live {
		now += change
		most = max(most, now)
	}
	const word = 32
	return most / word
}

// Width returns the bits of the registers that a value takes; a pointer is of 64 bits at most.
func Width(v ir.Value) int {
	if n := ir.BitWidth(v.Type()); n > 0 {
		return max(n, 32)
	}
	return 64
}
