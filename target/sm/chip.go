package sm

import "slices"

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

	Source   string
	Estimate bool
}

// chips is the table: the largest product with the architecture that has a data sheet. Load and store units are those
// of the SM in the white papers: 8 in a quarter of GA100 and GH100, 4 of GA102, AD102 and GB202.
var chips = []Chip{
	{[]string{"sm_80"}, "A100 SXM4 40GB", 108, 1410, 1555, 32, "NVIDIA A100 white paper", false},
	{[]string{"sm_86"}, "A40", 84, 1740, 696, 16, "NVIDIA A40 data sheet, GA102 white paper", false},
	{[]string{"sm_87"}, "Jetson AGX Orin 64GB", 16, 1300, 204.8, 16, "NVIDIA Jetson AGX Orin brief", false},
	{[]string{"sm_88"}, "not published", 16, 1300, 204.8, 16, "as sm_87", true},
	{[]string{"sm_89"}, "L40", 142, 2490, 864, 16, "NVIDIA L40 data sheet, Ada white paper", false},
	{hopper, "H100 SXM5", 132, 1830, 3352, 32, "NVIDIA H100 white paper; clock: that of its peaks", false},
	{[]string{"sm_100"}, "B200", 148, 1850, 8000, 32, "NVIDIA Blackwell data sheet; clock: peak over SMs", true},
	{[]string{"sm_103"}, "B300", 160, 1850, 8000, 32, "NVIDIA on Blackwell Ultra; clock as B200", true},
	{[]string{"sm_107"}, "not published", 160, 1850, 8000, 32, "as sm_103", true},
	{[]string{"sm_110"}, "Jetson T5000", 20, 1575, 273, 32, "NVIDIA Jetson Thor data sheet", true},
	{[]string{"sm_120"}, "GeForce RTX 5090", 170, 2407, 1792, 16, "NVIDIA RTX Blackwell white paper", false},
	{[]string{"sm_121"}, "GB10", 48, 2400, 273, 16, "NVIDIA DGX Spark data sheet; clock: estimate", true},
}

// Chip returns the product that stands for the architecture.
func (a *Arch) Chip() *Chip {
	for i := range chips {
		if slices.Contains(chips[i].archs, a.Name) {
			return &chips[i]
		}
	}
	panic("sm: no chip for " + a.Name) // a test asks for each
}

// MemoryBytes is the part of an SM in what memory moves in a cycle.
func (c *Chip) MemoryBytes() float64 { return c.GBytes * 1000 / float64(c.MHz) / float64(c.SMs) }

// Async is how units work that a thread starts and does not wait for, in cycles of an SM.
type Async struct {
	CopyMore  int     // that a cp.async takes longer than a load of the same bytes, until its wait sees it
	BulkMore  int     // the same of a bulk or TMA copy
	BulkIssue int     // between two bulk copies of an SM
	Poll      int     // from a test of an mbarrier to the branch that it decides
	Branch    int     // in which a warp that has branched issues nothing
	Tensor    int     // from tcgen05.ld to its registers
	TensorIn  float64 // bytes that tcgen05.st writes in a cycle, of a quarter of an SM
	TensorOut float64 // bytes that tcgen05.ld reads
	Source    string
	Estimate  bool
}

// async is of all architectures: no paper gives these figures in a form that separates them from what is around them.
//
// What is known: a TMA load takes longer than a thread's own, and is worth it for boxes of some KiB (Luo et al., arXiv
// 2501.12084, section on TMA). cp.async saves the way through registers and costs no latency of its own (Svedin et
// al., arXiv 2106.04979, on the A100). TMEM of a B200 is read with 16 TB/s and written with 8 TB/s (Jarmusch and
// Chandrasekaran, arXiv 2512.02189). That is 128 and 64 bytes in a cycle of each quarter of 148 SMs at 1.85 GHz,
// within a tenth.
var async = Async{CopyMore: 0, BulkMore: 170, BulkIssue: 8, Poll: 20, Branch: 6, Tensor: 24, TensorIn: 64, TensorOut: 128,
	Source: "order of magnitude: arXiv 2501.12084, 2106.04979, 2512.02189", Estimate: true}

// Async returns how the asynchronous units of the architecture work.
func (a *Arch) Async() *Async { return &async }

// Subpartitions is how many parts an SM has, with a scheduler each.
const Subpartitions = subpartitions

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
	less(a.Registers.PerSM/subpartitions/perWarp*subpartitions, (warps+subpartitions-1)/subpartitions*subpartitions, "registers")
	less(a.Shared.PerSM, shared+a.Shared.Reserved, "shared memory")
	return n, limit
}
