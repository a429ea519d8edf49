package scf

import (
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the scf dialect.
var Dialect = &ir.Dialect{Name: "scf", Doc: "Structured control flow: if, for and loop with early exits."}

var (
	condition = ir.TypeConstraint{Desc: "i1", Check: func(t ir.Type) bool {
		it, ok := t.(*ir.IntegerType)
		return ok && it.Width == 1
	}}
	bound = ir.TypeConstraint{Desc: "integer", Check: func(t ir.Type) bool {
		_, ok := t.(*ir.IntegerType)
		return ok
	}}
)

// The operations.
var (
	// If runs its first region when the condition holds, else its second, which may be empty when there are no results.
	//
	// Regions have one block each: control flow inside them is more structured operations, or an exit.
	If = Dialect.Op(ir.OpDef{
		Name: "if", Summary: "Runs one of two regions.",
		Operands: []ir.Field{{Name: "condition", Type: condition}},
		Results:  []ir.Field{{Name: "results", Type: ir.AnyType, Arity: ir.Variadic}},
		Regions:  []ir.Field{{Name: "then"}, {Name: "else"}},
		Traits:   ir.RecursiveEffects | ir.SingleBlock,
		Parse:    parseIf, Print: printIf, Verify: verifyIf,
		Caps: []ir.CapImpl{ir.RegionBranch.Is(ifEdges)},
	})
	// For counts; operands are lower bound, upper bound, step and the initial values.
	For = Dialect.Op(ir.OpDef{
		Name: "for", Summary: "Runs its region for each value of a counter.",
		Operands: []ir.Field{{Name: "lower", Type: bound}, {Name: "upper", Type: bound}, {Name: "step", Type: bound},
			{Name: "inits", Type: ir.AnyType, Arity: ir.Variadic}},
		Attrs:   []ir.Field{{Name: "unsigned", Arity: ir.Optional, Kind: ir.UnitKind, Doc: "the counter is compared as unsigned"}},
		Results: []ir.Field{{Name: "results", Type: ir.AnyType, Arity: ir.Variadic}},
		Regions: []ir.Field{{Name: "body"}},
		Traits:  ir.RecursiveEffects | ir.SingleBlock,
		Parse:   parseFor, Print: printFor, Verify: verifyFor,
		Caps: []ir.CapImpl{ir.RegionBranch.Is(forEdges), ir.LoopLike.Is(forLoop)},
	})
	// Loop runs its region until a break; operands are the initial values.
	Loop = Dialect.Op(ir.OpDef{
		Name: "loop", Summary: "Runs its region until a break.",
		Operands: []ir.Field{{Name: "inits", Type: ir.AnyType, Arity: ir.Variadic}},
		Results:  []ir.Field{{Name: "results", Type: ir.AnyType, Arity: ir.Variadic}},
		Regions:  []ir.Field{{Name: "body"}},
		Traits:   ir.RecursiveEffects | ir.SingleBlock,
		Parse:    parseLoop, Print: printLoop, Verify: verifyLoop,
		Caps: []ir.CapImpl{ir.RegionBranch.Is(loopEdges), ir.LoopLike.Is(loopLoop),
			// A loop that never breaks must not be removed.
			ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Write}) })},
	})
	// Yield ends a branch of an if with the results.
	Yield = Dialect.Op(ir.OpDef{
		Name: "yield", Summary: "Ends a branch of an if with its results.",
		Operands: exitOperands, Traits: ir.Terminator | ir.Pure, Syntax: exitSyntax,
		Parents: []string{"scf.if"}, Verify: verifyYield,
	})
	// Continue ends an iteration of the innermost for or loop with the next loop-carried values.
	Continue = exit("continue", "Ends an iteration of the innermost loop.", verifyContinue)
	// Break ends the innermost loop with its results.
	Break = exit("break", "Ends the innermost loop.", verifyBreak)
)

// exitSyntax and exitOperands are what the terminators have in common.
const exitSyntax = "attr-dict ($operands^ `:` type($operands))?"

var exitOperands = []ir.Field{{Name: "operands", Type: ir.AnyType, Arity: ir.Variadic}}

func exit(name, summary string, verify func(ir.Op) error) *ir.OpDef {
	return Dialect.Op(ir.OpDef{
		Name: name, Summary: summary,
		Operands: exitOperands, Traits: ir.Terminator | ir.Pure, Syntax: exitSyntax, Verify: verify,
		Caps: []ir.CapImpl{ir.RegionExitOp.Is(enclosing)},
	})
}

// enclosing returns the innermost for or loop around a continue or break.
//
// Stops at anything but an if: an operation of another dialect may run its region at another time, from which
// no loop can be left.
func enclosing(term ir.Op) ir.Op {
	for p := term.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if isLoop(p) {
			return p
		}
		if !isOp(p, "if") {
			return ir.Op{}
		}
	}
	return ir.Op{}
}

// NumBounds is how many operands of a for stand before the initial values.
const NumBounds = 3

// Edges say which values go where, once for every analysis: from the if into a region (none), and from a
// region's yield to the results.
func ifEdges(op, from ir.Op, add func(ir.RegionEdge)) {
	if !from.IsNil() {
		add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
		return
	}
	add(ir.RegionEdge{From: op, To: op, Region: 0})
	if op.Region(1).Empty() {
		add(ir.RegionEdge{From: op, To: op, Region: ir.RegionExit})
	} else {
		add(ir.RegionEdge{From: op, To: op, Region: 1})
	}
}

// Both the for itself and each continue may lead into the body or past it: whether there is one more iteration
// is decided there. Hence four edges, with the same operands twice.
func forEdges(op, from ir.Op, add func(ir.RegionEdge)) {
	if from.IsNil() {
		from = op
	}
	lo := 0
	if from == op {
		lo = NumBounds
	}
	add(ir.RegionEdge{From: from, Lo: lo, Hi: from.NumOperands(), To: op, Region: 0, FirstInput: 1})
	add(ir.RegionEdge{From: from, Lo: lo, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
}

func forLoop(op ir.Op) ir.Loop {
	return ir.Loop{Op: op, Body: op.Region(0), IndVar: op.Body().Arg(0), Lower: op.Operand(0), Upper: op.Operand(1),
		Step: op.Operand(2), Unsigned: op.HasUnitAttr("unsigned"), NumIterArgs: op.NumOperands() - NumBounds, FirstInit: NumBounds,
		FirstIterArg: 1, MayNotRun: true}
}

func loopEdges(op, from ir.Op, add func(ir.RegionEdge)) {
	if from.IsNil() {
		add(ir.RegionEdge{From: op, Hi: op.NumOperands(), To: op, Region: 0})
		return
	}
	region := 0
	if isOp(from, "break") {
		region = ir.RegionExit
	}
	add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: region})
}

func loopLoop(op ir.Op) ir.Loop {
	return ir.Loop{Op: op, Body: op.Region(0), NumIterArgs: op.NumOperands()}
}
