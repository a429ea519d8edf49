package confirm

import (
	"context"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// A litmus test is a small program of two or more threads with a set of outcomes that the memory model forbids (PTX ISA,
// "Memory Consistency Model"; Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency
// Model", ASPLOS 2019).
//
// Threads of CTA 0 play with those of the same number in the other CTAs, or of another warp. Each pair has variables x
// and y of its own, in lines of its own. A round begins when all sides have arrived, which they await for a bounded
// time, so that they run at the same time. What the threads read is the number of a bin, which is counted.
type litmusTest struct {
	name string
	// roles are the statements of each thread. [x] and [y] are the variables, 0 at first; %a and %b what is read.
	roles []string
	// results names which register of which role is a digit of the outcome, the highest first: "1a" is %a of role 1.
	results []string
	// forbidden are outcomes as digits.
	forbidden []string
	// within says that roles are warps of one CTA and not CTAs of a grid.
	within  bool
	feature *sm.Feature
}

// Rounds of a litmus test, and pairs of threads in each. One warp of a CTA plays.
const (
	litmusRounds = 64
	litmusPairs  = 32
)

var litmusTests = []litmusTest{
	{name: "message passing, release and acquire, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1; st.release.gpu.global.u32 [y], 1;", "ld.acquire.gpu.global.u32 %a, [y]; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing, weak data, release and acquire, gpu", roles: []string{"st.weak.global.u32 [x], 1; st.release.gpu.global.u32 [y], 1;", "ld.acquire.gpu.global.u32 %a, [y]; setp.eq.u32 %p0, %a, 1; mov.u32 %b, 1; @%p0 ld.weak.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing, fences, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1; fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [y], 1;", "ld.relaxed.gpu.global.u32 %a, [y]; fence.acq_rel.gpu; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing, release and acquire, sys", roles: []string{"st.relaxed.sys.global.u32 [x], 1; st.release.sys.global.u32 [y], 1;", "ld.acquire.sys.global.u32 %a, [y]; ld.relaxed.sys.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing, atomic flag, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1; red.release.gpu.global.add.u32 [y], 1;", "atom.acquire.gpu.global.add.u32 %a, [y], 0; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing, release and acquire, cta", within: true, roles: []string{"st.relaxed.cta.global.u32 [x], 1; st.release.cta.global.u32 [y], 1;", "ld.acquire.cta.global.u32 %a, [y]; ld.relaxed.cta.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "message passing in shared memory, cta", within: true, roles: []string{"st.relaxed.cta.shared.u32 [sx], 1; st.release.cta.shared.u32 [sy], 1;", "ld.acquire.cta.shared.u32 %a, [sy]; ld.relaxed.cta.shared.u32 %b, [sx];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "store buffering, fence.sc, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1; fence.sc.gpu; ld.relaxed.gpu.global.u32 %a, [y];", "st.relaxed.gpu.global.u32 [y], 1; fence.sc.gpu; ld.relaxed.gpu.global.u32 %a, [x];"},
		results: []string{"0a", "1a"}, forbidden: []string{"00"}},
	{name: "store buffering, fence.sc, cta", within: true, roles: []string{"st.relaxed.cta.global.u32 [x], 1; fence.sc.cta; ld.relaxed.cta.global.u32 %a, [y];", "st.relaxed.cta.global.u32 [y], 1; fence.sc.cta; ld.relaxed.cta.global.u32 %a, [x];"},
		results: []string{"0a", "1a"}, forbidden: []string{"00"}},
	{name: "load buffering, release and acquire, gpu", roles: []string{"ld.acquire.gpu.global.u32 %a, [y]; st.release.gpu.global.u32 [x], 1;", "ld.acquire.gpu.global.u32 %a, [x]; st.release.gpu.global.u32 [y], 1;"},
		results: []string{"0a", "1a"}, forbidden: []string{"11"}},
	{name: "coherence of reads, relaxed, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1;", "ld.relaxed.gpu.global.u32 %a, [x]; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"1a", "1b"}, forbidden: []string{"10"}},
	{name: "independent reads of independent writes, fence.sc, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1;", "st.relaxed.gpu.global.u32 [y], 1;", "ld.relaxed.gpu.global.u32 %a, [x]; fence.sc.gpu; ld.relaxed.gpu.global.u32 %b, [y];", "ld.relaxed.gpu.global.u32 %a, [y]; fence.sc.gpu; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"2a", "2b", "3a", "3b"}, forbidden: []string{"1010"}},
	{name: "write to read causality, gpu", roles: []string{"st.relaxed.gpu.global.u32 [x], 1;", "ld.relaxed.gpu.global.u32 %a, [x]; fence.acq_rel.gpu; setp.eq.u32 %p0, %a, 1; @%p0 st.relaxed.gpu.global.u32 [y], 1;", "ld.acquire.gpu.global.u32 %a, [y]; ld.relaxed.gpu.global.u32 %b, [x];"},
		results: []string{"2a", "2b"}, forbidden: []string{"10"}},
	{name: "atomicity of exchange, gpu", roles: []string{"atom.relaxed.gpu.global.exch.b32 %a, [x], 1;", "atom.relaxed.gpu.global.exch.b32 %a, [x], 1;"},
		results: []string{"0a", "1a"}, forbidden: []string{"00", "11"}},
	{name: "message passing over a barrier, cta", within: true, roles: []string{"st.weak.global.u32 [x], 1; st.weak.shared.u32 [sx], 1; BARRIER", "BARRIER ld.weak.global.u32 %a, [x]; ld.weak.shared.u32 %b, [sx];"},
		results: []string{"1a", "1b"}, forbidden: []string{"00", "01", "10"}},
	{name: "message passing over an mbarrier, cta", within: true, roles: []string{"st.weak.global.u32 [x], 1; st.weak.shared.u32 [sx], 1; mbarrier.arrive.shared.b64 _, [%bar];", "AWAIT ld.weak.global.u32 %a, [x]; ld.weak.shared.u32 %b, [sx];"},
		results: []string{"1a", "1b"}, forbidden: []string{"00", "01", "10"}, feature: &sm.Clusters},
}

func litmusProbes() (out []*Probe) {
	for _, l := range litmusTests {
		bins := 1 << len(l.results)
		j := judge{sum: litmusRounds * litmusPairs}
		for _, f := range l.forbidden {
			n := 0
			for _, digit := range f {
				n = 2*n + int(digit-'0')
			}
			j.forbidden = append(j.forbidden, n)
		}
		out = append(out, &Probe{ID: name(Litmus, l.name), Kind: Litmus, judge: j, Look: "docs/async-model.md and target/engine/emu/hb",
			Means: "Hardware shows an outcome that the memory model forbids as we read it, so the check of synchronization trusts an order that is none.",
			on:    func(a *sm.Arch) bool { return l.feature == nil || a.Has(*l.feature) },
			make:  func(_ context.Context, t Target) (*Launch, error) { return l.launch(t, bins) }})
	}
	return out
}

func (l *litmusTest) launch(t Target, bins int) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	n := len(l.roles)
	k := new(kernelText)
	block, grid := 32, n
	if l.within {
		block, grid = 32*n, 1
	}
	// Memory: for each round and pair 512 bytes with x, y, and a counter of arrivals for each warp; then results.
	fmt.Fprintf(&k.b, `%s.visible .entry k(.param .u64 res, .param .u64 mem, .param .u64 seen)
.reqntid %d, 1, 1
{
	.shared .align 8 .b8 sx[%d]; .shared .align 8 .b8 sy[%d]; .shared .align 8 .b64 bars[%d];
	.reg .pred %%p<8>; .reg .b32 %%r<8>; .reg .b32 %%a, %%b, %%lane, %%role, %%round, %%i, %%v, %%bar, %%sx, %%sy; .reg .b64 %%mem, %%seen, %%res, %%x, %%y, %%z, %%w;
	ld.param.u64 %%res, [res]; ld.param.u64 %%mem, [mem]; ld.param.u64 %%seen, [seen];
	mov.u32 %%v, %%tid.x; and.b32 %%lane, %%v, 31;
`, header, block, 4*litmusRounds*litmusPairs, 4*litmusRounds*litmusPairs, litmusRounds)
	if l.within {
		k.line("shr.u32 %%role, %%v, 5;")
	} else {
		k.line("mov.u32 %%role, %%ctaid.x;")
	}
	// Shared memory is zero, and each round has an mbarrier of its own.
	k.line("mov.b32 %%sx, sx; mov.b32 %%sy, sy; mov.b32 %%bar, bars; mov.u32 %%i, %%v;")
	k.b.WriteString("CLEAR:\n")
	k.line("shl.b32 %%r0, %%i, 2; add.u32 %%r1, %%sx, %%r0; st.shared.u32 [%%r1], 0; add.u32 %%r1, %%sy, %%r0; st.shared.u32 [%%r1], 0;")
	k.line("setp.lt.u32 %%p1, %%i, %d; shl.b32 %%r0, %%i, 3; add.u32 %%r1, %%bar, %%r0; @%%p1 mbarrier.init.shared.b64 [%%r1], 32;", litmusRounds)
	k.line("add.u32 %%i, %%i, %d; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra CLEAR; bar.sync 0;", block, litmusRounds*litmusPairs)
	k.line("mov.u32 %%round, 0;")
	k.b.WriteString("ROUND:\n")
	k.line("mad.lo.u32 %%v, %%round, %d, %%lane; mul.wide.u32 %%x, %%v, 512; add.u64 %%x, %%x, %%mem; add.u64 %%y, %%x, 128;", litmusPairs)
	k.line("shl.b32 %%r0, %%v, 2; mov.b32 %%sx, sx; mov.b32 %%sy, sy; add.u32 %%sx, %%sx, %%r0; add.u32 %%sy, %%sy, %%r0; shl.b32 %%r1, %%round, 3; mov.b32 %%bar, bars; add.u32 %%bar, %%bar, %%r1;")
	// All sides arrive and wait for each other, for a bounded time.
	k.line("add.u64 %%z, %%x, 256; red.relaxed.gpu.global.add.u32 [%%z], 1; mov.u32 %%i, 0; mov.u32 %%a, 0; mov.u32 %%b, 0;")
	k.b.WriteString("MEET:\n")
	k.line("ld.relaxed.gpu.global.u32 %%r2, [%%z]; add.u32 %%i, %%i, 1; setp.lt.u32 %%p0, %%r2, %d; setp.lt.u32 %%p1, %%i, 2000; and.pred %%p0, %%p0, %%p1; @%%p0 bra MEET;", n)
	for i, role := range l.roles {
		k.line("setp.ne.u32 %%p2, %%role, %d; @%%p2 bra NOT%d;", i, i)
		role = strings.NewReplacer("[x]", "[%x]", "[y]", "[%y]", "[sx]", "[%sx]", "[sy]", "[%sy]", "BARRIER", fmt.Sprintf("barrier.sync 1, %d;", block),
			"AWAIT", fmt.Sprintf("mov.u32 %%i, 0; AGAIN%d: mbarrier.test_wait.parity.shared.b64 %%p3, [%%bar], 0; add.u32 %%i, %%i, 1; setp.gt.u32 %%p4, %%i, 1000000; or.pred %%p3, %%p3, %%p4; @!%%p3 bra AGAIN%d;", i, i)).Replace(role)
		k.line("%s", role)
		fmt.Fprintf(&k.b, "NOT%d:\n", i)
	}
	// Results lie by round, pair, role: two words each.
	k.line("mad.lo.u32 %%v, %%v, %d, %%role; mul.wide.u32 %%w, %%v, 8; add.u64 %%w, %%w, %%seen; st.global.v2.u32 [%%w], {%%a, %%b};", n)
	k.line("add.u32 %%round, %%round, 1; setp.lt.u32 %%p0, %%round, %d; @%%p0 bra ROUND;", litmusRounds)
	// The last warp counts what all have seen.
	k.line("fence.acq_rel.gpu; bar.sync 0; setp.ne.u32 %%p0, %%lane, 0; @%%p0 bra END;")
	k.line("atom.acq_rel.gpu.global.add.u32 %%r0, [%%res+%d], 1; setp.ne.u32 %%p0, %%r0, %d; @%%p0 bra END;", 4*bins, n-1)
	k.line("fence.acq_rel.gpu; mov.u32 %%i, 0;")
	k.b.WriteString("COUNT:\n")
	k.line("mul.wide.u32 %%w, %%i, %d; add.u64 %%w, %%w, %%seen; mov.u32 %%v, 0;", 8*n)
	for _, r := range l.results {
		offset := 8*int(r[0]-'0') + 4*int(r[1]-'a')
		k.line("ld.relaxed.gpu.global.u32 %%r1, [%%w+%d]; and.b32 %%r1, %%r1, 1; shl.b32 %%v, %%v, 1; or.b32 %%v, %%v, %%r1;", offset)
	}
	k.line("mul.wide.u32 %%z, %%v, 4; add.u64 %%z, %%z, %%res; red.global.add.u32 [%%z], 1;")
	k.line("add.u32 %%i, %%i, 1; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra COUNT;", litmusRounds*litmusPairs)
	k.b.WriteString("END:\n\tret;\n}\n")
	k.size = 4*bins + 8
	k.fields = []Field{{Name: "outcomes", Type: launch.U32, Count: bins}}
	out := k.launch(block, buffer(make([]byte, 512*litmusRounds*litmusPairs)), buffer(make([]byte, 8*n*litmusRounds*litmusPairs)))
	out.Request.Grid[0] = uint32(grid)
	return out, nil
}

// outcomes judges a histogram: it counts each round of each pair once, and no forbidden outcome.
func (j *judge) outcomes(got []byte, bins, digits int) *difference {
	total := 0
	var d difference
	for i := range bins {
		total += int(launch.U32.Load(got, i))
	}
	d.of = j.sum
	for _, i := range j.forbidden {
		if n := int(launch.U32.Load(got, i)); n > 0 {
			if d.values += n; d.first == "" {
				d.first = fmt.Sprintf("outcome %0*b, which is forbidden, %d times", digits, i, n)
			}
		}
	}
	if total != j.sum && d.values == 0 {
		d.values, d.first = j.sum, fmt.Sprintf("%d outcomes were counted, expected %d", total, j.sum)
	}
	if d.values == 0 {
		return nil
	}
	return &d
}
