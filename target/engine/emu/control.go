package emu

var controlOps = map[string]decodeFn{
	"bra":            decodeBra,
	"brx":            decodeBrx,
	"ret":            func(d *decoder) { d.opt("uni"); d.args(0); d.in.kind = kindRet },
	"exit":           func(d *decoder) { d.args(0); d.in.kind = kindExit },
	"trap":           decodeTrap,
	"brkpt":          decodeTrap,
	"call":           decodeCall,
	"nanosleep":      decodeNanosleep,
	"griddepcontrol": func(d *decoder) { d.oneOf("launch_dependents", "wait"); d.args(0) },
	"setmaxnreg":     decodeSetMaxNReg,
	"pmevent":        func(d *decoder) { d.opt("mask"); d.args(1) },
}

// jump resolves a label of the current function to a program counter.
func (d *decoder) jump(o *operand) int32 {
	if o.kind == opName && o.scope != nil {
		if i, ok := o.scope.label(o.name); ok {
			return d.p.starts[d.f] + int32(i)
		}
	}
	d.badOperand(o, "label '%s' is not defined", o.name)
	return 0
}

func decodeBra(d *decoder) {
	d.opt("uni")
	d.in.kind, d.in.target = kindBranch, d.jump(d.args(1)[0])
}

func decodeBrx(d *decoder) {
	d.opt("idx")
	d.opt("uni")
	args := d.args(2)
	list := args[1].scope.list(args[1].name)
	if list == nil {
		d.badOperand(args[1], "'%s' is not a list of branch targets", args[1].name)
	}
	d.in.kind, d.in.index = kindIndex, d.src(args[0], tU32)
	for _, o := range list {
		d.in.targets = append(d.in.targets, d.jump(o))
	}
}

func decodeTrap(d *decoder) {
	d.args(0)
	name := d.s.op
	d.in.exec = func(w *warp, m uint32) { w.faultf(laneOf(m), "'%s' is executed", name) }
}

// decodeNanosleep ends the warp's turn.
func decodeNanosleep(d *decoder) {
	d.typ(tU32)
	d.src(d.args(1)[0], tU32)
	d.in.exec = func(w *warp, m uint32) { w.yield = true }
}

func decodeSetMaxNReg(d *decoder) {
	d.oneOf("inc", "dec")
	d.opt("sync")
	d.opt("aligned")
	d.typ(tU32)
	o := d.args(1)[0]
	if o.kind != opInt || o.bits < 24 || o.bits > 256 || o.bits%8 != 0 {
		d.badOperand(o, "register count must be a multiple of 8 from 24 to 256")
	}
}
