package tileaaattachfacts

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// FactsAttached holds when accesses carry what is known about their addresses.
var FactsAttached = passes.NewProperty("facts-attached", "has divisibility facts on every tiled access")

var numVectors = passes.NewStatistic("vectorisable", "tiled accesses that may use vectors")

// Pass is tileaa-attach-facts.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileaa-attach-facts",
	Title:       "TileAAAttachFacts",
	Summary:     "attach divisibility facts to tiled accesses",
	Doc:         "Writes base_div, offset_div, size_div and stride_div onto tiled_load and tiled_store.",
	On:          "nv_tileaa.func",
	Requires:    []*passes.Property{property.TileAA},
	Establishes: []*passes.Property{FactsAttached},
	Steps:       []passes.Step{{}},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "it drops the assumptions that facts come from"},
	},
	Statistics: []*passes.Statistic{numVectors},
	Run:        run,
})

func run(r *passes.Run) error {
	f := facts{known: make(map[ir.Value]int64)}
	c := r.IR()
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(tileaa.Level.TiledLoad) && !op.Is(tileaa.Level.TiledStore) {
			return ir.Advance
		}
		a := tile.AccessOf(op)
		op.SetAttr(tile.AttrBaseDiv, c.IntAttr(c.Int(64), f.divisor(a.Base)))
		for name, vs := range map[string][]ir.Value{tile.AttrOffsetDiv: a.Offsets, tile.AttrSizeDiv: a.Sizes, tile.AttrStrideDiv: a.Strides} {
			list := make([]int64, len(vs))
			for i, v := range vs {
				list[i] = f.divisor(v)
			}
			op.SetAttr(name, c.DenseI64(list...))
		}
		if a.VectorElements() > 1 {
			r.Add(numVectors, 1)
		}
		return ir.Advance
	})
	return nil
}

// most is the divisor of zero, which everything divides.
const most = int64(1) << 62

type facts struct{ known map[ir.Value]int64 }

// divisor returns a power of two that divides v: an integer, or the address in bytes that a pointer is.
func (f facts) divisor(v ir.Value) int64 {
	if d, ok := f.known[v]; ok {
		return d
	}
	f.known[v] = 1 // what a cycle through a loop may rely on
	d := f.compute(v)
	f.known[v] = d
	return d
}

func (f facts) compute(v ir.Value) int64 {
	op := v.DefiningOp()
	if op.IsNil() {
		return f.argument(v)
	}
	if c, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		return lowestBit(c.Value)
	}
	operand := func(i int) int64 { return f.divisor(op.Operand(i)) }
	switch op.Def() {
	case tileaa.Assume:
		d := operand(0)
		if by, ok := op.IntAttr(tileaa.AttrDivBy); ok {
			d = max(d, lowestBit(by))
		}
		return d
	case arith.ExtSI, arith.ExtUI, arith.NegI:
		return operand(0)
	case arith.TruncI:
		return min(operand(0), int64(1)<<min(62, ir.BitWidth(v.Type())))
	case arith.AddI, arith.SubI, arith.MinSI, arith.MinUI, arith.MaxSI, arith.MaxUI, arith.OrI, arith.XOrI:
		return min(operand(0), operand(1))
	case arith.AndI:
		return max(operand(0), operand(1))
	case arith.Select:
		return min(operand(1), operand(2))
	case arith.MulI:
		return product(operand(0), operand(1))
	case arith.ShLI:
		if k, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && k.Value >= 0 && k.Value < 62 {
			return product(operand(0), int64(1)<<k.Value)
		}
		return operand(0)
	case arith.DivSI, arith.DivUI, arith.FloorDiv:
		if k, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && k.Value > 0 && operand(0)%k.Value == 0 {
			return operand(0) / k.Value
		}
		return 1
	case tileaa.Level.AddPtr:
		size := tile.ElementBytes(ir.ElementType(v.Type()).(*tile.PtrType).Pointee)
		return min(operand(0), product(operand(1), lowestBit(int64(size))))
	}
	return 1
}

// argument handles induction variables: lower bound plus a multiple of the step.
func (f facts) argument(v ir.Value) int64 {
	parent := v.Block().ParentOp()
	describe, ok := ir.LoopLike.Of(parent)
	if !ok {
		return 1
	}
	l := describe(parent)
	if l.IndVar != v {
		return 1
	}
	return min(f.divisor(l.Lower), f.divisor(l.Step))
}

func lowestBit(v int64) int64 {
	if v == 0 {
		return most
	}
	return min(int64(1)<<bits.TrailingZeros64(uint64(v)), most)
}

func product(a, b int64) int64 {
	if bits.TrailingZeros64(uint64(a))+bits.TrailingZeros64(uint64(b)) >= 62 {
		return most
	}
	return a * b
}
