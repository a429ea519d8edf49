package budget

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// A Kernel is what one CTA of a kernel may take.
type Kernel struct {
	Arch  *sm.Arch
	Warps int // of a CTA
	Asked int // CTAs that the kernel wants on an SM at the same time; 0: it does not ask
}

// Of returns the budget of a kernel. A kernel whose number of warps is not chosen yet has one warp (WithWarps).
func Of(fn ir.Op, arch *sm.Arch) Kernel {
	spec := contract.KernelSpecOf(fn)
	return Kernel{Arch: arch, Warps: max(1, spec.NumWarps), Asked: spec.Occupancy}
}

// WithWarps returns the budget of the kernel with another number of warps.
func (k Kernel) WithWarps(n int) Kernel {
	k.Warps = max(1, n)
	return k
}

// Alone returns the budget of a CTA that has an SM to itself, for what a kernel cannot do with less.
func (k Kernel) Alone() Kernel {
	k.Asked = 0
	return k
}

// Threads returns the threads of a CTA.
func (k Kernel) Threads() int { return sm.WarpSize * k.Warps }

// CTAs returns how many CTAs an SM holds at the same time, if a thread takes so many registers and a CTA so many bytes
// of shared memory; 1 at least.
func (k Kernel) CTAs(registers, shared int) int {
	n, _ := k.Arch.ResidentCTAs(k.Warps, min(registers, k.Arch.Registers.PerThread), shared)
	return max(1, n)
}
