// Package tileir is how every tool reads the IR of any level: which dialects there are, what text may leave out, and
// what the outermost operation becomes.
package tileir

import (
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// Dialects lists the dialects of all levels.
func Dialects() []*ir.Dialect {
	return []*ir.Dialect{builtin.Dialect, ops.Dialect, arith.Dialect, scf.Dialect, cf.Dialect, tileaa.Dialect, tileas.Dialect, nvvm.Dialect, contract.TT, contract.Tilewright}
}

// NewContext returns a context with the dialects of all levels.
func NewContext() *ir.Context { return ir.NewContext(Dialects()...) }

// Syntax says how files are parsed: they may leave out the outermost builtin.module, and the prefixes of operations
// in it.
func Syntax() asm.ParseOptions {
	return asm.ParseOptions{ImplicitModule: builtin.Module, TopDialects: []*ir.Dialect{builtin.Dialect, ops.Dialect}, Explain: explain, Nearest: suggest.DidYouMean}
}

// Read reads a module, Tile IR bytecode if the data begins with its magic number and text otherwise, wraps it and
// verifies it. Every error is a diagnostic of the context as well, with the name in it; that of a damaged file wraps
// a *bytecode.Error.
func Read(ctx *ir.Context, name string, data []byte) (ir.Op, error) {
	var op ir.Op
	if bytecode.Is(data) {
		var err error
		if op, err = readBytecode(ctx, data); err != nil {
			ctx.Diag.Emit(&ir.Diagnostic{Message: name + ": " + err.Error()})
			return ir.Op{}, err
		}
	} else {
		var err error
		if op, err = asm.Parse(ctx, name, data, Syntax()); err != nil {
			return ir.Op{}, err
		}
		op = Wrap(op)
	}
	return op, ir.Verify(op)
}

// readBytecode decodes a file into a builtin.module.
func readBytecode(ctx *ir.Context, data []byte) (ir.Op, error) {
	f, err := bytecode.Open(ctx, data)
	if err != nil {
		return ir.Op{}, err
	}
	m := builtin.NewModule(ctx, nil)
	_, err = f.ReadAt(ir.BuilderAtEnd(m.Body()))
	return m, err
}

// kernelsModule is the name that the reference disassembler's output stands for, which leaves the module out.
const kernelsModule = "kernels"

// Wrap makes the outermost operation a builtin.module, and puts the entries and globals that stand directly in it
// into a cuda_tile.module.
func Wrap(op ir.Op) ir.Op { return wrap(op, ir.NewMapping()) }

// Wrapped is Wrap for who still needs the operation unchanged read, with what its values became.
func Wrapped(op ir.Op) (ir.Op, func(ir.Value) ir.Value) {
	if op.Is(builtin.Module) && (op.NumRegions() == 0 || op.Region(0).Empty() || bare(op) == nil) {
		return op, func(v ir.Value) ir.Value { return v }
	}
	first, second := ir.NewMapping(), ir.NewMapping()
	op = wrap(ir.NewBuilder(op.Context().NewArena()).Clone(op, first), second)
	return op, func(v ir.Value) ir.Value { return second.Lookup(first.Lookup(v)) }
}

// bare returns the entries and globals that stand directly in a builtin.module.
func bare(op ir.Op) (found []ir.Op) {
	for inner := range op.Body().Ops() {
		if inner.Dialect() == ops.Dialect && inner.HasTrait(ir.Symbol) {
			found = append(found, inner)
		}
	}
	return found
}

func wrap(op ir.Op, mapping *ir.Mapping) ir.Op {
	if !op.Is(builtin.Module) {
		m := builtin.NewModule(op.Context(), op.Loc())
		ir.BuilderAtEnd(m.Body()).Clone(op, mapping)
		return m
	}
	if op.NumRegions() == 0 || op.Region(0).Empty() {
		return op // which the verifier rejects
	}
	bare := bare(op)
	if bare == nil {
		return op
	}
	b := ir.BuilderBefore(bare[0])
	st := b.NewState(cudatile.Module, op.Loc())
	st.SetAttr(ir.SymName, op.Context().String(kernelsModule))
	body := ir.BuilderAtEnd(st.AddRegion().AddBlock())
	for _, inner := range bare {
		body.Clone(inner, mapping)
	}
	b.Insert(st)
	for _, inner := range bare {
		inner.Erase()
	}
	return op
}
