package tests

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// Kernels at nv_tileas that copy in bulk and wait at mbarriers.

// bulkNames are what their texts abbreviate, beside scheduledNames.
var bulkNames = strings.NewReplacer(
	"BAR2", `!nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #nv_tileas.shared<"{shape = [1], offset = []}">>`,
	"BAR", `!nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>`,
	"SLOTS2", `!nv_tileas.buffer<2 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>`,
	"INIT(", "nv_tileas.mbarrier_init ", "EXPECT(", "nv_tileas.mbarrier_expect ", "ARRIVE(", "nv_tileas.mbarrier_arrive ", "WAIT(", "nv_tileas.mbarrier_wait ",
	"LOAD(", "nv_tileas.bulk_load ", ")PUT", " : "+buf+", !nv_tileas.ptr<i32> -> !nv_tileas.mem_token",
	")GET", ` : `+buf+`, !nv_tileas.ptr<i32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">> -> !nv_tileas.mem_token`,
	")ON", ` : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>`,
	")IS", ` : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>, i32`,
	"NEXT(", "nv_tileas.addptr ", ")BY", " : !nv_tileas.ptr<i32>, i32",
)

func bulked(text string) scheduled {
	return scheduled{gpu: "sm_90", text: bulkNames.Replace(text), out: 128}
}

// one begins a kernel that fills %a from the input.
const oneBulk = `
  %a = nv_tileas.alloc_shared : BUF
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 1)ON
  nv_tileas.barrier
  EXPECT(%bar, 512)ON
  %t = LOAD(%a, %src, %bar)GET`

const showBulk = `
  %cols = nv_tileas.local_load %a : BUF -> COLS
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %cols, %back : COLS, BUF
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`

// ringBulk fills two slots ahead of their use: the parity is a value that changes once per round.
const ringBulk = `
  %ring = nv_tileas.alloc_shared : SLOTS2
  %bars = nv_tileas.alloc_shared : BAR2
  %c128 = arith.constant 128 : i32
  %b0 = nv_tileas.buffer_slot %bars[%c0] : BAR2, i32
  %b1 = nv_tileas.buffer_slot %bars[%c1] : BAR2, i32
  INIT(%b0, 1)ON
  INIT(%b1, 1)ON
  %s0 = nv_tileas.buffer_slot %ring[%c0] : SLOTS2, i32
  nv_tileas.barrier
  EXPECT(%b0, 512)ON
  %t0 = LOAD(%s0, %src, %b0)GET
  %none = nv_tileas.splat %c0 : i32 -> COLS
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none) -> (COLS) : i32 {
    %n = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %n, %c4 : i32
    scf.if %more {
      %ns = arith.remsi %n, %c2 : i32
      %next = nv_tileas.buffer_slot %ring[%ns] : SLOTS2, i32
      %nb = nv_tileas.buffer_slot %bars[%ns] : BAR2, i32
      %from = arith.muli %n, %c128 : i32
      %p = NEXT(%src, %from)BY
      nv_tileas.barrier
      EXPECT(%nb, 512)ON
      %t = LOAD(%next, %p, %nb)GET
      scf.yield
    }
    %is = arith.remsi %i, %c2 : i32
    %round = arith.divsi %i, %c2 : i32
    %parity = arith.remsi %round, %c2 : i32
    %now = nv_tileas.buffer_slot %ring[%is] : SLOTS2, i32
    %b = nv_tileas.buffer_slot %bars[%is] : BAR2, i32
    WAIT(%b, %parity)IS
    %x0 = nv_tileas.local_load %now : BUF -> COLS
    %all = arith.addi %acc, %x0 : COLS
    scf.continue %all : COLS
  }
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %sum, %back : COLS, BUF
  nv_tileas.barrier
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`

const storeBulk = `
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %y, %a : ROWS, BUF
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = nv_tileas.bulk_store %a, %q)PUT
  %g = nv_tileas.bulk_commit : !nv_tileas.group`

const arriveBulk = `
  %a = nv_tileas.alloc_shared : BUF
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 33)ON
  nv_tileas.barrier
  nv_tileas.local_store %x, %a : ROWS, BUF
  ARRIVE(%bar, 32)ON
  ARRIVE(%bar, 1)ON
  WAIT(%bar, %c0)IS`

