package control

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeCallIndirect decodes `call (ret), pointer, (args), targets`.
//
// Lanes with different pointers are split by the machine (KindCallIndirect) before Exec runs, so that one set
// of lanes has one callee.
func decodeCallIndirect(d *decode.Decoder) {
	rets, callee, params := decode.CallOperands(d.Stmt.Args)
	if callee == nil || callee.Kind != syntax.OpReg {
		d.Fail("this function is not declared")
	}
	last := d.Stmt.Args[len(d.Stmt.Args)-1]
	if last == callee || last.Kind != syntax.OpName && last.Kind != syntax.OpVar {
		d.Fail("an indirect call needs a prototype or a list of targets")
	}
	targets := map[uint64]*machine.IndirectTarget{}
	for _, f := range d.IndirectTargets(d.Stmt) {
		start, linked := d.Program.Starts[f]
		if !linked || !decode.Fits(rets, f.Results) || !decode.Fits(params, f.Params) {
			continue
		}
		before, after := passing(d, f, rets, params)
		targets[f.Address] = &machine.IndirectTarget{Start: start, Before: before, After: after}
	}
	// When lanes return, only a register can tell from which function: the pointer itself may have been overwritten
	// in it.
	chosen := d.Hidden()
	d.Inst.Kind, d.Inst.Index = machine.KindCallIndirect, d.Src(callee, syntax.U64)
	d.Inst.Callees = targets
	pointer := d.Inst.Index
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		v := w.Lanes(pointer)[machine.FirstLane(m)]
		for k := m; k != 0; {
			w.Reg(chosen)[machine.Next(&k)] = v
		}
		targets[v].Before(w, m)
	}
	d.Inst.After = func(w *machine.Warp, m uint32) { targets[w.Reg(chosen)[machine.FirstLane(m)]].After(w, m) }
}
