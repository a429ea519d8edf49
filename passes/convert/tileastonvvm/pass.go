package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/async"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/control"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/deviceruntime"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/target/sm"
)

// Pass is convert-tileas-to-nvvm.
var Pass = passes.Register(&passes.Pass{
	Name:    "convert-tileas-to-nvvm",
	Summary: "lower distributed tiles to the code of one thread",
	Doc:     "Replaces every nv_tileas.func by an nvvm.func: tensors become registers, structured control flow becomes blocks.",
	On:      "builtin.module",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned, tileasprop.PipesLowered, tileasprop.InstructionsChosen, tileasprop.WarpReduces, tileasprop.AtomicsOnce,
		tileasprop.LocalConversions, tileasprop.SharedAllocated, tileasprop.TMEMAllocated, tileasprop.Synchronised},
	Establishes: []*passes.Property{property.NVVM},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nvvm", "cf"},
	Run:         run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if r.Explains() {
		for op := range r.Op.Body().Ops() {
			if op.Is(tileas.Level.Func) {
				explain(r, op, arch)
			}
		}
	}
	return conversion.Replace(r.Context(), r.Workers, r.Op.Body().Ops(), func(op ir.Op, u *conversion.Unit) (bool, error) {
		switch {
		case op.Is(tileas.Level.Global):
			lowerGlobal(op, u.Builder)
			return true, nil
		case op.Is(tileas.Level.Func):
			return true, lower(op, u, arch, r.Target.Maps())
		}
		return false, nil
	})
}

// lower builds the nvvm.func of one kernel.
//
// The function is created at once and its body later (u.Body), when workers are free. So the order of functions
// in the module is that of the kernels, whichever worker is first.
func lower(src ir.Op, u *conversion.Unit, arch *sm.Arch, maps contract.TensorMaps) error {
	warps, err := contract.NumWarpsOf(src)
	if err != nil {
		return err
	}
	if n := contract.CTAsOf(src); n > arch.Cluster.Max {
		return src.Errorf("is to be computed by clusters of %d CTAs, but %s has at most %d in a cluster", n, arch, arch.Cluster.Max)
	}
	dst := function(src, u.Builder, arch, warps, maps)
	l := core.New(src, dst, arch, maps)
	u.Body(func() error { return body(l, warps) })
	// Bodies are converted in parallel. Variables of the module are made afterwards, in the order of the kernels, so
	// that the text does not depend on which was first.
	u.After(func() error {
		l.Declare(ir.BuilderBefore(dst))
		return nil
	})
	return nil
}

// function makes the nvvm.func of a kernel, with an empty body.
func function(src ir.Op, b *ir.Builder, arch *sm.Arch, warps int, maps contract.TensorMaps) ir.Op {
	c := src.Context()
	st := b.NewState(nvvm.Func, src.Loc())
	st.SetAttr(ir.SymName, c.String(src.SymbolName()))
	// Not .maxntid: layouts count on exactly so many threads, and with fewer some elements would silently be
	// nobody's. A launch with another number then fails.
	st.SetAttr(nvvm.AttrReqntid, c.DenseI32(int64(sm.WarpSize*warps)))
	st.SetAttr(contract.AttrKernelSpec, src.Attr(contract.AttrKernelSpec))
	// As tileiras says it. Without it, ptxas aims at a number of CTAs of its own choice, and spills to reach it.
	// Row sums of 256x256 had 80 registers and 12 bytes spilled on sm_80, and have 104 and none.
	st.SetAttr(nvvm.AttrMinctasm, c.IntAttr(c.Int(32), 1))
	if k := budget.Of(src, arch).WithWarps(warps); k.Asked > 0 {
		// A limit of registers makes room for so many blocks, while .minnctapersm would leave it to ptxas whether to
		// keep to it.
		st.SetAttr(nvvm.AttrMaxnreg, c.IntAttr(c.Int(32), int64(k.Registers(budget.ForAnything))))
	}
	if n := control.LaunchedWith(src, arch, warps); n > 0 {
		st.SetAttr(nvvm.AttrMaxnreg, c.IntAttr(c.Int(32), n))
	}
	for _, a := range contract.Carried(src, nvvm.Func) {
		switch a.Name {
		// .maxclusterrank and .blocksareclusters are directives of sm_90.
		case contract.MaxClusterRank, contract.BlocksAreClusters:
			if !arch.Has(sm.DirectiveCluster) {
				continue // every launch there is one of clusters of one block
			}
		}
		st.SetAttr(a.Name, a.Value)
	}
	if n := contract.CTAsOf(src); n > 1 {
		// The grid of a launch counts tile blocks, here clusters. .blocksareclusters says so in the file, as with
		// tileiras, so launchers need not know.
		st.SetAttr(nvvm.AttrClusterDim, c.DenseI32(contract.ClusterShape(src, int64(n))...))
		st.SetAttr(nvvm.AttrBlocks, c.Unit())
	}
	n, _ := src.IntAttr(tileas.AttrSharedBytes)
	if n = max(n, async.MapScratch(src, maps)); n > 0 {
		st.SetAttr(nvvm.AttrSharedBytes, c.IntAttr(c.Int(32), n))
	}
	if n := sharedAlign(src); n > 0 {
		st.SetAttr(nvvm.AttrSharedAlign, c.IntAttr(c.Int(32), n))
	}
	st.AddRegion()
	return b.Insert(st)
}

// sharedAlign returns the alignment that the buffers of a kernel need; 0: no more than that of all kernels.
func sharedAlign(fn ir.Op) (most int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.AllocShared) {
			n, _ := op.IntAttr(tileas.AttrAlign)
			most = max(most, n)
		}
		return ir.Advance
	})
	return most
}

// body converts the body of a kernel.
func body(l *core.Lowering, warps int) error {
	l.Begin(warps)
	return rules.Run(l, func() error {
		l.Arguments()
		if err := deviceruntime.AllocateGlobal(l); err != nil {
			return err
		}
		if err := async.SlotsForLoops(l); err != nil {
			return err
		}
		if err := l.Ops(l.Source.Body()); err != nil {
			return err
		}
		l.End()
		eraseUnreachable(l.Blocks)
		return nil
	})
}

// eraseUnreachable removes blocks that no way from the entry leads to, as after an if both of whose branches return.
func eraseUnreachable(r ir.Region) {
	reached := map[ir.Block]bool{r.First(): true}
	work := []ir.Block{r.First()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		term := b.Last()
		if term.IsNil() {
			continue
		}
		for i := range term.NumSuccessors() {
			if s := term.Successor(i); !reached[s] {
				reached[s] = true
				work = append(work, s)
			}
		}
	}
	for b := range r.Blocks() {
		if !reached[b] {
			b.Erase()
		}
	}
}
