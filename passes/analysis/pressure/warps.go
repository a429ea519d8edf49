package pressure

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	// others is how many registers of a thread the tensors leave to addresses, operands on their way to an instruction, and copies that layouts make.
	others = 95
	// MostWarps is the most that a kernel gets without asking for more, as with a hint: at twice as many a thread has only 128 registers, so that next to no tile fits there that does not
	// fit here.
	MostWarps = 8
	// mostBlocks is the most tile blocks that an SM of any target runs at once.
	mostBlocks = 32
)

// Warps returns the number of warps for a kernel without a hint that needs so many words of tensors: the least, or more when they would not fit the registers of its threads. Where tile
// blocks are to share an SM, more warps have fewer registers each, so that nothing is won; they are added only while threads then have room.
func Warps(fn ir.Op, need int64, least int, arch *sm.Arch) int {
	if n := contract.KernelSpecOf(fn).NumWarps; n > 0 { // a hint wins
		return n
	}
	registers := arch.Registers
	// A front end's attribute may name any number; more blocks than an SM runs do not make a thread's share smaller.
	blocks := min(max(1, contract.KernelSpecOf(fn).Occupancy), mostBlocks)
	room := func(warps int) bool {
		threads := sm.WarpSize * warps
		return need <= int64(min(registers.PerThread, registers.PerSM/(threads*blocks))-others)*int64(threads)
	}
	for n := least; n <= MostWarps; n *= 2 {
		if room(n) {
			return n
		}
	}
	// Too much for any: as many as there can be with all registers, since more threads hold more.
	for least < MostWarps && registers.PerThread*sm.WarpSize*least*2*blocks <= registers.PerSM {
		least *= 2
	}
	return least
}

// inLoops is how many registers of a thread a chain with products leaves to all that is no tensor, as the scheduler does (package schedule).
const inLoops = 60

// Room returns the registers of a thread that tensors of a kernel of so many warps may take.
func Room(fn ir.Op, warps int, arch *sm.Arch) int64 {
	return int64(arch.RegistersPerThread(max(1, warps), min(max(1, contract.KernelSpecOf(fn).Occupancy), mostBlocks)) - inLoops)
}
