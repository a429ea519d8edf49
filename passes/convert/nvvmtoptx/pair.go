package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.AddF32x2: onPairs(ptx.OpAdd),
		nvvm.SubF32x2: onPairs(ptx.OpSub),
		nvvm.MulF32x2: onPairs(ptx.OpMul),
		nvvm.FmaF32x2: onPairs(ptx.OpFma),
	})
}

// onPairs is the rule of arithmetic on two f32.
//
//	%d, %e = nvvm.mul.f32x2 %a, %b, %c, %c          mov.b64 %p, {%a, %b}; mov.b64 %q, {%c, %c};
//	                                                mul.rn.f32x2 %r, %p, %q; mov.b64 {%d, %e}, %r;
//
// The moves cost nothing where ptxas puts the parts into neighbouring registers, which is up to it.
func onPairs(op ptx.Op) rule {
	return func(e *emitter, o ir.Op) error {
		if err := e.need(o, sm.F32x2); err != nil {
			return err
		}
		ftz, err := ftzOf(o)
		if err != nil {
			return err
		}
		args := []ptx.Operand{ptx.R(e.tmp(&i64Kind))}
		for i := 0; i < o.NumOperands(); i += 2 {
			args = append(args, ptx.R(e.pair(o.Operand(i), o.Operand(i+1))))
		}
		e.emit(op, mods(ptx.RN, ftz, ptx.F32x2), args...)
		e.body.Ins(ptx.OpMov, ptx.B64).Vec(e.def(o.Result(0)), e.def(o.Result(1))).Args(args[0])
		return nil
	}
}

// pair returns a register of both values, the first in its lower half.
func (e *emitter) pair(low, high ir.Value) ptx.Reg {
	parts := e.regsOf([]ir.Value{low, high}) // first, since a constant takes an instruction of its own
	p := e.tmp(&i64Kind)
	e.body.Ins(ptx.OpMov, ptx.B64).Regs(p).Vec(parts...)
	return p
}
