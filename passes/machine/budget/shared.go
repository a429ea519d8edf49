package budget

// A Shared is a purpose of shared memory: which part of a CTA's it may take.
type Shared struct{ part, of int }

var (
	// ForCTA is all of it.
	ForCTA = &Shared{1, 1}
	// ForOperands is for operands of MMAs. A quarter is left for conversions, reductions and operands that threads
	// compute, which the kernel needs to compile at all. 75 KiB on sm_120 hold 128x64 and 64x128 in f32.
	ForOperands = &Shared{3, 4}
	// ForTiles is for tiles that are kept instead of loaded again, and for results on their way to memory beside the
	// stages of the next tile's loads.
	ForTiles = &Shared{1, 2}
	// ForScratch is for a layout conversion, or the tile of one load. Larger conversions are split into subtiles, as
	// far as their layouts allow.
	ForScratch = &Shared{1, 4}
)

// SharedSlack is for mbarriers, and for padding that later passes add: buffers begin at multiples of a row of banks.
// With more, two stages of 48 KiB would not fit the 99 KiB that a CTA of sm_86 or sm_120 may have.
const SharedSlack = 1 << 10

// SharedInBlocks is how much shared memory a kernel takes before buffers of one block overlap. Reuse costs barriers, so
// it is avoided while several CTAs still fit an SM. Three CTAs of 32 KiB fit the 100 KiB of an SM of sm_86 or sm_120, the
// least that a target has. Six fit the 228 KiB of sm_90 (target/sm; the system takes 1 KiB of each).
const SharedInBlocks = 32 << 10

// SharedKept is the size of buffers in a loop that do not overlap in other kernels either, while as many CTAs fit an SM.
// Warps exchange results of reductions through as much: two rows of 128 numbers for each of four columns of warps.
const SharedKept = 4 << 10

// Shared returns how many bytes a CTA may take for a purpose.
func (k Kernel) Shared(p *Shared) int {
	return k.Arch.SharedPerCTA(k.Asked) / p.of * p.part
}
