package control

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// Ping-pong. Group i of warps waits at barrier id + i, at which the group before it arrives: each barrier has the
// threads of two groups. The number of a barrier is a constant, chosen by branches on the number of the warp, because
// for one in a register ptxas reckons with all 16.

// takeTurn waits at the barrier of the own group; at the end of a series the first group alone takes what the last
// one has left.
func takeTurn(l *core.Lowering, op ir.Op) error {
	groups, _ := op.IntAttr(tileas.AttrGroups)
	if op.HasUnitAttr(tileas.AttrClose) {
		return eachGroup(l, op, func(i int64) int64 { return i }, nvvm.Barrier, 0, 0)
	}
	return eachGroup(l, op, func(i int64) int64 { return i }, nvvm.Barrier, 0, groups-1)
}

// passTurn arrives at the barrier of the next group; to begin a series the last group alone does.
func passTurn(l *core.Lowering, op ir.Op) error {
	groups, _ := op.IntAttr(tileas.AttrGroups)
	next := func(i int64) int64 { return (i + 1) % groups }
	if op.HasUnitAttr(tileas.AttrOpen) {
		return eachGroup(l, op, next, nvvm.BarrierArrive, groups-1, groups-1)
	}
	return eachGroup(l, op, next, nvvm.BarrierArrive, 0, groups-1)
}

// eachGroup makes an operation of a barrier for each of the groups from first to last, the number of which barrier
// follows from that of the group.
func eachGroup(l *core.Lowering, op ir.Op, barrier func(group int64) int64, def *ir.OpDef, first, last int64) error {
	id, _ := op.IntAttr(tileas.AttrID)
	groups, _ := op.IntAttr(tileas.AttrGroups)
	size := int64(l.Scope.Warps) / groups
	if size*groups != int64(l.Scope.Warps) {
		return op.Errorf("parts %d warps into %d groups, which are not of the same size", l.Scope.Warps, groups)
	}
	number, exit := l.UniformWarp(), l.Blocks.AddBlock()
	for i := first; i <= last; i++ {
		mine, others := l.Blocks.AddBlock(), exit
		if i < last {
			others = l.Blocks.AddBlock()
		}
		if i == groups-1 && i > first { // none are left but those of the last group
			cf.CreateBr(l.Builder, mine)
		} else {
			before, bound := "ult", (i+1)*size
			if i == first && i > 0 {
				before, bound = "uge", i*size // the last group alone
			}
			cf.CreateCondBr(l.Builder, l.Compare(before, number, l.Const32(bound)), mine, nil, others, nil)
		}
		l.SetInsertionPointToEnd(mine)
		l.Create(def, nil, nil, l.Attr32(nvvm.AttrID, id+barrier(i)), l.Attr32(nvvm.AttrThreads, 2*size*sm.WarpSize))
		cf.CreateBr(l.Builder, exit)
		if i < last {
			others.MoveToEnd(l.Blocks)
			l.SetInsertionPointToEnd(others)
		}
	}
	exit.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(exit)
	return nil
}
