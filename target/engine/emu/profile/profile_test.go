package profile_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// counts are counters by the names of the JSON form.
type counts map[string]uint64

func countsOf(c *machine.Counters) counts {
	out := counts{}
	for k, n := range c {
		if n > 0 {
			out[machine.Counter(k).String()] = n
		}
	}
	return out
}

// memory is the part of the counters that is about memory and waiting, which the micro-kernels expect in full.
func (c counts) memory() counts {
	out := counts{}
	for name, n := range c {
		switch name {
		case "warp_instructions", "active_threads", "thread_instructions", "param_requests", "param_bytes":
		default:
			out[name] = n
		}
	}
	return out
}

// Addresses of thread %tid: %d1 is in + 4*tid, %r1 the shared address s + 4*tid.
const (
	global = "mul.wide.u32 %d1, %r31, 4; add.u64 %d1, %d1, %d31;\n"
	shared = ".shared .align 128 .b8 s[16384]; mov.u32 %r2, s; shl.b32 %r1, %r31, 2; add.u32 %r1, %r1, %r2;\n"
)

// scaled is shared with a stride of n bytes between threads.
func scaled(stride string) string {
	return ".shared .align 128 .b8 s[16384]; mov.u32 %r2, s; mul.lo.u32 %r1, %r31, " + stride + "; add.u32 %r1, %r1, %r2;\n"
}

