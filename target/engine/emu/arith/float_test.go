package arith_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// Bit patterns of f32 numbers.
const (
	one, two, three, half32 = 0x3f800000, 0x40000000, 0x40400000, 0x3f000000
	minusOne                = 0xbf800000
	inf32, minusInf32       = 0x7f800000, 0xff800000
	minusZero               = 0x80000000
	sub32                   = 0x00000001 // smallest subnormal
	third32                 = 0x3eaaaaab
)

func TestF32(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.f32 %f0, %f1, %f2;", In: v{one, two}, Want: three},
		{Inst: "add.rn.f32 %f0, %f1, %f2;", In: v{one, 0x33800000}, Want: one}, // 1 + 2^-24, tie to even
		{Inst: "add.rp.f32 %f0, %f1, %f2;", In: v{one, sub32}, Want: one + 1},
		{Inst: "add.rz.f32 %f0, %f1, %f2;", In: v{one, 0x80000001}, Want: one - 1},
		{Inst: "add.rm.f32 %f0, %f1, %f2;", In: v{one, minusOne}, Want: minusZero},
		{Inst: "add.f32 %f0, %f1, %f2;", In: v{one, minusOne}, Want: 0},
		{Inst: "add.ftz.f32 %f0, %f1, %f2;", In: v{sub32, sub32}, Want: 0},
		{Inst: "add.f32 %f0, %f1, %f2;", In: v{sub32, sub32}, Want: 2},
		{Inst: "add.sat.f32 %f0, %f1, %f2;", In: v{one, two}, Want: one},
		{Inst: "add.sat.f32 %f0, %f1, %f2;", In: v{minusOne, half32}, Want: 0},
		{Inst: "add.f32 %f0, %f1, %f2;", In: v{inf32, minusInf32}, Want: fp.NaNF32},
		{Inst: "add.sat.f32 %f0, %f1, %f2;", In: v{inf32, minusInf32}, Want: 0},
		{Inst: "sub.f32 %f0, %f1, %f2;", In: v{three, one}, Want: two},
		{Inst: "mul.f32 %f0, %f1, 0f40000000;", In: v{half32}, Want: one},
		{Inst: "mul.rm.f32 %f0, %f1, %f2;", In: v{0x3f800001, 0x3f800001}, Want: 0x3f800002},
		{Inst: "mul.rp.f32 %f0, %f1, %f2;", In: v{0x3f800001, 0x3f800001}, Want: 0x3f800003},
		{Inst: "mul.f32 %f0, %f1, %f2;", In: v{0x00800000, half32}, Want: 0x00400000},
		{Inst: "mul.ftz.f32 %f0, %f1, %f2;", In: v{0x80800000, half32}, Want: minusZero},
		{Inst: "fma.rn.f32 %f0, %f1, %f2, %f3;", In: v{two, three, one}, Want: 0x40e00000},
		// (1+2^-23)^2 - (1+2^-22) is the 2^-46 that a rounded product loses.
		{Inst: "fma.rn.f32 %f0, %f1, %f2, %f3;", In: v{0x3f800001, 0x3f800001, 0xbf800002}, Want: 0x28800000},
		{Inst: "mad.rn.f32 %f0, %f1, %f2, %f3;", In: v{two, two, minusOne}, Want: three},
		{Inst: "fma.rn.ftz.sat.f32 %f0, %f1, %f2, %f3;", In: v{two, two, minusOne}, Want: one},
		{Inst: "div.rn.f32 %f0, %f1, %f2;", In: v{one, three}, Want: third32},
		{Inst: "div.rz.f32 %f0, %f1, %f2;", In: v{one, three}, Want: third32 - 1},
		{Inst: "div.approx.f32 %f0, %f1, %f2;", In: v{one, three}, Want: third32},
		{Inst: "div.approx.f32 %f0, %f1, %f2;", In: v{one, 0x7f000000}, Want: 0},
		{Inst: "div.approx.ftz.f32 %f0, %f1, %f2;", In: v{inf32, 0x7f000000}, Want: fp.NaNF32},
		{Inst: "div.full.f32 %f0, %f1, %f2;", In: v{one, 0x7f000000}, Want: 0x00200000 << 1},
		{Inst: "div.full.ftz.f32 %f0, %f1, %f2;", In: v{one, 0}, Want: inf32},
		{Inst: "rcp.rn.f32 %f0, %f1;", In: v{three}, Want: third32},
		{Inst: "rcp.approx.ftz.f32 %f0, %f1;", In: v{sub32}, Want: inf32},
		{Inst: "rcp.approx.f32 %f0, %f1;", In: v{minusZero}, Want: minusInf32},
		{Inst: "sqrt.rn.f32 %f0, %f1;", In: v{two}, Want: 0x3fb504f3},
		{Inst: "sqrt.rp.f32 %f0, %f1;", In: v{two}, Want: 0x3fb504f4},
		{Inst: "sqrt.approx.f32 %f0, %f1;", In: v{minusOne}, Want: fp.NaNF32},
		{Inst: "sqrt.approx.ftz.f32 %f0, %f1;", In: v{0x80000001}, Want: minusZero},
		{Inst: "rsqrt.approx.f32 %f0, %f1;", In: v{0x40800000}, Want: half32},
		{Inst: "rsqrt.approx.f32 %f0, %f1;", In: v{minusZero}, Want: minusInf32},
		{Inst: "rsqrt.approx.f32 %f0, %f1;", In: v{inf32}, Want: 0},
		{Inst: "ex2.approx.f32 %f0, %f1;", In: v{three}, Want: 0x41000000},
		{Inst: "ex2.approx.ftz.f32 %f0, %f1;", In: v{minusInf32}, Want: 0},
		{Inst: "ex2.approx.ftz.f32 %f0, %f1;", In: v{0xc2fe0000 + 0x18000}, Want: 0}, // 2^-127.75 is subnormal
		{Inst: "lg2.approx.f32 %f0, %f1;", In: v{0x41000000}, Want: three},
		{Inst: "lg2.approx.f32 %f0, %f1;", In: v{0}, Want: minusInf32},
		{Inst: "lg2.approx.f32 %f0, %f1;", In: v{minusOne}, Want: fp.NaNF32},
		{Inst: "sin.approx.f32 %f0, %f1;", In: v{minusZero}, Want: minusZero},
		{Inst: "sin.approx.f32 %f0, %f1;", In: v{inf32}, Want: fp.NaNF32},
		{Inst: "cos.approx.f32 %f0, %f1;", In: v{0}, Want: one},
		{Inst: "tanh.approx.f32 %f0, %f1;", In: v{inf32}, Want: one},
		{Inst: "tanh.approx.f32 %f0, %f1;", In: v{minusInf32}, Want: minusOne},
		{Inst: "neg.f32 %f0, %f1;", In: v{one}, Want: minusOne},
		{Inst: "neg.ftz.f32 %f0, %f1;", In: v{sub32}, Want: minusZero},
		{Inst: "abs.f32 %f0, %f1;", In: v{minusOne}, Want: one},
		{Inst: "min.f32 %f0, %f1, %f2;", In: v{0, minusZero}, Want: minusZero},
		{Inst: "max.f32 %f0, %f1, %f2;", In: v{minusZero, 0}, Want: 0},
		{Inst: "min.f32 %f0, %f1, %f2;", In: v{fp.NaNF32, one}, Want: one},
		{Inst: "min.NaN.f32 %f0, %f1, %f2;", In: v{0xffc00000, one}, Want: fp.NaNF32},
		{Inst: "max.f32 %f0, %f1, %f2;", In: v{fp.NaNF32, fp.NaNF32}, Want: fp.NaNF32},
		{Inst: "max.f32 %f0, %f1, %f2;", In: v{minusOne, 0xc0000000}, Want: minusOne},
		{Inst: "min.xorsign.abs.f32 %f0, %f1, %f2;", In: v{minusOne, two}, Want: minusOne},
		{Inst: "max.ftz.f32 %f0, %f1, %f2;", In: v{sub32, 0}, Want: 0},
		{Inst: "copysign.f32 %f0, %f1, %f2;", In: v{minusZero, one}, Want: minusOne},
		{Inst: "testp.finite.f32 %p0, %f1;", In: v{inf32}, Want: 0},
		{Inst: "testp.infinite.f32 %p0, %f1;", In: v{minusInf32}, Want: 1},
		{Inst: "testp.number.f32 %p0, %f1;", In: v{inf32}, Want: 1},
		{Inst: "testp.notanumber.f32 %p0, %f1;", In: v{fp.NaNF32}, Want: 1},
		{Inst: "testp.normal.f32 %p0, %f1;", In: v{sub32}, Want: 0},
		{Inst: "testp.subnormal.f32 %p0, %f1;", In: v{sub32}, Want: 1},
	})
}

