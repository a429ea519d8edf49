package tileaatotileas

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	// others is how many registers of a thread the tensors leave to addresses, operands on their way to an instruction, and copies that layouts make.
	others = 95
	// maxWarps is the most that a kernel gets without asking for more, as with a hint: at twice as many a thread has only 128 registers, so that next to no tile fits there that does not
	// fit here.
	maxWarps = 8
	// mostBlocks is the most tile blocks that an SM of any target runs at once.
	mostBlocks = 32
)

// numWarps returns the number of warps for a kernel without a hint: the default, or more when what is live at once would not fit the registers of its threads. Where tile
// blocks are to share an SM, more warps have fewer registers each, so that nothing is won; they are added only while threads then have room.
func numWarps(fn ir.Op, warps int, arch *sm.Arch) int {
	registers := arch.Registers
	need := int(held(fn, arch))
	// A front end's attribute may name any number; more blocks than an SM runs do not make a thread's share smaller.
	blocks := min(max(1, contract.KernelSpecOf(fn).Occupancy), mostBlocks)
	fits := func(warps int) bool {
		threads := sm.WarpSize * warps
		room := min(registers.PerThread, registers.PerSM/(threads*blocks))
		return need <= (room-others)*threads
	}
	for n := warps; n <= maxWarps; n *= 2 {
		if fits(n) {
			return n
		}
	}
	// Too much for any: as many as there can be with all registers, since more threads hold more.
	for warps < maxWarps && registers.PerThread*sm.WarpSize*warps*2*blocks <= registers.PerSM {
		warps *= 2
	}
	return warps
}
