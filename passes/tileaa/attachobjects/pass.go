package attachobjects

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileaaprop"
)

var (
	numKnown   = passes.NewStatistic("num-known", "accesses all of whose objects are known")
	numUnknown = passes.NewStatistic("num-unknown", "accesses that may touch memory of which nothing is known")
)

// Pass is tileaa-attach-objects.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileaa-attach-objects",
	Summary:     "name the memory objects of every access",
	Doc:         "Writes objects onto loads, stores and atomic operations, and the number of its object onto each alloca.",
	Requires:    []*passes.Property{property.TileAA},
	Establishes: []*passes.Property{tileaaprop.ObjectsAttached},
	Steps:       []passes.Step{{}},
	After: []passes.Edge{
		{Pass: "canonicalize", Reason: "a pointer that was chosen by a constant is based on one object"},
		{Pass: "cse", Reason: "equal addresses become one"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "below, pointers need not show what they are based on"},
	},
	Statistics: []*passes.Statistic{numKnown, numUnknown},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Preserves:  []*passes.Analysis{integers.Ranges.Analysis, integers.Divisibility.Analysis, dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	aliases := alias.Analysis.Get(r)
	known, unknown := Attach(r.Op, aliases.Provenance())
	r.Add(numKnown, known)
	r.Add(numUnknown, unknown)
	return nil
}

// Attach writes the objects of a kernel onto it. It returns how many accesses have only known objects, and how
// many do not. Tests call it for kernels of their own.
func Attach(kernel ir.Op, objects *provenance.Facts) (known, unknown int) {
	c := kernel.Context()
	// Accesses name an alloca by this number.
	for _, o := range objects.Objects {
		if o.Kind == provenance.Alloca {
			o.Value.DefiningOp().SetAttr(tile.AttrObject, c.IntAttr(c.Int(64), int64(o.Index)))
		}
	}
	kernel.Walk(func(op ir.Op) ir.WalkResult {
		p := tile.Pointer(op)
		if p.IsNil() {
			return ir.Advance
		}
		a := describe(c, objects, objects.Pointer(p))
		op.SetAttr(tile.AttrObjects, a)
		if a.Unknown {
			unknown++
		} else {
			known++
		}
		return ir.Advance
	})
	return known, unknown
}

// describe returns the attribute for a set of objects.
func describe(c *ir.Context, objects *provenance.Facts, s provenance.Set) *tile.ObjectsAttr {
	var list []tile.ObjectRef
	s.Each(func(i int) {
		o := objects.Objects[i]
		ref := tile.ObjectRef{Kind: tile.ObjectArg, Index: o.Index}
		switch o.Kind {
		case provenance.Alloca:
			ref.Kind = tile.ObjectAlloca
		case provenance.Global:
			ref = tile.ObjectRef{Kind: tile.ObjectGlobal, Name: o.Name}
		}
		list = append(list, ref)
	})
	return tileaa.Objects(c, list, s&provenance.Elsewhere != 0)
}
