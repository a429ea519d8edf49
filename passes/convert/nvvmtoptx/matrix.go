package nvvmtoptx

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{nvvm.LdMatrix: (*emitter).ldmatrix, nvvm.MmaSync: (*emitter).mma})
}

var matrixCounts = map[int]ptx.Mod{1: ptx.X1, 2: ptx.X2, 4: ptx.X4}

func (e *emitter) ldmatrix(o ir.Op) error {
	var trans ptx.Mod
	if o.HasUnitAttr(nvvm.AttrTrans) {
		trans = ptx.Trans
	}
	if err := e.need(o, sm.LdMatrix); err != nil {
		return err
	}
	offset, _ := o.IntAttr(nvvm.AttrOffset)
	at := e.address(o.Operand(0), offset)
	d := make([]ptx.Reg, o.NumResults())
	for i, v := range o.Results() {
		d[i] = e.def(v)
	}
	i := e.body.Ins(ptx.OpLdMatrix, ptx.Shape(8, 8, 0), matrixCounts[len(d)])
	if trans != 0 {
		i = i.Mod(trans)
	}
	i.Mod(ptx.Shared).Mod(ptx.B16).Vec(d...).Args(at)
	return nil
}

// An mmaForm is an mma.sync: its shape, element types and accumulator.
type mmaForm struct{ shape, a, b, d string }

// An mmaSpec says what an mma.sync needs: a feature, and how many registers of which kind its operands take.
type mmaSpec struct {
	m, n, k    int
	feature    *sm.Feature
	na, nb, nc int
	in, acc    *kind
}

// mmaTypes gives element types their modifiers.
var mmaTypes = map[string]ptx.Mod{
	"f16": ptx.F16, "bf16": ptx.BF16, "tf32": ptx.TF32, "f32": ptx.F32, "f64": ptx.F64, "s8": ptx.S8, "u8": ptx.U8, "s32": ptx.S32,
	"e4m3": ptx.E4M3, "e5m2": ptx.E5M2,
}

// mmaForms lists the forms by shape and types.
var mmaForms = make(map[mmaForm]mmaSpec)

func init() {
	one := func(a string) []string { return []string{a} }
	bytes, fp8 := []string{"s8", "u8"}, []string{"e4m3", "e5m2"}
	for _, row := range []struct {
		m, n, k int
		types   []string // of a, and the same of b
		d       string
		feature *sm.Feature
	}{
		{16, 8, 16, one("f16"), "f32", &sm.MmaF16}, {16, 8, 8, one("f16"), "f32", &sm.MmaF16K8},
		{16, 8, 16, one("f16"), "f16", &sm.MmaF16Acc16}, {16, 8, 8, one("f16"), "f16", &sm.MmaF16Acc16},
		{16, 8, 16, one("bf16"), "f32", &sm.MmaBF16}, {16, 8, 8, one("bf16"), "f32", &sm.MmaBF16K8},
		{16, 8, 8, one("tf32"), "f32", &sm.MmaTF32}, {16, 8, 4, one("tf32"), "f32", &sm.MmaTF32K4},
		{16, 8, 32, bytes, "s32", &sm.MmaI8}, {16, 8, 16, bytes, "s32", &sm.MmaI8K16},
		{16, 8, 32, fp8, "f32", &sm.MmaFP8}, {16, 8, 16, fp8, "f32", &sm.MmaFP8K16}, {16, 8, 32, fp8, "f16", &sm.MmaFP8Acc16},
		{8, 8, 4, one("f64"), "f64", &sm.MmaF64}, {16, 8, 4, one("f64"), "f64", &sm.MmaF64K4},
		{16, 8, 8, one("f64"), "f64", &sm.MmaF64K8}, {16, 8, 16, one("f64"), "f64", &sm.MmaF64K16},
	} {
		in, acc := &i32Kind, mmaAccumulators[row.d]
		if row.d == "f64" {
			in = &f64Kind
		}
		// The 32 lanes hold each matrix once.
		inBits, accBits := mmaBits[row.types[0]], mmaBits[row.d]
		spec := mmaSpec{
			m: row.m, n: row.n, k: row.k, feature: row.feature, in: in, acc: acc,
			na: row.m * row.k * inBits / in.bits / sm.WarpSize,
			nb: row.n * row.k * inBits / in.bits / sm.WarpSize,
			nc: row.m * row.n * accBits / acc.bits / sm.WarpSize,
		}
		for _, a := range row.types {
			for _, b := range row.types {
				mmaForms[mmaForm{fmt.Sprintf("m%dn%dk%d", row.m, row.n, row.k), a, b, row.d}] = spec
			}
		}
	}
}

var (
	mmaBits         = map[string]int{"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s32": 32, "e4m3": 8, "e5m2": 8}
	mmaAccumulators = map[string]*kind{"f16": &i32Kind, "f32": &f32Kind, "s32": &i32Kind, "f64": &f64Kind}
)

func (e *emitter) mma(o ir.Op) error {
	form := mmaForm{o.StringAttr(nvvm.AttrShape), o.StringAttr(nvvm.AttrTypeA), o.StringAttr(nvvm.AttrTypeB), o.StringAttr(nvvm.AttrAccumulator)}
	spec, ok := mmaForms[form]
	if !ok {
		return o.Errorf("of shape '%s' from '%s' and '%s' to '%s' has no PTX instruction", form.shape, form.a, form.b, form.d)
	}
	if err := e.need(o, *spec.feature); err != nil {
		return err
	}
	var regs [3][]ptx.Reg
	for i, want := range []struct {
		name string
		n    int
		k    *kind
	}{{"a", spec.na, spec.in}, {"b", spec.nb, spec.in}, {"c", spec.nc, spec.acc}} {
		vs := o.OperandsNamed(want.name)
		if len(vs) != want.n {
			return o.Errorf("needs %d registers of '%s', but got %d", want.n, want.name, len(vs))
		}
		for _, v := range vs {
			r, err := e.fragment(o, v, want.k)
			if err != nil {
				return err
			}
			regs[i] = append(regs[i], r)
		}
	}
	d := make([]ptx.Reg, o.NumResults())
	for i, v := range o.Results() {
		d[i] = e.def(v)
	}
	e.body.Ins(ptx.OpMma, ptx.Shape(spec.m, spec.n, spec.k), ptx.Row, ptx.Col, mmaTypes[form.d], mmaTypes[form.a], mmaTypes[form.b], mmaTypes[form.d]).
		Vec(d...).Vec(regs[0]...).Vec(regs[1]...).Vec(regs[2]...)
	return nil
}

// fragment returns a register of a fragment in the class that the instruction wants; tf32 may come as f32.
func (e *emitter) fragment(o ir.Op, v ir.Value, want *kind) (ptx.Reg, error) {
	k, r := kindOf(v.Type()), e.reg(v)
	switch {
	case k.class == want.class:
		return r, nil
	case k == &f32Kind && want == &i32Kind:
		bits := e.tmp(want)
		e.emit(ptx.OpMov, mods(ptx.B32), ptx.R(bits), ptx.R(r))
		return bits, nil
	}
	return 0, o.Errorf("cannot take a register of type '%s' here", ir.TypeString(v.Type()))
}
