package cudatile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// How control moves between the operations with regions and the terminators inside. A break, continue or return may stand in an if, or in
// ifs within ifs, and then leaves all of them.

// enclosing returns the nearest operation around op with one of the names, if there are only ifs between; else a zero Op, and the
// operation that is in the way.
func enclosing(op ir.Op, names ...string) (target, obstacle ir.Op) {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if isAnyOp(p, names...) || p.Def().StandsFor != nil && slices.Contains(names, p.Def().StandsFor.Name) {
			return p, ir.Op{}
		}
		if !isOp(p, "if") {
			return ir.Op{}, p
		}
	}
	return ir.Op{}, ir.Op{}
}

// exitCaps declares which operations a terminator leaves or repeats, and that it does nothing to memory.
func exitCaps(names ...string) []ir.CapImpl {
	return append([]ir.CapImpl{ir.RegionExitOp.Is(func(op ir.Op) ir.Op {
		target, _ := enclosing(op, names...)
		return target
	})}, noEffects...)
}

func init() {
	for def, name := range map[*ir.OpDef]string{For: "continue", Loop: "continue", If: "yield"} {
		def.Attach(ir.ImpliedTerminator.Is(func(r ir.Region) bool { return hidesTerminator(r, name) }))
	}
}

// forBounds is how many operands of a for come before the initial values.
const forBounds = 3

var forCaps = []ir.CapImpl{
	ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		e := ir.RegionEdge{From: op, Lo: forBounds, Hi: op.NumOperands(), To: op, FirstInput: 1}
		if !from.IsNil() {
			e.From, e.Lo, e.Hi = from, 0, from.NumOperands()
		}
		add(e)
		e.Region, e.FirstInput = ir.RegionExit, 0
		add(e)
	}),
	ir.LoopLike.Is(func(op ir.Op) ir.Loop {
		return ir.Loop{Op: op, Body: op.Region(0), IndVar: op.Body().Arg(0), Lower: op.Operand(0), Upper: op.Operand(1),
			Step: op.Operand(2), Unsigned: op.HasUnitAttr("unsignedCmp"), NumIterArgs: op.NumOperands() - forBounds,
			FirstInit: forBounds, FirstIterArg: 1, MayNotRun: true}
	}),
}

var loopCaps = []ir.CapImpl{
	ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		switch {
		case from.IsNil():
			add(ir.RegionEdge{From: op, Hi: op.NumOperands(), To: op})
		case isOp(from, "break"):
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
		default:
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op})
		}
	}),
	// A loop that never breaks stays, as in scf: nothing in the specification lets a program that never ends go on.
	ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Write}) }),
	// The results of a loop are what its breaks say, not its carried values, so none are declared here. Its body is entered at once: what stands
	// before the first break surely runs.
	ir.LoopLike.Is(func(op ir.Op) ir.Loop { return ir.Loop{Op: op, Body: op.Region(0)} }),
}

var ifCaps = []ir.CapImpl{ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
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