// TestBulk: bulk copies and mbarriers do what they say, on every engine.
func TestBulk(t *testing.T) {
	t.Parallel()
	seven := func(i int) uint64 { return uint64(7 * i) }
	for name, tt := range map[string]struct {
		text string
		want func(int) uint64
		gpu  string
	}{
		"one":                {text: oneBulk + "\n  WAIT(%bar, %c0)IS" + showBulk, want: seven},
		"waits twice":        {text: oneBulk + "\n  WAIT(%bar, %c0)IS\n  WAIT(%bar, %c0)IS" + showBulk, want: seven},
		"a phase before any": {text: strings.Replace(oneBulk, "EXPECT", "WAIT(%bar, %c1)IS\n  EXPECT", 1) + "\n  WAIT(%bar, %c0)IS" + showBulk, want: seven},
		"copied before it is expected": {text: `
  %a = nv_tileas.alloc_shared : BUF
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 1)ON
  nv_tileas.barrier
  %t = LOAD(%a, %src, %bar)GET
  EXPECT(%bar, 512)ON
  WAIT(%bar, %c0)IS` + showBulk, want: seven},
		"two copies in a phase": {text: `
  %c128 = arith.constant 128 : i32
  %a = nv_tileas.alloc_shared : BUF
  %b = nv_tileas.alloc_shared : BUF
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 1)ON
  nv_tileas.barrier
  EXPECT(%bar, 1024)ON
  %p = NEXT(%src, %c128)BY
  %t = LOAD(%b, %src, %bar)GET
  %u = LOAD(%a, %p, %bar)GET
  WAIT(%bar, %c0)IS` + showBulk, want: func(i int) uint64 { return uint64(7 * (i + 128)) }},
		"a ring":                  {text: ringBulk, want: func(i int) uint64 { return uint64(7 * (4*i + 6*128)) }},
		"arrivals of all threads": {text: arriveBulk + showBulk, want: func(i int) uint64 { return uint64(i / 4) }, gpu: "sm_80"},
		"store":                   {text: storeBulk + "\n  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group", want: func(i int) uint64 { return uint64(100 + i/4) }},
		"there and back, and written again": {text: oneBulk + `
  WAIT(%bar, %c0)IS
  nv_tileas.barrier
  %u = nv_tileas.bulk_store %a, %q)PUT
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.local_store %x, %a : ROWS, BUF`, want: seven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := bulked(tt.text)
			k.want = tt.want
			if tt.gpu != "" {
				k.gpu = tt.gpu
			}
			k.runsAlike(t)
		})
	}
}

// TestPlantedBulk: mistakes with mbarriers and bulk copies are found by executing the level, at the operation, and none of them hangs.
func TestPlantedBulk(t *testing.T) {
	t.Parallel()
	const wait = "\n  WAIT(%bar, %c0)IS"
	const unspecified = "'nv_tileas.tiled_store' op stores an unspecified value"
	const show = `
  %x0 = nv_tileas.local_load %a : BUF -> ROWS
  %done = OUT(%x0)AT`
	with := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the program", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"none":              {oneBulk + wait + show, ""},
		"wrong parity":      {oneBulk + "\n  WAIT(%bar, %c1)IS" + show, "'nv_tileas.mbarrier_wait' op waits for parity 1, but phase 0 is under way"},
		"parity not kept":   {with(ringBulk, "WAIT(%b, %parity)", "WAIT(%b, %c0)"), "'nv_tileas.mbarrier_wait' op waits for parity 0, but phase 1 is under way"},
		"no parity":         {oneBulk + "\n  WAIT(%bar, %c2)IS" + show, "'nv_tileas.mbarrier_wait' op parity must be 0 or 1, but is 2"},
		"missing expect":    {with(oneBulk, "EXPECT(%bar, 512)ON", "") + wait + show, "'nv_tileas.mbarrier_wait' op waits for phase 0, which never ends: 1 of 1 arrivals are missing"},
		"too few bytes":     {with(oneBulk, "512", "256") + wait + show, "'nv_tileas.mbarrier_wait' op waits for phase 0, which never ends: 0 of 1 arrivals are missing, and -256 bytes"},
		"too many bytes":    {with(oneBulk, "512", "1024") + wait + show, "'nv_tileas.mbarrier_wait' op waits for phase 0, which never ends: 0 of 1 arrivals are missing, and 512 bytes"},
		"too many arrivals": {with(oneBulk, "EXPECT", "ARRIVE(%bar, 2)ON\n  EXPECT") + wait, "'nv_tileas.mbarrier_arrive' op makes 2 arrivals, but the phase under way waits for 1 more only"},
		"read before wait":  {oneBulk + show + wait, unspecified},
		"wait dropped":      {oneBulk + "\n  nv_tileas.barrier", "'nv_tileas.bulk_load' op is still under way when the kernel ends"},
		"slot swapped":      {with(ringBulk, "%now = nv_tileas.buffer_slot %ring[%is]", "%now = nv_tileas.buffer_slot %ring[%c1]"), unspecified},
		"mbarriers swapped": {with(ringBulk, "%b = nv_tileas.buffer_slot %bars[%is]", "%b = nv_tileas.buffer_slot %bars[%c1]"), "'nv_tileas.mbarrier_expect' op makes 1 arrivals, but the phase under way waits for 0 more only"},
		"slot filled too early": {with(ringBulk, "%ns = arith.remsi %n, %c2 : i32\n      %next = nv_tileas.buffer_slot %ring[%ns]", "%ns = arith.remsi %n, %c2 : i32\n      %next = nv_tileas.buffer_slot %ring[%c0]"),
			"'nv_tileas.bulk_load' op writes a buffer that 'nv_tileas.bulk_load' is still copying to"},
		"no barrier before the slot is filled again": {with(ringBulk, "%p = NEXT(%src, %from)BY\n      nv_tileas.barrier", "%p = NEXT(%src, %from)BY"),
			"'nv_tileas.bulk_load' op accesses shared memory that another thread accesses in 'nv_tileas.local_load'"},
		"no init":                   {with(oneBulk, "INIT(%bar, 1)ON", "") + wait, "'nv_tileas.mbarrier_expect' op uses an mbarrier that has not been initialised"},
		"no barrier after the init": {with(oneBulk, "nv_tileas.barrier\n", "\n") + wait, "'nv_tileas.mbarrier_expect' op accesses shared memory that another thread accesses in 'nv_tileas.mbarrier_init'"},
		"destination written":       {oneBulk + "\n  nv_tileas.local_store %x, %a : ROWS, BUF" + wait, "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.bulk_load' is still copying to"},
		"source written": {oneBulk + `
  %done = nv_tileas.tiled_store %x, %src[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : ROWS, !nv_tileas.ptr<i32>` + wait,
			"writes what 'nv_tileas.bulk_load' is still reading"},
		"not aligned": {with(oneBulk, "%t = LOAD(%a, %src, %bar)GET", "%p = NEXT(%src, %c1)BY\n  %t = LOAD(%a, %p, %bar)GET") + wait, "is not aligned to 16 bytes"},

		"store":                      {storeBulk + "\n  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group", ""},
		"store without fence":        {with(storeBulk, "nv_tileas.fence_async", ""), "'nv_tileas.bulk_store' op reads what 'nv_tileas.local_store' has stored, and no fence_async has stood between them"},
		"store without barrier":      {with(storeBulk, "nv_tileas.barrier", ""), "'nv_tileas.bulk_store' op accesses shared memory that another thread accesses in 'nv_tileas.local_store'"},
		"store without wait":         {storeBulk, "'nv_tileas.bulk_store' op is still under way when the kernel ends"},
		"store, wait for too few":    {storeBulk + "\n  nv_tileas.bulk_wait 1 for %g : !nv_tileas.group", "'nv_tileas.bulk_wait' op returns while group #0 that it waits for is under way"},
		"store, source written":      {storeBulk + "\n  nv_tileas.local_store %x, %a : ROWS, BUF\n  nv_tileas.bulk_wait 0", "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.bulk_store' is still reading"},
		"store, destination written": {storeBulk + "\n  %done = OUT(%x)AT\n  nv_tileas.bulk_wait 0", "writes what 'nv_tileas.bulk_store' is still writing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bulked(tt.text).interpreted(t, tt.want)
		})
	}
}

