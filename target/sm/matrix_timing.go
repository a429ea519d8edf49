package sm

import "slices"

// Timing says how long an instruction keeps the tensor cores busy and when its result is there, in cycles of the SM's
// clock.
type Timing struct {
	Issue   int // cycles until the same tensor cores can begin another one
	Latency int // cycles until a dependent one can begin
	// Source says where the numbers come from. An Estimate was measured on another instruction, or on none.
	Source   string
	Estimate bool
}

// A rate is how many multiply-adds an SM begins in a cycle, by the type of the elements, for some families on some
// architectures.
type rate struct {
	archs    []string
	families []MatrixFamily
	perClock map[Elem]float64
	depth    int // cycles that a result takes beyond those of Issue
	source   string
	estimate bool
}

// The sources. Peaks of white papers are those of a chip over its SMs and clock; measured latencies are from the
// papers.
const (
	paperA100      = "peak: NVIDIA A100 white paper; latency: 24.7 cycles for m16n8k16 (Sun et al., arXiv 2206.02874)"
	paperGA102     = "peak: NVIDIA GA102 white paper, professional parts (GeForce: half with f32 accumulators); latency as A100"
	paperOrin      = "peak: NVIDIA Jetson AGX Orin brief; latency as A100"
	paperAda       = "peak: NVIDIA Ada white paper, professional parts (GeForce: half with f32 accumulators); latency as A100"
	paperHopper    = "peak: NVIDIA H100 white paper; latency: 128 cycles for m64n256k16 (Luo et al., arXiv 2402.13499)"
	paperHopperOld = "0.63 of the peak of wgmma on average (Luo et al., arXiv 2402.13499); latency as A100"
	paperB200      = "peak: NVIDIA Blackwell data sheet; latency not published in a form that can be relied on"
	guessB200      = "as sm_80, whose path it keeps"
	paperRTX50     = "peak: NVIDIA RTX Blackwell white paper, with f16 accumulators (GeForce: half with f32 accumulators); latency as A100"
	asHopper       = "as sm_90, of which ptxas makes the same machine code"
	paperThreads   = "CUDA programming guide, throughput of native arithmetic instructions; latency: 4 cycles (Jia et al., arXiv 1804.06826)"
)

var (
	warpFamilies = []MatrixFamily{MmaSync, MmaF8F6F4Sync, MmaScaled, MmaSparse}
	pairFamilies = []MatrixFamily{Tcgen05, Tcgen05Pair, Tcgen05Scaled, Tcgen05Scaled2}
)

// perType lists rates by the width of elements, which is what the data paths of a tensor core are divided by; f64 has
// one of its own.
func perType(f16, f64 float64) map[Elem]float64 {
	rates := map[Elem]float64{F64: f64}
	for e := NoElem + 1; e < numElems; e++ {
		switch e.Bits() {
		case 32:
			rates[e] = f16 / 2
		case 16:
			rates[e] = f16
		case 6, 8:
			rates[e] = 2 * f16
		case 4:
			rates[e] = 4 * f16
		}
	}
	return rates
}

func threads(f32, f64, s32 float64) map[Elem]float64 {
	return map[Elem]float64{F32: f32, F64: f64, S32: s32}
}

// rates is the table; of two rows that fit the first counts.
var rates = []rate{
	{[]string{"sm_80"}, warpFamilies, perType(1024, 64), 17, paperA100, false},
	{[]string{"sm_86", "sm_88"}, warpFamilies, perType(512, 2), 17, paperGA102, true},
	{[]string{"sm_87"}, warpFamilies, perType(1024, 2), 17, paperOrin, true},
	{[]string{"sm_89"}, warpFamilies, perType(512, 2), 17, paperAda, true},
	{hopper, []MatrixFamily{Wgmma}, perType(2048, 0), 0, paperHopper, false},
	{hopper, warpFamilies, perType(0.63*2048, 128), 17, paperHopperOld, true},
	{tensorMemory, pairFamilies, perType(4096, 0), 32, paperB200, true},
	{tensorMemory, warpFamilies, perType(1024, 64), 17, guessB200, true},
	{family120, warpFamilies, perType(512, 2), 17, paperRTX50, true},
	{[]string{"sm_80"}, []MatrixFamily{FMA}, threads(64, 32, 64), 3, paperThreads, false},
	{[]string{"sm_86", "sm_87", "sm_88", "sm_89", "sm_120", "sm_121"}, []MatrixFamily{FMA}, threads(128, 2, 64), 3, paperThreads, false},
	{hopper, []MatrixFamily{FMA}, threads(128, 64, 64), 3, paperThreads, false},
	{tensorMemory, []MatrixFamily{FMA}, threads(128, 64, 64), 3, paperThreads, true},
}

