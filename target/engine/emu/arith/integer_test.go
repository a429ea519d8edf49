package arith_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

type v = []uint64

func TestInteger(t *testing.T) {
	t.Parallel()
	const m1, m2 = 0xffffffff, 0xfffffffe
	emutest.RunCases(t, []emutest.Case{
		{Inst: "add.s32 %r0, %r1, %r2;", In: v{m1, 2}, Want: 1},
		{Inst: "add.u16 %h0, %h1, %h2;", In: v{0xffff, 2}, Want: 1},
		{Inst: "add.u64 %d0, %d1, -1;", In: v{5}, Want: 4},
		{Inst: "add.sat.s32 %r0, %r1, %r2;", In: v{0x7fffffff, 1}, Want: 0x7fffffff},
		{Inst: "sub.sat.s32 %r0, %r1, %r2;", In: v{0x80000000, 1}, Want: 0x80000000},
		{Inst: "sub.s32 %r0, %r1, %r2;", In: v{2, 3}, Want: m1},
		{Inst: "add.u16x2 %r0, %r1, %r2;", In: v{0xffff0001, 0x00020003}, Want: 0x00010004},
		{Inst: "mul.lo.s32 %r0, %r1, %r2;", In: v{m1, 7}, Want: 0xfffffff9},
		{Inst: "mul.hi.s32 %r0, %r1, %r2;", In: v{m1, 7}, Want: m1},
		{Inst: "mul.hi.u32 %r0, %r1, %r2;", In: v{m1, m1}, Want: m2},
		{Inst: "mul.wide.s32 %d0, %r1, %r2;", In: v{m1, 7}, Want: 0xfffffffffffffff9},
		{Inst: "mul.wide.u32 %d0, %r1, %r2;", In: v{m1, 7}, Want: 0x6fffffff9},
		{Inst: "mul.wide.s16 %r0, %h1, %h2;", In: v{0xffff, 3}, Want: 0xfffffffd},
		{Inst: "mul.wide.u16 %r0, %h1, %h2;", In: v{0xffff, 0xffff}, Want: 0xfffe0001},
		{Inst: "mul.hi.u64 %d0, %d1, %d2;", In: v{1 << 63, 6}, Want: 3},
		{Inst: "mul.hi.s64 %d0, %d1, %d2;", In: v{^uint64(0), 6}, Want: ^uint64(0)},
		{Inst: "mad.lo.s32 %r0, %r1, %r2, %r3;", In: v{3, 4, 5}, Want: 17},
		{Inst: "mad.hi.u32 %r0, %r1, %r2, %r3;", In: v{1 << 31, 4, 5}, Want: 7},
		{Inst: "mad.hi.sat.s32 %r0, %r1, %r2, %r3;", In: v{1 << 30, 8, 0x7fffffff}, Want: 0x7fffffff},
		{Inst: "mad.wide.u32 %d0, %r1, %r2, %d3;", In: v{1 << 31, 4, 5}, Want: 1<<33 + 5},
		{Inst: "mad.wide.s16 %r0, %h1, %h2, %r3;", In: v{0xffff, 4, 5}, Want: 1},
		{Inst: "mul24.lo.s32 %r0, %r1, %r2;", In: v{0xffffff, 3}, Want: 0xfffffffd},
		{Inst: "mul24.hi.u32 %r0, %r1, %r2;", In: v{0xffffff, 0x10000}, Want: 0xffffff},
		{Inst: "sad.s32 %r0, %r1, %r2, %r3;", In: v{m1, 3, 10}, Want: 14},
		{Inst: "sad.u32 %r0, %r1, %r2, %r3;", In: v{3, 5, 10}, Want: 12},
		{Inst: "div.s32 %r0, %r1, %r2;", In: v{0xfffffff9, 2}, Want: 0xfffffffd},
		{Inst: "div.s32 %r0, %r1, %r2;", In: v{0x80000000, m1}, Want: 0x80000000},
		{Inst: "rem.s32 %r0, %r1, %r2;", In: v{0xfffffff9, 2}, Want: m1},
		{Inst: "div.u32 %r0, %r1, %r2;", In: v{0xfffffff9, 2}, Want: 0x7ffffffc},
		{Inst: "rem.u64 %d0, %d1, %d2;", In: v{1<<63 + 5, 1 << 62}, Want: 5},
		{Inst: "div.s16 %h0, %h1, %h2;", In: v{0xfff0, 3}, Want: 0xfffb},
		{Inst: "abs.s32 %r0, %r1;", In: v{0xfffffff9}, Want: 7},
		{Inst: "abs.s64 %d0, %d1;", In: v{^uint64(8)}, Want: 9},
		{Inst: "neg.s32 %r0, %r1;", In: v{7}, Want: 0xfffffff9},
		{Inst: "neg.s16 %h0, %h1;", In: v{1}, Want: 0xffff},
		{Inst: "min.s32 %r0, %r1, %r2;", In: v{m1, 3}, Want: m1},
		{Inst: "min.u32 %r0, %r1, %r2;", In: v{m1, 3}, Want: 3},
		{Inst: "max.s64 %d0, %d1, %d2;", In: v{^uint64(0), 3}, Want: 3},
		{Inst: "max.u16 %h0, %h1, %h2;", In: v{0xffff, 3}, Want: 0xffff},
		{Inst: "max.s16x2 %r0, %r1, %r2;", In: v{0xffff0001, 0x0003fff0}, Want: 0x00030001},
		{Inst: "max.relu.s32 %r0, %r1, %r2;", In: v{0xfffffff0, m1}, Want: 0},
		{Inst: "popc.b32 %r0, %r1;", In: v{0xf0f0}, Want: 8},
		{Inst: "popc.b64 %r0, %d1;", In: v{^uint64(0)}, Want: 64},
		{Inst: "clz.b32 %r0, %r1;", In: v{1}, Want: 31},
		{Inst: "clz.b32 %r0, %r1;", In: v{0}, Want: 32},
		{Inst: "clz.b64 %r0, %d1;", In: v{1}, Want: 63},
		{Inst: "bfind.u32 %r0, %r1;", In: v{0x10}, Want: 4},
		{Inst: "bfind.u32 %r0, %r1;", In: v{0}, Want: m1},
		{Inst: "bfind.s32 %r0, %r1;", In: v{0xffffffef}, Want: 4},
		{Inst: "bfind.shiftamt.u32 %r0, %r1;", In: v{0x10}, Want: 27},
		{Inst: "bfind.u64 %r0, %d1;", In: v{1 << 40}, Want: 40},
		{Inst: "brev.b32 %r0, %r1;", In: v{1}, Want: 1 << 31},
		{Inst: "brev.b64 %d0, %d1;", In: v{2}, Want: 1 << 62},
		{Inst: "bfe.u32 %r0, %r1, 4, 8;", In: v{0x12345678}, Want: 0x67},
		{Inst: "bfe.s32 %r0, %r1, 4, 8;", In: v{0x12345f78}, Want: 0xfffffff7},
		{Inst: "bfe.s32 %r0, %r1, 28, 8;", In: v{0x92345678}, Want: 0xfffffff9},
		{Inst: "bfe.s32 %r0, %r1, 40, 8;", In: v{0x92345678}, Want: m1},
		{Inst: "bfe.u32 %r0, %r1, 40, 8;", In: v{0x92345678}, Want: 0},
		{Inst: "bfe.s32 %r0, %r1, 4, 0;", In: v{m1}, Want: 0},
		{Inst: "bfe.u64 %d0, %d1, 60, 8;", In: v{0xa << 60}, Want: 0xa},
		{Inst: "bfi.b32 %r0, %r1, %r2, 8, 4;", In: v{0xfd, 0}, Want: 0xd00},
		{Inst: "bfi.b32 %r0, %r1, %r2, 28, 8;", In: v{0xff, 1}, Want: 0xf0000001},
		{Inst: "bfi.b64 %d0, %d1, %d2, 32, 16;", In: v{0x1abcd, 7}, Want: 0xabcd00000007},
		{Inst: "bmsk.clamp.b32 %r0, %r1, %r2;", In: v{4, 8}, Want: 0xff0},
		{Inst: "bmsk.wrap.b32 %r0, %r1, %r2;", In: v{36, 40}, Want: 0xff0},
		{Inst: "szext.wrap.s32 %r0, %r1, %r2;", In: v{0x8f, 8}, Want: 0xffffff8f},
		{Inst: "szext.clamp.u32 %r0, %r1, %r2;", In: v{0x1f8f, 8}, Want: 0x8f},
		{Inst: "dp4a.s32.s32 %r0, %r1, %r2, %r3;", In: v{0xff020304, 0x01010101, 10}, Want: 18},
		{Inst: "dp4a.u32.u32 %r0, %r1, %r2, %r3;", In: v{0xff020304, 0x01010101, 10}, Want: 274},
		{Inst: "dp2a.lo.s32.u32 %r0, %r1, %r2, %r3;", In: v{0xffff0002, 0x0305, 1}, Want: 8},
		{Inst: "dp2a.hi.s32.u32 %r0, %r1, %r2, %r3;", In: v{0xffff0002, 0x03050000, 1}, Want: 8},
	})
}

