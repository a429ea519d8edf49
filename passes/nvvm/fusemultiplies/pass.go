package fusemultiplies

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/property"
)

var numFused = passes.NewStatistic("fused", "multiplications that took in an extension or an addition, or became shifts")

// Pass is nvvm-fuse-multiplies.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-fuse-multiplies",
	Summary:  "fuse multiplications with extensions and additions",
	Doc:      "Multiplies 32-bit numbers to 64 bits by one instruction, adds to a product by one instruction, and shifts in place of a 64-bit multiplication by a power of two.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "nvvm-reduce-strength", Reason: "it looks for multiplications by strides"},
		{Pass: "licm#nvvm", Reason: "a factor that leaves a loop is multiplied outside of it"},
		{Pass: "nvvm-legalize-arith", Reason: "its sequences multiply, too"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-sink", Reason: "extensions that are gone keep nothing where it is"},
		{Pass: "emit-ptx", Reason: "it prints what is there"},
	},
	Creates:    []string{"arith", "nvvm"},
	Statistics: []*passes.Statistic{numFused},
	Run:        run,
})

func run(r *passes.Run) error {
	region := r.Op.Region(0)
	f := &fuser{nest: loops.Find(region, ir.NewDominance()), may: r.May}
	for b := range region.Blocks() {
		for op := b.First(); !op.IsNil(); {
			next := op.Next()
			f.visit(op)
			op = next
		}
	}
	r.Add(numFused, f.fused)
	return nil
}

type fuser struct {
	nest  *loops.Nest
	may   func(what string, op ir.Op) bool
	fused int
}

// visit rewrites one operation. Those before it are done, so an addition finds what is left to multiply.
func (f *fuser) visit(op ir.Op) {
	switch {
	case op.Is(arith.MulI):
		f.multiply(op)
	case op.Is(nvvm.PtrAdd):
		f.add(op, op.Operand(1), op.Operand(0))
	case op.Is(arith.AddI):
		if !f.add(op, op.Operand(0), op.Operand(1)) {
			f.add(op, op.Operand(1), op.Operand(0))
		}
	}
}

// multiply makes mul.wide or a shift of a multiplication of 64 bits.
func (f *fuser) multiply(op ir.Op) {
	if ir.BitWidth(op.Result(0).Type()) != 64 {
		return
	}
	for _, signed := range []bool{true, false} {
		x, ok := narrow(op.Operand(0), signed)
		y, also := f.factor(op, signed)
		if ok && also && f.may("widen", op) {
			b := before(op)
			if y.IsNil() {
				y = arith.NewInt(b, b.Context().Int(32), constant(op.Operand(1)))
			}
			var attrs []ir.NamedAttr
			if !signed {
				attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrUnsigned, Value: b.Context().Unit()})
			}
			f.replace(op, b.Create(nvvm.MulWide, []ir.Value{x, y}, []ir.Type{op.Result(0).Type()}, attrs...))
			return
		}
	}
	if c, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && bits.OnesCount64(c.Unsigned()) == 1 && f.may("shift", op) {
		b := before(op)
		by := arith.NewInt(b, op.Result(0).Type(), int64(bits.TrailingZeros64(c.Unsigned())))
		f.replace(op, b.Create(arith.ShLI, []ir.Value{op.Operand(0), by}, []ir.Type{op.Result(0).Type()}))
	}
}

// narrow returns the i32 that a value extends.
func narrow(v ir.Value, signed bool) (ir.Value, bool) {
	ext := arith.ExtUI
	if signed {
		ext = arith.ExtSI
	}
	if def := v.DefiningOp(); !def.IsNil() && def.Is(ext) && ir.BitWidth(def.Operand(0).Type()) == 32 {
		return def.Operand(0), true
	}
	return ir.Value{}, false
}

// factor returns the second factor as an i32: a zero Value for a constant.
func (f *fuser) factor(op ir.Op, signed bool) (ir.Value, bool) {
	v := op.Operand(1)
	if c, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		if signed {
			return ir.Value{}, c.Value >= math.MinInt32 && c.Value <= math.MaxInt32
		}
		return ir.Value{}, c.Unsigned() <= math.MaxUint32
	}
	if f.nest.UsedDeeper(op) {
		return ir.Value{}, false
	}
	return narrow(v, signed)
}

func constant(v ir.Value) int64 { return int64(int32(ir.ConstantValue(v).(*ir.IntegerAttr).Value)) }

// add makes mad.lo of an addition to a product that nothing else uses, and reports whether it did.
func (f *fuser) add(op ir.Op, product, to ir.Value) bool {
	mul, t := product.DefiningOp(), op.Result(0).Type()
	if mul.IsNil() || !mul.Is(arith.MulI) || mul.Block() != op.Block() || !product.HasOneUse() || ir.BitWidth(product.Type()) < 32 {
		return false
	}
	if p, ok := t.(*nvvm.PtrType); ok && (p.Space == nvvm.Shared || p.Space == nvvm.Cluster) == (ir.BitWidth(product.Type()) == 64) || !f.may("add", op) {
		return false
	}
	f.replace(op, before(op).Create(nvvm.MadLo, []ir.Value{mul.Operand(0), mul.Operand(1), to}, []ir.Type{t}))
	mul.Erase()
	return true
}

func before(op ir.Op) *ir.Builder {
	b := ir.BuilderBefore(op)
	b.SetLocOf(op)
	return b
}

// replace puts an operation in the place of another, and erases what only the other used.
func (f *fuser) replace(op, by ir.Op) {
	operands := slices.Clone(op.Operands())
	op.Result(0).ReplaceAllUsesWith(by.Result(0))
	op.Erase()
	for i, v := range operands {
		if slices.Contains(operands[:i], v) { // a square
			continue
		}
		if def := v.DefiningOp(); !def.IsNil() && !def.Is(arith.MulI) && ir.IsTriviallyDead(def) {
			def.Erase()
		}
	}
	f.fused++
}
