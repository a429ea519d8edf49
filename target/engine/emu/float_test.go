package emu

import "testing"

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
	runCases(t, []opCase{
		{"add.f32 %f0, %f1, %f2;", v{one, two}, three},
		{"add.rn.f32 %f0, %f1, %f2;", v{one, 0x33800000}, one}, // 1 + 2^-24, tie to even
		{"add.rp.f32 %f0, %f1, %f2;", v{one, sub32}, one + 1},
		{"add.rz.f32 %f0, %f1, %f2;", v{one, 0x80000001}, one - 1},
		{"add.rm.f32 %f0, %f1, %f2;", v{one, minusOne}, minusZero},
		{"add.f32 %f0, %f1, %f2;", v{one, minusOne}, 0},
		{"add.ftz.f32 %f0, %f1, %f2;", v{sub32, sub32}, 0},
		{"add.f32 %f0, %f1, %f2;", v{sub32, sub32}, 2},
		{"add.sat.f32 %f0, %f1, %f2;", v{one, two}, one},
		{"add.sat.f32 %f0, %f1, %f2;", v{minusOne, half32}, 0},
		{"add.f32 %f0, %f1, %f2;", v{inf32, minusInf32}, nanF32},
		{"add.sat.f32 %f0, %f1, %f2;", v{inf32, minusInf32}, 0},
		{"sub.f32 %f0, %f1, %f2;", v{three, one}, two},
		{"mul.f32 %f0, %f1, 0f40000000;", v{half32}, one},
		{"mul.rm.f32 %f0, %f1, %f2;", v{0x3f800001, 0x3f800001}, 0x3f800002},
		{"mul.rp.f32 %f0, %f1, %f2;", v{0x3f800001, 0x3f800001}, 0x3f800003},
		{"mul.f32 %f0, %f1, %f2;", v{0x00800000, half32}, 0x00400000},
		{"mul.ftz.f32 %f0, %f1, %f2;", v{0x80800000, half32}, minusZero},
		{"fma.rn.f32 %f0, %f1, %f2, %f3;", v{two, three, one}, 0x40e00000},
		// (1+2^-23)^2 - (1+2^-22) is the 2^-46 that a rounded product loses.
		{"fma.rn.f32 %f0, %f1, %f2, %f3;", v{0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000},
		{"mad.rn.f32 %f0, %f1, %f2, %f3;", v{two, two, minusOne}, three},
		{"fma.rn.ftz.sat.f32 %f0, %f1, %f2, %f3;", v{two, two, minusOne}, one},
		{"div.rn.f32 %f0, %f1, %f2;", v{one, three}, third32},
		{"div.rz.f32 %f0, %f1, %f2;", v{one, three}, third32 - 1},
		{"div.approx.f32 %f0, %f1, %f2;", v{one, three}, third32},
		{"div.approx.f32 %f0, %f1, %f2;", v{one, 0x7f000000}, 0},
		{"div.approx.ftz.f32 %f0, %f1, %f2;", v{inf32, 0x7f000000}, nanF32},
		{"div.full.f32 %f0, %f1, %f2;", v{one, 0x7f000000}, 0x00200000 << 1},
		{"div.full.ftz.f32 %f0, %f1, %f2;", v{one, 0}, inf32},
		{"rcp.rn.f32 %f0, %f1;", v{three}, third32},
		{"rcp.approx.ftz.f32 %f0, %f1;", v{sub32}, inf32},
		{"rcp.approx.f32 %f0, %f1;", v{minusZero}, minusInf32},
		{"sqrt.rn.f32 %f0, %f1;", v{two}, 0x3fb504f3},
		{"sqrt.rp.f32 %f0, %f1;", v{two}, 0x3fb504f4},
		{"sqrt.approx.f32 %f0, %f1;", v{minusOne}, nanF32},
		{"sqrt.approx.ftz.f32 %f0, %f1;", v{0x80000001}, minusZero},
		{"rsqrt.approx.f32 %f0, %f1;", v{0x40800000}, half32},
		{"rsqrt.approx.f32 %f0, %f1;", v{minusZero}, minusInf32},
		{"rsqrt.approx.f32 %f0, %f1;", v{inf32}, 0},
		{"ex2.approx.f32 %f0, %f1;", v{three}, 0x41000000},
		{"ex2.approx.ftz.f32 %f0, %f1;", v{minusInf32}, 0},
		{"ex2.approx.ftz.f32 %f0, %f1;", v{0xc2fe0000 + 0x18000}, 0}, // 2^-127.75 is subnormal
		{"lg2.approx.f32 %f0, %f1;", v{0x41000000}, three},
		{"lg2.approx.f32 %f0, %f1;", v{0}, minusInf32},
		{"lg2.approx.f32 %f0, %f1;", v{minusOne}, nanF32},
		{"sin.approx.f32 %f0, %f1;", v{minusZero}, minusZero},
		{"sin.approx.f32 %f0, %f1;", v{inf32}, nanF32},
		{"cos.approx.f32 %f0, %f1;", v{0}, one},
		{"tanh.approx.f32 %f0, %f1;", v{inf32}, one},
		{"tanh.approx.f32 %f0, %f1;", v{minusInf32}, minusOne},
		{"neg.f32 %f0, %f1;", v{one}, minusOne},
		{"neg.ftz.f32 %f0, %f1;", v{sub32}, minusZero},
		{"abs.f32 %f0, %f1;", v{minusOne}, one},
		{"min.f32 %f0, %f1, %f2;", v{0, minusZero}, minusZero},
		{"max.f32 %f0, %f1, %f2;", v{minusZero, 0}, 0},
		{"min.f32 %f0, %f1, %f2;", v{nanF32, one}, one},
		{"min.NaN.f32 %f0, %f1, %f2;", v{0xffc00000, one}, nanF32},
		{"max.f32 %f0, %f1, %f2;", v{nanF32, nanF32}, nanF32},
		{"max.f32 %f0, %f1, %f2;", v{minusOne, 0xc0000000}, minusOne},
		{"min.xorsign.abs.f32 %f0, %f1, %f2;", v{minusOne, two}, minusOne},
		{"max.ftz.f32 %f0, %f1, %f2;", v{sub32, 0}, 0},
		{"copysign.f32 %f0, %f1, %f2;", v{minusZero, one}, minusOne},
		{"testp.finite.f32 %p0, %f1;", v{inf32}, 0},
		{"testp.infinite.f32 %p0, %f1;", v{minusInf32}, 1},
		{"testp.number.f32 %p0, %f1;", v{inf32}, 1},
		{"testp.notanumber.f32 %p0, %f1;", v{nanF32}, 1},
		{"testp.normal.f32 %p0, %f1;", v{sub32}, 0},
		{"testp.subnormal.f32 %p0, %f1;", v{sub32}, 1},
	})
}