func TestF64(t *testing.T) {
	t.Parallel()
	const one, two, three = 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.f64 %g0, %g1, %g2;", In: v{one, two}, Want: three},
		{Inst: "add.rp.f64 %g0, %g1, %g2;", In: v{one, 1}, Want: one + 1},
		{Inst: "sub.rn.f64 %g0, %g1, %g2;", In: v{three, two}, Want: one},
		{Inst: "mul.f64 %g0, %g1, %g2;", In: v{one, two}, Want: two},
		{Inst: "fma.rn.f64 %g0, %g1, %g2, %g3;", In: v{one, two, one}, Want: three},
		{Inst: "fma.rz.f64 %g0, %g1, %g2, %g3;", In: v{one, one, 1<<63 | 1}, Want: one - 1},
		{Inst: "div.rn.f64 %g0, %g1, %g2;", In: v{one, three}, Want: 0x3fd5555555555555},
		{Inst: "div.rp.f64 %g0, %g1, %g2;", In: v{one, three}, Want: 0x3fd5555555555556},
		{Inst: "rcp.rn.f64 %g0, %g1;", In: v{two}, Want: 0x3fe0000000000000},
		{Inst: "sqrt.rn.f64 %g0, %g1;", In: v{two}, Want: 0x3ff6a09e667f3bcd},
		{Inst: "rsqrt.approx.f64 %g0, %g1;", In: v{0x4010000000000000}, Want: 0x3fe0000000000000},
		{Inst: "rsqrt.approx.ftz.f64 %g0, %g1;", In: v{0x800012688b70e62b}, Want: 0xfff0000000000000}, // subnormal
		{Inst: "neg.f64 %g0, %g1;", In: v{one}, Want: one | 1<<63},
		{Inst: "abs.f64 %g0, %g1;", In: v{one | 1<<63}, Want: one},
		{Inst: "min.f64 %g0, %g1, %g2;", In: v{one, two}, Want: one},
		{Inst: "max.f64 %g0, %g1, %g2;", In: v{0x7ff8000000000000, two}, Want: two},
		{Inst: "copysign.f64 %g0, %g1, %g2;", In: v{1 << 63, one}, Want: one | 1<<63},
	})
}

