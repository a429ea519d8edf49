package opttool

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// TileOpt returns tile-opt: the tool for the IR of all levels, with the passes that the program links. The program adds how to read bytecode.
func TileOpt() *Tool {
	return &Tool{
		Name:     "tile-opt",
		Dialects: []*ir.Dialect{builtin.D, cudatile.D, arith.Dialect, scf.Dialect, cf.Dialect, tileaa.Dialect, tileas.Dialect, nvvm.Dialect},
		Syntax: func(*ir.Context) asm.ParseOptions {
			return asm.ParseOptions{ImplicitModule: builtin.Module, TopDialects: []*ir.Dialect{builtin.D, cudatile.D}}
		},
		Wrap:  wrapTileIR,
		Flags: HintFlags,
	}
}

// kernelsModule is the name that the reference disassembler's output stands for, which leaves the module out.
const kernelsModule = "kernels"

// wrapTileIR makes the outermost operation a builtin.module, and puts operations of cuda_tile that stand directly in it, as bare entries do, into a
// cuda_tile.module.
func wrapTileIR(op ir.Op) ir.Op {
	if !op.Is(builtin.Module) {
		m := builtin.NewModule(op.Context(), op.Loc())
		ir.BuilderAtEnd(m.Body()).Clone(op, ir.NewMapping())
		return m
	}
	var bare []ir.Op
	for inner := range op.Body().Ops() {
		if inner.Dialect() == cudatile.D && !inner.Is(cudatile.Module) {
			bare = append(bare, inner)
		}
	}
	if bare == nil {
		return op
	}
	b := ir.BuilderBefore(bare[0])
	st := b.NewState(cudatile.Module, op.Loc())
	st.SetAttr(ir.SymName, op.Context().String(kernelsModule))
	body := ir.BuilderAtEnd(st.AddRegion().AddBlock())
	for _, inner := range bare {
		body.Clone(inner, ir.NewMapping())
	}
	b.Insert(st)
	for _, inner := range bare {
		inner.Erase()
	}
	return op
}
