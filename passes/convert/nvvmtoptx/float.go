package nvvmtoptx

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

// roundings gives the roundings of arithmetic their modifiers. NearestAway is one of conversions only.
var roundings = map[string]ptx.Mod{
	"": ptx.RN, "nearest_even": ptx.RN, "zero": ptx.RZ, "negative_inf": ptx.RM, "positive_inf": ptx.RP,
}

// A floatSpec says what an operation on floats is: the opcode, and by format the feature that it needs and what it
// offers there.
//
// It is a table of forms and not a switch over instructions. What exists for f16 and bf16 differs by operation,
// rounding and architecture. A test of target/sm asks ptxas about each feature.
type floatSpec struct {
	op      ptx.Op
	mods    []ptx.Mod // after the rounding
	formats map[numeric.Format]floatForm
	last    bool // takes the last operand only
}

// A floatForm is how an instruction exists for a format.
type floatForm struct {
	modes   formModes
	feature *sm.Feature // nil: everywhere
}

type formModes uint8

const (
	unrounded formModes = iota // exact: takes no rounding
	nearest                    // to nearest only
	directed                   // every rounding
)

var (
	nativeAll   = floatForm{modes: directed}
	nativeRN    = floatForm{modes: nearest}
	nativeExact = floatForm{}

	// bf16 came in steps: min, max, neg and fma with sm_80, additions and multiplications with sm_90. Which is which
	// is in target/sm, by feature, judged by ptxas.
	addForms = map[numeric.Format]floatForm{numeric.F32: nativeAll, numeric.F64: nativeAll, numeric.F16: nativeRN, numeric.BF16: {nearest, &sm.BF16Add}}
	fmaForms = map[numeric.Format]floatForm{numeric.F32: nativeAll, numeric.F64: nativeAll, numeric.F16: nativeRN, numeric.BF16: {nearest, &sm.BF16Fma}}
	divForms = map[numeric.Format]floatForm{numeric.F32: nativeAll, numeric.F64: nativeAll}
	maxForms = map[numeric.Format]floatForm{numeric.F32: nativeExact, numeric.F64: nativeExact,
		numeric.F16: {unrounded, &sm.F16MinMax}, numeric.BF16: {unrounded, &sm.BF16MinMax}}
	// No f64: PTX has .NaN for f32, f16 and bf16 only (PTX ISA, max), and nvvm-legalize-arith makes it of compares.
	maxNaNForms = map[numeric.Format]floatForm{numeric.F32: {unrounded, &sm.F32NaNMinMax},
		numeric.F16: {unrounded, &sm.F16MinMax}, numeric.BF16: {unrounded, &sm.BF16MinMax}}
	negForms = map[numeric.Format]floatForm{numeric.F32: nativeExact, numeric.F64: nativeExact, numeric.F16: nativeExact,
		numeric.BF16: {unrounded, &sm.BF16MinMax}}
	f32Forms   = map[numeric.Format]floatForm{numeric.F32: nativeExact}
	rcpForms   = map[numeric.Format]floatForm{numeric.F32: nativeExact, numeric.F64: nativeExact}
	rsqrtForms = map[numeric.Format]floatForm{numeric.F32: nativeExact, numeric.F64: nativeExact}
	ex2Forms   = map[numeric.Format]floatForm{numeric.F32: nativeExact, numeric.F16: {unrounded, &sm.Ex2F16}}
	tanhForms  = map[numeric.Format]floatForm{numeric.F32: {unrounded, &sm.TanhF32}, numeric.F16: {unrounded, &sm.TanhF16},
		numeric.BF16: {unrounded, &sm.TanhBF16}}
)