func TestF64(t *testing.T) {
	t.Parallel()
	const one, two, three = 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000
	runCases(t, []opCase{
		{"add.f64 %g0, %g1, %g2;", v{one, two}, three},
		{"add.rp.f64 %g0, %g1, %g2;", v{one, 1}, one + 1},
		{"sub.rn.f64 %g0, %g1, %g2;", v{three, two}, one},
		{"mul.f64 %g0, %g1, %g2;", v{one, two}, two},
		{"fma.rn.f64 %g0, %g1, %g2, %g3;", v{one, two, one}, three},
		{"fma.rz.f64 %g0, %g1, %g2, %g3;", v{one, one, 1<<63 | 1}, one - 1},
		{"div.rn.f64 %g0, %g1, %g2;", v{one, three}, 0x3fd5555555555555},
		{"div.rp.f64 %g0, %g1, %g2;", v{one, three}, 0x3fd5555555555556},
		{"rcp.rn.f64 %g0, %g1;", v{two}, 0x3fe0000000000000},
		{"sqrt.rn.f64 %g0, %g1;", v{two}, 0x3ff6a09e667f3bcd},
		{"rsqrt.approx.f64 %g0, %g1;", v{0x4010000000000000}, 0x3fe0000000000000},
		{"neg.f64 %g0, %g1;", v{one}, one | 1<<63},
		{"abs.f64 %g0, %g1;", v{one | 1<<63}, one},
		{"min.f64 %g0, %g1, %g2;", v{one, two}, one},
		{"max.f64 %g0, %g1, %g2;", v{0x7ff8000000000000, two}, two},
		{"copysign.f64 %g0, %g1, %g2;", v{1 << 63, one}, one | 1<<63},
	})
}

