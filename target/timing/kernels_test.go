package timing_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/timing"
)

// A micro is a kernel of a few instructions, whose counters can be found by hand. The body finds a buffer of 1 MiB of
// zeros in %rd1, the number of the thread in %r1, and zeros in %r10 and %f0 to %f9.
type micro struct {
	name  string
	arch  string
	warps int
	grid  uint32
	body  string
	// want are all counters but those that head has.
	want map[string]uint64
	// head is how many instructions stand before the body, and one after it.
	cycles func(a *sm.Arch) float64 // that it takes at least; 0: not asked
	within float64                  // cycles more than that, at most
}

// head: 1 parameter, 1 special register, 11 zeros, 1 return.
const headInstructions = 14

func repeat(n int, format string, args ...any) string {
	return strings.Repeat(fmt.Sprintf(format, args...)+"\n", n)
}

func (k *micro) ptx() string {
	suffix := ""
	if k.arch == "sm_90" {
		suffix = "a"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `.version 8.6
.target %s%s
.address_size 64
.visible .entry k(.param .u64 p)
.reqntid %d, 1, 1
{
	.reg .pred %%p<8>;
	.reg .b32 %%r<64>;
	.reg .f32 %%f<300>;
	.reg .f64 %%fd<8>;
	.reg .b64 %%rd<16>;
	.shared .align 1024 .b8 buffer[49152];
	ld.param.u64 %%rd1, [p];
	mov.u32 %%r1, %%tid.x;
	mov.b32 %%r10, 0;
`, k.arch, suffix, 32*k.warps)
	for i := range 10 {
		fmt.Fprintf(&b, "	mov.f32 %%f%d, 0f00000000;\n", i)
	}
	b.WriteString(k.body + "\n	ret;\n}\n")
	return b.String()
}

// run executes the kernel and estimates its time.
func (k *micro) run(t *testing.T) (*emu.Report, *timing.Estimate) {
	t.Helper()
	e, err := emulate.New("micro.ptx", []byte(k.ptx()))
	if err != nil {
		t.Fatal(err)
	}
	e.Profile = &emu.Profile{Trace: new(emu.Trace)}
	req := &launch.Request{Entry: "k", Grid: [3]uint32{k.grid, 1, 1}, Args: []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{1 << 18}, Data: make([]byte, 1<<20)}}}}
	if err := e.Run(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	report, err := e.Report("k")
	if err != nil {
		t.Fatal(err)
	}
	arch, err := sm.Lookup(k.arch)
	if err != nil {
		t.Fatal(err)
	}
	estimate, err := e.Estimate(context.Background(), "k", arch, sass.Code{})
	if err != nil {
		t.Fatal(err)
	}
	return report, estimate
}

// pairedFmas are independent, and write what nothing reads.
var pairedFmas = repeat(64, "fma.rn.f32x2 %%rd2, %%rd1, %%rd1, %%rd1; fma.rn.f32x2 %%rd3, %%rd1, %%rd1, %%rd1; fma.rn.f32x2 %%rd4, %%rd1, %%rd1, %%rd1; fma.rn.f32x2 %%rd5, %%rd1, %%rd1, %%rd1;")

