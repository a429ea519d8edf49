package tile

import "github.com/tilewright/tilewright/ir"

// Promise is the capability of operations that pass a value on and promise facts about it: nothing is left of them
// in code.
var Promise = ir.NewCap[struct{}]("promise")

// MMAs is the capability of MMAs: operand 2 is the accumulator, and all others are A, B, or their scales.
var MMAs = ir.NewCap[struct{}]("mma")

// Cheap is the capability of operations that cost nothing worth counting: their result is rematerialized where it
// is wanted.
var Cheap = ir.NewCap[struct{}]("cheap-to-repeat")

// Relayout is the capability of operations that return operand 0 as it is: only the threads that hold its elements
// change.
var Relayout = ir.NewCap[struct{}]("relayout")

// OneLane is the capability of operations that mean the same if one lane of a warp runs them as if all do: that lane
// does the work anyway, or each lane does the same.
var OneLane = ir.NewCap[func(op ir.Op) bool]("one-lane")

// ByOneLane is the capability of those that always mean the same.
var ByOneLane = OneLane.Is(func(ir.Op) bool { return true })

func (l *Level) attachCosts() {
	for _, def := range []*ir.OpDef{l.Dot, l.DotScaled} {
		def.Attach(MMAs.Is(struct{}{}))
	}
	for _, def := range []*ir.OpDef{l.Splat, l.Range, l.Broadcast, l.Reshape, l.Permute} {
		def.Attach(Cheap.Is(struct{}{}))
	}
	for _, def := range []*ir.OpDef{l.ProgramID, l.NumPrograms, l.CTARank, l.MakeToken, l.Load, l.TiledLoad, l.AddPtr, l.Unsplat} {
		def.Attach(ByOneLane)
	}
}

// IsMMA reports whether an operation is an MMA.
func IsMMA(op ir.Op) bool {
	_, is := MMAs.Of(op)
	return is
}

// HasMMA reports whether an operation is an MMA or contains one.
func HasMMA(op ir.Op) bool {
	return !op.Walk(func(inner ir.Op) ir.WalkResult {
		if IsMMA(inner) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}
