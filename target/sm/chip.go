package sm

import (
	"slices"
	"strings"
)

// A Chip is what is around the SMs of an architecture in the product that stands for it, and how its asynchronous
// units answer. Cycles are those of the SM's clock.
type Chip struct {
	archs  []string
	Name   string
	SMs    int
	MHz    int     // of the clock for which peaks are given
	GBytes float64 // that memory moves in a second, in 10^9 bytes
	// LoadStore is how many load and store units an SM has: lanes of such an instruction that it takes in a cycle.
	LoadStore int
	L2        float64 // bytes of the L2 cache
	// HalfF32 says that MMAs of 16-bit floats with f32 accumulators have half the rate of the architecture's table.
	HalfF32 bool

	Source   string
	Estimate bool
}

const mib = 1 << 20

// chips is the table. Of the rows of an architecture, the first stands for it: the largest product that has a data
// sheet. Load and store units are those of the SM in the white papers: 8 in a quarter of GA100 and GH100, 4 of GA102,
// AD102 and GB202.
var chips = []Chip{
	{[]string{"sm_80"}, "A100 SXM4 40GB", 108, 1410, 1555, 32, 40 * mib, false, "NVIDIA A100 white paper", false},
	{[]string{"sm_80"}, "A100 SXM4 80GB", 108, 1410, 2039, 32, 40 * mib, false, "NVIDIA A100 80GB data sheet", false},
	{[]string{"sm_86"}, "A40", 84, 1740, 696, 16, 6 * mib, false, "NVIDIA A40 data sheet, GA102 white paper", false},
	{[]string{"sm_86"}, "RTX A6000", 84, 1800, 768, 16, 6 * mib, false, "NVIDIA GA102 white paper", false},
	{[]string{"sm_86"}, "GeForce RTX 3090", 82, 1695, 936, 16, 6 * mib, true, "NVIDIA GA102 white paper", false},
	{[]string{"sm_87"}, "Jetson AGX Orin 64GB", 16, 1300, 204.8, 16, 4 * mib, false, "NVIDIA Jetson AGX Orin brief", false},
	{[]string{"sm_88"}, unnamed, 16, 1300, 204.8, 16, 4 * mib, false, "as sm_87", true},
	{[]string{"sm_89"}, "L40", 142, 2490, 864, 16, 96 * mib, false, "NVIDIA L40 data sheet, Ada white paper", false},
	{[]string{"sm_89"}, "GeForce RTX 4090", 128, 2520, 1008, 16, 72 * mib, true, "NVIDIA Ada white paper", false},
	{hopper, "H100 SXM5", 132, 1830, 3352, 32, 50 * mib, false, "NVIDIA H100 white paper; clock: that of its peaks", false},
	{hopper, "H100 NVL", 132, 1545, 3938, 32, 50 * mib, false, "NVIDIA H100 NVL data sheet; clock: that of its peaks, 835 TFLOP/s of f16", false},
	{hopper, "H100 PCIe", 114, 1620, 2039, 32, 50 * mib, false, "NVIDIA H100 white paper; clock: that of its peaks, 756 TFLOP/s of f16", false},
	{hopper, "H200 SXM", 132, 1980, 4800, 32, 50 * mib, false, "NVIDIA H200 data sheet; clock: the highest, which its driver reports (docs/confirmed/h200.json)", false},
	{[]string{"sm_100"}, "B200", 148, 1850, 8000, 32, 126 * mib, false, "NVIDIA Blackwell data sheet; clock: peak over SMs", true},
	{[]string{"sm_103"}, "B300", 160, 1850, 8000, 32, 126 * mib, false, "NVIDIA on Blackwell Ultra; clock as B200", true},
	{[]string{"sm_107"}, unnamed, 160, 1850, 8000, 32, 126 * mib, false, "as sm_103", true},
	{[]string{"sm_110"}, "Jetson T5000", 20, 1575, 273, 32, 32 * mib, false, "NVIDIA Jetson Thor data sheet; L2: estimate", true},
	{[]string{"sm_120"}, "GeForce RTX 5090", 170, 2407, 1792, 16, 96 * mib, true, "NVIDIA RTX Blackwell white paper", false},
	{[]string{"sm_120"}, "RTX PRO 6000 Blackwell", 188, 2617, 1792, 16, 128 * mib, false, "NVIDIA RTX Blackwell PRO white paper", false},
	{[]string{"sm_121"}, "GB10", 48, 2400, 273, 16, 24 * mib, false, "NVIDIA DGX Spark data sheet; clock: estimate", true},
}

// Chip returns the product that stands for the architecture.
func (a *Arch) Chip() *Chip {
	for i := range chips {
		if chips[i].Has(a) {
			return &chips[i]
		}
	}
	panic("sm: no chip for " + a.Name) // a test asks for each
}

// Chips returns the products of the table that have a name.
func Chips() (list []*Chip) {
	for i := range chips {
		if chips[i].Name != unnamed {
			list = append(list, &chips[i])
		}
	}
	return list
}

const unnamed = "not published"

// ChipNamed returns the product of that name, nil if the table has none. Case, and spaces and hyphens between words, do
// not matter: "h100-nvl" is the H100 NVL.
func ChipNamed(name string) *Chip {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(s))
	}
	for _, c := range Chips() {
		if plain(c.Name) == plain(name) {
			return c
		}
	}
	return nil
}

// Has reports whether the product has the architecture.
func (c *Chip) Has(a *Arch) bool { return slices.Contains(c.archs, a.Name) }

// Archs are the names of the architectures that the product stands for.
func (c *Chip) Archs() []string { return c.archs }

