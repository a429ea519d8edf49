package tests

import (
	"fmt"
	"strings"
)

// An asyncLoop is a kernel at nv_tileas whose loop multiplies beside its threads. Its parameters are an output of 64x64 f32, two inputs of f16, and the bounds of the loop.
type asyncLoop struct {
	name string
	body string // ends the loop, which carries what the kernel stores: %sum#0
	// carried are the loop's values, of types.
	carried, types string
	before         string // of the loop
	// waits are those for products in the loop of turns when copies run two turns ahead, in their order, with what they leave under way.
	waits string
	apart bool // copies may start apart
	again bool // another loop runs it three times, and adds up what it leaves
	// guarded puts the loop into a branch that one of these runs does not take.
	guarded bool
	// behind stands behind the loop in that one.
	behind string
}

// asyncNames are what the texts abbreviate.
var asyncNames = strings.NewReplacer(
	"BUFA", "!nv_tileas.buffer<64x32xf16, #a>", "BUFB", "!nv_tileas.buffer<32x64xf16, #b>", "BUFS", "!nv_tileas.buffer<64x64xf16, #s>",
	"SUM", "tensor<64x64xf32, #sum>", "HALF", "tensor<64x64xf16, #sum>", "FRAGA", "tensor<64x32xf16, #fragA>",
	"PLAINA", "!nv_tileas.buffer<64x32xf16, #plainA>", "PLAINB", "!nv_tileas.buffer<32x64xf16, #plainB>", "BAR", "!nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>",
	"MAPA", "!nv_tileas.tma_map<64x32xf16, order = [1, 0]>", "MAPB", "!nv_tileas.tma_map<32x64xf16, order = [1, 0]>",
	"GROUP", "nv_tileas.commit_group : !nv_tileas.group",
	"WGMMA", "{mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>}", "FINISHED", "{pending = 0 : i32}",
	"ROWS", `sizes [%rows, %wide] strides [%wide, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>}`,
	"COLUMNS", `sizes [%wide, %rows] strides [%rows, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>}`,
	"PLAIN", `sizes [%rows, %rows] strides [%rows, %c1] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>}`,
)

const asyncLayouts = `#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#fragA = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#plainA = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#plainB = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#s = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [32, 0], [1, 8], [2, 16], [4, 32]]}">
`

// text is the kernel.
func (k asyncLoop) text() string {
	text := `nv_tileas.func @k(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as SUM
` + k.before + k.outer() + `  ` + k.results("%sum") + ` = scf.for %i = %lo to %hi step %by iter_args(` + k.carried + `) -> (` + k.types + `) : i32 {
    %wide_i = arith.extsi %i : i32 to i64
    %x = arith.muli %wide_i, %c32 : i64
` + k.body + `  }
` + k.otherwise() + k.sums() + `  %done = nv_tileas.tiled_store %all, %out[%c0, %c0] PLAIN : SUM, !nv_tileas.ptr<f32>
  nv_tileas.return
}
`
	return asyncLayouts + asyncNames.Replace(text)
}

// results names what the loop leaves.
func (k asyncLoop) results(name string) string {
	if k.guarded {
		name = "%run"
	}
	return name + ":" + string(rune('0'+strings.Count(k.carried, "=")))
}

// otherwise ends the branch around the loop.
func (k asyncLoop) otherwise() string {
	if !k.guarded {
		return ""
	}
	var left, none []string
	for i, c := range strings.Split(k.carried, ", ") {
		left, none = append(left, fmt.Sprint("%run#", i)), append(none, c[strings.Index(c, "= ")+2:])
	}
	return "  scf.yield " + strings.Join(left, ", ") + " : " + k.types + "\n  } else {\n  scf.yield " + strings.Join(none, ", ") + " : " + k.types + "\n  }\n"
}

// outer begins the loop around, sums ends it; without one it is the first value of the loop inside that the kernel leaves.
func (k asyncLoop) outer() string {
	if !k.again {
		return ""
	}
	guard := ""
	if k.guarded {
		guard = "  %often = arith.cmpi ne, %o, %one : i32\n  %sum:" + string(rune('0'+strings.Count(k.carried, "="))) + " = scf.if %often -> (" + k.types + ") {\n"
	}
	return `  %three = arith.constant 3 : i32
  %all, %phases, %others = scf.for %o = %z to %three step %one iter_args(%total = %none, %phase = %z, %phase2 = %z) -> (SUM, i32, i32) : i32 {
` + guard
}

