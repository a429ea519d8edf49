package control

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/machine/budget"
)

// warpSpecialize lowers roles. A role is the code of a range of warps, in the order in which roles are written. The
// number of the warp, the same in all its lanes, chooses the role of a thread.
//
//	  bar.sync 0
//	  cond_br %warp < 4, ^consumer, ^producer
//	^consumer:  setmaxnreg ; what the scope of the role hoists ; br to its code ... br ^exit
//	^producer:  ...
//	^exit:      bar.sync 0
//
// Each role is a scope, in which threads are counted from the first of its own warps. Layouts are over those, so the
// first role has the numbers that a kernel without roles has.
func warpSpecialize(l *core.Lowering, op ir.Op) error {
	regs, err := movesOf(op, budget.Of(l.Source, l.Arch).WithWarps(l.Warps))
	if err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	number, around, exit := l.UniformWarp(), l.Scope, l.Blocks.AddBlock()
	defer func() { l.Scope = around }()
	for i := range op.NumRegions() {
		role := tileas.RoleAt(op, i)
		first := role.FirstWarp()
		if !regs.own(i) && i == regs.together { // one instruction for all of the group
			regs.setRegisters(l.Builder, i)
		}
		front, others := l.Blocks.AddBlock(), ir.Block{}
		if i == op.NumRegions()-1 {
			cf.CreateBr(l.Builder, front)
		} else {
			others = l.Blocks.AddBlock()
			cf.CreateCondBr(l.Builder, l.Compare("ult", number, l.Const32(int64(first)+role.Warps)), front, nil, others, nil)
		}
		if err := lowerRole(l, role, front, exit, first, &regs); err != nil {
			return err
		}
		if l.Scope = around; !others.IsNil() {
			others.MoveToEnd(l.Blocks)
			l.SetInsertionPointToEnd(others)
		}
	}
	exit.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(exit)
	if !endsAfter(l, op) {
		l.Create(nvvm.Barrier, nil, nil)
	}
	return nil
}

// lowerRole writes the code of a role, which begins in a block of its own.
func lowerRole(l *core.Lowering, role tileas.Role, front, exit ir.Block, first int, regs *moves) error {
	code, done := l.Blocks.AddBlock(), exit
	l.Scope = core.NewScope(front, int(role.Warps))
	l.Scope.FirstWarp = first
	l.Scope.Entry.Loc = l.Loc
	if regs.own(role.Index) { // before anything that takes registers
		regs.setRegisters(l.Scope.Entry, role.Index)
	}
	var elected ir.Value // of a role that one lane runs
	if oneLaneRuns(l, role) {
		elected, l.Scope.Alone, done = l.ElectedLane(), true, l.Blocks.AddBlock()
	}
	l.SetInsertionPointToEnd(code)
	if err := l.Ops(role.Op.Region(role.Index).First()); err != nil {
		return err
	}
	cf.CreateBr(l.Builder, done)
	if !l.Scope.Alone {
		cf.CreateBr(l.Scope.Entry, code)
		return nil
	}
	cf.CreateCondBr(l.Scope.Entry, elected, code, nil, done, nil)
	done.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(done)
	l.Create(nvvm.WarpSync, nil, nil)
	cf.CreateBr(l.Builder, exit)
	return nil
}

// endsAfter reports whether the kernel ends after the roles. Then a role that is done early need not wait for the
// others, since nothing is released there that they may use.
func endsAfter(l *core.Lowering, op ir.Op) bool {
	next := op.Next()
	return !next.IsNil() && next.Is(tileas.Level.Return) && op.Block() == l.Source.Body() && !l.HasCleanup()
}