// micros: counters by hand. warps w, grid g: the head is 14 w g instructions, all lanes active but where the body
// says it, and w g requests of a parameter of 8 bytes a lane.
var micros = []micro{
	{name: "dependent fma", arch: "sm_80", warps: 1, grid: 1, body: repeat(256, "fma.rn.f32 %%f1, %%f1, %%f2, %%f3;"),
		want: map[string]uint64{"warp_instructions": 256}, cycles: func(*sm.Arch) float64 { return 255 * 4 }, within: 40},
	{name: "independent fma", arch: "sm_80", warps: 4, grid: 1, body: repeat(64, "fma.rn.f32 %%f1, %%f1, %%f9, %%f9; fma.rn.f32 %%f2, %%f2, %%f9, %%f9; fma.rn.f32 %%f3, %%f3, %%f9, %%f9; fma.rn.f32 %%f4, %%f4, %%f9, %%f9;"),
		want: map[string]uint64{"warp_instructions": 4 * 256}, cycles: func(*sm.Arch) float64 { return 256 * 2 }, within: 40},
	{name: "independent fma, twice as many units", arch: "sm_90", warps: 4, grid: 1, body: repeat(64, "fma.rn.f32 %%f1, %%f1, %%f9, %%f9; fma.rn.f32 %%f2, %%f2, %%f9, %%f9; fma.rn.f32 %%f3, %%f3, %%f9, %%f9; fma.rn.f32 %%f4, %%f4, %%f9, %%f9;"),
		want: map[string]uint64{"warp_instructions": 4 * 256}, cycles: func(*sm.Arch) float64 { return 256 }, within: 40},
	{name: "pairs of f32", arch: "sm_100", warps: 4, grid: 1, body: pairedFmas, want: map[string]uint64{"warp_instructions": 4 * 256}, cycles: func(*sm.Arch) float64 { return 256 }, within: 40},
	{name: "pairs of f32 that are taken apart", arch: "sm_120", warps: 4, grid: 1, body: pairedFmas, want: map[string]uint64{"warp_instructions": 4 * 256}, cycles: func(*sm.Arch) float64 { return 512 }, within: 40},
	// Each warp reads 128 bytes: 4 sectors.
	{name: "coalesced loads", arch: "sm_90", warps: 4, grid: 3, body: "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2];",
		want: map[string]uint64{"warp_instructions": 3 * 12, "global_load_requests": 12, "global_load_sectors": 48, "global_load_ideal_sectors": 48, "global_load_bytes": 12 * 128}},
	// Each lane reads 4 bytes of a sector of its own.
	{name: "strided loads", arch: "sm_90", warps: 4, grid: 1, body: "mul.wide.u32 %rd2, %r1, 128; add.u64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2];",
		want: map[string]uint64{"warp_instructions": 12, "global_load_requests": 4, "global_load_sectors": 128, "global_load_ideal_sectors": 16, "global_load_bytes": 512}},
	// Each warp arrives and waits; the warps of the only CTA of the cluster are all that come.
	{name: "cluster barriers", arch: "sm_90", warps: 4, grid: 1, body: repeat(8, "barrier.cluster.arrive; barrier.cluster.wait;"),
		want: map[string]uint64{"warp_instructions": 4 * 16}, cycles: func(a *sm.Arch) float64 { return 8 * float64(a.Async().ClusterBarrier) }, within: 100},
	// All lanes follow one chain through lines that nobody has touched.
	{name: "chain through memory", arch: "sm_90", warps: 1, grid: 1, body: repeat(16, "ld.global.u64 %%rd2, [%%rd1+4096]; add.u64 %%rd1, %%rd1, 4096; add.u64 %%rd1, %%rd1, %%rd2;"),
		want:   map[string]uint64{"warp_instructions": 48, "global_load_requests": 16, "global_load_sectors": 16, "global_load_ideal_sectors": 16, "global_load_bytes": 16 * 256},
		cycles: func(a *sm.Arch) float64 { return 16 * float64(a.Memory().Global) }, within: 16*16 + 60},
	{name: "chain through shared memory", arch: "sm_80", warps: 1, grid: 1, body: "mov.u32 %r11, buffer; st.shared.u32 [%r11], %r11;\n" + repeat(64, "ld.shared.u32 %%r11, [%%r11];"),
		want: map[string]uint64{"warp_instructions": 66, "shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128,
			"shared_load_requests": 64, "shared_load_wavefronts": 64, "shared_load_ideal_wavefronts": 64, "shared_load_bytes": 64 * 128},
		cycles: func(a *sm.Arch) float64 { return 63 * float64(a.Memory().Shared) }, within: 80},
	// 32 lanes read words that all lie in bank 0.
	{name: "bank conflicts", arch: "sm_90", warps: 1, grid: 1, body: "mul.lo.u32 %r2, %r1, 128; add.u32 %r2, %r2, buffer; st.shared.u32 [%r2], %r10;\n" + repeat(16, "ld.shared.u32 %%r3, [%%r2];"),
		want: map[string]uint64{"warp_instructions": 19, "shared_store_requests": 1, "shared_store_wavefronts": 32, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128,
			"shared_load_requests": 16, "shared_load_wavefronts": 512, "shared_load_ideal_wavefronts": 16, "shared_load_bytes": 16 * 128},
		cycles: func(a *sm.Arch) float64 { return 480 }, within: 100},
	{name: "barriers", arch: "sm_90", warps: 4, grid: 1, body: repeat(16, "bar.sync 0;"),
		want: map[string]uint64{"warp_instructions": 64, "barrier_arrivals": 64}, cycles: func(a *sm.Arch) float64 { return 16 * float64(a.Memory().Barrier) }, within: 80},
	// The lanes of a warp part: 8 of them add. 3 instructions of all lanes, 1 of 8.
	{name: "divergence", arch: "sm_90", warps: 2, grid: 1, body: "and.b32 %r2, %r1, 31; setp.ge.u32 %p1, %r2, 8; @%p1 bra END; add.u32 %r3, %r2, 1; END:",
		want: map[string]uint64{"warp_instructions": 8, "active_threads": 2 * (3*32 + 8), "thread_instructions": 2 * (2*32 + 24 + 8), "divergent_branches": 2}},
	// Each thread copies 16 bytes: each warp 512, 16 sectors and 4 wavefronts.
	{name: "asynchronous copies", arch: "sm_80", warps: 4, grid: 1, body: "mul.wide.u32 %rd2, %r1, 16; add.u64 %rd2, %rd2, %rd1; mul.lo.u32 %r2, %r1, 16; add.u32 %r2, %r2, buffer; cp.async.cg.shared.global [%r2], [%rd2], 16; cp.async.commit_group; cp.async.wait_group 0;",
		want: map[string]uint64{"warp_instructions": 28, "global_copy_requests": 4, "global_copy_sectors": 64, "global_copy_ideal_sectors": 64, "global_copy_bytes": 2048,
			"shared_copy_requests": 4, "shared_copy_wavefronts": 16, "shared_copy_ideal_wavefronts": 16, "shared_copy_bytes": 2048,
			"copy_commits": 4, "copy_waits": 4, "copies_in_flight": 128, "copies_awaited": 128},
		cycles: func(a *sm.Arch) float64 { return float64(a.Memory().Global) }, within: 160},
	// 24.7 cycles each (Sun et al., arXiv 2206.02874).
	{name: "dependent mma", arch: "sm_80", warps: 1, grid: 1, body: repeat(32, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%%f1, %%f2, %%f3, %%f4}, {%%r10, %%r10, %%r10, %%r10}, {%%r10, %%r10}, {%%f1, %%f2, %%f3, %%f4};"),
		want: map[string]uint64{"warp_instructions": 32}, cycles: func(*sm.Arch) float64 { return 31 * 24.7 }, within: 40},
	{name: "atomics on one word", arch: "sm_90", warps: 2, grid: 1, body: "red.global.add.u32 [%rd1], 1;",
		want: map[string]uint64{"warp_instructions": 2, "global_atomic_requests": 2, "global_atomic_sectors": 2, "global_atomic_ideal_sectors": 2, "global_atomic_bytes": 256}},
	// A word for each lane in a local array: the words of the lanes lie side by side.
	{name: "local memory", arch: "sm_90", warps: 1, grid: 1, body: ".local .align 4 .b8 own[16]; mov.u64 %rd3, own; st.local.u32 [%rd3+4], %r10; ld.local.u32 %r2, [%rd3+4];",
		want: map[string]uint64{"warp_instructions": 3, "local_store_requests": 1, "local_store_sectors": 4, "local_store_ideal_sectors": 4, "local_store_bytes": 128,
			"local_load_requests": 1, "local_load_sectors": 4, "local_load_ideal_sectors": 4, "local_load_bytes": 128}},
}

