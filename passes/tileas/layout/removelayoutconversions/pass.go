package removelayoutconversions

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

var numRemoved = passes.NewStatistic("removed", "conversions removed or shortened")

// Pass is tileas-remove-layout-conversions.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-remove-layout-conversions",
	Summary:  "remove redundant layout conversions",
	Doc:      "Removes conversions between equal layouts and folds chains of conversions. Cheap values are rematerialized in the layout of their use instead of converted.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-legalize-reduce", Reason: "splitting a reduce can create conversions between equal layouts"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "a removed conversion needs no buffer"},
	},
	Statistics: []*passes.Statistic{numRemoved},
	Run:        run,
})

// Each rewrite removes a conversion or shortens a chain of them, so the loop ends.
func run(r *passes.Run) error {
	model := layouts.NewModel(r.IR())
	for changed := true; changed; {
		changed = false
		for op := range r.Op.All() {
			if op.Is(tileas.ConvertLayout) && simplify(r, model, op) {
				r.Add(numRemoved, 1)
				changed = true
			}
		}
	}
	return nil
}

// simplify applies one rewrite to a conversion.
//
//	convert_layout (convert_layout %x : A -> B) : B -> C    ->    convert_layout %x : A -> C
//	convert_layout %x : A -> A                              ->    %x
//	convert_layout (splat %s : A) : A -> B                  ->    splat %s : B
//	convert_layout (addi splat, range : A) : A -> B         ->    addi splat, range : B
//	convert_layout %x, unused                               ->    nothing
func simplify(r *passes.Run, model *layouts.Model, op ir.Op) bool {
	src, result := op.Operand(0), op.Result(0)
	if src.Type() == result.Type() && r.May("same-layout", op) {
		op.ReplaceWith(src)
		return true
	}
	if !result.HasUses() && r.May("erase-dead", op) {
		op.Erase()
		return true
	}
	// The inner conversion may have other uses and stay. Its result then need not be live for this one.
	if def := src.DefiningOp(); !def.IsNil() && def.Is(tileas.ConvertLayout) && r.May("convert-once", op) {
		op.SetOperand(0, def.Operand(0))
		return true
	}
	l, ok := tileas.LayoutOf(result.Type())
	if !ok || !layouts.IsCheap(src) && !repeats(model, src, l) || !r.May("remake", op) {
		return false
	}
	made, err := layouts.Remake(ir.BuilderBefore(op), src, l)
	if err != nil {
		return false
	}
	op.ReplaceWith(made)
	ir.EraseUnused(src) // canonical code stays canonical
	return true
}

// repeats reports whether a value is computed again in layout l rather than converted.
func repeats(model *layouts.Model, v ir.Value, l linear.Layout) bool {
	from, ok := tileas.LayoutOf(v.Type())
	return ok && layouts.Repeat(v, l) <= model.Convert(from, l, layouts.Bits(v.Type()))
}
