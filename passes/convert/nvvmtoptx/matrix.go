package nvvmtoptx

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{nvvm.LdMatrix: (*emitter).ldmatrix, nvvm.StMatrix: (*emitter).stmatrix, nvvm.MmaSync: (*emitter).mma, nvvm.MmaBlockScale: (*emitter).mma})
}

var matrixCounts = map[int]ptx.Mod{1: ptx.X1, 2: ptx.X2, 4: ptx.X4}

// ldmatrix loads 1, 2 or 4 matrices of 8 rows of 16 bytes. Lanes 0 to 7 name the rows of the first, 8 to 15 those
// of the second, and so on (PTX ISA, "ldmatrix"). The plan arranges the address register of each lane that way
// (linear.PlanMatrix). It is .aligned: all lanes of the warp execute it, which holds since control is uniform.
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

// stmatrix is the store of what ldmatrix loads.
func (e *emitter) stmatrix(o ir.Op) error {
	if err := e.need(o, sm.StMatrix); err != nil {
		return err
	}
	offset, _ := o.IntAttr(nvvm.AttrOffset)
	at := e.address(o.OperandNamed("addr"), offset)
	var d []ptx.Reg
	for _, v := range o.OperandsNamed("values") {
		d = append(d, e.reg(v))
	}
	i := e.body.Ins(ptx.OpStMatrix, ptx.Shape(8, 8, 0), matrixCounts[len(d)])
	if o.HasUnitAttr(nvvm.AttrTrans) {
		i = i.Mod(ptx.Trans)
	}
	i.Mod(ptx.Shared).Mod(ptx.B16).Args(at).Vec(d...)
	return nil
}

// mmaKinds are the registers of fragments: 32 bits for packed elements, or those of the elements themselves.
var mmaKinds = map[sm.Elem]*kind{sm.F32: &f32Kind, sm.F64: &f64Kind}

func mmaKind(e sm.Elem) *kind {
	if k := mmaKinds[e]; k != nil {
		return k
	}
	return &i32Kind
}

// mmaRow finds the instruction in the target's table.
func mmaRow(o ir.Op) (row *sm.Matrix, s sm.MatrixShape, t sm.MatrixTypes) {
	// The verifier has checked the shape's form; extents too large to read are those of no row.
	if _, err := fmt.Sscanf(o.StringAttr(nvvm.AttrShape), "m%dn%dk%d", &s.M, &s.N, &s.K); err != nil {
		return nil, s, t
	}
	for _, e := range []struct {
		to   *sm.Elem
		name string
	}{{&t.A, nvvm.AttrTypeA}, {&t.B, nvvm.AttrTypeB}, {&t.D, nvvm.AttrAccumulator}} {
		*e.to, _ = sm.ElemNamed(o.StringAttr(e.name))
	}
	family := sm.MmaSync
	switch {
	case o.Is(nvvm.WgmmaMma):
		family = sm.Wgmma
	case o.Is(nvvm.MmaBlockScale):
		family = sm.MmaScaled
		t.Scale.Elem, _ = sm.ElemNamed(o.StringAttr(nvvm.AttrScaleType))
		block, _ := o.IntAttr(nvvm.AttrScaleBlock)
		t.Scale.Block = int(block)
	}
	// This is the table from which instructions are chosen. The emitter knows no shape of its own, so it can
	// write exactly what is in the table.
	return sm.FindMatrix(family, s, t), s, t
}

// mma: mma.sync has A by rows and B by columns in every form that the table has, which is a statement about
// which lane holds what and none about memory.
//
//	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32  {4 of D}, {4 of A}, {2 of B}, {4 of C};
func (e *emitter) mma(o ir.Op) error {
	row, shape, types := mmaRow(o)
	if row == nil {
		return o.Errorf("of shape '%s' from '%s' and '%s' to '%s' has no PTX instruction", o.StringAttr(nvvm.AttrShape),
			o.StringAttr(nvvm.AttrTypeA), o.StringAttr(nvvm.AttrTypeB), o.StringAttr(nvvm.AttrAccumulator))
	}
	if err := e.need(o, row.Feature); err != nil {
		return err
	}
	in, accKind := mmaKind(types.A), mmaKind(types.D)
	var regs [3][]ptx.Reg
	for i, want := range []struct {
		name string
		n    int
		k    *kind
	}{{"a", row.RegistersA(), in}, {"b", row.RegistersB(shape.N), in}, {"c", row.RegistersD(shape.N), accKind}} {
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
	results := make([]ptx.Reg, o.NumResults())
	for i, v := range o.Results() {
		results[i] = e.def(v)
	}
	mods := []ptx.Mod{ptx.Shape(shape.M, shape.N, shape.K), ptx.Row, ptx.Col}
	var words []string
	if row.Scale.Block != 0 {
		words = []string{row.Kind, "block_scale", fmt.Sprintf("scale_vec::%dX", row.K/row.Scale.Block)}
	}
	for _, t := range []sm.Elem{types.D, types.A, types.B, types.D} {
		words = append(words, t.String())
	}
	if row.Scale.Block != 0 {
		words = append(words, row.Scale.Elem.String())
	}
	for _, w := range words {
		m, ok := ptx.ModNamed(w)
		if !ok {
			return o.Errorf("cannot be written: the PTX writer has no modifier '%s'", w)
		}
		mods = append(mods, m)
	}
	i := e.body.Ins(ptx.OpMma, mods...).
		Vec(results...).Vec(regs[0]...).Vec(regs[1]...).Vec(regs[2]...)
	if row.Scale.Block != 0 {
		e.scale(i, o, "a_scale", nvvm.AttrSelectA)
		e.scale(i, o, "b_scale", nvvm.AttrSelectB)
	}
	return nil
}

// scale adds the scales of one side: the word, and which byte of which threads' words counts.
func (e *emitter) scale(i ptx.Inst, o ir.Op, word, choice string) {
	at := o.Attr(choice).(*ir.DenseArrayAttr).Values
	i.Args(ptx.R(e.reg(o.OperandsNamed(word)[0]))).VecArgs(ptx.Int(at[0]), ptx.Int(at[1]))
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
