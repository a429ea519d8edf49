package legalizedot

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numWidened = passes.NewStatistic("widened", "dots whose operands were converted to another type")
	numPairs   = passes.NewStatistic("pairs", "scaled dots whose factors of half a byte became bytes")
	numScaled  = passes.NewStatistic("scaled", "scaled dots that became dots of blocks, whose sums are multiplied by their scales")
)

// Pass is tileas-legalize-dot.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-legalize-dot",
	Title:    "TileASLegalizeDot",
	Summary:  "give dots element types that the target multiplies",
	Doc:      "Converts operands of 8-bit floats to f16 where the target has no matrix instruction for them, and multiplies the sums of the blocks of scaled dots by their scales. Factors of half a byte of instructions that take two from a byte of shared memory become bytes.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS},
	Steps:    []passes.Step{{}},
	Before: []passes.Edge{
		{Pass: "tileas-assign-layouts", Reason: "it gives dots the layouts of their instructions"},
	},
	Statistics: []*passes.Statistic{numWidened, numPairs, numScaled},
	Run:        run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	var dots, scaled []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.Dot):
			dots = append(dots, op)
		case op.Is(tileas.Level.DotScaled):
			scaled = append(scaled, op)
		}
		return ir.Advance
	})
	// The dots that this makes are not in the other list and need not be: their operands have been converted already.
	expanded := 0
	inTensorMemory := len(scaled) > 0 && matrix.ScaledInTensorMemory(arch, contract.KernelSpecOf(r.Op).NumWarps, append(slices.Clone(scaled), dots...))
	for _, op := range scaled {
		if err := checkScaled(op); err != nil {
			return err
		}
		if inTensorMemory {
			if pairs(op) {
				r.Add(numPairs, 1)
			}
			continue
		}
		if op.HasUnitAttr(tile.AttrPairs) {
			return op.Errorf("multiplies pairs of half a byte, which only products in tensor memory do, and there is none here on %s", arch.Name)
		}
		if matrix.Choose(arch, matrix.Types(op), matrix.Depth(op)) != nil {
			continue
		}
		expandScaled(op, arch)
		expanded++
	}
	for _, op := range dots {
		if widen(op, arch) {
			r.Add(numWidened, 1)
		}
	}
	r.Add(numScaled, expanded)
	return nil
}

// widen converts operands of 8-bit floats to f16, which holds all their values, when the target multiplies those but not these.
//
// The products are the same numbers: those of 8-bit floats are exact in f32, converted or not.
func widen(op ir.Op, arch *sm.Arch) bool {
	f, ok := ir.ElementType(op.Operand(0).Type()).(*ir.FloatType)
	if !ok || ir.BitWidth(f) != 8 {
		return false
	}
	types, k := matrix.Types(op), matrix.Depth(op)
	// Where f16 has no instruction either, threads multiply alone and widen each operand where they use it: an f16 in between would be one conversion more.
	if matrix.Choose(arch, types, k) != nil || matrix.Choose(arch, sm.MatrixTypes{A: sm.F16, B: sm.F16, D: types.D}, k) == nil {
		return false
	}
	c := op.Context()
	b := ir.BuilderBefore(op)
	for i := range 2 {
		v := op.Operand(i)
		op.SetOperand(i, b.Create(arith.FToF, []ir.Value{v}, []ir.Type{arith.WithElement(v.Type(), c.F16())}).Result(0))
	}
	return true
}
