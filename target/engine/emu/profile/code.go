package profile

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// An Instruction is what a model of time has to know of an instruction of a program, beside what executing it shows.
type Instruction struct {
	Function string
	Line     int
	Text     string
	Op       string
	Mods     []string
	Unit     string
	Bits     int    // of its first type, 0 without one
	Float    bool   // that type
	Count    uint64 // the last operand, if it is a number: groups of waits
	Source   *Place
	// Uses and Defs are registers and predicates that it reads and writes, numbered together from 0 on.
	Uses, Defs []int32
	Guarded    bool
	Branch     bool
	Targets    []int32 // where it may branch to
}

// Code lists the instructions of a program.
func Code(prog *machine.Program) (list []Instruction) {
	functions := make(map[int32]string)
	for f, at := range prog.Starts {
		functions[at] = f.Name
	}
	slots := func(regs, preds []int32) (out []int32) {
		for _, r := range regs {
			if r > machine.SlotSink+1 {
				out = append(out, r)
			}
		}
		for _, p := range preds {
			if p > machine.PredSink {
				out = append(out, int32(prog.Regs)+p)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	function := ""
	for i := range prog.Code {
		in := &prog.Code[i]
		if name, ok := functions[int32(i)]; ok {
			function = name
		}
		s := in.Stmt
		preds := in.PredUses
		if in.Guarded {
			preds = append(slices.Clone(preds), in.Guard.Slot)
		}
		x := Instruction{Function: function, Line: int(s.Pos.Line), Text: s.Text, Op: s.Op, Mods: s.Mods, Unit: Unit(s), Source: place(prog.Module, s.Loc),
			Uses: slots(in.Uses, preds), Defs: slots(in.Defs, in.PredDefs), Guarded: in.Guarded, Branch: in.Kind != machine.KindPlain && in.Kind < machine.KindBarrier}
		if t := typeOf(s); t != syntax.NoType {
			x.Bits, x.Float = t.Bits(), t.Float() || syntax.Types[t].Class == syntax.ClassPacked && t != syntax.U16x2 && t != syntax.S16x2
		}
		if n := len(s.Args); n > 0 && s.Args[n-1].Kind == syntax.OpInt {
			x.Count = s.Args[n-1].Bits
		}
		switch in.Kind {
		case machine.KindBranch:
			x.Targets = []int32{in.Target}
		case machine.KindIndex:
			x.Targets = in.Targets
		}
		list = append(list, x)
	}
	return list
}
