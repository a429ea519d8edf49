package pressure

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	// reservedRegisters are left to addresses, operands on their way to an instruction, and copies that layouts make.
	reservedRegisters = 95
	// MostWarps is the most warps of a kernel without a hint. At twice as many a thread has only 128 registers, so
	// next to no tile fits that does not fit here.
	MostWarps = 8
	// mostBlocks is the most CTAs per SM of any target.
	mostBlocks = 32
)

// Warps returns the number of warps for a kernel that needs so many words of tensors: the hint, or the least number
// whose registers hold them. If CTAs share an SM, more warps have fewer registers each. They are added only if threads
// then have room.
func Warps(fn ir.Op, need int64, least int, arch *sm.Arch) int {
	if n := contract.KernelSpecOf(fn).NumWarps; n > 0 { // a hint overrides the estimate
		return n
	}
	registers := arch.Registers
	// The attribute may name any number, but an SM runs at most mostBlocks CTAs.
	blocks := min(max(1, contract.KernelSpecOf(fn).Occupancy), mostBlocks)
	room := func(warps int) bool {
		threads := sm.WarpSize * warps
		return need <= int64(min(registers.PerThread, registers.PerSM/(threads*blocks))-reservedRegisters)*int64(threads)
	}
	for n := least; n <= MostWarps; n *= 2 {
		if room(n) {
			return n
		}
	}
	// No number of warps has room. Take as many as keep all registers per thread, since more threads hold more.
	for least < MostWarps && registers.PerThread*sm.WarpSize*least*2*blocks <= registers.PerSM {
		least *= 2
	}
	return least
}

// OneElement reports whether all tensors of a kernel have one element. Then every thread computes the same, and more
// warps than one only repeat it. tileiras 13.5 launches such kernels with 32 threads too.
func OneElement(fn ir.Op) bool {
	return fn.Walk(func(op ir.Op) ir.WalkResult {
		for _, v := range op.Results() {
			if t, ok := v.Type().(*ir.TensorType); ok && t.NumElements() > 1 {
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
}

// reservedInLoops is what a chain with MMAs leaves to everything but tensors, as in package schedule.
const reservedInLoops = 60

// Room returns the registers of a thread that tensors of a kernel with so many warps may take.
func Room(fn ir.Op, warps int, arch *sm.Arch) int64 {
	return int64(arch.RegistersPerThread(max(1, warps), min(max(1, contract.KernelSpecOf(fn).Occupancy), mostBlocks)) - reservedInLoops)
}
