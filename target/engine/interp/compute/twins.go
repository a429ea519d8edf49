package compute

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
)

// twins are the operations of arith that a row of cuda_tile executes, so that both have one meaning. isSigned, envOf
// and the like read the attributes of either.
var twins = map[*ir.OpDef]*ir.OpDef{
	arith.AddI: cudatile.AddI, arith.SubI: cudatile.SubI, arith.MulI: cudatile.MulI, arith.MulHUI: cudatile.MulhiI,
	arith.DivSI: cudatile.DivI, arith.DivUI: cudatile.DivI, arith.CeilDivSI: cudatile.DivI, arith.CeilDivUI: cudatile.DivI,
	arith.FloorDiv: cudatile.DivI, arith.RemSI: cudatile.RemI, arith.RemUI: cudatile.RemI,
	arith.AndI: cudatile.AndI, arith.OrI: cudatile.OrI, arith.XOrI: cudatile.XorI,
	arith.ShLI: cudatile.ShLI, arith.ShRSI: cudatile.ShRI, arith.ShRUI: cudatile.ShRI,
	arith.MaxSI: cudatile.MaxI, arith.MaxUI: cudatile.MaxI, arith.MinSI: cudatile.MinI, arith.MinUI: cudatile.MinI,
	arith.AbsI: cudatile.AbsI, arith.NegI: cudatile.NegI, arith.CmpI: cudatile.CmpI,

	arith.AddF: cudatile.AddF, arith.SubF: cudatile.SubF, arith.MulF: cudatile.MulF, arith.DivF: cudatile.DivF, arith.RemF: cudatile.RemF,
	arith.MaximumF: cudatile.MaxF, arith.MaxNumF: cudatile.MaxF, arith.MinimumF: cudatile.MinF, arith.MinNumF: cudatile.MinF,
	arith.NegF: cudatile.NegF, arith.AbsF: cudatile.AbsF, arith.Fma: cudatile.Fma,
	arith.Exp: cudatile.Exp, arith.Exp2: cudatile.Exp2, arith.Log: cudatile.Log, arith.Log2: cudatile.Log2,
	arith.Sin: cudatile.Sin, arith.Cos: cudatile.Cos, arith.Tan: cudatile.Tan,
	arith.SinH: cudatile.SinH, arith.CosH: cudatile.CosH, arith.TanH: cudatile.TanH,
	arith.Sqrt: cudatile.Sqrt, arith.RSqrt: cudatile.Rsqrt, arith.Floor: cudatile.Floor, arith.Ceil: cudatile.Ceil,
	arith.PowF: cudatile.Pow, arith.Atan2: cudatile.Atan2,

	arith.Select: cudatile.Select, arith.Bitcast: cudatile.Bitcast, arith.FToF: cudatile.FToF,
	arith.ExtSI: cudatile.ExtI, arith.ExtUI: cudatile.ExtI, arith.TruncI: cudatile.TruncI,
	arith.SIToFP: cudatile.IToF, arith.UIToFP: cudatile.IToF, arith.FPToSI: cudatile.FToI, arith.FPToUI: cudatile.FToI,
}

func init() {
	for def, twin := range twins {
		core.Define(core.Table{def: {As: twin}})
	}
	for _, l := range core.Levels {
		for def, twin := range map[*ir.OpDef]*ir.OpDef{
			l.ProgramID: cudatile.GetTileBlockID, l.NumPrograms: cudatile.GetNumTileBlocks,
			l.Unsplat: cudatile.Reshape, l.Reshape: cudatile.Reshape, l.Broadcast: cudatile.Broadcast, l.Permute: cudatile.Permute,
			l.Range: cudatile.Iota, l.AddPtr: cudatile.Offset, l.Extract: cudatile.Extract, l.Insert: cudatile.Insert, l.Cat: cudatile.Cat,
			l.Pack: cudatile.Pack, l.Unpack: cudatile.Unpack,
			l.PtrToInt: cudatile.PtrToInt, l.IntToPtr: cudatile.IntToPtr, l.PtrToPtr: cudatile.PtrToPtr,
			l.MakeToken: cudatile.MakeToken, l.JoinTokens: cudatile.JoinTokens, l.GridWait: cudatile.GdcWait,
			l.GridLaunch: cudatile.GdcLaunchDependents, l.FenceAlias: cudatile.MemoryFenceAlias, l.Assert: cudatile.Assert,
		} {
			core.Define(core.Table{def: {As: twin}})
		}
	}
}
