package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/insertbarriers"
	"github.com/tilewright/tilewright/passes/tileas/legalizeatomics"
	"github.com/tilewright/tilewright/passes/tileas/legalizereduce"
	"github.com/tilewright/tilewright/passes/tileas/materializeconvertlayout"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// Pass is convert-tileas-to-nvvm.
var Pass = passes.Register(&passes.Pass{
	Name:    "convert-tileas-to-nvvm",
	Title:   "ConvertTileASToNVVM",
	Summary: "turn distributed tiles into the code of one thread",
	Doc:     "Replaces every nv_tileas.func by an nvvm.func: tensors become registers, structured control flow becomes blocks.",
	On:      "builtin.module",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned, property.SharedAllocated,
		legalizereduce.WarpReduces, legalizeatomics.OneOwner, materializeconvertlayout.LocalConversions, insertbarriers.Synchronised},
	Establishes: []*passes.Property{property.NVVM},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nvvm", "cf"},
	Run:         run,
})

func run(r *passes.Run) error {
	arch, err := matrix.Arch(r.Target.GPU)
	if err != nil {
		return err
	}
	for op := range r.Op.Body().Ops() {
		if op.Is(tileas.Level.Global) {
			if err := lowerGlobal(op); err != nil {
				return err
			}
			op.Erase()
			continue
		}
		if !op.Is(tileas.Level.Func) {
			continue
		}
		if err := lower(op, arch); err != nil {
			return err
		}
		op.Erase()
	}
	return nil
}

// lower builds the nvvm.func of one kernel in front of it.
func lower(src ir.Op, arch *sm.Arch) error {
	c := src.Context()
	warps, ok := src.IntAttr(tile.AttrNumWarps)
	if !ok {
		return src.Errorf("has no num_warps")
	}
	b := ir.BuilderBefore(src)
	st := b.NewState(nvvm.Func, src.Loc())
	st.SetAttr(ir.SymName, c.String(src.SymbolName()))
	st.SetAttr(nvvm.AttrReqntid, c.DenseI32(32*warps))
	if n, ok := src.IntAttr(tile.AttrOccupancy); ok {
		st.SetAttr(nvvm.AttrMinctasm, c.IntAttr(c.Int(32), n))
	}
	for _, a := range contract.OfKernel(src) {
		switch a.Name {
		case contract.MaxClusterRank, contract.BlocksAreClusters:
			if !arch.Has(sm.DirectiveCluster) {
				continue // every launch there is one of clusters of one block
			}
		}
		st.SetAttr(a.Name, a.Value)
	}
	if n, _ := src.IntAttr(tileas.AttrSharedBytes); n > 0 {
		st.SetAttr(nvvm.AttrSharedBytes, c.IntAttr(c.Int(32), n))
	}
	st.AddRegion()
	dst := b.Insert(st)

	l := &lowering{
		ctx: c, warps: int(warps), source: src, region: dst.Region(0), globals: ir.BuilderBefore(dst), kernel: src.SymbolName(), arch: arch, space: spaceOf(src),
		values: make(map[ir.Value][]ir.Value), buffers: make(map[ir.Value]int64), cache: make(map[any]ir.Value),
	}
	entry := l.region.AddBlock()
	l.prologue = ir.BuilderAtEnd(entry)
	for _, a := range src.Body().Args() {
		t, ok := l.scalarType(a.Type())
		if !ok {
			return src.Errorf("parameter #%d has no scalar type", a.Index())
		}
		v := entry.AddArg(t)
		if a.Name() != "" {
			v.SetName(a.Name())
		}
		l.values[a] = []ir.Value{v}
	}
	body := l.region.AddBlock()
	l.Builder = ir.BuilderAtEnd(body)
	if err := l.allocateGlobal(); err != nil {
		return err
	}
	if err := l.block(src.Body()); err != nil {
		return err
	}
	cf.CreateBr(l.prologue, body)
	eraseUnreachable(l.region)
	return nil
}

// eraseUnreachable removes blocks that no way from the entry leads to, as behind an if both of whose branches return.
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
