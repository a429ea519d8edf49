package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the pass's options.
type Options struct {
	Capability int `opt:"compute-capability" help:"the target, as ten times the major number plus the minor one, which must be that of --gpu-name or of the module; 0: not said"`
}

// Pass is convert-cuda-tile-to-tileaa.
var Pass = passes.Register(&passes.Pass{
	Name:        "convert-cuda-tile-to-tileaa",
	Summary:     "lower views to tiled accesses of the alias-aware level",
	Doc:         "Replaces every cuda_tile.module by an nv_tileaa.func for each entry, and its globals.",
	On:          "builtin.module",
	Options:     func() any { return new(Options) },
	Requires:    []*passes.Property{property.CudaTile},
	Establishes: []*passes.Property{property.TileAA},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nv_tileaa", "arith", "scf"},
	Run:         run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if n := passes.OptionsOf[Options](r).Capability; n != 0 && n != arch.Capability() {
		return r.Op.Errorf("is converted for %s, but option compute-capability is %d", arch, n)
	}
	warnIgnored(r)
	if r.Op.Attr(contract.ComputeCapability) == nil { // what follows depends on it, and so does whoever reads a dump
		r.Op.SetAttr(contract.ComputeCapability, r.IR().IntAttr(r.IR().Int(32), int64(arch.Capability())))
	}
	return conversion.Replace(r.Context(), r.Workers, r.Op.Body().Ops(), func(op ir.Op, u *conversion.Unit) (bool, error) {
		if !op.Is(cudatile.Module) {
			return false, nil
		}
		for inner := range op.Body().Ops() {
			var err error
			switch {
			case inner.Is(cudatile.Entry):
				convertEntry(inner, u, arch.Name)
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

// convertEntry makes the function of a kernel. Hints are read from the entry and from the module around it, which
// this pass removes. Other attributes of the contract with front ends (nvvm.*, nv_tileaa.*, tt.*) are copied by
// contract.Carried, the one table of which operation may have which attribute. Occupancy is not copied twice: the
// kernel_spec has it, merged with the hint.
func convertEntry(entry ir.Op, u *conversion.Unit, gpu string) {
	ctx := entry.Context()
	st := u.NewState(tileaa.Level.Func, entry.Loc())
	st.SetAttr(ir.SymName, ctx.String(entry.SymbolName()))
	st.SetAttr(contract.AttrKernelSpec, tileaa.KernelSpec(ctx, kernelSpec(entry, u.Block().ParentOp(), gpu)))
	for _, a := range contract.Carried(entry, tileaa.Level.Func) {
		if a.Name != contract.Occupancy {
			st.SetAttr(a.Name, a.Value)
		}
	}
	body := st.AddRegion().AddBlock()
	u.Insert(st)
	c := &converter{ctx: ctx, gpu: gpu, State: conversion.NewState(ir.BuilderAtEnd(body), newTypes(ctx))}
	u.Body(func() error {
		return rules.Run(c, func() error {
			c.AddArgs(body, entry.Body().Args())
			return c.Ops(entry.Body())
		})
	})
}
