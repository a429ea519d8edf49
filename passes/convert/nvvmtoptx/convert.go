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

func init() {
	add(map[*ir.OpDef]rule{
		arith.ExtSI:    extend(true),
		arith.ExtUI:    extend(false),
		arith.TruncI:   (*emitter).trunc,
		arith.Bitcast:  (*emitter).bitcast,
		arith.SIToFP:   fromInt(true),
		arith.UIToFP:   fromInt(false),
		arith.FPToSI:   toInt(true),
		arith.FPToUI:   toInt(false),
		arith.FToF:     (*emitter).ftof,
		nvvm.CvtF16x2:  (*emitter).widen,
		nvvm.CvtE2M1x2: (*emitter).roundHalfBytes,
	})
}

// asInt returns the type under which cvt reads an integer; a byte has one there, though nowhere else.
func (k *kind) asInt(signed bool) ptx.Mod {
	switch {
	case k == &byteKind && signed:
		return ptx.S8
	case k == &byteKind:
		return ptx.U8
	case signed:
		return k.s
	}
	return k.u
}

// extend is the rule of extensions. From a predicate they select.
func extend(signed bool) rule {
	return func(e *emitter, o ir.Op) error {
		from, to := kindOf(o.Operand(0).Type()), kindOf(o.Result(0).Type())
		if param, ok := e.extendedParam(o); ok {
			e.body.LoadParam(from.asInt(signed), e.def(o.Result(0)), e.body.Sym(param), 0)
			return nil
		}
		if e.convertWord(o) {
			return nil
		}
		if r, ok := e.extended[o.Operand(0)]; ok {
			e.body.Mov(e.def(o.Result(0)), ptx.R(r))
			return nil
		}
		d, v := e.def(o.Result(0)), e.reg(o.Operand(0))
		switch {
		case from == &predKind:
			// A predicate is no number, so cvt does not read it. As a signed number of one bit true is -1.
			one := int64(1)
			if signed {
				one = -1
			}
			switch to {
			case &byteKind:
				one &= 0xff
			case &halfKind:
				one &= 0xf
			}
			e.emit(ptx.OpSelP, mods(to.set), ptx.R(d), ptx.Int(one), ptx.Int(0), ptx.R(v))
		case from == &halfKind && signed:
			return unsupported(o, o.Operand(0).Type())
		case from == &byteKind && to == &i16Kind && !signed, from == &halfKind && to.class == ptx.R16:
			e.body.Mov(d, ptx.R(v))
		default:
			e.emit(ptx.OpCvt, mods(to.asInt(signed), from.asInt(signed)), ptx.R(d), ptx.R(v))
		}
		return nil
	}
}

// trunc keeps the low bits. To a predicate it tests the lowest one; a byte is masked.
func (e *emitter) trunc(o ir.Op) error {
	from, to := kindOf(o.Operand(0).Type()), kindOf(o.Result(0).Type())
	d, v := e.def(o.Result(0)), e.reg(o.Operand(0))
	switch to {
	case &predKind:
		low := e.tmp(from)
		// No instruction moves a bit into a predicate; comparing does.
		e.emit(ptx.OpAnd, mods(from.b), ptx.R(low), ptx.R(v), ptx.Int(1))
		e.emit(ptx.OpSetP, mods(ptx.NE, from.b), ptx.R(d), ptx.R(low), ptx.Int(0))
	case &byteKind, &halfKind:
		mask := int64(0xff)
		if to == &halfKind {
			mask = 0xf
		}
		// Bytes live in registers of 16 bits, with zeros above: whoever reads one relies on that.
		if from.class != ptx.R16 {
			half := e.tmp(&i16Kind)
			e.emit(ptx.OpCvt, mods(ptx.U16, from.u), ptx.R(half), ptx.R(v))
			v = half
		}
		e.emit(ptx.OpAnd, mods(ptx.B16), ptx.R(d), ptx.R(v), ptx.Int(mask))
	default:
		e.emit(ptx.OpCvt, mods(to.u, from.u), ptx.R(d), ptx.R(v))
	}
	return nil
}

// bitcast moves; mov reads and writes registers of any class of its size.
func (e *emitter) bitcast(o ir.Op) error {
	to := kindOf(o.Result(0).Type())
	e.emit(ptx.OpMov, mods(to.b), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))))
	return nil
}

// convertRoundings gives conversions between formats their modifiers.
//
// nearest_away is cvt's only: arithmetic has no .rna.
var convertRoundings = map[string]ptx.Mod{
	"": ptx.RN, "nearest_even": ptx.RN, "zero": ptx.RZ, "negative_inf": ptx.RM, "positive_inf": ptx.RP, "nearest_away": ptx.RNA,
}

