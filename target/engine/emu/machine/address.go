package machine

import (
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// AddressIn turns a generic address into one of the space.
//
// The ISA lets instructions with a state space be given a generic address only where it says so. For shared memory in
// the asynchronous instructions real compilers pass either, and both are taken.
func AddressIn(sp syntax.Space, addr uint64) uint64 {
	if in, a := Classify(addr); in == sp {
		return a
	}
	return addr
}

// Window is the generic address of a space's address zero.
func Window(s syntax.Space) uint64 {
	switch s {
	case syntax.Shared:
		return WindowShared
	case syntax.Local:
		return windowLocal
	case syntax.Param:
		return WindowParam
	}
	return 0
}

// RankOf is the rank of the CTA to which a shared address belongs.
func RankOf(addr uint64) uint64 { return addr >> clusterShift }

// InCTA is the shared address in the CTA of that rank.
func InCTA(addr, rank uint64) uint64 { return addr&(1<<clusterShift-1) | rank<<clusterShift }

// Generic addresses of the spaces other than global start at these bases. A shared address has the rank of its CTA in
// the cluster above bit 24, that of a variable too. Kernels clear bit 24 to address the even CTA of a pair.
const (
	WindowShared = 0x0100_0000_0000
	windowLocal  = 0x0200_0000_0000
	WindowParam  = 0x0300_0000_0000
	windowSize   = 0x0100_0000_0000
	clusterShift = 24
)

// Classify finds the space of a generic address and its address there.
//
// The windows are those of no real device: they are far apart, so that arithmetic on a generic address which leaves
// its space faults instead of landing in another one. That kernels may not know where they are is what cvta is for.
func Classify(addr uint64) (syntax.Space, uint64) {
	switch addr &^ (windowSize - 1) {
	case WindowShared:
		return syntax.Shared, addr - WindowShared
	case windowLocal:
		return syntax.Local, addr - windowLocal
	case WindowParam:
		return syntax.Param, addr - WindowParam
	}
	return syntax.Global, addr
}
