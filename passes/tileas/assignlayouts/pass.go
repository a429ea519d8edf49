package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numClasses     = passes.NewStatistic("layout-classes", "classes of values that share a layout")
	numConversions = passes.NewStatistic("conversions", "convert_layout operations inserted")
)

// Pass is tileas-assign-layouts.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-assign-layouts",
	Title:       "TileASAssignLayouts",
	Summary:     "give every distributed tensor a layout",
	Doc:         "Chooses one layout for each class of connected values and inserts convert_layout between classes.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS},
	Establishes: []*passes.Property{property.LayoutsAssigned, property.InstructionsChosen},
	Destroys: []*passes.Property{property.Canonical, property.WarpReduces, property.AtomicsOnce, property.LocalConversions, property.SharedAllocated,
		property.Synchronised},
	Statistics: []*passes.Statistic{numClasses, numConversions},
	Run:        run,
})

func run(r *passes.Run) error {
	warps, ok := r.Op.IntAttr(tile.AttrNumWarps)
	if !ok {
		return r.Op.Errorf("has no num_warps")
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	a := &assigner{
		fn: r.Op, ctx: r.IR(), warps: int(warps), arch: arch,
		classes: newClasses(), made: make(map[conversion]ir.Op),
	}
	a.collect()
	if err := a.anchor(); err != nil {
		return err
	}
	if err := a.derive(); err != nil {
		return err
	}
	if err := a.rewrite(); err != nil {
		return err
	}
	r.Add(numClasses, len(a.layouts))
	r.Add(numConversions, a.conversions)
	return nil
}

type assigner struct {
	fn    ir.Op
	ctx   *ir.Context
	warps int
	arch  *sm.Arch

	classes *classes
	layouts map[int]linear.Layout // by class
	pinned  map[int]bool          // classes with a fragment layout, which memory accesses are not made in
	dots    map[ir.Op]dotPlan

	made        map[conversion]ir.Op // what want inserted
	conversions int
}