func TestHalf(t *testing.T) {
	t.Parallel()
	const nan = 0x7fff
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.f16 %h0, %h1, %h2;", In: v{0x3c00, 0x4000}, Want: 0x4200},
		{Inst: "add.rn.f16 %h0, %h1, %h2;", In: v{0x3c00, 0x1000}, Want: 0x3c00}, // 1 + 2^-11: tie to even
		{Inst: "add.f16 %h0, %h1, %h2;", In: v{0x3c01, 0x1000}, Want: 0x3c02},
		{Inst: "add.f16 %h0, %h1, %h2;", In: v{0x7bff, 0x7bff}, Want: 0x7c00},
		{Inst: "add.sat.f16 %h0, %h1, %h2;", In: v{0x3c00, 0x3c00}, Want: 0x3c00},
		{Inst: "add.ftz.f16 %h0, %h1, %h2;", In: v{0x0001, 0x0001}, Want: 0},
		{Inst: "add.f16 %h0, %h1, %h2;", In: v{0x0001, 0x0001}, Want: 2},
		{Inst: "sub.f16 %h0, %h1, %h2;", In: v{0x3c00, 0x4000}, Want: 0xbc00},
		{Inst: "mul.f16 %h0, %h1, %h2;", In: v{0x4000, 0x4200}, Want: 0x4600},
		{Inst: "fma.rn.f16 %h0, %h1, %h2, %h3;", In: v{0x4000, 0x4200, 0x3c00}, Want: 0x4700},
		{Inst: "fma.rn.relu.f16 %h0, %h1, %h2, %h3;", In: v{0xc000, 0x4200, 0x3c00}, Want: 0},
		{Inst: "add.f16x2 %r0, %r1, %r2;", In: v{0x3c004000, 0x40003c00}, Want: 0x42004200},
		{Inst: "mul.f16x2 %r0, %r1, %r2;", In: v{0x3c004000, 0x40003c00}, Want: 0x40004000},
		{Inst: "fma.rn.f16x2 %r0, %r1, %r2, %r3;", In: v{0x3c004000, 0x40003c00, 0x3c003c00}, Want: 0x42004200},
		{Inst: "add.rn.bf16 %h0, %h1, %h2;", In: v{0x3f80, 0x4000}, Want: 0x4040},
		{Inst: "fma.rn.bf16 %h0, %h1, %h2, %h3;", In: v{0x4000, 0x4040, 0x3f80}, Want: 0x40e0},
		{Inst: "fma.rn.bf16x2 %r0, %r1, %r2, %r3;", In: v{0x3f804000, 0x40003f80, 0x3f803f80}, Want: 0x40404040},
		{Inst: "mul.rn.bf16x2 %r0, %r1, %r2;", In: v{0x3f804000, 0x40004000}, Want: 0x40004080},
		{Inst: "neg.f16 %h0, %h1;", In: v{0x3c00}, Want: 0xbc00},
		{Inst: "neg.f16x2 %r0, %r1;", In: v{0x3c00bc00}, Want: 0xbc003c00},
		{Inst: "abs.f16x2 %r0, %r1;", In: v{0xbc00bc00}, Want: 0x3c003c00},
		{Inst: "neg.bf16x2 %r0, %r1;", In: v{0x3f80bf80}, Want: 0xbf803f80},
		{Inst: "abs.bf16 %h0, %h1;", In: v{0xbf80}, Want: 0x3f80},
		{Inst: "min.f16 %h0, %h1, %h2;", In: v{0x3c00, 0xfe00}, Want: 0x3c00},
		{Inst: "min.NaN.f16 %h0, %h1, %h2;", In: v{0x3c00, 0xfe00}, Want: nan},
		{Inst: "max.f16x2 %r0, %r1, %r2;", In: v{0x3c004000, 0x40003c00}, Want: 0x40004000},
		{Inst: "max.bf16 %h0, %h1, %h2;", In: v{0xbf80, 0x8000}, Want: 0x8000},
		{Inst: "max.bf16x2 %r0, %r1, %r2;", In: v{0x3f804000, 0x40003f80}, Want: 0x40004000},
		{Inst: "ex2.approx.f16 %h0, %h1;", In: v{0x4000}, Want: 0x4400},
		{Inst: "ex2.approx.f16x2 %r0, %r1;", In: v{0x40003c00}, Want: 0x44004000},
		{Inst: "ex2.approx.ftz.bf16 %h0, %h1;", In: v{0x4000}, Want: 0x4080},
		{Inst: "tanh.approx.f16 %h0, %h1;", In: v{0x7c00}, Want: 0x3c00},
		{Inst: "tanh.approx.bf16x2 %r0, %r1;", In: v{0x7f80ff80}, Want: 0x3f80bf80},
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "setp.lt.s32 %p0, %r1, %r2;", In: v{0xffffffff, 0}, Want: 1},
		{Inst: "setp.lt.u32 %p0, %r1, %r2;", In: v{0xffffffff, 0}, Want: 0},
		{Inst: "setp.lo.u32 %p0, %r1, %r2;", In: v{0, 1}, Want: 1},
		{Inst: "setp.hs.u64 %p0, %d1, %d2;", In: v{1, 1}, Want: 1},
		{Inst: "setp.ge.s64 %p0, %d1, %d2;", In: v{1 << 63, 1}, Want: 0},
		{Inst: "setp.eq.b32 %p0, %r1, %r2;", In: v{7, 7}, Want: 1},
		{Inst: "setp.ne.s16 %p0, %h1, %h2;", In: v{7, 7}, Want: 0},
		{Inst: "setp.le.s16 %p0, %h1, %h2;", In: v{0xffff, 7}, Want: 1},
		{Inst: "setp.lt.and.s32 %p0, %r1, %r2, %p3;", In: v{1, 2, 0}, Want: 0},
		{Inst: "setp.lt.or.s32 %p0, %r1, %r2, %p3;", In: v{3, 2, 1}, Want: 1},
		{Inst: "setp.lt.xor.s32 %p0, %r1, %r2, !%p3;", In: v{1, 2, 0}, Want: 0},
		{Inst: "setp.eq.s32 %p2|%p0, %r1, 5;", In: v{5, 1}, Want: 0},
		{Inst: "setp.eq.and.s32 %p2|%p0, %r1, 5, %p3;", In: v{4, 0, 1}, Want: 1},
		{Inst: "setp.lt.f32 %p0, %f1, %f2;", In: v{one, two}, Want: 1},
		{Inst: "setp.lt.f32 %p0, %f1, %f2;", In: v{one, fp.NaNF32}, Want: 0},
		{Inst: "setp.ne.f32 %p0, %f1, %f2;", In: v{one, fp.NaNF32}, Want: 0},
		{Inst: "setp.neu.f32 %p0, %f1, %f2;", In: v{one, fp.NaNF32}, Want: 1},
		{Inst: "setp.gtu.f32 %p0, %f1, %f2;", In: v{one, fp.NaNF32}, Want: 1},
		{Inst: "setp.num.f32 %p0, %f1, %f2;", In: v{one, two}, Want: 1},
		{Inst: "setp.nan.f32 %p0, %f1, %f2;", In: v{one, fp.NaNF32}, Want: 1},
		{Inst: "setp.eq.f32 %p0, %f1, %f2;", In: v{0, minusZero}, Want: 1},
		{Inst: "setp.eq.ftz.f32 %p0, %f1, %f2;", In: v{sub32, minusZero}, Want: 1},
		{Inst: "setp.gt.f64 %p0, %g1, %g2;", In: v{0x4000000000000000, 0x3ff0000000000000}, Want: 1},
		{Inst: "setp.lt.f16 %p0, %h1, %h2;", In: v{0x3c00, 0x4000}, Want: 1},
		{Inst: "setp.lt.f16x2 %p0|%p3, %r1, %r2;", In: v{0x40003c00, 0x3c004000}, Want: 1},
		{Inst: "setp.lt.f16x2 %p3|%p0, %r1, %r2;", In: v{0x40003c00, 0x3c004000}, Want: 0},
		{Inst: "setp.gt.bf16 %p0, %h1, %h2;", In: v{0x4000, 0x3f80}, Want: 1},
		{Inst: "set.lt.u32.s32 %r0, %r1, %r2;", In: v{0xffffffff, 0}, Want: 0xffffffff},
		{Inst: "set.lt.f32.s32 %f0, %r1, %r2;", In: v{0xffffffff, 0}, Want: one},
		{Inst: "set.gt.u32.f32 %r0, %f1, %f2;", In: v{one, two}, Want: 0},
		{Inst: "set.lt.f16x2.f16x2 %r0, %r1, %r2;", In: v{0x40003c00, 0x3c004000}, Want: 0x3c00},
		{Inst: "set.eq.and.s32.u32 %r0, %r1, %r2, %p3;", In: v{1, 1, 1}, Want: 0xffffffff},
		{Inst: "selp.b32 %r0, %r1, %r2, %p3;", In: v{10, 20, 1}, Want: 10},
		{Inst: "selp.f32 %f0, %f1, %f2, %p3;", In: v{one, two, 0}, Want: two},
		{Inst: "selp.b64 %d0, %d1, 77, %p2;", In: v{10, 0}, Want: 77},
		{Inst: "selp.b16 %h0, %h1, %h2, %p3;", In: v{10, 20, 1}, Want: 10},
		{Inst: "slct.u32.s32 %r0, %r1, %r2, %r3;", In: v{10, 20, 0xffffffff}, Want: 20},
		{Inst: "slct.f32.f32 %f0, %f1, %f2, %f3;", In: v{one, two, minusZero}, Want: one},
	})
}

