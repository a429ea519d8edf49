package expandmath

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/nvvmprop"
)

var expandedOps = passes.NewStatistic("functions-expanded", "elementary functions expanded into arithmetic")

// Pass is nvvm-expand-math.
var Pass = passes.Register(&passes.Pass{
	Name:        "nvvm-expand-math",
	Summary:     "expand elementary functions into arithmetic",
	Doc:         "Replaces exp, log, pow and other functions without an instruction by arithmetic within the bounds that CUDA publishes. If the rounding is approx, the approximate instruction is used. With accuracy=exact, results of log, log2, sin, cos, tan, sinh, cosh and tanh of f32 are rounded correctly except for some ten results in a million. Divisions by a power of two become multiplications.",
	Requires:    []*passes.Property{property.NVVM},
	Establishes: []*passes.Property{nvvmprop.MathExpanded},
	Destroys:    []*passes.Property{property.Canonical, nvvmprop.LegalArith},
	Options:     func() any { return new(Options) },
	Before:      []passes.Edge{{Pass: "cse#nvvm", Reason: "functions that are expanded share constants and steps"}},
	Creates:     []string{"arith", "cf", "nvvm"},
	Statistics:  []*passes.Statistic{expandedOps},
	Run: func(r *passes.Run) error {
		n, err := Expand(r.Op, passes.OptionsOf[Options](r).Accuracy)
		r.Add(expandedOps, n)
		return err
	},
})

// Expand rewrites a function and returns how many operations it replaced.
func Expand(fn ir.Op, accuracy Accuracy) (int, error) {
	turned := expandTurns(fn)
	n, err := scalar.Rewrite(fn, rules[accuracy])
	return turned + n, err
}

// A method computes a function in one format.
type method func(e expander, x []ir.Value) ir.Value

// A function has methods for f32 within CUDA's bounds and exact, one for f64, and one for narrower formats. That
// computes in f32 too, but need not be accurate: 2 ulp of f32 are 2^-12 ulp of f16 and 2^-15 of bf16.
type function struct{ f32, exact, f64, narrow method }

var functions = map[*ir.OpDef]function{
	arith.Exp:   {expShort, expF32, expF64, expNarrow},
	arith.Exp2:  {exp2F32, exp2F32, exp2F64, exp2F32},
	arith.Log:   {logShort, logF32, logF64, logShort},
	arith.Log2:  {log2Short, log2F32, log2F64, log2Short},
	arith.PowF:  {powShort, powF32, powF64, powShort},
	arith.TanH:  {tanhShort, tanhF32, tanhF64, tanhShort},
	arith.SinH:  {sinhShort, sinhF32, sinhF64, sinhShort},
	arith.CosH:  {coshShort, coshF32, coshF64, coshShort},
	arith.RSqrt: {rsqrt, rsqrt, rsqrt, rsqrt},
	arith.Sin:   {sinShort, sinF32, nil, sinShort}, // of f64: expandTurns
	arith.Cos:   {cosShort, cosF32, nil, cosShort},
	arith.Tan:   {tanShort, tanF32, nil, tanShort},
	arith.Atan2: {atan2Short, atan2, atan2, atan2Short},
	arith.RemF:  {rem, rem, rem, rem},
}

// The rules of each accuracy.
var rules = make(map[Accuracy]map[*ir.OpDef]scalar.Rule)

func init() {
	for i := range accuracyNames {
		accuracy := Accuracy(i)
		of := map[*ir.OpDef]scalar.Rule{arith.DivF: divideByPower}
		for def, f := range functions {
			if accuracy == Exact {
				f.f32 = f.exact
			}
			of[def] = func(b scalar.Builder, op ir.Op) (ir.Value, error) { return f.expand(b, op) }
		}
		rules[accuracy] = of
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
		wide.to = t.Format
		operands := make([]ir.Value, op.NumOperands())
		for i, v := range op.Operands() {
			operands[i] = b.Cast(arith.FToF, v, f32)
		}
		return b.Cast(arith.FToF, f.narrow(wide, operands), t), nil
	}
	return ir.Value{}, op.Errorf("of type '%s' is not supported", ir.TypeString(t))
}
