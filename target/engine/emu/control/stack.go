package control

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var stackOps = map[string]decode.Func{
	"alloca":       decodeAlloca,
	"stacksave":    decodeStackPointer,
	"stackrestore": decodeStackPointer,
}

const (
	// stackAlign is the alignment that alloca guarantees.
	stackAlign    = 8
	maxAllocaBits = 23
)

// A pointer above the present one would leave memory of a function that has returned, and one below it memory that
// was never allocated.
func decodeStackPointer(d *decode.Decoder) {
	d.Type(syntax.U64)
	o := d.Args(1)[0]
	sp := d.Program.Stack
	if d.Stmt.Op == "stacksave" {
		d.Inst.Exec = decode.Move(d.Dst(o, syntax.U64), machine.Src(sp))
		return
	}
	a := d.Src(o, syntax.U64)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 {
			i := machine.Next(&m)
			v := w.Lanes(a)[i]
			if v < uint64(w.Program.StackBase) || v > uint64(w.Program.LocalSize) || v < w.Reg(sp)[i] {
				w.Faultf(i, "%#x is no earlier stack pointer", v)
				return
			}
			w.Reg(sp)[i] = v
		}
	}
}

// The stack of each lane grows down from the end of its local memory to where the variables with fixed places
// end (StackBase).
func decodeAlloca(d *decode.Decoder) {
	d.Type(syntax.U64)
	args := d.Argc(2, 3)
	align := uint64(stackAlign)
	if len(args) == 3 {
		o := args[2]
		if o.Kind != syntax.OpInt || o.Bits == 0 || o.Bits&(o.Bits-1) != 0 || o.Bits > 1<<maxAllocaBits {
			d.FailAt(o, "the alignment must be a constant power of two up to 2^%d", maxAllocaBits)
		}
		align = max(align, o.Bits)
	}
	dst, size, sp := d.Dst(args[0], syntax.U64), d.Src(args[1], syntax.U64), d.Program.Stack
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		low := uint64(w.Program.StackBase)
		for m != 0 {
			i := machine.Next(&m)
			top, n := w.Reg(sp)[i], w.Lanes(size)[i]
			if n > top-low || (top-n)&^(align-1) < low {
				w.Faultf(i, "'alloca' of %d bytes exceeds the stack, of which %d bytes are left", n, top-low)
				return
			}
			top = (top - n) &^ (align - 1)
			w.Reg(sp)[i], w.Reg(dst)[i] = top, top
		}
	}
}