func TestConvert(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "cvt.s32.s8 %r0, %r1;", In: v{0x1f0}, Want: 0xfffffff0},
		{Inst: "cvt.u32.u16 %r0, %h1;", In: v{0xffff}, Want: 0xffff},
		{Inst: "cvt.s64.s32 %d0, %r1;", In: v{0x80000000}, Want: 0xffffffff80000000},
		{Inst: "cvt.u64.u32 %d0, %r1;", In: v{0x80000000}, Want: 0x80000000},
		{Inst: "cvt.u16.u32 %h0, %r1;", In: v{0x12345}, Want: 0x2345},
		{Inst: "cvt.s8.s32 %r0, %r1;", In: v{0x80}, Want: 0xffffff80},
		{Inst: "cvt.sat.s8.s32 %r0, %r1;", In: v{200}, Want: 127},
		{Inst: "cvt.sat.u8.s32 %r0, %r1;", In: v{0xffffff00}, Want: 0},
		{Inst: "cvt.sat.u16.u32 %r0, %r1;", In: v{70000}, Want: 0xffff},
		{Inst: "cvt.sat.s32.u32 %r0, %r1;", In: v{0xffffffff}, Want: 0x7fffffff},
		{Inst: "cvt.rn.f32.s32 %f0, %r1;", In: v{0xffffffff}, Want: minusOne},
		{Inst: "cvt.rn.f32.u32 %f0, %r1;", In: v{0xffffffff}, Want: 0x4f800000},
		{Inst: "cvt.rz.f32.u32 %f0, %r1;", In: v{0xffffffff}, Want: 0x4f7fffff},
		{Inst: "cvt.rn.f32.u64 %f0, %d1;", In: v{0x8000008000000001}, Want: 0x5f000001},
		{Inst: "cvt.rn.f64.s64 %g0, %d1;", In: v{^uint64(0)}, Want: 0xbff0000000000000},
		{Inst: "cvt.rn.f16.s32 %h0, %r1;", In: v{2049}, Want: 0x6800},
		{Inst: "cvt.rp.f16.s32 %h0, %r1;", In: v{2049}, Want: 0x6801},
		{Inst: "cvt.rni.s32.f32 %r0, %f1;", In: v{0x40200000}, Want: 2}, // 2.5
		{Inst: "cvt.rzi.s32.f32 %r0, %f1;", In: v{0xc0200000}, Want: 0xfffffffe},
		{Inst: "cvt.rmi.s32.f32 %r0, %f1;", In: v{0xc0200000}, Want: 0xfffffffd},
		{Inst: "cvt.rpi.s32.f32 %r0, %f1;", In: v{0x40200000}, Want: 3},
		{Inst: "cvt.rzi.u32.f32 %r0, %f1;", In: v{minusOne}, Want: 0},
		{Inst: "cvt.rzi.s32.f32 %r0, %f1;", In: v{0x7f000000}, Want: 0x7fffffff},
		{Inst: "cvt.rzi.s32.f32 %r0, %f1;", In: v{fp.NaNF32}, Want: 0},
		{Inst: "cvt.rzi.s64.f32 %d0, %f1;", In: v{fp.NaNF32}, Want: 1 << 63},
		{Inst: "cvt.rzi.u64.f64 %d0, %g1;", In: v{0x43f0000000000000}, Want: ^uint64(0)},
		{Inst: "cvt.rzi.s16.f32 %h0, %f1;", In: v{0x47800000}, Want: 0x7fff},
		{Inst: "cvt.rni.f32.f32 %f0, %f1;", In: v{0xbf000000}, Want: minusZero},
		{Inst: "cvt.rzi.ftz.f32.f32 %f0, %f1;", In: v{0x3fc00000}, Want: one},
		{Inst: "cvt.sat.f32.f32 %f0, %f1;", In: v{two}, Want: one},
		{Inst: "cvt.ftz.f32.f32 %f0, %f1;", In: v{sub32}, Want: 0},
		{Inst: "cvt.f64.f32 %g0, %f1;", In: v{one}, Want: 0x3ff0000000000000},
		{Inst: "cvt.rn.f32.f64 %f0, %g1;", In: v{0x3ff0000010000000}, Want: one},
		{Inst: "cvt.rp.f32.f64 %f0, %g1;", In: v{0x3ff0000010000000}, Want: one + 1},
		{Inst: "cvt.f32.f16 %f0, %h1;", In: v{0x3555}, Want: 0x3eaaa000},
		{Inst: "cvt.rn.f16.f32 %h0, %f1;", In: v{third32}, Want: 0x3555},
		{Inst: "cvt.rz.f16.f32 %h0, %f1;", In: v{0x477fffff}, Want: 0x7bff},
		{Inst: "cvt.rn.f16.f64 %h0, %g1;", In: v{0x3ff0000000000000}, Want: 0x3c00},
		{Inst: "cvt.rn.bf16.f32 %h0, %f1;", In: v{0x3f818000}, Want: 0x3f82},
		{Inst: "cvt.rn.relu.bf16.f32 %h0, %f1;", In: v{minusOne}, Want: 0},
		{Inst: "cvt.f32.bf16 %f0, %h1;", In: v{0x3f80}, Want: one},
		{Inst: "cvt.rn.f16x2.f32 %r0, %f1, %f2;", In: v{one, two}, Want: 0x3c004000},
		{Inst: "cvt.rn.bf16x2.f32 %r0, %f1, %f2;", In: v{one, two}, Want: 0x3f804000},
		{Inst: "cvt.rn.relu.bf16x2.f32 %r0, %f1, %f2;", In: v{minusOne, two}, Want: 0x4000},
		{Inst: "cvt.rna.tf32.f32 %r0, %f1;", In: v{0x3f801000}, Want: 0x3f802000},
		{Inst: "cvt.rn.tf32.f32 %r0, %f1;", In: v{0x3f801000}, Want: 0x3f800000},
		{Inst: "cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;", In: v{one, 0x44000000}, Want: 0x387e},
		{Inst: "cvt.rn.satfinite.e5m2x2.f32 %h0, %f1, %f2;", In: v{one, 0x48000000}, Want: 0x3c7b},
		{Inst: "cvt.rn.satfinite.relu.e5m2x2.f32 %h0, %f1, %f2;", In: v{minusOne, one}, Want: 0x003c},
		{Inst: "cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", In: v{0x3c004000}, Want: 0x3840},
		{Inst: "cvt.rn.f16x2.e4m3x2 %r0, %h1;", In: v{0x387f}, Want: 0x3c007fff},
		{Inst: "cvt.rn.f16x2.e5m2x2 %r0, %h1;", In: v{0x3c7c}, Want: 0x3c007c00},
		{Inst: "cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", In: v{200, 0xffffffff, 0x1234}, Want: 0x12347fff},
		{Inst: "cvt.pack.sat.u16.s32 %r0, %r1, %r2;", In: v{70000, 5}, Want: 0xffff0005},
	})
}

