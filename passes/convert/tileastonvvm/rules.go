package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

type rule = conversion.Rule[*lowering]

// rules says how each operation is lowered. Element-wise operations need no row.
var rules = conversion.NewRules[*lowering]("nvvm").Add(map[*ir.OpDef]rule{
	arith.Constant: (*lowering).constant,

	scf.If: (*lowering).ifOp, scf.For: (*lowering).forOp, scf.Loop: (*lowering).loopOp,
	scf.Continue: (*lowering).continueOp, scf.Break: (*lowering).breakOp,
	scf.Yield: nothing, // what encloses it passes its operands on

	tileas.ConvertLayout: (*lowering).convertLayout,
	tileas.LocalStore:    (*lowering).localStore, tileas.LocalLoad: (*lowering).localLoad,
	tileas.Barrier: (*lowering).barrier,
}).Add(levelRules()).Add(bufferRules()).Add(copyRules()).Add(mbarrierRules()).Add(tensorRules()).Add(productRules()).Add(tensorMemoryRules()).Add(roleRules()).Add(clusterRules()).Capability(func(op ir.Op) rule {
	if _, ok := arith.Elementwise.Of(op); ok {
		return (*lowering).elementwise
	}
	return nil
})

// levelRules are those of the rows that nv_tileas shares with nv_tileaa.
func levelRules() map[*ir.OpDef]rule {
	lv := tileas.Level
	return map[*ir.OpDef]rule{
		lv.Return: (*lowering).returnOp, lv.ProgramID: (*lowering).programID, lv.NumPrograms: (*lowering).programID, lv.CTARank: (*lowering).ctaRank,
		lv.Splat: (*lowering).splat, lv.Unsplat: (*lowering).unsplat, lv.Reshape: (*lowering).same, lv.Permute: (*lowering).same,
		lv.Broadcast: (*lowering).broadcast, lv.Range: (*lowering).makeRange, lv.AddPtr: (*lowering).addPtr,
		lv.Reduce: (*lowering).reduce, lv.Scan: (*lowering).scan, lv.Dot: (*lowering).dot, lv.DotScaled: (*lowering).dot,
		lv.MakeToken: nothing, lv.JoinTokens: nothing,
		lv.TiledLoad: (*lowering).tiledLoad, lv.TiledStore: (*lowering).tiledStore,
		lv.Load: (*lowering).load, lv.Store: (*lowering).store,
		lv.Extract: (*lowering).extract, lv.Insert: (*lowering).insertPart, lv.Cat: (*lowering).cat,
		lv.Pack: (*lowering).packBytes, lv.Unpack: (*lowering).unpackBytes,
		lv.PtrToPtr: (*lowering).same, lv.PtrToInt: (*lowering).addresses, lv.IntToPtr: (*lowering).addresses,
		lv.GetGlobal: (*lowering).getGlobal,
		lv.AtomicRMW: (*lowering).atomic, lv.AtomicCAS: (*lowering).atomic, lv.TiledAtomic: (*lowering).tiledAtomic,
		lv.GridWait: (*lowering).gridControl, lv.GridLaunch: (*lowering).gridControl,
		lv.Assert: (*lowering).assert, lv.Print: (*lowering).print, lv.Alloca: (*lowering).alloca,
		lv.FenceAlias: becomes(nvvm.FenceAlias), lv.ClusterSync: becomes(nvvm.ClusterBarrier),
	}
}

// nothing is the rule of operations that a thread does nothing for.
func nothing(*lowering, ir.Op) error { return nil }

// becomes is the rule of operations that are one instruction without operands.
func becomes(def *ir.OpDef) rule {
	return func(l *lowering, _ ir.Op) error {
		l.Create(def, nil, nil)
		return nil
	}
}
