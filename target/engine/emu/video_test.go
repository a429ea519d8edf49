package emu

import "testing"

// TestVideo has results worked out by hand from the pseudocode of the ISA.
func TestVideo(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		// -1 (byte 0) + 0x7fff (upper half).
		{"vadd.s32.s32.s32 %r0, %r1.b0, %r2.h1;", []uint64{0x123456ff, 0x7fff0000}, 0x7ffe},
		{"vadd.u32.u32.s32 %r0, %r1.b0, %r2.b1;", []uint64{0xff, 0x8000}, 0x7f},
		// 100 + 100 saturates to a signed byte, merged into byte 2 of c.
		{"vadd.s32.s32.s32.sat %r0.b2, %r1.b1, %r2.b3, %r3;", []uint64{0x6400, 0x64000000, 0x11223344}, 0x117f3344},
		{"vsub.u32.u32.u32.sat %r0, %r1, %r2;", []uint64{3, 5}, 0},
		{"vsub.s32.u32.u32 %r0.h1, %r1, %r2, %r3;", []uint64{3, 5, 0xaaaabbbb}, 0xfffebbbb},
		{"vabsdiff.u32.s32.s32 %r0, %r1.h0, %r2.h1;", []uint64{0x8000, 0x7fff0000}, 0xffff},
		{"vabsdiff.s32.s32.s32.add %r0, %r1, %r2, %r3;", []uint64{10, 0xfffffff6, 0xfffffffb}, 15},
		{"vmin.s32.s32.s32 %r0, %r1.b0, %r2.b1;", []uint64{0x80, 0x7f00}, 0xffffff80},
		{"vmax.u32.u32.u32.min %r0, %r1, %r2, %r3;", []uint64{7, 9, 8}, 8},
		{"vmax.s32.s32.s32.max %r0, %r1, %r2, %r3;", []uint64{0xfffffff0, 0xffffff00, 0xfffffff8}, 0xfffffff8},
		{"vshl.u32.u32.u32.clamp %r0, %r1, %r2;", []uint64{1, 40}, 0},
		{"vshl.u32.u32.u32.wrap %r0, %r1, %r2;", []uint64{1, 40}, 256},
		{"vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", []uint64{3, 31}, 0xffffffff},
		{"vshr.s32.s32.u32.wrap %r0, %r1.h1, %r2.b0;", []uint64{0x80000000, 0x24}, 0xfffff800},
		{"vshr.u32.u32.u32.clamp.add %r0, %r1, %r2, %r3;", []uint64{0xf0, 4, 1}, 16},
		{"vmad.s32.s32.s32 %r0, %r1.h0, %r2.h1, %r3;", []uint64{0xffff, 0x30000, 10}, 7},
		{"vmad.u32.u32.u32.po.shr15 %r0, %r1, %r2, %r3;", []uint64{0xffff, 1 << 16, 65535}, 0x20000},
		{"vmad.u32.u32.u32.sat %r0, %r1, %r2, %r3;", []uint64{0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff},
		{"vmad.s32.s32.s32.sat %r0, -%r1, %r2, %r3;", []uint64{0x7fffffff, 0x7fffffff, 0}, 0x80000000},
		{"vmad.s32.u32.s32.sat.shr7 %r0, %r1.b0, %r2.b1, -%r3;", []uint64{200, 0xff00, 56}, 0xfffffffe}, // (200*-1-56)>>7
		{"vset.s32.s32.lt %r0, %r1.b0, %r2.h1;", []uint64{0xff, 0}, 1},
		{"vset.u32.u32.ne.add %r0, %r1, %r2, %r3;", []uint64{1, 2, 41}, 42},

		{"vadd2.s32.s32.s32 %r0, %r1, %r2, %r3;", []uint64{0x7fff0001, 0x0001ffff, 0}, 0x80000000},
		{"vadd2.s32.s32.s32.sat %r0, %r1, %r2, %r3;", []uint64{0x7fff0001, 0x0001ffff, 0}, 0x7fff0000},
		// The upper half is that of a, twice, the lower one comes from c.
		{"vadd2.u32.u32.u32 %r0.h1, %r1.h10, %r2.h11, %r3;", []uint64{0x00050000, 0, 0xabcd1234}, 0x000a1234},
		{"vsub2.s32.s32.s32.add %r0, %r1, %r2, %r3;", []uint64{0x00030001, 0x00010004, 100}, 99},
		{"vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", []uint64{0x0001fffe, 0x0002ffff, 0}, 0x0002fffe},
		{"vabsdiff2.u32.s32.s32 %r0, %r1, %r2, %r3;", []uint64{0x8000ffff, 0x7fff0001, 0}, 0xffff0002},
		{"vmin2.s32.s32.s32 %r0, %r1, %r2, %r3;", []uint64{0x80000005, 0x00010004, 0}, 0x80000004},
		{"vset2.s32.s32.lt %r0, %r1, %r2, %r3;", []uint64{0xffff0005, 0x00000004, 0}, 0x00010000},
		{"vadd4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", []uint64{0x7f80ff01, 0x01ff01ff, 0}, 0x7f800000},
		// Bytes 2, 1 and 0 of a's bytes 7654 (of b) less those of b's 3210 (of a).
		{"vsub4.u32.u32.u32 %r0.b210, %r1.b7654, %r2.b3210, %r3;", []uint64{0x01010101, 0x05040302, 0xee000000}, 0xee030201},
		{"vavrg4.u32.u32.u32 %r0, %r1, %r2, %r3;", []uint64{0xff000103, 0xfe010004, 0}, 0xff010104},
		{"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", []uint64{0x01020304, 0x04030201, 5}, 13},
		{"vmax4.u32.u32.u32.add %r0, %r1, %r2, %r3;", []uint64{0x01020304, 0x04030201, 0}, 14},
		{"vset4.u32.u32.eq.add %r0, %r1, %r2, %r3;", []uint64{0x01020304, 0x01ff0304, 10}, 13},
	})
}