// fromInt is the rule of conversions from integers. They are rounded whether or not they can be exact.
func fromInt(signed bool) rule {
	return func(e *emitter, o ir.Op) error {
		if e.convertWord(o) {
			return nil
		}
		from, to := kindOf(o.Operand(0).Type()), o.Result(0).Type()
		format := formatOf(to)
		rnd := roundings[o.StringAttr(arith.AttrRounding)]
		if from == &predKind || from == &halfKind || rnd == 0 {
			return unsupported(o, o.Operand(0).Type())
		}
		switch format {
		case numeric.F16, numeric.F32, numeric.F64:
		case numeric.BF16:
			if err := e.need(o, sm.CvtBF16Int); err != nil {
				return err
			}
		default:
			return unsupported(o, to)
		}
		e.emit(ptx.OpCvt, mods(rnd, kindOf(to).f, from.asInt(signed)), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))))
		return nil
	}
}

// toInt is the rule of conversions to integers, which saturate in PTX; what NaN becomes differs, and is the business
// of legalisation.
//
// It is zero, but from f64 or to 64 bits 2^(n-1), which as a signed number of n bits is the smallest (PTX ISA,
// "cvt").
func toInt(signed bool) rule {
	return func(e *emitter, o ir.Op) error {
		t := o.Operand(0).Type()
		to := kindOf(o.Result(0).Type())
		switch formatOf(t) {
		case numeric.F16, numeric.F32, numeric.F64:
		default:
			return unsupported(o, t)
		}
		if to.s == 0 {
			return unsupported(o, o.Result(0).Type())
		}
		e.emit(ptx.OpCvt, mods(ptx.RZI, to.asInt(signed), kindOf(t).f), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))))
		return nil
	}
}

// A cvtForm is how cvt exists between two formats.
type cvtForm struct {
	modes   formModes
	feature *sm.Feature
	// packed: cvt converts two values at once, to or from one register; this is its type for them, with what else it
	// carries.
	packed []ptx.Mod
}

type formatPair struct{ from, to numeric.Format }

// cvtForms has what the hardware has, by the feature that brought each form; what is missing nvvm-legalize-arith
// composes of what is there.
//
// Of pairs of formats that are missing some exist on newer targets (e2m1, ue8m0 by sm_100a): the composed way
// is the same on every target, and is tested once.
var cvtForms = map[formatPair]cvtForm{
	{numeric.F32, numeric.F64}:      {},
	{numeric.F64, numeric.F32}:      {modes: directed},
	{numeric.F16, numeric.F32}:      {},
	{numeric.F16, numeric.F64}:      {},
	{numeric.F32, numeric.F16}:      {modes: directed},
	{numeric.F64, numeric.F16}:      {modes: directed},
	{numeric.BF16, numeric.F32}:     {feature: &sm.CvtF32BF16},
	{numeric.F32, numeric.BF16}:     {modes: directed, feature: &sm.CvtRNBF16x2F32},
	{numeric.F32, numeric.TF32}:     {modes: nearest, feature: &sm.CvtRNTF32},
	{numeric.F32, numeric.F8E4M3FN}: {modes: nearest, feature: &sm.CvtFP8F32, packed: pairedForms[numeric.F8E4M3FN]},
	{numeric.F32, numeric.F8E5M2}:   {modes: nearest, feature: &sm.CvtFP8F32, packed: pairedForms[numeric.F8E5M2]},
	{numeric.F8E4M3FN, numeric.F16}: {modes: nearest, feature: &sm.CvtF16FP8, packed: mods(ptx.F16x2, ptx.E4M3x2)},
	{numeric.F8E5M2, numeric.F16}:   {modes: nearest, feature: &sm.CvtF16FP8, packed: mods(ptx.F16x2, ptx.E5M2x2)},
}

// widen is the rule of nvvm.cvt.f16x2.
func (e *emitter) widen(o ir.Op) error {
	format := numeric.F8E4M3FN
	if o.StringAttr(nvvm.AttrType) == "e5m2" {
		format = numeric.F8E5M2
	}
	form := cvtForms[formatPair{format, numeric.F16}]
	if err := e.need(o, *form.feature); err != nil {
		return err
	}
	halves := [2]ptx.Reg{e.tmp(&i16Kind), e.tmp(&i16Kind)}
	e.body.Ins(ptx.OpMov, ptx.B32).Vec(halves[:]...).Regs(e.reg(o.Operand(0)))
	for i, h := range halves {
		e.emit(ptx.OpCvt, append(mods(ptx.RN), form.packed...), ptx.R(e.def(o.Result(i))), ptx.R(h))
	}
	return nil
}

