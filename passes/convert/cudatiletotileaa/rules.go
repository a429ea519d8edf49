package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

type rule = conversion.Rule[*converter]

// rules says how each operation is converted. The files of the families have their rows.
//
// An operation without a rule is an error that names it, never one that is left over.
var rules = conversion.NewRules[*converter]("nv_tileaa").
	Add(arithRules()).Add(partRules()).Add(memoryRules()).Add(structureRules()).Add(miscRules())

func memoryRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		cudatile.MakeTensorView:    (*converter).makeTensorView,
		cudatile.MakePartitionView: makeView, cudatile.MakeStridedView: makeView, cudatile.MakeGatherScatterView: makeView,
		cudatile.GetIndexSpaceShape: (*converter).indexSpace, cudatile.GetTensorShape: (*converter).tensorShape,
		cudatile.LoadView: (*converter).loadView, cudatile.StoreView: (*converter).storeView,
		cudatile.LoadPtr: (*converter).loadPtr, cudatile.StorePtr: (*converter).storePtr, cudatile.Offset: to(tileaa.Level.AddPtr),
		cudatile.AtomicRMW: (*converter).atomicRMW, cudatile.AtomicCAS: (*converter).atomicCAS,
		cudatile.AtomicRedView: (*converter).atomicRedView,
		cudatile.MakeToken:     to(tileaa.Level.MakeToken), cudatile.JoinTokens: to(tileaa.Level.JoinTokens),
		cudatile.MemoryFenceAlias: to(tileaa.Level.FenceAlias),
		cudatile.Alloca:           (*converter).alloca, cudatile.GetGlobal: (*converter).getGlobal,
	}
}

func structureRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		cudatile.For: (*converter).forOp, cudatile.Loop: to(scf.Loop), cudatile.If: to(scf.If),
		cudatile.Yield: (*converter).yield, cudatile.Continue: to(scf.Continue), cudatile.Break: to(scf.Break),
		cudatile.Return:         to(tileaa.Level.Return),
		cudatile.GetTileBlockID: to(tileaa.Level.ProgramID), cudatile.GetNumTileBlocks: to(tileaa.Level.NumPrograms),
		cudatile.GdcWait: to(tileaa.Level.GridWait), cudatile.GdcLaunchDependents: to(tileaa.Level.GridLaunch),
	}
}
