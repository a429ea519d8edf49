package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.WgmmaFence: bare(ptx.OpWgmmaFence, sm.WgmmaSync), nvvm.WgmmaCommit: bare(ptx.OpWgmmaCommitGroup, sm.WgmmaSync),
		nvvm.WgmmaMma: (*emitter).wgmma, nvvm.WgmmaWait: (*emitter).wgmmaWait,
	})
}

// wgmma adds to registers in place: the accumulator has the same registers before and after (see inPlace). Where it
// has not, because it is a constant or has other uses, it is moved first, and a fence orders the MMA after the move.
//
//	wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
//	    {64 of D}, a-desc | {4 of A}, b-desc, scale-d, 1, 1, trans-a, trans-b;
func (e *emitter) wgmma(o ir.Op) error {
	row, shape, types := mmaRow(o)
	if row == nil {
		return o.Errorf("of shape '%s' from '%s' and '%s' to '%s' has no PTX instruction", o.StringAttr(nvvm.AttrShape),
			o.StringAttr(nvvm.AttrTypeA), o.StringAttr(nvvm.AttrTypeB), o.StringAttr(nvvm.AttrAccumulator))
	}
	if err := e.need(o, row.Feature); err != nil {
		return err
	}
	a, c := o.OperandsNamed("a"), o.OperandsNamed("c")
	if n := row.RegistersD(shape.N); n != o.NumResults() {
		return o.Errorf("needs %d registers of 'd', but got %d", n, o.NumResults())
	}
	if n := row.RegistersA(); len(a) > 0 && n != len(a) {
		return o.Errorf("needs %d registers of 'a', but got %d", n, len(a))
	}
	accs := make([]ptx.Reg, o.NumResults())
	moved := false
	for i, v := range o.Results() {
		k := kindOf(v.Type())
		if want := mmaKind(types.D); k.class != want.class {
			return o.Errorf("cannot add to a register of type '%s'", ir.TypeString(v.Type()))
		}
		accs[i] = e.def(v)
		if i < len(c) {
			if from := e.source(c[i]); from.Register() != accs[i] {
				e.body.Mov(accs[i], from)
				moved = true
			}
		}
	}
	var left []ptx.Reg
	for _, v := range a {
		r, err := e.fragment(o, v, mmaKind(types.A))
		if err != nil {
			return err
		}
		left, moved = append(left, r), moved || constant(v) != nil || kindOf(v.Type()).class != mmaKind(types.A).class
	}
	var args []ptx.Operand
	if len(a) == 0 {
		args = append(args, ptx.R(e.reg(o.OperandNamed("a_desc"))))
	}
	args = append(args, ptx.R(e.reg(o.OperandNamed("b_desc"))), ptx.R(e.truthOf(o.Context(), len(c) > 0)))
	switch types.A {
	case sm.F16, sm.BF16:
		args = append(args, ptx.Int(1), ptx.Int(1))
		if len(a) == 0 {
			args = append(args, flag(o, nvvm.AttrTransA))
		}
		args = append(args, flag(o, nvvm.AttrTransB))
	case sm.S8, sm.U8:
	default:
		args = append(args, ptx.Int(1), ptx.Int(1))
	}
	mods := []ptx.Mod{ptx.Shape(shape.M, shape.N, shape.K)}
	for _, t := range []sm.Elem{types.D, types.A, types.B} {
		m, ok := ptx.ModNamed(t.String())
		if !ok {
			return o.Errorf("cannot be written: the PTX writer has no modifier '%s'", t)
		}
		mods = append(mods, m)
	}
	if moved {
		e.emit(ptx.OpWgmmaFence, nil)
	}
	i := e.body.Ins(ptx.OpWgmmaMmaAsync, mods...).Vec(accs...)
	if len(a) > 0 {
		i = i.Vec(left...)
	}
	i.Args(args...)
	return nil
}

// flag is an attribute as an immediate operand.
func flag(o ir.Op, name string) ptx.Operand {
	if o.HasUnitAttr(name) {
		return ptx.Int(1)
	}
	return ptx.Int(0)
}

// source returns what a value is moved from.
func (e *emitter) source(v ir.Value) ptx.Operand {
	if a := constant(v); a != nil {
		return bitsOperand(a)
	}
	return ptx.R(e.def(v))
}

// truthOf returns a predicate that is always so, which some operands must be instead of a number.
func (e *emitter) truthOf(c *ir.Context, holds bool) ptx.Reg {
	n := int64(0)
	if holds {
		n = 1
	}
	a := c.IntAttr(c.Int(1), n)
	if r, ok := e.constants[a]; ok {
		return r
	}
	r := e.tmp(&predKind)
	e.body.Mov(r, ptx.Int(n))
	e.constants[a] = r
	return r
}

// wgmmaWait waits. Its results are in the registers of its operands, unless those have other uses.
func (e *emitter) wgmmaWait(o ir.Op) error {
	if err := e.need(o, sm.WgmmaSync); err != nil {
		return err
	}
	n, _ := o.IntAttr(nvvm.AttrCount)
	e.emit(ptx.OpWgmmaWaitGroup, nil, ptx.Int(n))
	for i, v := range o.Operands() {
		if to, from := e.def(o.Result(i)), e.source(v); from.Register() != to {
			e.body.Mov(to, from)
		}
	}
	return nil
}