func init() {
	add(map[*ir.OpDef]rule{
		arith.AddF:     arithmetic(floatSpec{op: ptx.OpAdd, formats: addForms}),
		arith.SubF:     arithmetic(floatSpec{op: ptx.OpSub, formats: addForms}),
		arith.MulF:     arithmetic(floatSpec{op: ptx.OpMul, formats: addForms}),
		arith.Fma:      arithmetic(floatSpec{op: ptx.OpFma, formats: fmaForms}),
		arith.DivF:     division,
		arith.Sqrt:     approximable(floatSpec{op: ptx.OpSqrt, formats: divForms}, "approx"),
		arith.MaxNumF:  arithmetic(floatSpec{op: ptx.OpMax, formats: maxForms}),
		arith.MinNumF:  arithmetic(floatSpec{op: ptx.OpMin, formats: maxForms}),
		arith.MaximumF: arithmetic(floatSpec{op: ptx.OpMax, mods: []ptx.Mod{ptx.NaN}, formats: maxNaNForms}),
		arith.MinimumF: arithmetic(floatSpec{op: ptx.OpMin, mods: []ptx.Mod{ptx.NaN}, formats: maxNaNForms}),
		arith.NegF:     unlessPaired(arithmetic(floatSpec{op: ptx.OpNeg, formats: negForms})),
		arith.AbsF:     unlessPaired(arithmetic(floatSpec{op: ptx.OpAbs, formats: negForms})),
		arith.Floor:    integral(ptx.RMI),
		arith.Ceil:     integral(ptx.RPI),
		arith.CmpF:     unlessDeferred,

		nvvm.FmaSat:      arithmetic(floatSpec{op: ptx.OpFma, mods: []ptx.Mod{ptx.Sat}, formats: map[numeric.Format]floatForm{numeric.F32: nativeAll}}),
		nvvm.Ex2Approx:   approximation(ptx.OpEx2, ex2Forms),
		nvvm.Lg2Approx:   approximation(ptx.OpLg2, f32Forms),
		nvvm.RcpApprox:   approximation(ptx.OpRcp, rcpForms),
		nvvm.SqrtApprox:  approximation(ptx.OpSqrt, f32Forms),
		nvvm.RsqrtApprox: approximation(ptx.OpRsqrt, rsqrtForms),
		nvvm.SinApprox:   approximation(ptx.OpSin, f32Forms),
		nvvm.CosApprox:   approximation(ptx.OpCos, f32Forms),
		nvvm.TanhApprox:  approximation(ptx.OpTanh, tanhForms),
	})
}

// ftzOf returns the modifier of an operation that flushes subnormal numbers, or zero; only instructions on f32 can.
//
// Without .ftz subnormal numbers are kept (PTX ISA, since sm_20), which is what cuda_tile asks for by default.
func ftzOf(o ir.Op) (ptx.Mod, error) {
	if !o.HasUnitAttr(arith.AttrFtz) {
		return 0, nil
	}
	// PTX has .ftz for some operations on f16 too. cuda_tile allows flush_to_zero on f32 alone, so that nothing asks
	// for those.
	if f := formatOf(o.Operand(0).Type()); f != numeric.F32 && !(f == numeric.F64 && o.Is(nvvm.RcpApprox)) {
		return 0, o.Errorf("flushes subnormal numbers, which PTX does for f32 only")
	}
	return ptx.FTZ, nil
}

// arithmetic is the rule of an operation on floats.
func arithmetic(s floatSpec) rule {
	return func(e *emitter, o ir.Op) error {
		t := o.Result(0).Type()
		form, ok := s.formats[formatOf(t)]
		if !ok {
			return unsupported(o, t)
		}
		ftz, err := ftzOf(o)
		if err != nil {
			return err
		}
		var rnd ptx.Mod
		// The rounding is always written. Without one add and mul are rounded to nearest too, but ptxas may then fuse
		// them to an fma, which rounds once less.
		if form.modes != unrounded {
			name := o.StringAttr(arith.AttrRounding)
			rnd = roundings[name]
			if rnd == 0 || rnd != ptx.RN && form.modes != directed {
				return o.Errorf("with rounding '%s' on type '%s' has no PTX instruction", name, ir.TypeString(t))
			}
		}
		if s.last {
			e.emit(s.op, mods(rnd, ftz, kindOf(t).f), ptx.R(e.def(o.Result(0))), e.use(o.Operand(o.NumOperands()-1)))
			return nil
		}
		return e.float(o, s.op, form, append(mods(rnd, ftz), s.mods...))
	}
}

// float writes an instruction whose modifiers, without the type, are known.
func (e *emitter) float(o ir.Op, op ptx.Op, form floatForm, list []ptx.Mod) error {
	if form.feature != nil {
		if err := e.need(o, *form.feature); err != nil {
			return err
		}
	}
	e.apply(o, op, append(list, kindOf(o.Result(0).Type()).f))
	return nil
}

var approximations = map[string]ptx.Mod{"approx": ptx.Approx, "full": ptx.Full}