// roundHalfBytes is the rule of nvvm.cvt.e2m1x2, unless what makes a word of four such bytes writes it.
//
//	cvt.rn.satfinite.e2m1x2.f32 %b1, %f2, %f1; mov.b16 %rs1, {%b1, %b1}; and.b16 %rs2, %rs1, 255;
func (e *emitter) roundHalfBytes(o ir.Op) error {
	if err := e.need(o, sm.CvtFP4); err != nil {
		return err
	}
	if e.inWordOfPairs(o) {
		return nil
	}
	pair, twice := e.pairOfHalves(o), e.tmp(&i16Kind)
	e.body.Ins(ptx.OpMov, ptx.B16).Regs(twice).Vec(pair, pair)
	e.emit(ptx.OpAnd, mods(ptx.B16), ptx.R(e.def(o.Result(0))), ptx.R(twice), ptx.Int(0xff))
	return nil
}

func (e *emitter) pairOfHalves(o ir.Op) ptx.Reg {
	pair := e.tmp(&pairKind)
	e.emit(ptx.OpCvt, mods(ptx.RN, ptx.SatFinite, ptx.E2M1x2, ptx.F32), ptx.R(pair), ptx.R(e.reg(o.Operand(1))), ptx.R(e.reg(o.Operand(0))))
	return pair
}

// inWordOfPairs reports whether a conversion to two halves of a byte is one of four that a store makes a word of.
func (e *emitter) inWordOfPairs(o ir.Op) bool {
	if !o.Result(0).HasOneUse() {
		return false
	}
	use := o.Result(0).FirstUse()
	values := use.Owner().Operands()
	if use.Owner().Is(nvvm.St) {
		values = use.Owner().OperandsNamed("values")
	}
	first := slices.Index(values, o.Result(0)) &^ (bytesOfWord - 1)
	return (use.Owner().Is(nvvm.St) || use.Owner().Is(nvvm.Pack)) && first+bytesOfWord <= len(values) && e.wordOfPairs(use.Owner(), values[first:first+bytesOfWord])
}

// wordOfPairs reports whether a store or a pack alone takes four bytes, and each is a pair of halves.
func (e *emitter) wordOfPairs(user ir.Op, values []ir.Value) bool {
	return !slices.ContainsFunc(values, func(v ir.Value) bool {
		def := v.DefiningOp()
		return def.IsNil() || !def.Is(nvvm.CvtE2M1x2) || !v.HasOneUse() || def.Block() != user.Block() || slices.ContainsFunc(def.Operands(), e.place.has)
	})
}

func (e *emitter) ftof(o ir.Op) error {
	if e.writtenInPairs(o) || e.convertWord(o) || e.widenHalf(o) {
		return nil
	}
	from, to := o.Operand(0).Type(), o.Result(0).Type()
	form, ok := cvtForms[formatPair{formatOf(from), formatOf(to)}]
	name := o.StringAttr(arith.AttrRounding)
	rnd := convertRoundings[name]
	switch {
	case !ok:
		return o.Errorf("from '%s' to '%s' has no PTX instruction", ir.TypeString(from), ir.TypeString(to))
	case form.modes == unrounded:
		rnd = 0
	// cvt.rna is there for tf32 alone (PTX ISA, cvt). Another rounding in its place would be a wrong result, so this
	// fails and legalisation has to compose it.
	case rnd == 0, rnd == ptx.RNA && formatOf(to) != numeric.TF32, rnd != ptx.RN && rnd != ptx.RNA && form.modes == nearest:
		return o.Errorf("to '%s' with rounding '%s' has no PTX instruction", ir.TypeString(to), name)
	}
	feature := form.feature
	if rnd == ptx.RNA {
		feature = &sm.CvtRNATF32
	}
	if feature != nil {
		if err := e.need(o, *feature); err != nil {
			return err
		}
	}
	d, v := e.def(o.Result(0)), e.reg(o.Operand(0))
	switch {
	case form.packed == nil:
		// Source and destination say all that cvt must know.
		e.emit(ptx.OpCvt, mods(rnd, kindOf(to).f, kindOf(from).f), ptx.R(d), ptx.R(v))
	case kindOf(to) == &byteKind:
		// The first source becomes the upper byte, which stays zero.
		e.emit(ptx.OpCvt, append(mods(rnd), form.packed...), ptx.R(d), ptx.Bits32(0), ptx.R(v))
	default:
		// There is no form for one value: the byte above, which is zero, is converted as well, and its half dropped.
		pair, high := e.tmp(&i32Kind), e.tmp(&i16Kind)
		e.emit(ptx.OpCvt, append(mods(rnd), form.packed...), ptx.R(pair), ptx.R(v))
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(d, high).Regs(pair)
	}
	return nil
}