// A timed row is of an mma.sync that was measured by itself, with N = 8. It counts before rates do.
type timed struct {
	archs          []string
	m, k           int // of the shape
	elems          []Elem
	issue, latency int
	source         string
	estimate       bool
}

// timings have what `tile confirm` measured, rounded. Four of an instruction were in flight in each quarter of an SM,
// so that the kit cannot see one that begins earlier than after a quarter of its latency. Those of 6 and 4 cycles are
// at that limit. The first is 0.67 of the peak of wgmma, where Luo et al. find 0.63 on average.
var timings = []timed{
	{hopper, 16, 16, halves, 6, 24, confirmed, false},
	{hopper, 16, 8, halves, 4, 17, confirmed, false},
	{hopper, 16, 8, tf32s, 6, 24, confirmed, false},
	{hopper, 16, 4, tf32s, 4, 17, confirmed, false},
	{hopper, 16, 32, bytes8, 6, 24, confirmed, false},
	{hopper, 16, 16, bytes8, 4, 17, confirmed, false},
	{hopper, 16, 64, nibbles, 304, 375, confirmed, false},
	{slices.Concat(tensorMemory, family120), 16, 64, nibbles, 304, 375, asHopper, true},
	{hopper, 16, 16, doubles, 64, 82, confirmed, false},
	{hopper, 16, 8, doubles, 32, 50, confirmed, false},
	{hopper, 16, 4, doubles, 16, 34, confirmed, false},
	{hopper, 8, 4, doubles, 16, 26, confirmed, false},
}

// AccumulatorBytes is what the accumulators of wgmma take of the bandwidth of registers while it runs, and
// RegisterBytes all of it, in bytes a cycle of an SM. Independent arithmetic has the rest (FlashGPU-Sim,
// configs/README.md, fitted to an H100).
const (
	AccumulatorBytes = 512
	RegisterBytes    = 1024
)

// Timing returns the timing of the instruction with extent n of N on an architecture that has it. It reports false
// where the table has no rate. Sparse rows count the elements that are multiplied.
func (m *Matrix) Timing(a *Arch, n int) (Timing, bool) {
	if t := m.timed(a); t != nil {
		return Timing{Issue: t.issue, Latency: t.latency, Source: t.source, Estimate: t.estimate || m.Sparse}, true
	}
	r := m.rate(a)
	if r == nil {
		return Timing{}, false
	}
	work := float64(m.M * n * m.K)
	if m.Family == FMA {
		work *= WarpSize // each thread of a warp does one
	}
	if m.Sparse {
		work /= 2
	}
	if m.Warps == 1 {
		work *= Subpartitions // what one warp issues occupies the tensor core of its subpartition
	}
	issue := max(1, int(work/(m.perClock(a, r)*float64(max(1, m.CTAs)))+0.5))
	return Timing{Issue: issue, Latency: issue + r.depth, Source: r.source, Estimate: r.estimate || !m.Native(a)}, true
}

// timed returns the row of the instruction among those that were measured by themselves; nil: there is none. A sparse
// one takes as long as the dense one that multiplies as many elements.
func (m *Matrix) timed(a *Arch) *timed {
	if !slices.Contains(warpFamilies, m.Family) {
		return nil
	}
	k := m.K
	if m.Sparse {
		k /= 2
	}
	for i := range timings {
		t := &timings[i]
		if t.m == m.M && t.k == k && slices.Contains(t.elems, m.A.Elems[0]) && slices.Contains(t.archs, a.Name) {
			return t
		}
	}
	return nil
}

// perClock is the rate of a row for the instruction. One that the architecture emulates has elements of twice the width.
func (m *Matrix) perClock(a *Arch, r *rate) float64 {
	x := r.perClock[m.A.Elems[0]]
	if !m.Native(a) {
		x /= 2
	}
	return x
}

// rate returns the row of the table for the instruction on an architecture; nil: there is none.
func (m *Matrix) rate(a *Arch) *rate {
	for i := range rates {
		if r := &rates[i]; r.perClock[m.A.Elems[0]] > 0 && slices.Contains(r.archs, a.Name) && slices.Contains(r.families, m.Family) {
			return r
		}
	}
	return nil
}

// MultiplyAdds returns how many multiply-adds of these types an SM does in a cycle, by its fastest instruction that is
// not sparse; 0 where the table has no rate.
func (a *Arch) MultiplyAdds(types MatrixTypes) (most float64) {
	for _, m := range matrices {
		if !m.Sparse && m.Takes(types) && m.On(a) {
			if r := m.rate(a); r != nil {
				most = max(most, m.perClock(a, r))
			}
		}
	}
	return most
}