// approximable is the rule of an operation that f32 also has with less accuracy.
func approximable(s floatSpec, accuracies ...string) rule {
	exact := arithmetic(s)
	return func(e *emitter, o ir.Op) error {
		name := o.StringAttr(arith.AttrRounding)
		if !slices.Contains(accuracies, name) {
			return exact(e, o)
		}
		if t := o.Result(0).Type(); formatOf(t) != numeric.F32 {
			return o.Errorf("with rounding '%s' on type '%s' has no PTX instruction", name, ir.TypeString(t))
		}
		ftz, err := ftzOf(o)
		if err != nil {
			return err
		}
		return e.float(o, s.op, nativeExact, mods(approximations[name], ftz))
	}
}

// division is the rule of divf. A reciprocal is an instruction, equally exact, with a shorter slow path. The approximate
// one has half of the error of a division, and for flushed numbers ptxas makes one instruction of it and not two.
func division(e *emitter, o ir.Op) error {
	if c, ok := ir.ConstantValue(o.Operand(0)).(*ir.FloatAttr); ok && c.Float64() == 1 {
		switch name := o.StringAttr(arith.AttrRounding); {
		case name != "approx" && name != "full":
			return reciprocal(e, o)
		case name == "approx" && o.HasUnitAttr(arith.AttrFtz) && formatOf(o.Result(0).Type()) == numeric.F32:
			e.emit(ptx.OpRcp, mods(ptx.Approx, ptx.FTZ, kindOf(o.Result(0).Type()).f), ptx.R(e.def(o.Result(0))), e.use(o.Operand(1)))
			return nil
		}
	}
	return quotient(e, o)
}

var (
	quotient   = approximable(floatSpec{op: ptx.OpDiv, formats: divForms}, "approx", "full")
	reciprocal = arithmetic(floatSpec{op: ptx.OpRcp, formats: divForms, last: true})
)

// approximation is the rule of the instructions that exist only so.
//
// The PTX ISA states these errors: 2 ulp for ex2 and div.full, and 1 ulp for rcp; rcp of f64 has 20 bits. They are relative for rsqrt
// (2^-22.9), sqrt (2^-23) and tanh (2^-11), and an absolute 2^-22 for lg2 near 1. Which of them is good enough
// for an operation is decided by nvvm-expand-math; here each is written as it is asked for.
func approximation(op ptx.Op, forms map[numeric.Format]floatForm) rule {
	return func(e *emitter, o ir.Op) error {
		t := o.Result(0).Type()
		form, ok := forms[formatOf(t)]
		if !ok {
			return unsupported(o, t)
		}
		ftz, err := ftzOf(o)
		if err != nil {
			return err
		}
		if ftz == 0 && o.Is(nvvm.RcpApprox) && formatOf(t) == numeric.F64 {
			return o.Errorf("keeps subnormal numbers, which PTX does for f32 only")
		}
		return e.float(o, op, form, mods(ptx.Approx, ftz))
	}
}

// integral is the rule of a rounding to an integer.
// PTX has no floor or ceil: a cvt from a type to itself with .rmi or .rpi is one.
func integral(direction ptx.Mod) rule {
	return func(e *emitter, o ir.Op) error {
		t := o.Result(0).Type()
		switch formatOf(t) {
		case numeric.F16, numeric.F32, numeric.F64:
			f := kindOf(t).f
			e.emit(ptx.OpCvt, mods(direction, f, f), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))))
			return nil
		}
		return unsupported(o, t)
	}
}

// floatComparisons gives each predicate its modifier.
//
// "ord" and "uno" are num and nan: they compare nothing, only look for NaN.
var floatComparisons = map[string]ptx.Mod{
	"oeq": ptx.EQ, "one": ptx.NE, "olt": ptx.LT, "ole": ptx.LE, "ogt": ptx.GT, "oge": ptx.GE, "ord": ptx.Num,
	"ueq": ptx.EQU, "une": ptx.NEU, "ult": ptx.LTU, "ule": ptx.LEU, "ugt": ptx.GTU, "uge": ptx.GEU, "uno": ptx.IsNaN,
}

func (e *emitter) cmpf(o ir.Op) error {
	t := o.Operand(0).Type()
	switch formatOf(t) {
	case numeric.F16, numeric.F32, numeric.F64:
	case numeric.BF16:
		if err := e.need(o, sm.BF16SetP); err != nil {
			return err
		}
	default:
		return unsupported(o, t)
	}
	pred := floatComparisons[o.StringAttr(arith.AttrPredicate)]
	e.setp(o, pred, kindOf(t).f)
	return nil
}
