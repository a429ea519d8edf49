package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Pass is convert-cuda-tile-to-tileaa.
var Pass = passes.Register(&passes.Pass{
	Name:        "convert-cuda-tile-to-tileaa",
	Title:       "ConvertCudaTileToTileAA",
	Summary:     "dissolve views and move to the alias-aware level",
	Doc:         "Replaces every cuda_tile.module by the nv_tileaa.func of its entries and its globals.",
	On:          "builtin.module",
	Requires:    []*passes.Property{property.CudaTile},
	Establishes: []*passes.Property{property.TileAA},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nv_tileaa", "arith", "scf"},
	Run:         run,
})

func run(r *passes.Run) error {
	warnUnused(r)
	return conversion.Replace(r.Context(), r.Workers, r.Op.Body().Ops(), func(op ir.Op, u *conversion.Unit) (bool, error) {
		if !op.Is(cudatile.Module) {
			return false, nil
		}
		for inner := range op.Body().Ops() {
			var err error
			switch {
			case inner.Is(cudatile.Entry):
				convertEntry(inner, u, r.Target.GPU)
			case inner.Is(cudatile.Global):
				err = convertGlobal(inner, u.Builder)
			default:
				err = inner.Errorf("is not lowered to nv_tileaa yet")
			}
			if err != nil {
				return true, err
			}
		}
		return true, nil
	})
}

func convertEntry(entry ir.Op, u *conversion.Unit, gpu string) {
	ctx := entry.Context()
	st := u.NewState(tileaa.Level.Func, entry.Loc())
	st.SetAttr(ir.SymName, ctx.String(entry.SymbolName()))
	for name, v := range launchAttrs(entry, u.Block().ParentOp(), gpu) {
		st.SetAttr(name, ctx.IntAttr(ctx.Int(32), v))
	}
	for _, a := range contract.OfKernel(entry) {
		if a.Name != contract.Occupancy {
			st.SetAttr(a.Name, a.Value)
		}
	}
	body := st.AddRegion().AddBlock()
	u.Insert(st)
	c := &converter{ctx: ctx, gpu: gpu, objects: make(map[ir.Value]int64), State: conversion.NewState(ir.BuilderAtEnd(body), newTypes(ctx))}
	u.Body(func() error {
		return rules.Run(c, func() error {
			c.AddArgs(body, entry.Body().Args())
			for i, v := range body.Args() {
				c.objects[v] = int64(i)
			}
			return c.Ops(entry.Body())
		})
	})
}

// warnUnused says which of the launch attributes of the module the lowering does not follow although a kernel may depend on them.
func warnUnused(r *passes.Run) {
	if n, ok := contract.ClusterCTAs(r.Op); ok && n > 1 {
		r.Warnf(r.Op.Loc(), "clusters of %d CTAs are not used: a tile block is one CTA", n)
	}
}

// launchAttrs returns the attributes of the function that its hints, and for what these leave open the entry and the module, ask for.
func launchAttrs(entry, module ir.Op, gpu string) map[string]int64 {
	out := kernelHints(entry, gpu)
	give := func(name string, n int64, ok bool) {
		if _, hinted := out[name]; ok && !hinted {
			out[name] = n
		}
	}
	warps, ok := module.IntAttr(contract.NumWarps)
	give(tile.AttrNumWarps, warps, ok)
	blocks, ok := entry.IntAttr(contract.Occupancy)
	give(tile.AttrOccupancy, blocks, ok)
	return out
}

// kernelHints returns the attributes of the function that the entry's hints for the target ask for. A hint for the architecture
// beats the default, hint by hint.
func kernelHints(entry ir.Op, gpu string) map[string]int64 {
	out := make(map[string]int64)
	hints, ok := entry.Attr("optimization_hints").(*cudatile.HintsAttr)
	if !ok {
		return out
	}
	if n, ok := hint(hints, gpu, "num_worker_warps_per_cta"); ok {
		out[tile.AttrNumWarps] = min(max(n, 4), 8)
	}
	if n, ok := hint(hints, gpu, "occupancy"); ok {
		out[tile.AttrOccupancy] = n
	}
	return out
}

func hint(hints *cudatile.HintsAttr, gpu, name string) (int64, bool) {
	// A hint for the target counts before the default, each hint for itself: an entry for sm_90 without occupancy leaves the default's.
	for _, key := range []string{gpu, "default"} {
		if d, ok := hints.Dict.Get(key).(*ir.DictAttr); ok {
			if v, ok := d.Get(name).(*ir.IntegerAttr); ok {
				return v.Value, true
			}
		}
	}
	return 0, false
}
