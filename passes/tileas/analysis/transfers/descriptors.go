package transfers

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// asynchronous MMAs read buffers themselves, by descriptors, which know a few layouts
// (linear.OperandLayout). Those are the layouts that TMA copies make too, and chunks of 16 bytes that come in stay
// together in all of them.

// async returns a use of the end as an operand that the machine may read from shared memory, if there is one.
func (e End) async() (use ir.Use, ok bool) {
	for u := range e.Value.Uses() {
		if tileas.IsMMAOperand(u) && u.Index() < 2 && instr.Async(u.Owner()) { // scales go through registers
			return u, true
		}
	}
	return use, false
}

// described returns such a use by whose descriptor the machine reads the buffer: the operand does not have to pass
// registers.
func (e End) described() (use ir.Use, ok bool) {
	use, ok = e.async()
	return use, ok && !e.passes()
}

// passes reports whether the end is taken from registers by such a use, or goes through them to it.
func (e End) passes() bool {
	use, ok := e.async()
	return ok && instr.Passes(use.Owner(), use.Index())
}

// ForAsync reports whether each value that the copy brings is for an asynchronous MMA.
func (c *Copy) ForAsync() bool {
	return !slices.ContainsFunc(c.Ends, func(e End) bool {
		_, async := e.async()
		return !async
	})
}

// forDescriptors returns the layout of the buffer for such a use, by the dimensions of what is loaded: elements that
// are together in global memory stay together.
func (c *Copy) forDescriptors(use ir.Use) (linear.Shared, error) {
	together := -1
	if c.from.Bits(linear.Register) > 0 {
		together = slices.Index(c.from.Base(linear.Register, 0), 1)
	}
	err := fmt.Errorf("no two elements that are together in global memory are so in a matrix descriptor")
	rank := len(c.Ends[0].Value.Type().(*ir.TensorType).Shape)
	for dim := rank - 1; dim >= 0; dim-- {
		layout, why := instr.BufferLayout(use.Owner(), use.Index(), dim)
		if why != nil {
			err = why
			continue
		}
		if out, why := linear.NewShared(c.Ends[0].loaded(layout.Layout())); why != nil || out.Contiguous() != together {
			continue
		} else {
			c.Align = instr.Align
			return out, nil
		}
	}
	return linear.Shared{}, err
}