// TestMicroKernels counts small kernels of one warp, each worked out by hand from the definitions in docs/profile.md.
func TestMicroKernels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       counts
	}{
		// 32 x 4 bytes side by side: 128 bytes, 4 sectors.
		{"coalesced", global + "ld.global.u32 %r0, [%d1];", counts{"global_load_requests": 1, "global_load_sectors": 4, "global_load_ideal_sectors": 4, "global_load_bytes": 128}},
		// Every second word: 32 words in 256 bytes.
		{"stride of 2 words", "mul.wide.u32 %d1, %r31, 8; add.u64 %d1, %d1, %d31; ld.global.u32 %r0, [%d1];",
			counts{"global_load_requests": 1, "global_load_sectors": 8, "global_load_ideal_sectors": 4, "global_load_bytes": 128}},
		// A sector for each thread.
		{"stride of 32 words", "mul.wide.u32 %d1, %r31, 128; add.u64 %d1, %d1, %d31; st.global.u32 [%d1], %r31;",
			counts{"global_store_requests": 1, "global_store_sectors": 32, "global_store_ideal_sectors": 4, "global_store_bytes": 128}},
		// 128 bytes from byte 4 on end in a fifth sector.
		{"misaligned", global + "ld.global.u32 %r0, [%d1+4];", counts{"global_load_requests": 1, "global_load_sectors": 5, "global_load_ideal_sectors": 4, "global_load_bytes": 128}},
		// All threads ask for one word: 4 different bytes.
		{"global broadcast", "ld.global.u32 %r0, [%d31];", counts{"global_load_requests": 1, "global_load_sectors": 1, "global_load_ideal_sectors": 1, "global_load_bytes": 128}},
		// 16 bytes a thread are 512.
		{"vectors", "mul.wide.u32 %d1, %r31, 16; add.u64 %d1, %d1, %d31; ld.global.v4.u32 {%r0, %r3, %r4, %r5}, [%d1];",
			counts{"global_load_requests": 1, "global_load_sectors": 16, "global_load_ideal_sectors": 16, "global_load_bytes": 512}},
		{"atomic", "red.global.add.u32 [%d31], 1;", counts{"global_atomic_requests": 1, "global_atomic_sectors": 1, "global_atomic_ideal_sectors": 1, "global_atomic_bytes": 128}},
		// A generic address of each space: the even threads go to shared memory.
		{"generic", global + shared + `cvta.shared.u64 %d2, s; mul.wide.u32 %d3, %r31, 4; add.u64 %d2, %d2, %d3; and.b32 %r3, %r31, 1; setp.eq.u32 %p1, %r3, 0;
			selp.b64 %d1, %d2, %d1, %p1; st.u32 [%d1], %r31;`,
			counts{"global_store_requests": 1, "global_store_sectors": 4, "global_store_ideal_sectors": 2, "global_store_bytes": 64,
				"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 64}},
		{"no conflict", shared + "st.shared.u32 [%r1], %r31;", counts{"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128}},
		// Words 0, 2, 4, ...: threads t and t+16 share a bank.
		{"2-way conflict", scaled("8") + "st.shared.u32 [%r1], %r31;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 2, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128}},
		{"4-way conflict", scaled("16") + "st.shared.u32 [%r1], %r31;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 4, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128}},
		// Every word in bank 0.
		{"32-way conflict", scaled("128") + "st.shared.u32 [%r1], %r31;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 32, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128}},
		// A padding of a word for each row of 32 takes it away.
		{"padded", scaled("132") + "st.shared.u32 [%r1], %r31;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128}},
		{"shared broadcast", shared + "st.shared.u32 [s], 1; ld.shared.u32 %r0, [s];",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128,
				"shared_load_requests": 1, "shared_load_wavefronts": 1, "shared_load_ideal_wavefronts": 1, "shared_load_bytes": 128}},
		// Two threads share each word.
		{"halfwords", scaled("2") + "mov.b16 %h1, 1; st.shared.u16 [%r1], %h1;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 64}},
		// Two halves of a warp, each of 128 bytes.
		{"64 bits", scaled("8") + "mov.b64 %d1, 1; st.shared.u64 [%r1], %d1;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 2, "shared_store_ideal_wavefronts": 2, "shared_store_bytes": 256}},
		// In each half, threads t and t+8 share two banks.
		{"64 bits, 2-way conflict", scaled("16") + "mov.b64 %d1, 1; st.shared.u64 [%r1], %d1;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 4, "shared_store_ideal_wavefronts": 2, "shared_store_bytes": 256}},
		{"128 bits", scaled("16") + "st.shared.v4.u32 [%r1], {%r31, %r31, %r31, %r31};",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 4, "shared_store_ideal_wavefronts": 4, "shared_store_bytes": 512}},
		// Atomic operations on one word come one after the other.
		{"shared atomic", shared + "st.shared.u32 [s], 0; bar.warp.sync -1; atom.shared.add.u32 %r0, [s], 1;",
			counts{"shared_store_requests": 1, "shared_store_wavefronts": 1, "shared_store_ideal_wavefronts": 1, "shared_store_bytes": 128,
				"shared_atomic_requests": 1, "shared_atomic_wavefronts": 32, "shared_atomic_ideal_wavefronts": 1, "shared_atomic_bytes": 128}},
		// Rows of 128 bytes: the eight rows of a matrix begin in the same bank, so that each needs eight passes.
		{"ldmatrix of a plain tile", scaled("128") + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r1];",
			counts{"shared_load_requests": 1, "shared_load_wavefronts": 32, "shared_load_ideal_wavefronts": 4, "shared_load_bytes": 512}},
		// Chunk c of row r is at c ^ (r % 8): the eight rows of a matrix are in different banks.
		{"ldmatrix of a swizzled tile", scaled("128") + "and.b32 %r3, %r31, 7; shl.b32 %r3, %r3, 4; xor.b32 %r1, %r1, %r3; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r1];",
			counts{"shared_load_requests": 1, "shared_load_wavefronts": 4, "shared_load_ideal_wavefronts": 4, "shared_load_bytes": 512}},
		// Addresses of the lanes from 8 on do not count.
		{"ldmatrix of one matrix", scaled("16") + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r1];",
			counts{"shared_load_requests": 1, "shared_load_wavefronts": 1, "shared_load_ideal_wavefronts": 1, "shared_load_bytes": 128}},
		// Two groups of 32 copies; the first wait leaves the younger one.
		{"cp.async", scaled("16") + `mul.wide.u32 %d1, %r31, 16; add.u64 %d1, %d1, %d31; cp.async.cg.shared.global [%r1], [%d1], 16; cp.async.commit_group;
			cp.async.cg.shared.global [%r1+512], [%d1+512], 16; cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all;`,
			counts{"global_copy_requests": 2, "global_copy_sectors": 32, "global_copy_ideal_sectors": 32, "global_copy_bytes": 1024,
				"shared_copy_requests": 2, "shared_copy_wavefronts": 8, "shared_copy_ideal_wavefronts": 8, "shared_copy_bytes": 1024,
				"copy_commits": 2, "copy_waits": 2, "copies_in_flight": 64 + 32, "copies_awaited": 32 + 32}},
		// Threads from 16 on read nothing and write zeros.
		{"cp.async with a source size", scaled("16") + `mul.wide.u32 %d1, %r31, 16; add.u64 %d1, %d1, %d31; setp.lt.u32 %p1, %r31, 16; selp.u32 %r3, 16, 0, %p1;
			cp.async.cg.shared.global [%r1], [%d1], 16, %r3; cp.async.wait_all;`,
			counts{"global_copy_requests": 1, "global_copy_sectors": 8, "global_copy_ideal_sectors": 8, "global_copy_bytes": 256,
				"shared_copy_requests": 1, "shared_copy_wavefronts": 4, "shared_copy_ideal_wavefronts": 4, "shared_copy_bytes": 512,
				"copy_waits": 1, "copies_in_flight": 32, "copies_awaited": 32}},
		// All threads at one address of local memory: words of 32 threads lie side by side.
		{"local memory", ".local .align 4 .b8 l[64]; st.local.u32 [l+4], %r31;",
			counts{"local_store_requests": 1, "local_store_sectors": 4, "local_store_ideal_sectors": 4, "local_store_bytes": 128}},
		// Thread t at word t: a sector each.
		{"local memory, by thread", ".local .align 4 .b8 l[128]; cvta.local.u64 %d1, l; mul.wide.u32 %d2, %r31, 4; add.u64 %d1, %d1, %d2; st.u32 [%d1], %r31;",
			counts{"local_store_requests": 1, "local_store_sectors": 32, "local_store_ideal_sectors": 4, "local_store_bytes": 128}},
		// Half of the warp stores: 16 words.
		{"divergent branch", global + "setp.lt.u32 %p1, %r31, 16; @%p1 bra over; st.global.u32 [%d1], %r31; over: mov.u32 %r0, 0;",
			counts{"divergent_branches": 1, "global_store_requests": 1, "global_store_sectors": 2, "global_store_ideal_sectors": 2, "global_store_bytes": 64}},
		// One thread copies 512 bytes from byte 16 of a sector on: 17 sectors for 16.
		{"bulk store", `.shared .align 128 .b8 s[512]; setp.eq.u32 %p1, %r31, 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d30+16], [s], 512; @%p1 cp.async.bulk.commit_group;
			@%p1 cp.async.bulk.wait_group 0;`,
			counts{"bulk_store_requests": 1, "bulk_store_sectors": 17, "bulk_store_ideal_sectors": 16, "bulk_store_bytes": 512, "shared_bulk_read_bytes": 512, "bulk_commits": 1, "bulk_waits": 1}},
		// The copy completes at the end of the turn after the one that starts it, so that two waits fail.
		{"bulk load", `.shared .align 128 .b8 s[512]; .shared .align 8 .b8 bar[8]; setp.eq.u32 %p1, %r31, 0; @%p1 mbarrier.init.shared::cta.b64 [bar], 1; bar.warp.sync -1;
			@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %d5, [bar], 512; @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [%d31], 512, [bar];
			wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra wait;`,
			counts{"bulk_load_requests": 1, "bulk_load_sectors": 16, "bulk_load_ideal_sectors": 16, "bulk_load_bytes": 512, "shared_bulk_write_bytes": 512,
				"mbarrier_arrivals": 1, "mbarrier_waits": 3, "mbarrier_retries": 2}},
		// A guard that never holds: issued, but nothing is asked for.
		{"false guard", global + "setp.gt.u32 %p1, %r31, 99; @%p1 ld.global.u32 %r0, [%d1];", counts{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := emutest.Counted(t, emutest.Kernel(c.body), 1, 32, 4096, make([]byte, 8192))
			if got := countsOf(&r.Total.Counters).memory(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

// TestIssues counts a divergent branch and a loop with a barrier by line, for four warps of two blocks.
func TestIssues(t *testing.T) {
	t.Parallel()
	r := emutest.Counted(t, emutest.Kernel(`mov.u32 %r1, 0;
again: bar.sync 3;
add.u32 %r1, %r1, 1;
setp.lt.u32 %p1, %r1, 5;
@%p1 bra again;
and.b32 %r2, %r31, 3;
setp.eq.u32 %p2, %r2, 0;
@%p2 bra quarter;
mul.lo.u32 %r3, %r1, 7;
quarter: mov.u32 %r4, 1;
@%p2 add.f32 %f1, 0f00000000, 0f00000000;
bar.sync 0;`), 2, 64, 4, nil)
	lines := map[string]counts{}
	units := map[string]string{}
	for _, l := range r.Lines {
		lines[l.Text], units[l.Text] = countsOf(&l.Counters.Counters), l.Unit
	}
	for text, want := range map[string]counts{
		"bar.sync 3;":                               {"warp_instructions": 20, "active_threads": 640, "thread_instructions": 640, "barrier_arrivals": 20},
		"@%p1 bra again;":                           {"warp_instructions": 20, "active_threads": 640, "thread_instructions": 512},
		"@%p2 bra quarter;":                         {"warp_instructions": 4, "active_threads": 128, "thread_instructions": 32, "divergent_branches": 4},
		"mul.lo.u32 %r3, %r1, 7;":                   {"warp_instructions": 4, "active_threads": 96, "thread_instructions": 96},
		"mov.u32 %r4, 1;":                           {"warp_instructions": 4, "active_threads": 128, "thread_instructions": 128},
		"@%p2 add.f32 %f1, 0f00000000, 0f00000000;": {"warp_instructions": 4, "active_threads": 128, "thread_instructions": 32},
	} {
		if !reflect.DeepEqual(lines[text], want) {
			t.Errorf("'%s': got %v, want %v", text, lines[text], want)
		}
	}
	for text, want := range map[string]string{"bar.sync 3;": "barrier", "@%p1 bra again;": "control", "mul.lo.u32 %r3, %r1, 7;": "fma", "mov.u32 %r4, 1;": "move",
		"@%p2 add.f32 %f1, 0f00000000, 0f00000000;": "fma", "and.b32 %r2, %r31, 3;": "alu"} {
		if units[text] != want {
			t.Errorf("'%s' counts for '%s', want '%s'", text, units[text], want)
		}
	}
	for _, l := range r.Lines {
		if l.Text == "@%p1 bra again;" && l.Target != l.Line-3 {
			t.Errorf("the branch of line %d goes to %d", l.Line, l.Target)
		}
	}
	type bar struct {
		id               int
		arrivals, phases uint64
	}
	var bars []bar
	for _, b := range r.Barriers {
		bars = append(bars, bar{b.ID, b.Arrivals, b.Phases})
	}
	if want := []bar{{0, 4, 2}, {3, 20, 10}}; !reflect.DeepEqual(bars, want) {
		t.Errorf("barriers %v, want %v", bars, want)
	}
	if r.TileBlocks != 2 || r.Least.Counters[machine.BarrierArrivals] != 12 || r.Most.Counters[machine.BarrierArrivals] != 12 {
		t.Errorf("%d blocks, between %d and %d arrivals", r.TileBlocks, r.Least.Counters[machine.BarrierArrivals], r.Most.Counters[machine.BarrierArrivals])
	}
}

// uneven is a kernel whose CTAs do different things in different numbers.
const uneven = `mov.u32 %r1, %ctaid.x; add.u32 %r1, %r1, 1; mul.wide.u32 %d1, %r31, 4; add.u64 %d1, %d1, %d31;
again: ld.global.u32 %r0, [%d1]; bar.sync 0; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra again;`

// TestWorkers checks that the number of workers does not show, nor that launches are counted together.
func TestWorkers(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, emutest.Kernel(uneven))
	profile := func(workers, launches int, block *[3]uint32) *emu.Report {
		p := &emu.Profile{Block: block}
		for range launches {
			mem := emu.NewMemory()
			in, err := mem.Alloc("in", 256, 0)
			if err != nil {
				t.Fatal(err)
			}
			stats, err := m.Run(t.Context(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{9}, Block: [3]uint32{64}, Workers: workers,
				Params: [][]byte{emutest.LE64(in), emutest.LE64(in)}, Profile: p})
			if err != nil {
				t.Fatal(err)
			}
			if sum := p.Total(); launches == 1 && block == nil && (sum[machine.WarpInstructions] != stats.WarpInstructions || sum[machine.ThreadInstructions] != stats.ThreadInstructions) {
				t.Errorf("the profile has %d and %d instructions, the launch %+v", sum[machine.WarpInstructions], sum[machine.ThreadInstructions], stats)
			}
		}
		r, err := m.Report("k", p)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := profile(1, 1, nil)
	for range 4 {
		if many := profile(7, 1, nil); !reflect.DeepEqual(one, many) {
			t.Fatalf("one worker counted %+v, seven %+v", one, many)
		}
	}
	// 1 + 2 + ... + 9 iterations of two warps.
	if n := one.Total.Counters[machine.GlobalLoad]; n != 90 {
		t.Errorf("%d requests, want 90", n)
	}
	if a, b := one.Least.Counters[machine.GlobalLoad], one.Most.Counters[machine.GlobalLoad]; a != 2 || b != 18 {
		t.Errorf("between %d and %d requests of a block, want 2 and 18", a, b)
	}
	if twice := profile(3, 2, nil); twice.Launches != 2 || twice.TileBlocks != 18 || twice.Total.Counters[machine.GlobalLoad] != 180 || twice.Most != one.Most {
		t.Errorf("two launches counted %+v", twice)
	}
	if block := profile(3, 1, &[3]uint32{4}); block.TileBlocks != 1 || block.Total.Counters[machine.GlobalLoad] != 10 || block.Barriers[0].Phases != 5 {
		t.Errorf("CTA 4 counted %+v", block)
	}
	if _, err := m.Run(t.Context(), emu.NewMemory(), emu.Launch{Entry: "k", Grid: [3]uint32{9}, Block: [3]uint32{64}, Params: [][]byte{emutest.LE64(0), emutest.LE64(0)},
		Profile: &emu.Profile{Block: &[3]uint32{9}}}); err == nil || !strings.Contains(err.Error(), "has no CTA 9,0,0") {
		t.Errorf("a CTA beyond the grid: %v", err)
	}
}

// TestWaitsRepeat: CTAs that wait for the one before poll as often each time.
func TestWaitsRepeat(t *testing.T) {
	t.Parallel()
	waits := emutest.Kernel(`mov.u32 %r1, %ctaid.x;
again: ld.relaxed.gpu.global.u32 %r2, [%d30]; setp.ne.u32 %p1, %r1, %r2; @%p1 bra again;
mov.u32 %r3, 0;
work: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 3000; @%p3 bra work;
bar.sync 0; setp.eq.u32 %p2, %r31, 0; @%p2 red.relaxed.gpu.global.add.u32 [%d30], 1;`)
	first := emutest.Counted(t, waits, 16, 64, 4, nil)
	for range 8 {
		if again := emutest.Counted(t, waits, 16, 64, 4, nil); !reflect.DeepEqual(again, first) {
			t.Fatalf("%d instructions, and %d before", again.Total.Counters[machine.WarpInstructions], first.Total.Counters[machine.WarpInstructions])
		}
	}
}

// TestAddsUp checks that lines, units and the statistics of the launch say the same.
func TestAddsUp(t *testing.T) {
	t.Parallel()
	r := emutest.Counted(t, emutest.Kernel(uneven), 5, 96, 4, make([]byte, 512))
	var units uint64
	for _, u := range r.Units {
		units += u.WarpInstructions
	}
	var lines machine.Counters
	for _, l := range r.Lines {
		lines.AddAll(&l.Counters.Counters)
	}
	if lines != r.Total.Counters || units != lines[machine.WarpInstructions] {
		t.Errorf("lines %v, units %d, total %v", lines, units, r.Total)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back emu.Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, r) {
		t.Errorf("read back as %+v, was %+v", back, r)
	}
}

// TestSaturation checks that counters stick at the largest number.
func TestSaturation(t *testing.T) {
	t.Parallel()
	var c, d machine.Counters
	c.Add(machine.GlobalLoad, ^uint64(0)-1)
	c.Add(machine.GlobalLoad, 5)
	d.Add(machine.GlobalLoad, 7)
	c.AddAll(&d)
	if c[machine.GlobalLoad] != ^uint64(0) {
		t.Errorf("the sum is %d", c[machine.GlobalLoad])
	}
}

// TestSources checks that lines of the source are those of .loc, the innermost of an inlined call, and that lines
// that make no sense are passed over.
func TestSources(t *testing.T) {
	t.Parallel()
	src := `.file 1 "kernel.py"` + "\n" + strings.Replace(emutest.Kernel(`.loc 1 7 3
mov.u32 %r1, 1;
mov.u32 %r2, 2;
.loc 2 9 1, function_name $L, inlined_at 1 8 1
mov.u32 %r3, 3;
.loc 1 nonsense
mov.u32 %r4, 4;
.loc 1 7 9
mov.u32 %r5, 5;
.loc 99999999999 1 1
mov.u32 %r6, 6;`), "\n\tret;", "\n.loc 1 10\n\tret;", 1) + ".file 2 \"library.py\", 1, 2\n.file nonsense\n"
	r := emutest.Counted(t, src, 1, 32, 4, nil)
	got := counts{}
	for _, s := range r.Sources {
		got[s.Source.String()] = s.Counters.Counters[machine.WarpInstructions]
	}
	if want := (counts{"kernel.py:7": 5, "library.py:9": 2}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestText checks the hottest lines, and that they are those asked for.
func TestText(t *testing.T) {
	t.Parallel()
	r := emutest.Counted(t, emutest.Kernel(shared+`shl.b32 %r3, %r31, 7; add.u32 %r3, %r3, %r2;
st.shared.u32 [%r3], %r31;`), 1, 32, 4, nil)
	var b strings.Builder
	if err := r.WriteText(&b, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"k sm_90a: 1 launch, 1 tile block\n", "shared store  1         32          1      32         128\n", "1       32     -        -      32          1      st.shared.u32 [%r3], %r31;\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, &b)
		}
	}
	if n := strings.Count(b.String(), ";"); n != 1 {
		t.Errorf("%d instructions are shown, want 1:\n%s", n, &b)
	}
}

// TestHostile counts accesses to addresses that do not exist, and instructions that fault: the fault is what the
// launch reports, whatever the address.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"mov.u64 %d1, -1; ld.global.u8 %r0, [%d1];",
		"mov.u64 %d1, -16; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d1];",
		"mov.u64 %d1, -4; ld.u32 %r0, [%d1];",
		".shared .align 4 .b8 s[4]; mov.u32 %r1, -4; ld.shared.u32 %r0, [%r1];",
		".local .align 4 .b8 l[4]; mov.u64 %d1, -4; st.local.u32 [%d1], 1;",
		".shared .align 16 .b8 s[16]; mov.u64 %d1, -16; cp.async.cg.shared.global [s], [%d1], 16;",
		".shared .align 16 .b8 s[16]; mov.u32 %r3, -1; cp.async.cg.shared.global [s], [%d31], 16, %r3;",
		".shared .align 16 .b8 s[16]; mov.u64 %d1, -8; st.bulk.shared::cta [s], %d1, 0;",
		".shared .align 16 .b8 s[16]; mov.u32 %r3, -16; cp.async.bulk.global.shared::cta.bulk_group [%d31], [s], %r3;",
		".shared .align 16 .b8 s[16]; mov.u32 %r1, -16; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r1];",
		"mov.u32 %r1, 16; bar.sync %r1;",
		"ld.global.u32 %r0, [%d9];",
	} {
		m := emutest.Parse(t, emutest.Kernel(body))
		mem := emu.NewMemory()
		in, err := mem.Alloc("in", 256, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := new(emu.Profile)
		_, err = m.Run(t.Context(), mem, emu.Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{emutest.LE64(in), emutest.LE64(in)}, Profile: p})
		var fault *emu.Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: got %v", body, err)
		}
		if r, err := m.Report("k", p); err != nil || r.Total.Counters[machine.WarpInstructions] == 0 {
			t.Errorf("%s: the report of what was executed: %v", body, err)
		}
	}
}
