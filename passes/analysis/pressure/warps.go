package pressure

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/target/sm"
)

// MostWarps is the most warps of a kernel without a hint. At twice as many a thread has only 128 registers, so next to no
// tile fits that does not fit here.
const MostWarps = 8

// Warps returns the number of warps for a kernel that needs so many words of tensors: the hint, or the least number
// whose registers hold them. If CTAs share an SM, more warps have fewer registers each. They are added only if threads
// then have room.
func Warps(fn ir.Op, need int64, least int, arch *sm.Arch) int {
	return WarpsFor(budget.ForWarps, fn, need, least, arch)
}

// WarpsFor is Warps with another share of a thread's registers.
func WarpsFor(purpose *budget.Registers, fn ir.Op, need int64, least int, arch *sm.Arch) int {
	if n := contract.KernelSpecOf(fn).NumWarps; n > 0 { // a hint overrides the estimate
		return n
	}
	kernel := budget.Of(fn, arch)
	for n := least; n <= MostWarps; n *= 2 {
		if k := kernel.WithWarps(n); need <= int64(k.Registers(purpose)*k.Threads()) {
			return n
		}
	}
	// No number of warps has room. Take as many as keep all registers per thread, since more threads hold more.
	for least < MostWarps && kernel.WithWarps(2*least).Registers(budget.ForAnything) == arch.Registers.PerThread {
		least *= 2
	}
	return least
}