func TestHalf(t *testing.T) {
	t.Parallel()
	const nan = 0x7fff
	runCases(t, []opCase{
		{"add.f16 %h0, %h1, %h2;", v{0x3c00, 0x4000}, 0x4200},
		{"add.rn.f16 %h0, %h1, %h2;", v{0x3c00, 0x1000}, 0x3c00}, // 1 + 2^-11: tie to even
		{"add.f16 %h0, %h1, %h2;", v{0x3c01, 0x1000}, 0x3c02},
		{"add.f16 %h0, %h1, %h2;", v{0x7bff, 0x7bff}, 0x7c00},
		{"add.sat.f16 %h0, %h1, %h2;", v{0x3c00, 0x3c00}, 0x3c00},
		{"add.ftz.f16 %h0, %h1, %h2;", v{0x0001, 0x0001}, 0},
		{"add.f16 %h0, %h1, %h2;", v{0x0001, 0x0001}, 2},
		{"sub.f16 %h0, %h1, %h2;", v{0x3c00, 0x4000}, 0xbc00},
		{"mul.f16 %h0, %h1, %h2;", v{0x4000, 0x4200}, 0x4600},
		{"fma.rn.f16 %h0, %h1, %h2, %h3;", v{0x4000, 0x4200, 0x3c00}, 0x4700},
		{"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", v{0xc000, 0x4200, 0x3c00}, 0},
		{"add.f16x2 %r0, %r1, %r2;", v{0x3c004000, 0x40003c00}, 0x42004200},
		{"mul.f16x2 %r0, %r1, %r2;", v{0x3c004000, 0x40003c00}, 0x40004000},
		{"fma.rn.f16x2 %r0, %r1, %r2, %r3;", v{0x3c004000, 0x40003c00, 0x3c003c00}, 0x42004200},
		{"add.rn.bf16 %h0, %h1, %h2;", v{0x3f80, 0x4000}, 0x4040},
		{"fma.rn.bf16 %h0, %h1, %h2, %h3;", v{0x4000, 0x4040, 0x3f80}, 0x40e0},
		{"fma.rn.bf16x2 %r0, %r1, %r2, %r3;", v{0x3f804000, 0x40003f80, 0x3f803f80}, 0x40404040},
		{"mul.rn.bf16x2 %r0, %r1, %r2;", v{0x3f804000, 0x40004000}, 0x40004080},
		{"neg.f16 %h0, %h1;", v{0x3c00}, 0xbc00},
		{"neg.f16x2 %r0, %r1;", v{0x3c00bc00}, 0xbc003c00},
		{"abs.f16x2 %r0, %r1;", v{0xbc00bc00}, 0x3c003c00},
		{"neg.bf16x2 %r0, %r1;", v{0x3f80bf80}, 0xbf803f80},
		{"abs.bf16 %h0, %h1;", v{0xbf80}, 0x3f80},
		{"min.f16 %h0, %h1, %h2;", v{0x3c00, 0xfe00}, 0x3c00},
		{"min.NaN.f16 %h0, %h1, %h2;", v{0x3c00, 0xfe00}, nan},
		{"max.f16x2 %r0, %r1, %r2;", v{0x3c004000, 0x40003c00}, 0x40004000},
		{"max.bf16 %h0, %h1, %h2;", v{0xbf80, 0x8000}, 0x8000},
		{"max.bf16x2 %r0, %r1, %r2;", v{0x3f804000, 0x40003f80}, 0x40004000},
		{"ex2.approx.f16 %h0, %h1;", v{0x4000}, 0x4400},
		{"ex2.approx.f16x2 %r0, %r1;", v{0x40003c00}, 0x44004000},
		{"ex2.approx.ftz.bf16 %h0, %h1;", v{0x4000}, 0x4080},
		{"tanh.approx.f16 %h0, %h1;", v{0x7c00}, 0x3c00},
		{"tanh.approx.bf16x2 %r0, %r1;", v{0x7f80ff80}, 0x3f80bf80},
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		{"setp.lt.s32 %p0, %r1, %r2;", v{0xffffffff, 0}, 1},
		{"setp.lt.u32 %p0, %r1, %r2;", v{0xffffffff, 0}, 0},
		{"setp.lo.u32 %p0, %r1, %r2;", v{0, 1}, 1},
		{"setp.hs.u64 %p0, %d1, %d2;", v{1, 1}, 1},
		{"setp.ge.s64 %p0, %d1, %d2;", v{1 << 63, 1}, 0},
		{"setp.eq.b32 %p0, %r1, %r2;", v{7, 7}, 1},
		{"setp.ne.s16 %p0, %h1, %h2;", v{7, 7}, 0},
		{"setp.le.s16 %p0, %h1, %h2;", v{0xffff, 7}, 1},
		{"setp.lt.and.s32 %p0, %r1, %r2, %p3;", v{1, 2, 0}, 0},
		{"setp.lt.or.s32 %p0, %r1, %r2, %p3;", v{3, 2, 1}, 1},
		{"setp.lt.xor.s32 %p0, %r1, %r2, !%p3;", v{1, 2, 0}, 0},
		{"setp.eq.s32 %p2|%p0, %r1, 5;", v{5, 1}, 0},
		{"setp.eq.and.s32 %p2|%p0, %r1, 5, %p3;", v{4, 0, 1}, 1},
		{"setp.lt.f32 %p0, %f1, %f2;", v{one, two}, 1},
		{"setp.lt.f32 %p0, %f1, %f2;", v{one, nanF32}, 0},
		{"setp.ne.f32 %p0, %f1, %f2;", v{one, nanF32}, 0},
		{"setp.neu.f32 %p0, %f1, %f2;", v{one, nanF32}, 1},
		{"setp.gtu.f32 %p0, %f1, %f2;", v{one, nanF32}, 1},
		{"setp.num.f32 %p0, %f1, %f2;", v{one, two}, 1},
		{"setp.nan.f32 %p0, %f1, %f2;", v{one, nanF32}, 1},
		{"setp.eq.f32 %p0, %f1, %f2;", v{0, minusZero}, 1},
		{"setp.eq.ftz.f32 %p0, %f1, %f2;", v{sub32, minusZero}, 1},
		{"setp.gt.f64 %p0, %g1, %g2;", v{0x4000000000000000, 0x3ff0000000000000}, 1},
		{"setp.lt.f16 %p0, %h1, %h2;", v{0x3c00, 0x4000}, 1},
		{"setp.lt.f16x2 %p0|%p3, %r1, %r2;", v{0x40003c00, 0x3c004000}, 1},
		{"setp.lt.f16x2 %p3|%p0, %r1, %r2;", v{0x40003c00, 0x3c004000}, 0},
		{"setp.gt.bf16 %p0, %h1, %h2;", v{0x4000, 0x3f80}, 1},
		{"set.lt.u32.s32 %r0, %r1, %r2;", v{0xffffffff, 0}, 0xffffffff},
		{"set.lt.f32.s32 %f0, %r1, %r2;", v{0xffffffff, 0}, one},
		{"set.gt.u32.f32 %r0, %f1, %f2;", v{one, two}, 0},
		{"set.lt.f16x2.f16x2 %r0, %r1, %r2;", v{0x40003c00, 0x3c004000}, 0x3c00},
		{"set.eq.and.s32.u32 %r0, %r1, %r2, %p3;", v{1, 1, 1}, 0xffffffff},
		{"selp.b32 %r0, %r1, %r2, %p3;", v{10, 20, 1}, 10},
		{"selp.f32 %f0, %f1, %f2, %p3;", v{one, two, 0}, two},
		{"selp.b64 %d0, %d1, 77, %p2;", v{10, 0}, 77},
		{"selp.b16 %h0, %h1, %h2, %p3;", v{10, 20, 1}, 10},
		{"slct.u32.s32 %r0, %r1, %r2, %r3;", v{10, 20, 0xffffffff}, 20},
		{"slct.f32.f32 %f0, %f1, %f2, %f3;", v{one, two, minusZero}, one},
	})
}

