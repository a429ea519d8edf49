package emu

// swizzle is how a tensor copy exchanges chunks of shared memory ("Swizzling
// Modes"): bits of the number of the 128-byte line are xored with bits of
// the address in the line.
type swizzle struct {
	width     uint64 // 0, 32, 64, 96 or 128
	atomicity int    // values of tensormap.replace
}

const (
	atom16 = iota
	atom32
	atom32Flip8
	atom64
)

// place is where a byte at a shared address goes.
func (s swizzle) place(addr uint64) uint64 {
	line := addr >> 7
	switch {
	case s.width == 96: // the pattern of two lines
		return addr ^ line&1<<4
	case s.width != 128 || s.atomicity == atom16:
		return swizzled(addr, s.width)
	case s.atomicity == atom64:
		return addr ^ line&1<<6
	}
	addr ^= line & 3 << 5
	if s.atomicity == atom32Flip8 {
		addr ^= line & 1 << 3
	}
	return addr
}

// chunk is how many bytes stay together.
func (s swizzle) chunk() uint64 {
	if s.width == 128 && s.atomicity == atom32Flip8 {
		return 8
	}
	return 16
}

// swizzled exchanges the 16-byte chunks of a shared address: the chunk
// number is xored with the number of the 128-byte row, modulo the pattern.
func swizzled(addr, width uint64) uint64 {
	if width == 0 {
		return addr
	}
	return addr ^ addr>>3&(width-16)
}