// TestBulkTargets: targets without an instruction refuse it, at the operation.
func TestBulkTargets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"bulk load":      {oneBulk + "\n  WAIT(%bar, %c0)IS", "'nv_tileas.bulk_load' op needs bulk copy global to shared::cluster, which sm_80 does not have"},
		"expected bytes": {strings.Replace(oneBulk, "%t = LOAD(%a, %src, %bar)GET", "", 1), "'nvvm.mbarrier.arrive' op needs mbarrier arrival that expects transaction bytes, which sm_80 does not have"},
		"bulk store":     {storeBulk + "\n  nv_tileas.bulk_wait 0", "'nv_tileas.bulk_store' op needs bulk copy shared to global with bulk groups, which sm_80 does not have"},
		"arrivals of some": {`
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 5)ON
  ARRIVE(%bar, 5)ON`, "'nv_tileas.mbarrier_arrive' op makes 5 arrivals, which no set of threads does: one thread makes 1, one of each warp make 1, and all of them make 32"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			k := bulked(tt.text)
			k.gpu = "sm_80"
			m := k.module(t, &said)
			_, err := k.pass(m, placing)
			if err == nil {
				_, err = k.pass(m, lowering)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s\n%s", err, tt.want, &said)
			}
		})
	}
}

// TestPtxasBulk assembles such kernels, each for the targets that have its instructions.
func TestPtxasBulk(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for name, tt := range map[string]struct{ text, since string }{
		"load":     {oneBulk + "\n  WAIT(%bar, %c0)IS" + showBulk, "sm_90"},
		"ring":     {ringBulk, "sm_90"},
		"store":    {storeBulk + "\n  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group", "sm_90"},
		"arrivals": {arriveBulk + showBulk, "sm_80"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := sm.Names()
			for _, gpu := range all[slices.Index(all, tt.since):] {
				var said bytes.Buffer
				k := bulked(tt.text)
				k.gpu = gpu
				k.assembles(t, tool, k.module(t, &said), &said)
			}
		})
	}
}