func TestConvert(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		{"cvt.s32.s8 %r0, %r1;", v{0x1f0}, 0xfffffff0},
		{"cvt.u32.u16 %r0, %h1;", v{0xffff}, 0xffff},
		{"cvt.s64.s32 %d0, %r1;", v{0x80000000}, 0xffffffff80000000},
		{"cvt.u64.u32 %d0, %r1;", v{0x80000000}, 0x80000000},
		{"cvt.u16.u32 %h0, %r1;", v{0x12345}, 0x2345},
		{"cvt.s8.s32 %r0, %r1;", v{0x80}, 0xffffff80},
		{"cvt.sat.s8.s32 %r0, %r1;", v{200}, 127},
		{"cvt.sat.u8.s32 %r0, %r1;", v{0xffffff00}, 0},
		{"cvt.sat.u16.u32 %r0, %r1;", v{70000}, 0xffff},
		{"cvt.sat.s32.u32 %r0, %r1;", v{0xffffffff}, 0x7fffffff},
		{"cvt.rn.f32.s32 %f0, %r1;", v{0xffffffff}, minusOne},
		{"cvt.rn.f32.u32 %f0, %r1;", v{0xffffffff}, 0x4f800000},
		{"cvt.rz.f32.u32 %f0, %r1;", v{0xffffffff}, 0x4f7fffff},
		{"cvt.rn.f32.u64 %f0, %d1;", v{0x8000008000000001}, 0x5f000001},
		{"cvt.rn.f64.s64 %g0, %d1;", v{^uint64(0)}, 0xbff0000000000000},
		{"cvt.rn.f16.s32 %h0, %r1;", v{2049}, 0x6800},
		{"cvt.rp.f16.s32 %h0, %r1;", v{2049}, 0x6801},
		{"cvt.rni.s32.f32 %r0, %f1;", v{0x40200000}, 2}, // 2.5
		{"cvt.rzi.s32.f32 %r0, %f1;", v{0xc0200000}, 0xfffffffe},
		{"cvt.rmi.s32.f32 %r0, %f1;", v{0xc0200000}, 0xfffffffd},
		{"cvt.rpi.s32.f32 %r0, %f1;", v{0x40200000}, 3},
		{"cvt.rzi.u32.f32 %r0, %f1;", v{minusOne}, 0},
		{"cvt.rzi.s32.f32 %r0, %f1;", v{0x7f000000}, 0x7fffffff},
		{"cvt.rzi.s32.f32 %r0, %f1;", v{nanF32}, 0},
		{"cvt.rzi.s64.f32 %d0, %f1;", v{nanF32}, 1 << 63},
		{"cvt.rzi.u64.f64 %d0, %g1;", v{0x43f0000000000000}, ^uint64(0)},
		{"cvt.rzi.s16.f32 %h0, %f1;", v{0x47800000}, 0x7fff},
		{"cvt.rni.f32.f32 %f0, %f1;", v{0xbf000000}, minusZero},
		{"cvt.rzi.ftz.f32.f32 %f0, %f1;", v{0x3fc00000}, one},
		{"cvt.sat.f32.f32 %f0, %f1;", v{two}, one},
		{"cvt.ftz.f32.f32 %f0, %f1;", v{sub32}, 0},
		{"cvt.f64.f32 %g0, %f1;", v{one}, 0x3ff0000000000000},
		{"cvt.rn.f32.f64 %f0, %g1;", v{0x3ff0000010000000}, one},
		{"cvt.rp.f32.f64 %f0, %g1;", v{0x3ff0000010000000}, one + 1},
		{"cvt.f32.f16 %f0, %h1;", v{0x3555}, 0x3eaaa000},
		{"cvt.rn.f16.f32 %h0, %f1;", v{third32}, 0x3555},
		{"cvt.rz.f16.f32 %h0, %f1;", v{0x477fffff}, 0x7bff},
		{"cvt.rn.f16.f64 %h0, %g1;", v{0x3ff0000000000000}, 0x3c00},
		{"cvt.rn.bf16.f32 %h0, %f1;", v{0x3f818000}, 0x3f82},
		{"cvt.rn.relu.bf16.f32 %h0, %f1;", v{minusOne}, 0},
		{"cvt.f32.bf16 %f0, %h1;", v{0x3f80}, one},
		{"cvt.rn.f16x2.f32 %r0, %f1, %f2;", v{one, two}, 0x3c004000},
		{"cvt.rn.bf16x2.f32 %r0, %f1, %f2;", v{one, two}, 0x3f804000},
		{"cvt.rn.relu.bf16x2.f32 %r0, %f1, %f2;", v{minusOne, two}, 0x4000},
		{"cvt.rna.tf32.f32 %r0, %f1;", v{0x3f801000}, 0x3f802000},
		{"cvt.rn.tf32.f32 %r0, %f1;", v{0x3f801000}, 0x3f800000},
		{"cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;", v{one, 0x44000000}, 0x387e},
		{"cvt.rn.satfinite.e5m2x2.f32 %h0, %f1, %f2;", v{one, 0x48000000}, 0x3c7b},
		{"cvt.rn.satfinite.relu.e5m2x2.f32 %h0, %f1, %f2;", v{minusOne, one}, 0x003c},
		{"cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", v{0x3c004000}, 0x3840},
		{"cvt.rn.f16x2.e4m3x2 %r0, %h1;", v{0x387f}, 0x3c007fff},
		{"cvt.rn.f16x2.e5m2x2 %r0, %h1;", v{0x3c7c}, 0x3c007c00},
		{"cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", v{200, 0xffffffff, 0x1234}, 0x12347fff},
		{"cvt.pack.sat.u16.s32 %r0, %r1, %r2;", v{70000, 5}, 0xffff0005},
	})
}

