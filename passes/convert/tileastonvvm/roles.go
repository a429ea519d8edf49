package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Roles. A role is the code of a range of warps, in the order in which they are written; the number of the warp, the same in all its lanes, says which one a thread goes to.
//
//	  bar.sync 0
//	  cond_br %warp < 4, ^compute, ^load
//	^compute:  setmaxnreg ; what the scope of the role hoists ; br to its code ... br ^exit
//	^load:     ...
//	^exit:     bar.sync 0
//
// Each role is a scope, in which threads are counted from the first of its own warps. So layouts are over those, and the first role has the numbers that a kernel without roles has.

// roleRules are those of roles and of the barriers that some of the warps meet at.
func roleRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.WarpSpecialize: (*lowering).warpSpecialize, tileas.EndRole: nothing,
		tileas.TakeTurn: (*lowering).takeTurn, tileas.PassTurn: (*lowering).passTurn,
		tileas.BarrierArrive: func(l *lowering, op ir.Op) error {
			l.Create(nvvm.BarrierArrive, nil, nil, l.participants(op)...)
			return nil
		},
	}
}

// participants returns what tells a barrier of nvvm which one it is and how many threads meet there; nothing for that of all.
func (l *lowering) participants(op ir.Op) []ir.NamedAttr {
	id, named := op.IntAttr(tileas.AttrID)
	if !named {
		return nil
	}
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return []ir.NamedAttr{l.attr32(nvvm.AttrID, id), l.attr32(nvvm.AttrThreads, sm.WarpSize*warps)}
}

func (l *lowering) warpSpecialize(op ir.Op) error {
	regs, err := budgetOf(op, l.arch, l.warps, contract.KernelSpecOf(l.source).Occupancy)
	if err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	number, around, exit := l.uniformWarp(), l.scope, l.region.AddBlock()
	defer func() { l.scope = around }()
	first := 0
	for i := range op.NumRegions() {
		role := tileas.RoleAt(op, i)
		if !regs.own(i) && i == regs.together { // one instruction for all of the group
			regs.setRegisters(l.Builder, i)
		}
		front, others := l.region.AddBlock(), ir.Block{}
		if i == op.NumRegions()-1 {
			cf.CreateBr(l.Builder, front)
		} else {
			others = l.region.AddBlock()
			cf.CreateCondBr(l.Builder, l.compare("ult", number, l.const32(int64(first)+role.Warps)), front, nil, others, nil)
		}
		if err := l.role(role, front, exit, first, &regs); err != nil {
			return err
		}
		first += int(role.Warps)
		if l.scope = around; !others.IsNil() {
			others.MoveToEnd(l.region)
			l.SetInsertionPointToEnd(others)
		}
	}
	exit.MoveToEnd(l.region)
	l.SetInsertionPointToEnd(exit)
	if !l.endsBehind(op) {
		l.Create(nvvm.Barrier, nil, nil)
	}
	return nil
}

// role writes the code of a role, which begins in a block of its own.
func (l *lowering) role(role tileas.Role, front, exit ir.Block, first int, regs *budget) error {
	code := l.region.AddBlock()
	l.scope = newScope(front, int(role.Warps))
	l.scope.first = first
	l.scope.front.Loc = l.Loc
	if regs.own(role.Index) { // before anything that takes registers
		regs.setRegisters(l.scope.front, role.Index)
	}
	l.SetInsertionPointToEnd(code)
	if err := l.Ops(role.Op.Region(role.Index).First()); err != nil {
		return err
	}
	cf.CreateBr(l.Builder, exit)
	cf.CreateBr(l.scope.front, code)
	return nil
}

// endsBehind reports whether the kernel ends behind the roles, so that one whose warps are done early need not wait for the others: nothing is given back there that these may use.
func (l *lowering) endsBehind(op ir.Op) bool {
	next := op.Next()
	return !next.IsNil() && next.Is(tileas.Level.Return) && op.Block() == l.source.Body() && len(l.memories) == 0 && l.slots.slot.IsNil()
}
