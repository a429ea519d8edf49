package expandmath

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
)

var expandedOps = passes.NewStatistic("functions-expanded", "elementary functions that were written as arithmetic")

// Pass is nvvm-expand-math.
var Pass = passes.Register(&passes.Pass{
	Name:        "nvvm-expand-math",
	Title:       "NVVMExpandMath",
	Summary:     "write elementary functions as arithmetic",
	Doc:         "Replaces exp, log, pow and other functions that the machine has no instruction for by arithmetic within 2 ulp (log, log2, sin, cos, tan, sinh, cosh and tanh of f32: rounded correctly but for some ten results in a million), or by the approximate instruction where the rounding says so.",
	On:          "nvvm.func",
	Requires:    []*passes.Property{property.NVVM},
	Establishes: []*passes.Property{property.MathExpanded},
	Destroys:    []*passes.Property{property.Canonical, property.LegalArith},
	Before:      []passes.Edge{{Pass: "cse#nvvm", Reason: "functions that are expanded share constants and steps"}},
	Creates:     []string{"arith", "cf", "nvvm"},
	Statistics:  []*passes.Statistic{expandedOps},
	Run: func(r *passes.Run) error {
		n, err := Expand(r.Op)
		if n == 0 {
			r.MarkUnchanged()
		}
		r.Add(expandedOps, n)
		return err
	},
})

// Expand rewrites a function and returns how many operations it replaced.
func Expand(fn ir.Op) (int, error) { return scalar.Rewrite(fn, rules) }

// A method computes a function in one format.
type method func(e expander, x []ir.Value) ir.Value

// A function has a method for f32 and one for f64. The one for narrower formats computes in f32 too, but need not be that accurate: 2 ulp of
// f32 are 2^-12 ulp of f16 and 2^-15 of bf16.
type function struct{ f32, f64, narrow method }

var functions = map[*ir.OpDef]function{
	arith.Exp:   {expF32, expF64, expF32},
	arith.Exp2:  {exp2F32, exp2F64, exp2F32},
	arith.Log:   {logF32, logF64, logNarrow},
	arith.Log2:  {log2F32, log2F64, log2Narrow},
	arith.PowF:  {powF32, powF64, powF32},
	arith.TanH:  {tanhF32, tanhF64, tanhNarrow},
	arith.SinH:  {sinhF32, sinh, sinh},
	arith.CosH:  {coshF32, cosh, cosh},
	arith.RSqrt: {rsqrtF32, rsqrtF64, rsqrtF32},
	arith.Sin:   {sinF32, sin, sin},
	arith.Cos:   {cosF32, cos, cos},
	arith.Tan:   {tanF32, tan, tan},
	arith.Atan2: {atan2, atan2, atan2},
	arith.RemF:  {rem, rem, rem},
}

var rules = make(map[*ir.OpDef]scalar.Rule)

func init() {
	for def, f := range functions {
		rules[def] = func(b scalar.Builder, op ir.Op) (ir.Value, error) { return f.expand(b, op) }
	}
}

func (f function) expand(b scalar.Builder, op ir.Op) (ir.Value, error) {
	t, ok := op.Result(0).Type().(*ir.FloatType)
	if !ok {
		return ir.Value{}, op.Errorf("of type '%s' is not supported", ir.TypeString(op.Result(0).Type()))
	}
	e := newExpander(b, t, op)
	switch t.Format {
	case numeric.F32:
		return f.f32(e, op.Operands()), nil
	case numeric.F64:
		return f.f64(e, op.Operands()), nil
	case numeric.F16, numeric.BF16:
		f32 := b.Context().F32()
		wide := newExpander(b, f32, op)
		operands := make([]ir.Value, op.NumOperands())
		for i, v := range op.Operands() {
			operands[i] = b.Cast(arith.FToF, v, f32)
		}
		return b.Cast(arith.FToF, f.narrow(wide, operands), t), nil
	}
	return ir.Value{}, op.Errorf("of type '%s' is not supported", ir.TypeString(t))
}