func TestMove(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		{"mov.b32 %r0, {%h1, %h2};", v{0x1111, 0x2222}, 0x22221111},
		{"mov.b64 %d0, {%r1, %r2};", v{0x1111, 0x2222}, 0x222200001111},
		{"mov.b64 %d0, {%h1, %h2, %h3, %h1};", v{1, 2, 3}, 0x1000300020001},
		{"{ .reg .b16 %x; mov.b32 {%x, %h0}, %r1; }", v{0x12345678}, 0x1234},
		{"mov.b32 {%h0, _}, %r1;", v{0x12345678}, 0x5678},
		{"{ .reg .b32 %x; mov.b64 {%x, %r0}, %d1; }", v{0x1122334455667788}, 0x11223344},
		{"{ .reg .b128 %q; mov.b128 %q, {%d1, %d2}; mov.b128 {_, %d0}, %q; }", v{5, 6}, 6},
		{"mov.f32 %f0, 0f3F800000;", nil, one},
		{"mov.f32 %f0, 1.5;", nil, 0x3fc00000},
		{"mov.f64 %g0, 0.1;", nil, 0x3fb999999999999a},
		{"mov.b32 %r0, -5;", nil, 0xfffffffb},
		{"mov.u32 %r0, 0x10 + 3 * (4 - 2);", nil, 22},
		{"mov.u32 %r0, %ntid.x;", nil, 1},
		{"mov.u32 %r0, WARP_SZ;", nil, 32},
		{"activemask.b32 %r0;", nil, 1},
	})
}

