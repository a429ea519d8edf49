package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// stackBytes is the memory that a thread of a program with alloca has
// for it. It follows the variables in local memory and grows down.
const stackBytes = 16 << 10

// reserveStack gives the program a stack and a register for its pointer if
// it uses one.
func (d *Decoder) reserveStack() {
	for _, f := range d.order {
		for i := range f.Body {
			if !usesStack(f.Body[i].Op) {
				continue
			}
			d.Program.StackBase = d.Program.LocalSize
			d.Program.LocalSize += stackBytes
			d.Program.Stack = d.Hidden()
			top := uint64(d.Program.LocalSize)
			d.Program.Specials = append(d.Program.Specials, machine.SpecialFill{Slot: d.Program.Stack, Fill: func(_ *machine.Warp, out *machine.Lanes) {
				for i := range out {
					out[i] = top
				}
			}})
			return
		}
	}
}

// usesStack tells the instructions that need a stack.
func usesStack(op string) bool { return op == "alloca" || op == "stacksave" || op == "stackrestore" }

// Hidden is a register slot without a name.
func (d *Decoder) Hidden() int32 {
	i := int32(d.Program.Regs)
	d.Program.Regs++
	return i
}
