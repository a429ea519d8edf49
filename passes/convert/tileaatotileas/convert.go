package tileaatotileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the pass's options.
type Options struct {
	NumWarps int `opt:"num-warps" help:"least number of warps of a CTA for kernels without a hint"`
}

// Pass is convert-tileaa-to-tileas.
var Pass = passes.Register(&passes.Pass{
	Name:        "convert-tileaa-to-tileas",
	Summary:     "fix the number of warps and lower to distributed tiles",
	Doc:         "Renames nv_tileaa operations to nv_tileas ones, decides the number of warps of kernels without a hint, and drops assumptions.",
	On:          "builtin.module",
	Options:     func() any { return &Options{NumWarps: 4} },
	Requires:    []*passes.Property{property.TileAA},
	Establishes: []*passes.Property{property.TileAS},
	Destroys:    []*passes.Property{property.Canonical},
	Creates:     []string{"nv_tileas"},
	Run:         run,
})

// A renamer converts one kernel.
type renamer struct{ conversion.State }

// rules: an operation becomes the one of its name in nv_tileas, for which there is one row in dialects/tile; those of
// dialects that both levels share stay.
var rules = conversion.NewRules[*renamer]("nv_tileas").Add(map[*ir.OpDef]conversion.Rule[*renamer]{
	// The one operation of nv_tileaa that ends here. Facts of accesses stay attributes of the accesses, which
	// the rename keeps.
	tileaa.Assume: (*renamer).assume,
}).Capability(func(op ir.Op) conversion.Rule[*renamer] {
	def := counterpart(op.Def())
	if def == nil {
		return nil
	}
	return func(r *renamer, op ir.Op) error { return r.Recreate(op, def, attrs(op)...) }
})

// assume: the pass that attaches facts to accesses has read it, and nothing later does.
func (r *renamer) assume(op ir.Op) error {
	r.Bind(op.Result(0), r.Value(op.Operand(0)))
	return nil
}

// counterpart returns the row of nv_tileas for one of nv_tileaa; nil when there is none.
//
// arith and scf are of both levels: tensors there are made of the converted types, so the same row is built.
func counterpart(def *ir.OpDef) *ir.OpDef {
	switch def.Dialect {
	case arith.Dialect, scf.Dialect:
		return def
	case tileaa.Dialect:
		return tileas.Dialect.Lookup(def.Name)
	}
	return nil
}

func attrs(op ir.Op) []ir.NamedAttr {
	return append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
}

func run(r *passes.Run) error {
	types := newTypes(r.Op.Context())
	warps := passes.OptionsOf[Options](r).NumWarps
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	// Only the registers of the target matter here. tileas-legalize-dot asks for its instructions, after the rename.
	return conversion.Replace(r.Context(), r.Workers, r.Op.Body().Ops(), func(op ir.Op, u *conversion.Unit) (bool, error) {
		if op.Dialect() != tileaa.Dialect {
			return false, nil
		}
		def := counterpart(op.Def())
		if def == nil {
			return true, op.Errorf("is not lowered to nv_tileas yet")
		}
		st := u.NewState(def, op.Loc())
		st.Attrs = attrs(op)
		if !op.Is(tileaa.Level.Func) {
			// A global: it has no body, and its types are those of bytes in memory.
			u.Insert(st)
			return true, nil
		}
		st.AddRegion()
		fn := u.Insert(st)
		u.Body(func() error {
			c := &renamer{conversion.NewState(ir.NewBuilder(fn.InnerArena()), types)}
			return rules.Run(c, func() error { return c.Region(op.Region(0), fn.Region(0)) })
		})
		u.After(func() error {
			// A hint wins. The number is found on the converted body, since only the rows of nv_tileas say what is
			// cheap and what can wait in shared memory.
			if contract.KernelSpecOf(fn).NumWarps == 0 {
				n := 1
				if !oneElement(fn) {
					n = pressure.Warps(fn, pressure.Of(fn, arch, pressure.View{Entire: true}).Most(), warps, arch)
				}
				tileaa.SetNumWarps(fn, n)
			}
			return nil
		})
		return true, nil
	})
}

// newTypes returns what becomes of types: pointers and tokens, also as elements, change their dialect.
func newTypes(c *ir.Context) conversion.Types {
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
	return func(t ir.Type) ([]ir.Type, error) { return []ir.Type{convert(t)}, nil }
}

// oneElement reports whether all tensors of a kernel have one element. Then every thread computes the same, and more
// warps than one only repeat it. tileiras 13.5 launches such kernels with 32 threads too.
func oneElement(fn ir.Op) bool {
	return !fn.Contains(func(op ir.Op) bool {
		return slices.ContainsFunc(op.Results(), func(v ir.Value) bool {
			t, ok := v.Type().(*ir.TensorType)
			return ok && t.NumElements() > 1
		})
	})
}
