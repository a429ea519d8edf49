package arith_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestVideo has results worked out by hand from the pseudocode of the ISA.
func TestVideo(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		// -1 (byte 0) + 0x7fff (upper half).
		{Inst: "vadd.s32.s32.s32 %r0, %r1.b0, %r2.h1;", In: []uint64{0x123456ff, 0x7fff0000}, Want: 0x7ffe},
		{Inst: "vadd.u32.u32.s32 %r0, %r1.b0, %r2.b1;", In: []uint64{0xff, 0x8000}, Want: 0x7f},
		// 100 + 100 saturates to a signed byte, merged into byte 2 of c.
		{Inst: "vadd.s32.s32.s32.sat %r0.b2, %r1.b1, %r2.b3, %r3;", In: []uint64{0x6400, 0x64000000, 0x11223344}, Want: 0x117f3344},
		{Inst: "vsub.u32.u32.u32.sat %r0, %r1, %r2;", In: []uint64{3, 5}, Want: 0},
		{Inst: "vsub.s32.u32.u32 %r0.h1, %r1, %r2, %r3;", In: []uint64{3, 5, 0xaaaabbbb}, Want: 0xfffebbbb},
		{Inst: "vabsdiff.u32.s32.s32 %r0, %r1.h0, %r2.h1;", In: []uint64{0x8000, 0x7fff0000}, Want: 0xffff},
		{Inst: "vabsdiff.s32.s32.s32.add %r0, %r1, %r2, %r3;", In: []uint64{10, 0xfffffff6, 0xfffffffb}, Want: 15},
		{Inst: "vmin.s32.s32.s32 %r0, %r1.b0, %r2.b1;", In: []uint64{0x80, 0x7f00}, Want: 0xffffff80},
		{Inst: "vmax.u32.u32.u32.min %r0, %r1, %r2, %r3;", In: []uint64{7, 9, 8}, Want: 8},
		{Inst: "vmax.s32.s32.s32.max %r0, %r1, %r2, %r3;", In: []uint64{0xfffffff0, 0xffffff00, 0xfffffff8}, Want: 0xfffffff8},
		{Inst: "vshl.u32.u32.u32.clamp %r0, %r1, %r2;", In: []uint64{1, 40}, Want: 0},
		{Inst: "vshl.u32.u32.u32.wrap %r0, %r1, %r2;", In: []uint64{1, 40}, Want: 256},
		{Inst: "vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", In: []uint64{3, 31}, Want: 0xffffffff},
		{Inst: "vshr.s32.s32.u32.wrap %r0, %r1.h1, %r2.b0;", In: []uint64{0x80000000, 0x24}, Want: 0xfffff800},
		{Inst: "vshr.u32.u32.u32.clamp.add %r0, %r1, %r2, %r3;", In: []uint64{0xf0, 4, 1}, Want: 16},
		{Inst: "vmad.s32.s32.s32 %r0, %r1.h0, %r2.h1, %r3;", In: []uint64{0xffff, 0x30000, 10}, Want: 7},
		{Inst: "vmad.u32.u32.u32.po.shr15 %r0, %r1, %r2, %r3;", In: []uint64{0xffff, 1 << 16, 65535}, Want: 0x20000},
		{Inst: "vmad.u32.u32.u32.sat %r0, %r1, %r2, %r3;", In: []uint64{0xffffffff, 0xffffffff, 0xffffffff}, Want: 0xffffffff},
		{Inst: "vmad.s32.s32.s32.sat %r0, -%r1, %r2, %r3;", In: []uint64{0x7fffffff, 0x7fffffff, 0}, Want: 0x80000000},
		{Inst: "vmad.s32.u32.s32.sat.shr7 %r0, %r1.b0, %r2.b1, -%r3;", In: []uint64{200, 0xff00, 56}, Want: 0xfffffffe}, // (200*-1-56)>>7
		{Inst: "vset.s32.s32.lt %r0, %r1.b0, %r2.h1;", In: []uint64{0xff, 0}, Want: 1},
		{Inst: "vset.u32.u32.ne.add %r0, %r1, %r2, %r3;", In: []uint64{1, 2, 41}, Want: 42},

		{Inst: "vadd2.s32.s32.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x7fff0001, 0x0001ffff, 0}, Want: 0x80000000},
		{Inst: "vadd2.s32.s32.s32.sat %r0, %r1, %r2, %r3;", In: []uint64{0x7fff0001, 0x0001ffff, 0}, Want: 0x7fff0000},
		// The upper half is that of a, twice, the lower one comes from c.
		{Inst: "vadd2.u32.u32.u32 %r0.h1, %r1.h10, %r2.h11, %r3;", In: []uint64{0x00050000, 0, 0xabcd1234}, Want: 0x000a1234},
		{Inst: "vsub2.s32.s32.s32.add %r0, %r1, %r2, %r3;", In: []uint64{0x00030001, 0x00010004, 100}, Want: 99},
		{Inst: "vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x0001fffe, 0x0002ffff, 0}, Want: 0x0002fffe},
		{Inst: "vabsdiff2.u32.s32.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x8000ffff, 0x7fff0001, 0}, Want: 0xffff0002},
		{Inst: "vmin2.s32.s32.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x80000005, 0x00010004, 0}, Want: 0x80000004},
		{Inst: "vset2.s32.s32.lt %r0, %r1, %r2, %r3;", In: []uint64{0xffff0005, 0x00000004, 0}, Want: 0x00010000},
		{Inst: "vadd4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", In: []uint64{0x7f80ff01, 0x01ff01ff, 0}, Want: 0x7f800000},
		// Bytes 2, 1 and 0 of a's bytes 7654 (of b) less those of b's 3210 (of a).
		{Inst: "vsub4.u32.u32.u32 %r0.b210, %r1.b7654, %r2.b3210, %r3;", In: []uint64{0x01010101, 0x05040302, 0xee000000}, Want: 0xee030201},
		{Inst: "vavrg4.u32.u32.u32 %r0, %r1, %r2, %r3;", In: []uint64{0xff000103, 0xfe010004, 0}, Want: 0xff010104},
		{Inst: "vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", In: []uint64{0x01020304, 0x04030201, 5}, Want: 13},
		{Inst: "vmax4.u32.u32.u32.add %r0, %r1, %r2, %r3;", In: []uint64{0x01020304, 0x04030201, 0}, Want: 14},
		{Inst: "vset4.u32.u32.eq.add %r0, %r1, %r2, %r3;", In: []uint64{0x01020304, 0x01ff0304, 10}, Want: 13},
	})
}

// TestPackedIntegers has the instructions on packed integers and the rarer
// ones on bits.
func TestPackedIntegers(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.u8x4 %r0, %r1, %r2;", In: []uint64{0xff010280, 0x01010180}, Want: 0x00020300},
		{Inst: "add.sat.u8x4 %r0, %r1, %r2;", In: []uint64{0xff010280, 0x01010180}, Want: 0xff0203ff},
		{Inst: "add.sat.s8x4 %r0, %r1, %r2;", In: []uint64{0x7f800180, 0x01ff0180}, Want: 0x7f800280},
		{Inst: "sub.sat.u8x4 %r0, %r1, %r2;", In: []uint64{0x00050607, 0x01010101}, Want: 0x00040506},
		{Inst: "add.sat.u16x2 %r0, %r1, %r2;", In: []uint64{0xffff0001, 0x00020003}, Want: 0xffff0004},
		{Inst: "add.sat.u32 %r0, %r1, %r2;", In: []uint64{0xffffffff, 2}, Want: 0xffffffff},
		{Inst: "add.s16x2 %r0, %r1, %r2;", In: []uint64{0xffff0001, 0x0002ffff}, Want: 0x00010000},
		{Inst: "neg.s8x4 %r0, %r1;", In: []uint64{0x01ff8000}, Want: 0xff018000},
		{Inst: "min.u8x4 %r0, %r1, %r2;", In: []uint64{0xff010203, 0x01ff0302}, Want: 0x01010202},
		{Inst: "max.s8x4 %r0, %r1, %r2;", In: []uint64{0xff010203, 0x01ff0302}, Want: 0x01010303},
		{Inst: "mad24.lo.u32 %r0, %r1, %r2, %r3;", In: []uint64{0xff000002, 0x01000003, 10}, Want: 16},
		{Inst: "mad24.hi.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x00800000, 0x00800000, 1}, Want: 0x40000001},
		{Inst: "mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", In: []uint64{0x00800000, 0x00800000, 0x7fffffff}, Want: 0x7fffffff},
		// The examples of the ISA, and its two special offsets.
		{Inst: "fns.b32 %r0, 0xaaaaaaaa, 3, 1;", In: nil, Want: 3},
		{Inst: "fns.b32 %r0, 0xaaaaaaaa, 3, -1;", In: nil, Want: 3},
		{Inst: "fns.b32 %r0, 0xaaaaaaaa, 2, 1;", In: nil, Want: 3},
		{Inst: "fns.b32 %r0, 0xaaaaaaaa, 2, -1;", In: nil, Want: 1},
		{Inst: "fns.b32 %r0, %r1, 5, 0;", In: []uint64{0x20}, Want: 5},
		{Inst: "fns.b32 %r0, %r1, 4, 0;", In: []uint64{0x20}, Want: 0xffffffff},
		{Inst: "fns.b32 %r0, %r1, 0, 3;", In: []uint64{0x80000101}, Want: 31},
		{Inst: "fns.b32 %r0, %r1, 0, 4;", In: []uint64{0x80000101}, Want: 0xffffffff},
		{Inst: "lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 0x80, 0;", In: []uint64{7, 14, 28}, Want: 1},
		{Inst: "lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, %p1;", In: []uint64{1, 2, 4}, Want: 1},
		{Inst: "lop3.and.b32 _|%p0, %r1, %r2, %r3, 0x80, %p1;", In: []uint64{1, 2, 4}, Want: 0},
		{Inst: "lop3.and.b32 _|%p0, %r1, %r2, %r3, 0xfe, %p1;", In: []uint64{1, 2, 4}, Want: 1},
		{Inst: "max.NaN.abs.f32 %f0, %f1, %f2, %f3;", In: []uint64{0xc0400000, 0x3f800000, 0xc0000000}, Want: 0x40400000},
		{Inst: "min.f32 %f0, %f1, %f2, %f3;", In: []uint64{0x7fc00000, 0x3f800000, 0xc0000000}, Want: 0xc0000000},
		{Inst: "fma.rn.oob.f16 %h0, %h1, %h2, %h3;", In: []uint64{0xffff, 0x3c00, 0x4000}, Want: 0},
		{Inst: "fma.rn.oob.f16 %h0, %h1, %h2, %h3;", In: []uint64{0x4000, 0x3c00, 0x4000}, Want: 0x4400},
	})
}
