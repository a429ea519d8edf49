package control

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var controlOps = map[string]decode.Func{
	"bra":            decodeBra,
	"brx":            decodeBrx,
	"ret":            func(d *decode.Decoder) { d.Opt("uni"); d.Args(0); d.Inst.Kind = machine.KindRet },
	"exit":           func(d *decode.Decoder) { d.Args(0); d.Inst.Kind = machine.KindExit },
	"trap":           decodeTrap,
	"brkpt":          decodeTrap,
	"call":           decodeCall,
	"nanosleep":      decodeNanosleep,
	"griddepcontrol": func(d *decode.Decoder) { d.OneOf("launch_dependents", "wait"); d.Args(0) },
	"setmaxnreg":     decodeSetMaxNReg,
	"pmevent":        func(d *decode.Decoder) { d.Opt("mask"); d.Args(1) },
}

// jump resolves a label of the current function to a program counter.
func jump(d *decode.Decoder, o *syntax.Operand) int32 {
	if o.Kind == syntax.OpName && o.Scope != nil {
		if i, ok := o.Scope.Label(o.Name); ok {
			return d.Program.Starts[d.Function] + int32(i)
		}
	}
	d.FailAt(o, "label '%s' is not defined", o.Name)
	return 0
}

// .uni says that the branch is uniform. It is not checked: the machine handles a branch that is not.
func decodeBra(d *decode.Decoder) {
	d.Opt("uni")
	d.Inst.Kind, d.Inst.Target = machine.KindBranch, jump(d, d.Args(1)[0])
}

// An index beyond the list is undefined ("brx.idx") and faults in the machine.
func decodeBrx(d *decode.Decoder) {
	d.Opt("idx")
	d.Opt("uni")
	args := d.Args(2)
	list := args[1].Scope.List(args[1].Name)
	if list == nil {
		d.FailAt(args[1], "'%s' is not a list of branch targets", args[1].Name)
	}
	d.Inst.Kind, d.Inst.Index = machine.KindIndex, d.Src(args[0], syntax.U32)
	for _, o := range list {
		d.Inst.Targets = append(d.Inst.Targets, jump(d, o))
	}
}

// brkpt stops for a debugger that is not there.
func decodeTrap(d *decode.Decoder) {
	d.Args(0)
	name := d.Stmt.Op
	d.Inst.Exec = func(w *machine.Warp, m uint32) { w.FaultOf("assert", machine.FirstLane(m), "'%s' is executed", name) }
}

// decodeNanosleep ends the warp's turn.
//
// There is no time to sleep through; to let others have a turn is what it is used for.
func decodeNanosleep(d *decode.Decoder) {
	d.Type(syntax.U32)
	d.Src(d.Args(1)[0], syntax.U32)
	d.Inst.Exec = func(w *machine.Warp, m uint32) { w.Yield = true }
}

// Registers of the machine are not a resource. That a warp exceeds what it has left itself is a matter for ptxas.
//
// The ISA's bounds of the count ("setmaxnreg": 24 to 256, a multiple of 8) are all that is checked.
func decodeSetMaxNReg(d *decode.Decoder) {
	d.OneOf("inc", "dec")
	d.Opt("sync")
	d.Opt("aligned")
	d.Type(syntax.U32)
	o := d.Args(1)[0]
	if o.Kind != syntax.OpInt || o.Bits < 24 || o.Bits > 256 || o.Bits%8 != 0 {
		d.FailAt(o, "register count must be a multiple of 8 from 24 to 256")
	}
}