// TestPackedIntegers has the instructions on packed integers and the rarer
// ones on bits.
func TestPackedIntegers(t *testing.T) {
	t.Parallel()
	runCases(t, []opCase{
		{"add.u8x4 %r0, %r1, %r2;", []uint64{0xff010280, 0x01010180}, 0x00020300},
		{"add.sat.u8x4 %r0, %r1, %r2;", []uint64{0xff010280, 0x01010180}, 0xff0203ff},
		{"add.sat.s8x4 %r0, %r1, %r2;", []uint64{0x7f800180, 0x01ff0180}, 0x7f800280},
		{"sub.sat.u8x4 %r0, %r1, %r2;", []uint64{0x00050607, 0x01010101}, 0x00040506},
		{"add.sat.u16x2 %r0, %r1, %r2;", []uint64{0xffff0001, 0x00020003}, 0xffff0004},
		{"add.sat.u32 %r0, %r1, %r2;", []uint64{0xffffffff, 2}, 0xffffffff},
		{"add.s16x2 %r0, %r1, %r2;", []uint64{0xffff0001, 0x0002ffff}, 0x00010000},
		{"neg.s8x4 %r0, %r1;", []uint64{0x01ff8000}, 0xff018000},
		{"min.u8x4 %r0, %r1, %r2;", []uint64{0xff010203, 0x01ff0302}, 0x01010202},
		{"max.s8x4 %r0, %r1, %r2;", []uint64{0xff010203, 0x01ff0302}, 0x01010303},
		{"mad24.lo.u32 %r0, %r1, %r2, %r3;", []uint64{0xff000002, 0x01000003, 10}, 16},
		{"mad24.hi.s32 %r0, %r1, %r2, %r3;", []uint64{0x00800000, 0x00800000, 1}, 0x40000001},
		{"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", []uint64{0x00800000, 0x00800000, 0x7fffffff}, 0x7fffffff},
		// The examples of the ISA, and its two special offsets.
		{"fns.b32 %r0, 0xaaaaaaaa, 3, 1;", nil, 3},
		{"fns.b32 %r0, 0xaaaaaaaa, 3, -1;", nil, 3},
		{"fns.b32 %r0, 0xaaaaaaaa, 2, 1;", nil, 3},
		{"fns.b32 %r0, 0xaaaaaaaa, 2, -1;", nil, 1},
		{"fns.b32 %r0, %r1, 5, 0;", []uint64{0x20}, 5},
		{"fns.b32 %r0, %r1, 4, 0;", []uint64{0x20}, 0xffffffff},
		{"fns.b32 %r0, %r1, 0, 3;", []uint64{0x80000101}, 31},
		{"fns.b32 %r0, %r1, 0, 4;", []uint64{0x80000101}, 0xffffffff},
		{"lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 0x80, 0;", []uint64{7, 14, 28}, 1},
		{"lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, %p1;", []uint64{1, 2, 4}, 1},
		{"lop3.and.b32 _|%p0, %r1, %r2, %r3, 0x80, %p1;", []uint64{1, 2, 4}, 0},
		{"lop3.and.b32 _|%p0, %r1, %r2, %r3, 0xfe, %p1;", []uint64{1, 2, 4}, 1},
		{"max.NaN.abs.f32 %f0, %f1, %f2, %f3;", []uint64{0xc0400000, 0x3f800000, 0xc0000000}, 0x40400000},
		{"min.f32 %f0, %f1, %f2, %f3;", []uint64{0x7fc00000, 0x3f800000, 0xc0000000}, 0xc0000000},
		{"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", []uint64{0xffff, 0x3c00, 0x4000}, 0},
		{"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", []uint64{0x4000, 0x3c00, 0x4000}, 0x4400},
	})
}
