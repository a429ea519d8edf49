package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numClasses     = passes.NewStatistic("layout-classes", "classes of values that share a layout")
	numConversions = passes.NewStatistic("conversions", "convert_layout operations inserted")
)

// Options of tileas-assign-layouts.
type Options struct {
	Async bool `opt:"async" try:"true,false" help:"compute MMAs asynchronously where the target can"`
}

// Pass is tileas-assign-layouts.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-assign-layouts",
	Summary:     "assign a layout to every distributed tensor",
	Doc:         "Chooses a layout for each class of connected values, and for the operands of each operation, by a cost model. Inserts convert_layout where the two differ.",
	Options:     func() any { return &Options{Async: true} },
	Requires:    []*passes.Property{property.TileAS},
	Establishes: []*passes.Property{tileasprop.LayoutsAssigned, tileasprop.InstructionsChosen},
	Destroys: []*passes.Property{property.Canonical, tileasprop.WarpReduces, tileasprop.AtomicsOnce, tileasprop.LocalConversions, tileasprop.SharedAllocated,
		tileasprop.Synchronised},
	Statistics: []*passes.Statistic{numClasses, numConversions},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	// A dump from after the pass is left unchanged.
	if assigned(r.Op) {
		return nil
	}
	c := newChooser(r.Op, warps, arch)
	c.async = passes.OptionsOf[Options](r).Async
	c.collect()
	if err := c.searchTilings(); err != nil {
		return err
	}
	conversions, err := c.apply()
	if err != nil {
		return err
	}
	for _, op := range r.Op.Collect(tileas.IsMMA) {
		decide(r, op, c.full[op], arch, warps)
	}
	r.Add(numClasses, len(c.homes))
	r.Add(numConversions, conversions)
	return nil
}

// assigned reports whether everything that the pass decides is decided, as in a dump of a later pass. If only
// some layouts are given, by a test or a plugin, the pass keeps these and chooses the rest.
func assigned(fn ir.Op) bool {
	return !fn.Contains(func(op ir.Op) bool {
		return tileas.IsMMA(op) && tileas.MMAOf(op) == nil || slices.ContainsFunc(definedBy(op), func(v ir.Value) bool {
			_, given := tileas.LayoutOf(v.Type())
			return ir.IsTensor(v) && !given
		})
	})
}