func TestMove(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "mov.b32 %r0, {%h1, %h2};", In: v{0x1111, 0x2222}, Want: 0x22221111},
		{Inst: "mov.b64 %d0, {%r1, %r2};", In: v{0x1111, 0x2222}, Want: 0x222200001111},
		{Inst: "mov.b64 %d0, {%h1, %h2, %h3, %h1};", In: v{1, 2, 3}, Want: 0x1000300020001},
		{Inst: "{ .reg .b16 %x; mov.b32 {%x, %h0}, %r1; }", In: v{0x12345678}, Want: 0x1234},
		{Inst: "mov.b32 {%h0, _}, %r1;", In: v{0x12345678}, Want: 0x5678},
		{Inst: "{ .reg .b32 %x; mov.b64 {%x, %r0}, %d1; }", In: v{0x1122334455667788}, Want: 0x11223344},
		{Inst: "{ .reg .b128 %q; mov.b128 %q, {%d1, %d2}; mov.b128 {_, %d0}, %q; }", In: v{5, 6}, Want: 6},
		{Inst: "mov.f32 %f0, 0f3F800000;", In: nil, Want: one},
		{Inst: "mov.f32 %f0, 1.5;", In: nil, Want: 0x3fc00000},
		{Inst: "mov.f64 %g0, 0.1;", In: nil, Want: 0x3fb999999999999a},
		{Inst: "mov.b32 %r0, -5;", In: nil, Want: 0xfffffffb},
		{Inst: "mov.u32 %r0, 0x10 + 3 * (4 - 2);", In: nil, Want: 22},
		{Inst: "mov.u32 %r0, %ntid.x;", In: nil, Want: 1},
		{Inst: "mov.u32 %r0, WARP_SZ;", In: nil, Want: 32},
		{Inst: "activemask.b32 %r0;", In: nil, Want: 1},
	})
}

