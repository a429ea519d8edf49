package control

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// oneLaneRuns reports whether one lane runs a role: that of one warp that waits at mbarriers, loads by TMA and issues MMAs
// of tcgen05, each of which one lane does for the warp.
//
//	^front:  what the scope hoists ; cond_br %elected, ^code, ^done
//	^code:   ...  br ^done
//	^done:   bar.warp.sync ; br ^exit
//
// If all lanes run it, MMAs of one lane stand in a branch, unless they are so few that ptxas needs none.
func oneLaneRuns(l *core.Lowering, role tileas.Role) bool {
	if role.Warps != 1 || !l.Arch.Has(sm.ElectSync) {
		return false
	}
	branch := false
	for top := range role.Op.Region(role.Index).First().Ops() {
		for op := range top.All() {
			if !oneLaneDoes(op) {
				return false
			}
			branch = branch || needsBranch(op)
		}
	}
	return branch
}

// predicated is how many instructions that one lane issues ptxas 13.5 runs without a branch, by uniform predicates
// (docs/measurements/codegen.md, "One lane"). The branch costs 14 cycles of issue. One lane alone needs none, but has
// less in uniform registers: 8 cycles more for 4 MMAs, whose loop has no branch.
const predicated = 28

// needsBranch reports whether an MMA and those right after it, before anything is waited for, are more instructions than
// ptxas predicates.
func needsBranch(op ir.Op) bool {
	n := 0
	for ; !op.IsNil() && !op.Is(tileas.MbarrierWait) && !op.Is(tileas.Barrier) && op.NumRegions() == 0; op = op.Next() {
		if op.Is(tileas.TMEMDot) {
			n += issued(op)
		}
	}
	return n > predicated
}

// issued counts the instructions that issue an MMA: for each part a descriptor of both operands, unless it is the same in
// each iteration of the loop.
func issued(dot ir.Op) int {
	p, err := instr.TMEMDotOf(dot)
	if err != nil {
		return 0
	}
	parts := len(p.Parts()) * p.Steps
	n := parts + 4
	for i := range 2 {
		if def := dot.Operand(i).DefiningOp(); !def.IsNil() && def.Block() == dot.Block() {
			n += parts + 2
		}
	}
	return n
}

// oneLaneDoes reports whether an operation means the same if one lane runs it. The lanes of a warp hold the same scalars,
// and here the same elements of a tensor.
func oneLaneDoes(op ir.Op) bool {
	for _, values := range [][]ir.Value{op.Operands(), op.Results()} {
		for _, v := range values {
			if lay, distributed := tileas.LayoutOf(v.Type()); distributed && lay.FreeMask(linear.Lane) != sm.WarpSize-1 {
				return false
			}
		}
	}
	if def := op.Def(); def.Dialect == arith.Dialect || def.Dialect == scf.Dialect {
		return true
	}
	same, ok := tile.OneLane.Of(op)
	return ok && same(op)
}
