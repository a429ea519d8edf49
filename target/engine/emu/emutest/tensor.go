package emutest

import (
	"fmt"
	"strings"
)

// TensorBody allocates 64 columns, runs a body of 128 threads with the
// address of tensor memory in %r50 and that of the warp's quarter in %r51,
// and frees them. The shared buffer s is at %r49, the mbarrier at %r48.
func TensorBody(body string) string {
	return `.shared .align 1024 .b8 s[16384]; .shared .align 8 .b64 bar; .shared .align 4 .b32 where;
	mov.u32 %r49, s; mov.u32 %r48, bar; setp.lt.u32 %p14, %r31, 32; setp.eq.u32 %p15, %r31, 0;
	@%p15 mbarrier.init.shared::cta.b64 [%r48], 1;
	@!%p14 bra ALLOCATED;
	mov.u32 %r50, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r50], 64;
	tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
ALLOCATED: bar.sync 0;
	ld.shared.b32 %r50, [where]; and.b32 %r51, %r31, 96; shl.b32 %r51, %r51, 16; add.u32 %r51, %r51, %r50;
` + body + `
	bar.sync 0;
	@!%p14 bra FREED;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r50, 64;
FREED:
`
}

// RegisterList is `{%r0, ..., %r<n-1>}`.
func RegisterList(first, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", %%r%d", first+i)
	}
	return "{" + b.String()[2:] + "}"
}