// TestMicroKernels: every counter of small kernels is what can be counted by hand, and where the time of one is
// published, the estimate is near it.
func TestMicroKernels(t *testing.T) {
	t.Parallel()
	for i := range micros {
		k := &micros[i]
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			report, estimate := k.run(t)
			ctas := uint64(k.grid)
			w := uint64(k.warps) * ctas
			want := map[string]uint64{"param_requests": w, "param_bytes": 256 * w, "active_threads": 32 * k.want["warp_instructions"], "thread_instructions": 32 * k.want["warp_instructions"]}
			for name, n := range k.want {
				want[name] = n
			}
			want["warp_instructions"] += headInstructions * w
			want["active_threads"] += 32 * headInstructions * w
			want["thread_instructions"] += 32 * headInstructions * w
			for c, got := range report.Total.Counters {
				name := emu.CounterName(c)
				if got != want[name] {
					t.Errorf("%s: %d, by hand %d", name, got, want[name])
				}
			}
			if k.cycles == nil {
				return
			}
			least := k.cycles(mustArch(t, k.arch))
			if got := float64(estimate.Cycles); got < least || got > least+k.within {
				t.Errorf("%g cycles, published %g and up to %g for what is around it", got, least, k.within)
			}
		})
	}
}

func mustArch(t *testing.T, name string) *sm.Arch {
	a, err := sm.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wgmmas is a chain of products of one warpgroup, both operands in shared memory.
func wgmmas(n, count int) *micro {
	var regs []string
	var b strings.Builder
	for i := range n / 2 {
		fmt.Fprintf(&b, "mov.f32 %%f%d, 0f00000000;\n", 20+i)
		regs = append(regs, fmt.Sprintf("%%f%d", 20+i))
	}
	b.WriteString("mov.u32 %r2, buffer; mov.b32 %r3, 0; st.shared.u32 [%r2], %r3; fence.proxy.async; setp.eq.u32 %p1, %r3, 0;\n")
	b.WriteString("shr.u32 %r4, %r2, 4; cvt.u64.u32 %rd4, %r4; or.b64 %rd4, %rd4, 0x4000004000010000;\nwgmma.fence.sync.aligned;\n")
	for range count {
		fmt.Fprintf(&b, "wgmma.mma_async.sync.aligned.m64n%dk16.f32.f16.f16 {%s}, %%rd4, %%rd4, %%p1, 1, 1, 0, 0;\n", n, strings.Join(regs, ", "))
	}
	b.WriteString("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;")
	return &micro{arch: "sm_90", warps: 4, grid: 1, body: b.String()}
}

// TestWgmma: m64n256k16 takes 128 cycles, and below n = 64 operands in shared memory keep the tensor cores waiting
// (Luo et al., arXiv 2402.13499, table of wgmma by N: less than the peak for n = 8, 16, 32, and near it from 64 on).
func TestWgmma(t *testing.T) {
	t.Parallel()
	share := map[int]float64{}
	for _, n := range []int{8, 16, 32, 64, 128, 256} {
		const count = 32
		_, e := wgmmas(n, count).run(t)
		ideal := float64(count * n / 2)
		share[n] = ideal / float64(e.Cycles)
		if got := float64(e.Cycles); n == 256 && (got < ideal || got > 1.1*ideal) {
			t.Errorf("n = 256: %g cycles, published %g", got, ideal)
		}
	}
	if share[8] >= share[16] || share[16] >= share[32] || share[32] > 0.7 || share[32] >= share[64] || share[64] < 0.75 || share[128] < 0.8 {
		t.Errorf("share of the peak by n: %v", share)
	}
}