func (k asyncLoop) sums() string {
	if !k.again {
		return "  %all = arith.addf %sum#0, %none : SUM\n"
	}
	phase, other := "%phase", "%phase2"
	if strings.Contains(k.carried, other) {
		other = "%sum#2"
	}
	if strings.Contains(k.carried, phase) {
		phase = "%sum#1"
	}
	return "  %more = arith.addf %sum#0, %total : SUM\n" + k.behind + "  scf.continue %more, " + phase + ", " + other + " : SUM, i32, i32\n  }\n"
}

const (
	// storedFar takes time, and stores nothing, since it is outside of the object.
	storedFar = `  %wide_o = arith.extsi %o : i32 to i64
  %at_o = arith.muli %wide_o, %rows : i64
  %far = arith.addi %at_o, %rows : i64
  %here = nv_tileas.tiled_store %more, %out[%far, %c0] PLAIN : SUM, !nv_tileas.ptr<f32>
`
	copyA = `    %a = nv_tileas.alloc_shared : BUFA
    %ta = nv_tileas.copy_async %a, %p[%c0, %x] ROWS : BUFA, !nv_tileas.ptr<f16>
    %ga = GROUP
`
	copyB = `    %b = nv_tileas.alloc_shared : BUFB
    %tb = nv_tileas.copy_async %b, %q[%x, %c0] COLUMNS : BUFB, !nv_tileas.ptr<f16>
    %gb = GROUP
`
	bothCame = `    nv_tileas.wait_group 0 for %ga, %gb : !nv_tileas.group, !nv_tileas.group
    nv_tileas.fence_async
`
)

// What stands in front of loops that copy tensors.
const (
	tensorA = `  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> MAPA
  %a = nv_tileas.alloc_shared : PLAINA
`
	tensorB = `  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> MAPB
  %b = nv_tileas.alloc_shared : PLAINB
`
	oneBar = `  %bar = nv_tileas.alloc_shared : BAR
  nv_tileas.mbarrier_init %bar, 1 : BAR
`
)

