package control

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower control flow, warp specialization, barriers and what a CTA asks of its grid and cluster.
var Rules = map[*ir.OpDef]core.Rule{
	scf.If: ifOp, scf.For: forOp, scf.Loop: loopOp,
	scf.Continue: continueOp, scf.Break: breakOp,
	scf.Yield:           core.Nothing, // what encloses it passes its operands on
	tileas.Level.Return: returnOp,

	tileas.WarpSpecialize: warpSpecialize, tileas.EndRole: core.Nothing,
	tileas.PingPongWait: takeTurn, tileas.PingPongSignal: passTurn,
	tileas.Barrier: (*core.Lowering).Barrier, tileas.BarrierArrive: (*core.Lowering).BarrierArrive,
	tileas.Level.ClusterSync: (*core.Lowering).ClusterBarrier,

	tileas.Level.ProgramID: programID, tileas.Level.NumPrograms: programID, tileas.Level.CTARank: ctaRank,
	tileas.Level.GridWait: gridControl, tileas.Level.GridLaunch: gridControl,
}
