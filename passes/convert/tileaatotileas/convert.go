package tileaatotileas

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
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
	types := newTypes(r.Op.Context())
	conv := conversion.Conversion{
		Types: types,
		Target: conversion.NewTarget().LegalDialects(tileas.Dialect).IllegalDialects(tileaa.Dialect).
			DynamicDialect(types.IsLegalOp, arith.Dialect).DynamicDialect(types.IsLegalOp, scf.Dialect),
		Patterns: patterns,
	}
	if err := conv.Run(r.Op); err != nil {
		return err
	}
	opts := passes.OptionsOf[Options](r)
	for fn := range r.Op.Body().Ops() {
		if !fn.Is(tileas.Level.Func) {
			continue
		}
		if _, ok := fn.IntAttr(tile.AttrNumWarps); !ok {
			c := fn.Context()
			fn.SetAttr(tile.AttrNumWarps, c.IntAttr(c.Int(32), int64(numWarps(fn, opts.NumWarps))))
		}
	}
	return nil
}

// newTypes returns what becomes of types: pointers and tokens, also as elements, change their dialect.
func newTypes(c *ir.Context) *conversion.TypeConverter {
	types := new(conversion.TypeConverter)
	var convert func(t ir.Type) ir.Type
	convert = func(t ir.Type) ir.Type {
		switch t := t.(type) {
		case *ir.TensorType:
			return c.Tensor(t.Shape, convert(t.Elem), t.Encoding)
		case *tile.PtrType:
			return tileas.Level.Ptr(c, t.Pointee)
		case *tile.TokenType:
			return tileas.Level.Token(c)
		}
		return t
	}
	types.OneToOne(convert)
	return types
}

var patterns = []conversion.Pattern{
	{Name: "drop-assume", Root: tileaa.Assume, Benefit: 1, Convert: func(c *conversion.Op) error {
		c.Replace(c.Operand(0))
		return nil
	}},
	{Name: "rename", Convert: func(c *conversion.Op) error {
		def := c.Op.Def()
		switch def.Dialect {
		case arith.Dialect, scf.Dialect:
		case tileaa.Dialect:
			if def = tileas.Dialect.Lookup(def.Name); def == nil {
				return conversion.ErrNoMatch
			}
		default:
			return conversion.ErrNoMatch
		}
		return c.Recreate(def)
	}},
}
