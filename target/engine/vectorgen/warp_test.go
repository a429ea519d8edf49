package vectorgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A warp has 32 lanes of 64 bits, of which f32 has the lower half.
const (
	warpLanes   = 32
	vectorLanes = 4
)

// warps makes the arithmetic of f32 on all lanes of a warp, rounded to nearest even, with and without .ftz.
func (g *generator) warps() {
	for _, ftz := range []bool{false, true} {
		for _, op := range []struct {
			name     string
			operands int
			do       func(x []reg.VecVirtual) reg.VecVirtual
		}{
			{"add", 2, g.second(g.VADDPS)}, {"sub", 2, g.second(g.VSUBPS)}, {"mul", 2, g.second(g.VMULPS)},
			{"fma", 3, func(x []reg.VecVirtual) reg.VecVirtual { g.VFMADD231PS(x[0], x[1], x[2]); return x[2] }},
		} {
			g.warp(op.name, op.operands, ftz, op.do)
		}
	}
}

// second is an instruction of two sources.
func (g *generator) second(do func(ops ...operand.Op)) func(x []reg.VecVirtual) reg.VecVirtual {
	return func(x []reg.VecVirtual) reg.VecVirtual { do(x[1], x[0], x[0]); return x[0] }
}

func (g *generator) warp(name string, operands int, ftz bool, do func(x []reg.VecVirtual) reg.VecVirtual) {
	name += "F32"
	if ftz {
		name += "FTZ"
	}
	names := []string{"a", "b", "c"}[:operands]
	signature := "func(d"
	for _, p := range names {
		signature += ", " + p
	}
	g.text(name, signature+" *[32]uint64)")
	g.Pragma("noescape")
	g.Doc(name + " computes all lanes of a warp.")
	d := g.Load(g.Param("d"), g.GP64())
	var in []reg.Register
	for _, p := range names {
		in = append(in, g.Load(g.Param(p), g.GP64()))
	}
	nan, low := g.all("nan", 0x7fffffff), g.YMM()
	g.VPBROADCASTQ(g.constant("low", operand.U64(1<<32-1)), low)
	var exponent, magnitude, zero reg.VecVirtual
	if ftz {
		exponent, magnitude, zero = g.all("exponent", 0x7f800000), nan, g.YMM()
		g.VPXOR(zero, zero, zero)
	}
	flush := func(x reg.VecVirtual) {
		if ftz { // what has no exponent keeps its sign
			m := g.YMM()
			g.VPAND(exponent, x, m)
			g.VPCMPEQD(zero, m, m)
			g.VPAND(magnitude, m, m)
			g.VPANDN(x, m, x)
		}
	}
	for i := range warpLanes / vectorLanes {
		at := 8 * vectorLanes * i
		x := make([]reg.VecVirtual, operands)
		for k := range x {
			x[k] = g.YMM()
			g.VMOVDQU(operand.Mem{Base: in[k], Disp: at}, x[k])
			flush(x[k])
		}
		r, m := do(x), g.YMM()
		flush(r)
		g.VCMPPS(operand.Imm(unordered), r, r, m)
		g.VBLENDVPS(m, nan, r, r)
		g.VPAND(low, r, r)
		g.VMOVDQU(r, operand.Mem{Base: d, Disp: at})
	}
	g.VZEROUPPER()
	g.RET()
}
