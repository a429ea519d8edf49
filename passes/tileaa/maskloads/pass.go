package maskloads

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numMasked = passes.NewStatistic("masked", "loads that took the condition of a select")
	numClamps = passes.NewStatistic("clamps", "minima and maxima of indices that the mask implies")
	numJoined = passes.NewStatistic("joined", "bounds of an index that became one")
)

// Pass is tileaa-mask-loads.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-mask-loads",
	Summary:  "move selects between loaded elements and zero into the masks of loads",
	Doc:      "Where a select by integers takes loaded elements or zero, and a load pads with zero, the condition becomes part of the load's mask. Loads of runs of elements keep theirs. Indices lose clamps that the mask implies, and an index that is compared with two bounds is compared with the smaller one.",
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-facts", Reason: "it finds the runs of elements that loads are of"},
		{Pass: "tileaa-eliminate-loads", Reason: "two loads with the same mask are one"},
		{Pass: "tileaa-prune-tokens", Reason: "a load that nothing waits for may be done later"},
	},
	Before: []passes.Edge{
		{Pass: "tileaa-strip-mine", Reason: "parts of loads have parts of their masks"},
		{Pass: "tileaa-version-loops", Reason: "it looks at masks"},
		{Pass: "convert-tileaa-to-tileas", Reason: "layouts follow from what is computed"},
	},
	Statistics: []*passes.Statistic{numMasked, numClamps, numJoined},
	Run:        run,
})

func run(r *passes.Run) error {
	var selects []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(arith.Select) {
			selects = append(selects, op)
		}
		return ir.Advance
	})
	masked := 0
	for _, op := range selects {
		if load, path, ok := loaded(op); ok && onIntegers(op.Operand(0), op.Block()) && r.May("mask-load", op) {
			mask(op, load, path)
			masked++
		}
	}
	r.Add(numMasked, masked)
	dropClamps(r)
	return nil
}

// loaded returns the load of a select between what was loaded and zero, and the operations in between, from the load
// on.
func loaded(sel ir.Op) (load ir.Op, path []ir.Op, ok bool) {
	if _, tensor := sel.Operand(0).Type().(*ir.TensorType); !tensor || !zero(sel.Operand(2)) {
		return ir.Op{}, nil, false
	}
	v := sel.Operand(1)
	for {
		def := v.DefiningOp()
		if def.IsNil() || def.Block() != sel.Block() || !v.HasOneUse() {
			return ir.Op{}, nil, false
		}
		if def.Is(tileaa.Level.Load) {
			return def, path, padsWithZero(def) && free(def)
		}
		if !keepsZero(def) {
			return ir.Op{}, nil, false
		}
		path = slices.Insert(path, 0, def)
		v = def.Operand(0)
	}
}

// padsWithZero reports whether a load has zero where it loads nothing.
func padsWithZero(load ir.Op) bool {
	if load.OperandNamed("mask").IsNil() {
		return true // it has no mask yet
	}
	other := load.OperandNamed("other")
	return !other.IsNil() && zero(other)
}

// free reports whether a load of single elements may be done where its result is needed.
func free(load ir.Op) bool {
	ordering := load.StringAttr(tile.AttrOrdering)
	return load.Attr(tile.AttrRuns) == nil && load.Attr(tile.AttrBaseDiv) == nil && (ordering == "" || ordering == "weak") && !tokens.After(load).HasUses()
}

// keepsZero reports whether an operation on one tensor makes zero of zero: a conversion.
func keepsZero(op ir.Op) bool {
	return slices.ContainsFunc([]*ir.OpDef{arith.FToF, arith.SIToFP, arith.UIToFP, arith.FPToSI, arith.FPToUI, arith.TruncI, arith.ExtSI, arith.ExtUI}, op.Is)
}

// zero reports whether all elements of a constant have the bits of zero.
func zero(v ir.Value) bool {
	c := arith.Splat(ir.ConstantValue(v))
	return c != nil && arith.Bits(c) == 0
}

// mostOps bounds the arithmetic of a condition.
const mostOps = 256

// onIntegers reports whether what a value is computed of in a block is arithmetic on integers, which waits for nothing.
// Numbers that a loop carries besides its counter are such integers too.
func onIntegers(v ir.Value, in ir.Block) bool {
	seen := make(map[ir.Op]bool)
	values := []ir.Value{v}
	for len(values) > 0 {
		v, values = values[len(values)-1], values[:len(values)-1]
		if _, ok := ir.ElementType(v.Type()).(*ir.IntegerType); !ok {
			return false
		}
		def := v.DefiningOp()
		if def.IsNil() || def.Block() != in || seen[def] {
			continue
		}
		if seen[def] = true; def.NumRegions() > 0 || !ir.HasNoEffects(def) || tile.IsMMA(def) || len(seen) > mostOps {
			return false
		}
		values = append(values, def.Operands()...)
	}
	return true
}

// mask moves a load, and what is between, to a select, and gives the load the condition. Text order is no order of
// memory: what comes after the load says so by its token, and nothing does (free).
func mask(sel, load ir.Op, path []ir.Op) {
	b := ir.BuilderBefore(sel)
	b.SetLocOf(load)
	cond := sel.Operand(0)
	if have := load.OperandNamed("mask"); !have.IsNil() {
		cond = b.Create(arith.AndI, []ir.Value{have, cond}, []ir.Type{cond.Type()}).Result(0)
	} else {
		t := load.Result(0).Type()
		tile.SetOptional(load, "other", arith.NewConstant(b, t, b.Context().Dense(t, make([]byte, tile.ElementBytes(ir.ElementType(t))))))
	}
	tile.SetOptional(load, "mask", cond)
	load.MoveBefore(sel)
	for _, op := range path {
		op.MoveBefore(sel)
	}
	sel.Result(0).ReplaceAllUsesWith(sel.Operand(1))
	sel.Erase()
}
