package facts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// How control moves between the operations with regions and the terminators inside. A break, continue or return may
// stand in an if, or in ifs within ifs, and then leaves all of them.

// Enclosing returns the nearest operation around op of one of the rows, if there are only ifs between; else a zero Op,
// and the operation that is in the way.
func Enclosing(op ir.Op, rows ...*ir.OpDef) (target, obstacle ir.Op) {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if def := p.Def(); slices.Contains(rows, def) || def.StandsFor != nil && slices.Contains(rows, def.StandsFor) {
			return p, ir.Op{}
		}
		if !p.Is(cudatile.If) {
			return ir.Op{}, p
		}
	}
	return ir.Op{}, ir.Op{}
}

// ExitCaps declares which operations a terminator leaves or repeats, and that it does nothing to memory.
func ExitCaps(rows ...*ir.OpDef) []ir.CapImpl {
	return append([]ir.CapImpl{ir.RegionExitOp.Is(func(op ir.Op) ir.Op {
		target, _ := Enclosing(op, rows...)
		return target
	})}, NoEffects...)
}

// ForBounds is how many operands of a for come before the initial values.
const ForBounds = 3

// ForCaps says how control moves in a for, and that it is a loop.
var ForCaps = []ir.CapImpl{
	ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		e := ir.RegionEdge{From: op, Lo: ForBounds, Hi: op.NumOperands(), To: op, FirstInput: 1}
		if !from.IsNil() {
			e.From, e.Lo, e.Hi = from, 0, from.NumOperands()
		}
		add(e)
		e.Region, e.FirstInput = ir.RegionExit, 0
		add(e)
	}),
	ir.LoopLike.Is(func(op ir.Op) ir.Loop {
		return ir.Loop{Op: op, Body: op.Region(0), IndVar: op.Body().Arg(0), Lower: op.Operand(0), Upper: op.Operand(1),
			Step: op.Operand(2), Unsigned: op.HasUnitAttr("unsignedCmp"), NumIterArgs: op.NumOperands() - ForBounds,
			FirstInit: ForBounds, FirstIterArg: 1, MayNotRun: true}
	}),
}

// LoopCaps says how control moves in a loop.
var LoopCaps = []ir.CapImpl{
	ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		switch {
		case from.IsNil():
			add(ir.RegionEdge{From: op, Hi: op.NumOperands(), To: op})
		case from.Is(cudatile.Break):
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
		default:
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op})
		}
	}),
	// A loop that never breaks stays, as in scf: nothing in the specification lets a program that never ends go on.
	ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Write}) }),
	// The results of a loop are what its breaks say, not its carried values, so none are declared here. Its body is
	// entered at once: what stands before the first break always runs.
	ir.LoopLike.Is(func(op ir.Op) ir.Loop { return ir.Loop{Op: op, Body: op.Region(0)} }),
}

// IfCaps says how control moves in an if.
var IfCaps = []ir.CapImpl{ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
	exit := ir.RegionEdge{From: op, To: op, Region: ir.RegionExit}
	if !from.IsNil() {
		exit.From, exit.Hi = from, from.NumOperands()
		add(exit)
		return
	}
	add(ir.RegionEdge{From: op, To: op})
	if op.Region(1).Empty() {
		add(exit)
	} else {
		add(ir.RegionEdge{From: op, To: op, Region: 1})
	}
})}