// TestBlackwell covers forms that need sm_100a.
func TestBlackwell(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.rn.f32x2 %d0, %d1, %d2;", In: v{two<<32 | one, one<<32 | two}, Want: three<<32 | three},
		{Inst: "mul.rn.f32x2 %d0, %d1, %d2;", In: v{two<<32 | one, one<<32 | two}, Want: two<<32 | two},
		{Inst: "fma.rn.f32x2 %d0, %d1, %d2, %d3;", In: v{two<<32 | one, one<<32 | two, one<<32 | one}, Want: three<<32 | three},
		{Inst: "max.f32 %f0, %f1, %f2, %f3;", In: v{one, three, two}, Want: three},
		{Inst: "add.rn.f32.f16 %f0, %h1, %f2;", In: v{0x3c00, two}, Want: three},
		{Inst: "fma.rn.f32.bf16 %f0, %h1, %h2, %f3;", In: v{0x3f80, 0x4000, one}, Want: three},
		{Inst: "cvt.rn.satfinite.e2m3x2.f32 %h0, %f1, %f2;", In: v{0x40f00000, minusOne}, Want: 0x1f28},
		{Inst: "cvt.rn.satfinite.e3m2x2.f32 %h0, %f1, %f2;", In: v{0x43000000, one}, Want: 0x1f0c},
		{Inst: "cvt.rn.f16x2.e3m2x2 %r0, %h1;", In: v{0x1f0c}, Want: 0x4f003c00},
		{Inst: "{ .reg .b8 %x; cvt.rn.satfinite.e2m1x2.f32 %x, %f1, %f2; mov.b32 %r0, {%x, %x, %x, %x}; }", In: v{0x40c00000, half32}, Want: 0x71717171},
		{Inst: "{ .reg .b8 %x; mov.b32 {%x, _, _, _}, %r1; cvt.rn.f16x2.e2m1x2 %r0, %x; }", In: v{0x73}, Want: 0x46003e00},
		{Inst: "cvt.rz.satfinite.ue8m0x2.f32 %h0, %f1, %f2;", In: v{three, one}, Want: 0x807f},
		{Inst: "cvt.rp.satfinite.ue8m0x2.f32 %h0, %f1, %f2;", In: v{three, fp.NaNF32}, Want: 0x81ff},
		{Inst: "cvt.rn.bf16x2.ue8m0x2 %r0, %h1;", In: v{0x807f}, Want: 0x40003f80},
		{Inst: "redux.sync.max.f32 %f0, %f1, 1;", In: v{two}, Want: two},
	})
}