var asyncLoops = []asyncLoop{
	{
		name: "a chain", carried: "%acc = %none", types: "SUM", waits: "1",
		body: copyA + copyB + bothCame + `    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    scf.continue %e : SUM
`,
	},
	{
		name: "a chain of two products", carried: "%acc = %none", types: "SUM", waits: "2",
		body: copyA + copyB + bothCame + `    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %f = nv_tileas.dot_async %a, %b, %e WGMMA : BUFA, BUFB -> SUM
    %g = nv_tileas.dot_wait %f FINISHED : SUM
    scf.continue %g : SUM
`,
	},
	{
		name: "two chains", carried: "%acc = %none, %twice = %none", types: "SUM, SUM", waits: "2",
		body: copyA + copyB + bothCame + `    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : BUFA, BUFB -> SUM
    %f = nv_tileas.dot_async %a, %b, %twice WGMMA : BUFA, BUFB -> SUM
    %e:2 = nv_tileas.dot_wait %d, %f FINISHED : SUM, SUM
    scf.continue %e#0, %e#1 : SUM, SUM
`,
	},
	{
		name: "a chain and what threads load of the same buffer", carried: "%acc = %none", types: "SUM", waits: "0",
		body: copyA + copyB + bothCame + `    %r = nv_tileas.local_load %a : BUFA -> FRAGA
    %s = arith.addf %r, %r : FRAGA
    %d = nv_tileas.dot_async %s, %b, %acc WGMMA : FRAGA, BUFB -> SUM
    %f = nv_tileas.dot_async %a, %b, %d WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %f FINISHED : SUM
    scf.continue %e : SUM
`,
	},
	{
		name: "a sum that its iteration takes", carried: "%acc = %none", types: "SUM", waits: "0",
		body: copyA + copyB + bothCame + `    %d = nv_tileas.dot_async %a, %b, %none WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %n = arith.addf %e, %acc : SUM
    scf.continue %n : SUM
`,
	},
	{
		name: "attention", carried: "%acc = %none, %most = %none", types: "SUM, SUM", waits: "0 0", apart: true,
		before: `  %z64 = arith.constant dense<1.0> : tensor<64x64xf16> as HALF
  %keys = nv_tileas.alloc_shared : BUFA
  %tk = nv_tileas.copy_async %keys, %p[%c0, %c0] ROWS : BUFA, !nv_tileas.ptr<f16>
  %gk = GROUP
  nv_tileas.wait_group 0 for %gk : !nv_tileas.group
  nv_tileas.fence_async
  %half = arith.constant dense<0.5> : tensor<64x64xf32> as SUM
`,
		body: copyB + `    nv_tileas.wait_group 0 for %gb : !nv_tileas.group
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %keys, %b, %none WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %m = arith.maxnumf %e, %most : SUM
    %y = arith.mulf %e, %half : SUM
    %w = arith.ftof %y : SUM to HALF
    %v = nv_tileas.alloc_shared : BUFS
    %tv = nv_tileas.copy_async %v, %q[%x, %c0] COLUMNS : BUFS, !nv_tileas.ptr<f16>
    %gv = GROUP
    %scaled = arith.mulf %acc, %half : SUM
    nv_tileas.wait_group 0 for %gv : !nv_tileas.group
    nv_tileas.fence_async
    %f = nv_tileas.dot_async %w, %v, %scaled WGMMA : HALF, BUFS -> SUM
    %g = nv_tileas.dot_wait %f FINISHED : SUM
    scf.continue %g, %m : SUM, SUM
`,
	},
	{ // the iteration's own store, fence, product and wait keep their order
		name: "an operand that threads store", carried: "%acc = %none", types: "SUM", waits: "0",
		body: copyB + `    %l, %tl = nv_tileas.tiled_load %p[%c0, %x] ROWS : !nv_tileas.ptr<f16> -> FRAGA
    %s = arith.addf %l, %l : FRAGA
    %a = nv_tileas.alloc_shared : BUFA
    nv_tileas.local_store %s, %a : FRAGA, BUFA
    nv_tileas.wait_group 0 for %gb : !nv_tileas.group
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    scf.continue %e : SUM
`,
	},
	{
		name: "a chain of what tensor copies bring", carried: "%acc = %none, %parity = %z", types: "SUM, i32", waits: "1", before: tensorA + tensorB + oneBar,
		body: `    nv_tileas.mbarrier_expect %bar, 8192 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{
		name: "an mbarrier for each tensor copy, one behind a view", carried: "%acc = %none, %parity = %z, %other = %z", types: "SUM, i32, i32", waits: "1",
		before: tensorA + tensorB + oneBar + `  %bar2 = nv_tileas.alloc_shared : BAR
  nv_tileas.mbarrier_init %bar2, 1 : BAR
  %view = nv_tileas.buffer_reinterpret %b : PLAINB -> PLAINB
`,
		body: `    nv_tileas.mbarrier_expect %bar, 4096 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_expect %bar2, 4096 : BAR
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar2 : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    nv_tileas.mbarrier_wait %bar2, %other : BAR, i32
    %d = nv_tileas.dot_async %a, %view, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    %next2 = arith.xori %other, %one : i32
    scf.continue %e, %next, %next2 : SUM, i32, i32
`,
	},
	{
		name: "one operand by a tensor copy, one by copies of threads", carried: "%acc = %none, %parity = %z", types: "SUM, i32", waits: "1", before: tensorA + oneBar,
		body: `    nv_tileas.mbarrier_expect %bar, 4096 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
` + copyB + `    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    nv_tileas.wait_group 0 for %gb : !nv_tileas.group
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{ // the fence of the body is for what stands in front of the loop
		name: "one operand by a tensor copy, one by copies of threads in front", carried: "%acc = %none, %parity = %z", types: "SUM, i32", waits: "1",
		before: tensorA + oneBar + `  %b = nv_tileas.alloc_shared : BUFB
  %tb = nv_tileas.copy_async %b, %q[%c0, %c0] COLUMNS : BUFB, !nv_tileas.ptr<f16>
  %gb = GROUP
  nv_tileas.wait_group 0 for %gb : !nv_tileas.group
`,
		body: `    nv_tileas.mbarrier_expect %bar, 4096 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{
		name: "attention of what tensor copies bring", carried: "%acc = %none, %parity = %z, %other = %z", types: "SUM, i32, i32", waits: "0 0", apart: true,
		before: tensorA + tensorB + oneBar + `  %bar2 = nv_tileas.alloc_shared : BAR
  nv_tileas.mbarrier_init %bar2, 1 : BAR
  %keys = nv_tileas.alloc_shared : BUFA
  %tk = nv_tileas.copy_async %keys, %p[%c0, %c0] ROWS : BUFA, !nv_tileas.ptr<f16>
  %gk = GROUP
  nv_tileas.wait_group 0 for %gk : !nv_tileas.group
  nv_tileas.fence_async
  %half = arith.constant dense<0.5> : tensor<64x64xf32> as SUM
  %b2 = nv_tileas.alloc_shared : BUFB
  %tb2 = nv_tileas.copy_async %b2, %q[%c0, %c0] COLUMNS : BUFB, !nv_tileas.ptr<f16>
  %gb2 = GROUP
  nv_tileas.wait_group 0 for %gb2 : !nv_tileas.group
  nv_tileas.fence_async
`,
		body: `    nv_tileas.mbarrier_expect %bar, 4096 : BAR
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    %d = nv_tileas.dot_async %keys, %b, %none WGMMA : BUFA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %y = arith.mulf %e, %half : SUM
    nv_tileas.mbarrier_expect %bar2, 4096 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar2 : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    %scaled = arith.mulf %acc, %half : SUM
    %both = arith.addf %scaled, %y : SUM
    nv_tileas.mbarrier_wait %bar2, %other : BAR, i32
    %f = nv_tileas.dot_async %a, %b2, %both WGMMA : PLAINA, BUFB -> SUM
    %g = nv_tileas.dot_wait %f FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    %next2 = arith.xori %other, %one : i32
    scf.continue %g, %next, %next2 : SUM, i32, i32
`,
	},
	{
		name: "a chain in a loop", carried: "%acc = %none", types: "SUM", waits: "1 0", again: true,
		body: copyA + copyB + bothCame + `    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : BUFA, BUFB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    scf.continue %e : SUM
`,
	},
	{ // the old mbarrier, whose parity goes through both loops, has no phase more where the loop inside is expanded
		name: "a chain of what tensor copies bring in a loop", carried: "%acc = %none, %parity = %phase", types: "SUM, i32", waits: "1 0", again: true, before: tensorA + tensorB + oneBar,
		body: `    nv_tileas.mbarrier_expect %bar, 8192 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{ // copies of the next run begin in front of the store, in slots whose phases go on
		name: "a chain of what tensor copies bring, filled ahead", behind: storedFar, carried: "%acc = %none, %parity = %phase", types: "SUM, i32", waits: "1 0 0", again: true, before: tensorA + tensorB + oneBar,
		body: `    nv_tileas.mbarrier_expect %bar, 8192 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{
		name: "a chain of what tensor copies bring in a branch, filled ahead", guarded: true, behind: storedFar, carried: "%acc = %none, %parity = %phase", types: "SUM, i32", waits: "1 0", again: true, before: tensorA + tensorB + oneBar,
		body: `    nv_tileas.mbarrier_expect %bar, 8192 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : SUM, i32
`,
	},
	{
		name: "a chain of what tensor copies bring by two mbarriers, filled ahead", behind: storedFar, carried: "%acc = %none, %parity = %phase, %other = %phase2", types: "SUM, i32, i32", waits: "1 0 0", again: true, before: tensorA + tensorB + oneBar + `  %bar2 = nv_tileas.alloc_shared : BAR
  nv_tileas.mbarrier_init %bar2, 1 : BAR
`,
		body: `    nv_tileas.mbarrier_expect %bar, 4096 : BAR
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : PLAINA, MAPA, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_expect %bar2, 4096 : BAR
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %bar2 : PLAINB, MAPB, BAR -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : BAR, i32
    nv_tileas.mbarrier_wait %bar2, %other : BAR, i32
    %d = nv_tileas.dot_async %a, %b, %acc WGMMA : PLAINA, PLAINB -> SUM
    %e = nv_tileas.dot_wait %d FINISHED : SUM
    %next = arith.xori %parity, %one : i32
    %next2 = arith.xori %other, %one : i32
    scf.continue %e, %next, %next2 : SUM, i32, i32
`,
	},
}
