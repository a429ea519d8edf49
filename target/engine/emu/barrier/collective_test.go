package barrier_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func TestCollectives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"shfl bfly", `shfl.sync.bfly.b32 %r0, %r31, 5, 0x1f, 0xffffffff;`, func(i uint32) uint32 { return i ^ 5 }},
		{"shfl up", `shfl.sync.up.b32 %r0|%p0, %r31, 3, 0, 0xffffffff; @!%p0 add.u32 %r0, %r0, 100;`,
			func(i uint32) uint32 {
				if i < 3 {
					return i + 100
				}
				return i - 3
			}},
		{"shfl down in segments of 8", `shfl.sync.down.b32 %r0|%p0, %r31, 2, 0x181f, 0xffffffff; @!%p0 add.u32 %r0, %r0, 100;`,
			func(i uint32) uint32 {
				if i%8 >= 6 {
					return i + 100
				}
				return i + 2
			}},
		{"shfl idx in segments of 16", `shfl.sync.idx.b32 %r0, %r31, 5, 0x101f, -1;`, func(i uint32) uint32 { return i&16 | 5 }},
		{"shfl of divergent lanes", `setp.lt.u32 %p0, %r31, 10; @%p0 bra A; add.u32 %r31, %r31, 0; A: shfl.sync.bfly.b32 %r0, %r31, 1, 31, -1;`, func(i uint32) uint32 { return i ^ 1 }},
		{"guarded shfl", `mov.u32 %r0, 0; setp.lt.u32 %p0, %r31, 16; @%p0 shfl.sync.bfly.b32 %r0, %r31, 8, 31, 0xffff;`,
			func(i uint32) uint32 {
				if i < 16 {
					return i ^ 8
				}
				return 0
			}},
		{"ballot", `setp.lt.u32 %p0, %r31, 5; vote.sync.ballot.b32 %r0, %p0, -1;`, func(uint32) uint32 { return 31 }},
		{"votes", `setp.lt.u32 %p0, %r31, 5; vote.sync.any.pred %p1, %p0, -1; vote.sync.all.pred %p2, %p0, -1; vote.sync.uni.pred %p3, %p0, -1; vote.sync.all.pred %p4, !%p5, -1;
			selp.u32 %r0, 1, 0, %p1; @%p2 add.u32 %r0, %r0, 10; @%p3 add.u32 %r0, %r0, 100;`, func(uint32) uint32 { return 1 }},
		{"match any", `and.b32 %r1, %r31, 3; match.any.sync.b32 %r0, %r1, -1;`, func(i uint32) uint32 { return 0x11111111 << (i % 4) }},
		{"match all", `and.b32 %r1, %r31, 0; match.all.sync.b32 %r0|%p0, %r1, -1; @!%p0 mov.u32 %r0, 0;`, func(uint32) uint32 { return 0xffffffff }},
		{"match all differs", `match.all.sync.b32 %r0|%p0, %r31, -1; @%p0 mov.u32 %r0, 5;`, func(uint32) uint32 { return 0 }},
		{"redux add", `redux.sync.add.u32 %r0, %r31, -1;`, func(uint32) uint32 { return 496 }},
		{"redux min", `neg.s32 %r1, %r31; redux.sync.min.s32 %r0, %r1, -1;`, func(uint32) uint32 { return 0xffffffe1 }},
		{"redux or", `redux.sync.or.b32 %r0, %r31, -1;`, func(uint32) uint32 { return 31 }},
		{"elect", `elect.sync %r1|%p0, -1; selp.u32 %r0, 1, 0, %p0; add.u32 %r0, %r0, %r1;`, func(i uint32) uint32 { return map[bool]uint32{true: 1, false: 0}[i == 0] }},
		{"halves", `setp.lt.u32 %p0, %r31, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p0; redux.sync.add.u32 %r0, 1, %r1; vote.sync.ballot.b32 %r2, %p0, %r1; add.u32 %r0, %r0, %r2;`,
			func(i uint32) uint32 { return 16 + map[bool]uint32{true: 0xffff, false: 0}[i < 16] }},
		{"lane masks", `mov.u32 %r1, %lanemask_lt; mov.u32 %r2, %lanemask_ge; xor.b32 %r1, %r1, %r2; mov.u32 %r0, %laneid; setp.ne.u32 %p0, %r1, -1; @%p0 add.u32 %r0, %r0, 77;`, func(i uint32) uint32 { return i }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := c.body
			if c.name == "votes" {
				body = "setp.ne.u32 %p5, %r31, %r31;\n" + body
			}
			for i, got := range emutest.U32s(emutest.Launch(t, emutest.Kernel(body+emutest.Store), 32, 128, nil)) {
				if want := c.want(uint32(i)); got != want {
					t.Errorf("thread %d: got %#x, want %#x", i, got, want)
				}
			}
		})
	}
}