// MemoryBytes is the part of an SM in what memory moves at its peak in a cycle of the chip's clock.
func (c *Chip) MemoryBytes() float64 { return c.GBytes * 1000 / float64(c.MHz) / float64(c.SMs) }

// MemoryShare is the part of the peak that memory reaches: 1,407 of 1,555 GB/s on an A100, 1,861 of 2,039 on an H100
// PCIe, 930 of 1,008 on an RTX 4090 (Luo et al., arXiv 2402.13499).
const MemoryShare = 0.91

// A Start is what a launch costs besides what its CTAs execute.
type Start struct {
	// Kernel is from the start of a kernel to its first CTA and from its last CTA to its end, in microseconds; Events
	// is what events around a launch see besides.
	Kernel, Events float64
	// CTA is the cycles from the end of a CTA to the first instruction of the next one in its place.
	CTA int
	// TensorMap is what a tensor map costs that a CTA makes, in microseconds: cache invalidations of the chip are one
	// after the other.
	TensorMap float64
	Source    string
	Estimate  bool
}

// Starts is of all architectures.
var Starts = Start{Kernel: 1.2, Events: 3.7, CTA: 300, TensorMap: 0.0053, Estimate: true,
	Source: "tensor maps: 5.3 ns for each map and CTA of an H100 NVL, in logs of G. Baraldi; events see 4.9 us of an empty kernel on an H200 (FlashGPU-Sim, configs/SM90_H200_CLUSTER132); others: order of magnitude"}

// Async is how units work that a thread starts and does not wait for, in cycles of an SM.
type Async struct {
	CopyMore  int // that a cp.async takes longer than a load of the same bytes, until its wait sees it
	BulkMore  int // the same of a bulk or TMA copy
	BulkIssue int // between two bulk copies of an SM
	Poll      int // from a test of an mbarrier to the branch that it decides
	MMATail   int // from the end of a wgmma until a wait for it is over
	Fence     int // that a warp waits at a fence of the GPU's scope, or of a tensor map
	Remote    int // from an access to shared memory of another CTA of the cluster to its result
	// ClusterBarrier is from the last arrival at a barrier of a cluster until warps go on, ProxyFence a fence between
	// proxies.
	ClusterBarrier, ProxyFence int
	Branch                     int     // in which a warp that has branched issues nothing
	Special                    int     // until a special register such as %tid is read
	Vote                       int     // until the lanes of a warp have voted
	Tensor                     int     // from tcgen05.ld to its registers
	TensorIn                   float64 // bytes that tcgen05.st writes in a cycle, of a quarter of an SM
	TensorOut                  float64 // bytes that tcgen05.ld reads
	Source                     string
	Estimate                   bool
}

// async is of all architectures: no paper gives these figures in a form that separates them from what is around them.
//
// What is known: a TMA load takes longer than a thread's own, and is worth it for boxes of some KiB (Luo et al., arXiv
// 2501.12084, section on TMA). cp.async saves the way through registers and costs no latency of its own (Svedin et
// al., arXiv 2106.04979, on the A100). TMEM of a B200 is read with 16 TB/s and written with 8 TB/s (Jarmusch and
// Chandrasekaran, arXiv 2512.02189). That is 128 and 64 bytes in a cycle of each quarter of 148 SMs at 1.85 GHz,
// within a tenth.
//
// Shared memory of another CTA answers after 193 cycles on the mean, flat in distance, where that of the own CTA does
// after 37 (H200; FlashGPU-Sim, configs/SM90_H200/dsm_latency_matrix_16.csv). An exchange with it, between two barriers
// of the cluster, takes some 600 cycles; that, votes and fences between proxies are estimates. A successful test of an
// mbarrier takes 43 cycles, and a wait for a wgmma with N columns N/2 + 43, of which N/2 are its work (H200; the same,
// configs/SM90_H200_CLUSTER132/gpgpusim.config at 082c6a0).
//
// A fence of the GPU was fitted to attention of D128 on an H200 (docs/measurements/timing.md).
var async = Async{CopyMore: 0, BulkMore: 170, BulkIssue: 8, Poll: 43, MMATail: 46, Fence: 1000, Remote: 193, ClusterBarrier: 204, ProxyFence: 12, Branch: 6, Special: 20, Vote: 12, Tensor: 24, TensorIn: 64, TensorOut: 128,
	Source: "order of magnitude: arXiv 2501.12084, 2106.04979, 2512.02189", Estimate: true}

// ClusterExchange is how many cycles CTAs of a cluster take to exchange data: two barriers, and a load between them.
func ClusterExchange() int { return 2*async.ClusterBarrier + async.Remote }

// Async returns how the asynchronous units of the architecture work.
func (a *Arch) Async() *Async { return &async }

// Subpartitions is how many parts an SM has, with a scheduler each.
const Subpartitions = 4

// ResidentCTAs returns how many CTAs an SM holds that have so many warps, registers a thread and bytes of shared
// memory, and what is used up first.
func (a *Arch) ResidentCTAs(warps, registers, shared int) (n int, limit string) {
	n, limit = a.CTAs, "tile blocks"
	less := func(have, need int, what string) {
		if need > 0 && have/need < n {
			n, limit = have/need, what
		}
	}
	less(a.Warps, warps, "warps")
	// Registers are given to warps in granules, and belong to the partitions, over which warps are spread.
	granule := a.Registers.Unit / WarpSize
	perWarp := (max(registers, 1) + granule - 1) / granule * granule * WarpSize
	less(a.Registers.PerSM/Subpartitions/perWarp*Subpartitions, (warps+Subpartitions-1)/Subpartitions*Subpartitions, "registers")
	less(a.Shared.PerSM, shared+a.Shared.Reserved, "shared memory")
	return n, limit
}
