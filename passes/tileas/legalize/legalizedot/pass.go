package legalizedot

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numWidened = passes.NewStatistic("widened", "dots whose operands were converted to another type")
	numPairs   = passes.NewStatistic("pairs", "scaled dots whose 4-bit operands were packed into bytes")
	numScaled  = passes.NewStatistic("scaled", "scaled dots that became one dot per block with scaled accumulators")
)

// Pass is tileas-legalize-dot.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-legalize-dot",
	Summary:  "convert MMA operands to element types that the target supports",
	Doc:      "Converts 8-bit float operands to f16 on targets without an MMA for them. A scaled dot without an instruction becomes one dot per block, and its accumulator is multiplied by the scales. 4-bit operands become packed bytes for instructions that read two elements from a byte.",
	Requires: []*passes.Property{property.TileAS},
	Steps:    []passes.Step{{}},
	Before: []passes.Edge{
		{Pass: "tileas-assign-layouts", Reason: "it gives dots the layouts of their instructions"},
	},
	Statistics: []*passes.Statistic{numWidened, numPairs, numScaled},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	// Dots that expansions create are not in the list, and need not be: their operands are converted already.
	dots, scaled := r.Op.Collect(tileas.Level.Dot.Is), r.Op.Collect(tileas.Level.DotScaled.Is)
	inTMEM := len(scaled) > 0 && mma.ScaledInTMEM(arch, contract.KernelSpecOf(r.Op).NumWarps, append(slices.Clone(scaled), dots...))
	for _, op := range scaled {
		if err := checkScaled(op); err != nil {
			return err
		}
		if inTMEM {
			if pairs(op) {
				r.Add(numPairs, 1)
			}
			continue
		}
		if op.HasUnitAttr(tile.AttrPairs) {
			return op.Errorf("has packed 4-bit operands, which need an MMA with accumulators in TMEM: %s has none for this dot", arch.Name)
		}
		if mma.Choose(arch, mma.Types(op), mma.KExtent(op)) != nil {
			continue
		}
		expandScaled(op, arch)
		r.Add(numScaled, 1)
	}
	for _, op := range dots {
		if widen(op, arch) {
			r.Add(numWidened, 1)
		}
	}
	return nil
}

// widen converts operands of 8-bit floats to f16 if the target multiplies f16 and not them. The result is the
// same: f16 holds all their values, and products of them are exact in f32 either way.
func widen(op ir.Op, arch *sm.Arch) bool {
	f, ok := ir.ElementType(op.Operand(0).Type()).(*ir.FloatType)
	if !ok || ir.BitWidth(f) != 8 {
		return false
	}
	types, k := mma.Types(op), mma.KExtent(op)
	// If f16 has no instruction either, threads multiply and widen each operand where they use it. An f16 in
	// between would be one conversion more.
	if mma.Choose(arch, types, k) != nil || mma.Choose(arch, sm.MatrixTypes{A: sm.F16, B: sm.F16, D: types.D}, k) == nil {
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