func TestCarry(t *testing.T) {
	t.Parallel()
	emutest.RunCases(t, []emutest.Case{
		{Inst: "{ .reg .b32 %x; add.cc.u32 %x, %r1, %r2; } addc.u32 %r0, 0, 0;", In: v{0xffffffff, 1}, Want: 1},
		{Inst: "{ .reg .b32 %x; add.cc.u32 %x, %r1, %r2; } addc.u32 %r0, 0, 5;", In: v{0xfffffffe, 1}, Want: 5},
		{Inst: "{ .reg .b32 %x; sub.cc.u32 %x, %r1, %r2; } subc.u32 %r0, 10, 3;", In: v{0, 1}, Want: 6},
		{Inst: "{ .reg .b32 %x; mad.lo.cc.u32 %x, %r1, %r2, %r3; } madc.hi.u32 %r0, %r1, %r2, 0;", In: v{0x80000000, 3, 0x80000000}, Want: 2},
		{Inst: "{ .reg .b64 %x; add.cc.u64 %x, %d1, %d2; } addc.u64 %d0, 7, 0;", In: v{1 << 63, 1 << 63}, Want: 8},
	})
}

func TestLogic(t *testing.T) {
	t.Parallel()
	const m1 = 0xffffffff
	emutest.RunCases(t, []emutest.Case{
		{Inst: "and.b32 %r0, %r1, %r2;", In: v{0xff00ff, 0x0ffff0}, Want: 0x0f00f0},
		{Inst: "or.b64 %d0, %d1, %d2;", In: v{1 << 63, 1}, Want: 1<<63 + 1},
		{Inst: "xor.b16 %h0, %h1, %h2;", In: v{0xffff, 0xf0}, Want: 0xff0f},
		{Inst: "not.b32 %r0, %r1;", In: v{0xff}, Want: 0xffffff00},
		{Inst: "not.b16 %h0, %h1;", In: v{0xff}, Want: 0xff00},
		{Inst: "cnot.b32 %r0, %r1;", In: v{0}, Want: 1},
		{Inst: "cnot.b32 %r0, %r1;", In: v{9}, Want: 0},
		{Inst: "and.pred %p0, %p1, %p2;", In: v{1, 0}, Want: 0},
		{Inst: "or.pred %p0, %p1, %p2;", In: v{1, 0}, Want: 1},
		{Inst: "xor.pred %p0, %p1, %p2;", In: v{1, 1}, Want: 0},
		{Inst: "not.pred %p0, %p1;", In: v{0}, Want: 1},
		{Inst: "mov.pred %p0, 1;", In: nil, Want: 1},
		{Inst: "shl.b32 %r0, %r1, %r2;", In: v{1, 31}, Want: 1 << 31},
		{Inst: "shl.b32 %r0, %r1, %r2;", In: v{1, 32}, Want: 0},
		{Inst: "shl.b16 %h0, %h1, %r2;", In: v{0x8001, 1}, Want: 2},
		{Inst: "shl.b64 %d0, %d1, %r2;", In: v{1, 63}, Want: 1 << 63},
		{Inst: "shr.u32 %r0, %r1, %r2;", In: v{m1, 40}, Want: 0},
		{Inst: "shr.s32 %r0, %r1, %r2;", In: v{0x80000000, 40}, Want: m1},
		{Inst: "shr.s32 %r0, %r1, 4;", In: v{0x80000000}, Want: 0xf8000000},
		{Inst: "shr.s64 %d0, %d1, %r2;", In: v{1 << 63, 70}, Want: ^uint64(0)},
		{Inst: "shr.b16 %h0, %h1, %r2;", In: v{0x8000, 15}, Want: 1},
		{Inst: "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", In: v{0xabcdef01, 0x12345678, 36}, Want: 0x2345678a},
		{Inst: "shf.r.wrap.b32 %r0, %r1, %r2, %r3;", In: v{0xabcdef01, 0x12345678, 4}, Want: 0x8abcdef0},
		{Inst: "shf.l.clamp.b32 %r0, %r1, %r2, %r3;", In: v{0xabcdef01, 0x12345678, 40}, Want: 0xabcdef01},
		{Inst: "shf.r.clamp.b32 %r0, %r1, %r2, %r3;", In: v{0xabcdef01, 0x12345678, 40}, Want: 0x12345678},
		{Inst: "prmt.b32 %r0, %r1, %r2, 0x7531;", In: v{0x33221100, 0x77665544}, Want: 0x77553311},
		{Inst: "prmt.b32 %r0, %r1, %r2, 0x80c4;", In: v{0x33221180, 0x776655f4}, Want: 0xff80fff4},
		{Inst: "prmt.b32.f4e %r0, %r1, %r2, 1;", In: v{0x33221100, 0x77665544}, Want: 0x44332211},
		{Inst: "prmt.b32.b4e %r0, %r1, %r2, 1;", In: v{0x33221100, 0x77665544}, Want: 0x66770011},
		{Inst: "prmt.b32.rc8 %r0, %r1, %r2, 2;", In: v{0x33221100, 0x77665544}, Want: 0x22222222},
		{Inst: "prmt.b32.ecl %r0, %r1, %r2, 2;", In: v{0x33221100, 0}, Want: 0x33222222},
		{Inst: "prmt.b32.ecr %r0, %r1, %r2, 2;", In: v{0x33221100, 0}, Want: 0x22221100},
		{Inst: "prmt.b32.rc16 %r0, %r1, %r2, 1;", In: v{0x33221100, 0}, Want: 0x33223322},
		{Inst: "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", In: v{0xff, 0x0f, 0x33}, Want: 0xff ^ 0x0f ^ 0x33},
		{Inst: "lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", In: v{0b1100, 0b1010, 0b0110}, Want: 0b1110},
		{Inst: "lop3.b32 %r0, %r1, %r2, %r3, 1;", In: v{0xff, 0xff00, 0xff0000}, Want: 0xff000000},
	})
}