// TestBlackwell covers forms that need sm_100a.
func TestBlackwell(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		{"add.rn.f32x2 %d0, %d1, %d2;", v{two<<32 | one, one<<32 | two}, three<<32 | three},
		{"mul.rn.f32x2 %d0, %d1, %d2;", v{two<<32 | one, one<<32 | two}, two<<32 | two},
		{"fma.rn.f32x2 %d0, %d1, %d2, %d3;", v{two<<32 | one, one<<32 | two, one<<32 | one}, three<<32 | three},
		{"max.f32 %f0, %f1, %f2, %f3;", v{one, three, two}, three},
		{"add.rn.f32.f16 %f0, %h1, %f2;", v{0x3c00, two}, three},
		{"fma.rn.f32.bf16 %f0, %h1, %h2, %f3;", v{0x3f80, 0x4000, one}, three},
		{"cvt.rn.satfinite.e2m3x2.f32 %h0, %f1, %f2;", v{0x40f00000, minusOne}, 0x1f28},
		{"cvt.rn.satfinite.e3m2x2.f32 %h0, %f1, %f2;", v{0x43000000, one}, 0x1f0c},
		{"cvt.rn.f16x2.e3m2x2 %r0, %h1;", v{0x1f0c}, 0x4f003c00},
		{"{ .reg .b8 %x; cvt.rn.satfinite.e2m1x2.f32 %x, %f1, %f2; mov.b32 %r0, {%x, %x, %x, %x}; }", v{0x40c00000, half32}, 0x71717171},
		{"{ .reg .b8 %x; mov.b32 {%x, _, _, _}, %r1; cvt.rn.f16x2.e2m1x2 %r0, %x; }", v{0x73}, 0x46003e00},
		{"cvt.rz.satfinite.ue8m0x2.f32 %h0, %f1, %f2;", v{three, one}, 0x807f},
		{"cvt.rp.satfinite.ue8m0x2.f32 %h0, %f1, %f2;", v{three, nanF32}, 0x81ff},
		{"cvt.rn.bf16x2.ue8m0x2 %r0, %h1;", v{0x807f}, 0x40003f80},
		{"redux.sync.max.f32 %f0, %f1, 1;", v{two}, two},
	})
}
