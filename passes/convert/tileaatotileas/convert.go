package tileaatotileas

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the pass's options.
type Options struct {
	NumWarps int `opt:"num-warps" help:"least number of warps of a tile block for kernels without a hint"`
}

// Pass is convert-tileaa-to-tileas.
var Pass = passes.Register(&passes.Pass{
	Name:        "convert-tileaa-to-tileas",
	Title:       "ConvertTileAAToTileAS",
	Summary:     "fix the launch shape and move to distributed tiles",
	Doc:         "Renames nv_tileaa operations to nv_tileas ones, sets num_warps of every kernel and drops assumptions.",
	On:          "builtin.module",
	Options:     func() any { return &Options{NumWarps: 4} },
	Requires:    []*passes.Property{property.TileAA},
	Establishes: []*passes.Property{property.TileAS},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nv_tileas"},
	Run:         run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	for op := range r.Op.Body().Ops() {
		if op.Is(tileaa.Level.Global) {
			st := ir.BuilderBefore(op).NewState(tileas.Level.Global, op.Loc())
			st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
			ir.BuilderBefore(op).Insert(st)
			op.Erase()
			continue
		}
		if !op.Is(tileaa.Level.Func) {
			continue
		}
		c := &converter{ctx: op.Context(), values: make(map[ir.Value]ir.Value)}
		fn, err := c.function(op)
		if err != nil {
			return err
		}
		if _, ok := fn.IntAttr(tile.AttrNumWarps); !ok {
			fn.SetAttr(tile.AttrNumWarps, c.ctx.IntAttr(c.ctx.Int(32), int64(numWarps(fn, opts.NumWarps))))
		}
		op.Erase()
	}
	return nil
}

type converter struct {
	ctx    *ir.Context
	values map[ir.Value]ir.Value
}

func (c *converter) function(src ir.Op) (ir.Op, error) {
	b := ir.BuilderBefore(src)
	st := b.NewState(tileas.Level.Func, src.Loc())
	st.Attrs = append(src.InherentAttrs(), src.DiscardableAttrs().Entries...)
	st.AddRegion()
	dst := b.Insert(st)
	return dst, c.region(src.Region(0), dst.Region(0))
}

func (c *converter) region(src, dst ir.Region) error {
	for blk := range src.Blocks() {
		to := dst.AddBlock()
		for _, a := range blk.Args() {
			c.bind(a, to.AddArg(c.typ(a.Type())))
		}
		b := ir.BuilderAtEnd(to)
		for op := range blk.Ops() {
			if err := c.op(b, op); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *converter) bind(from, to ir.Value) {
	c.values[from] = to
	if name := from.Name(); name != "" {
		to.SetName(name)
	}
}

func (c *converter) op(b *ir.Builder, op ir.Op) error {
	if op.Is(tileaa.Assume) {
		c.values[op.Result(0)] = c.values[op.Operand(0)]
		return nil
	}
	def := op.Def()
	switch op.Dialect() {
	case arith.Dialect, scf.Dialect:
	case tileaa.Dialect:
		if def = tileas.Dialect.Lookup(def.Name); def == nil {
			return op.Errorf("has no counterpart in nv_tileas")
		}
	default:
		return op.Errorf("is not expected at level nv_tileaa")
	}
	st := b.NewState(def, op.Loc())
	for _, v := range op.Operands() {
		st.Operands = append(st.Operands, c.values[v])
	}
	for _, t := range op.ResultTypes() {
		st.Types = append(st.Types, c.typ(t))
	}
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	for range op.NumRegions() {
		st.AddRegion()
	}
	to := b.Insert(st)
	for i := range op.NumRegions() {
		if err := c.region(op.Region(i), to.Region(i)); err != nil {
			return err
		}
	}
	for i, r := range op.Results() {
		c.bind(r, to.Result(i))
	}
	return nil
}

func (c *converter) typ(t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.TensorType:
		return c.ctx.Tensor(t.Shape, c.typ(t.Elem), t.Encoding)
	case *tile.PtrType:
		return tileas.Level.Ptr(c.ctx, t.Pointee)
	case *tile.TokenType:
		return tileas.Level.Token(c.ctx)
	}
	return t
}
