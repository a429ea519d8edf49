package tma

// swizzle is how a TMA copy exchanges chunks of shared memory ("Swizzling Modes"). It xors bits of the number of the
// 128-byte line with bits of the address in the line.
//
// All modes are one expression, address xor shifted address and mask, since each takes bits of the line's number and
// adds them to bits below. The mode of 96 bytes and the atoms of 32 and 64 bytes differ in shift and mask only.
type swizzle struct {
	width     uint64 // 0, 32, 64, 96 or 128
	atomicity int    // values of tensormap.replace
	// shift and bits select the bits of the line; flip, if not zero, those
	// that exchange eight bytes.
	shift, bits, flip uint64
}

func newSwizzle(width uint64, atomicity int) swizzle {
	s := swizzle{width: width, atomicity: atomicity, shift: 3}
	switch {
	case width == 96: // the pattern of two lines
		s.bits = 16
	case width == 128 && atomicity == atom64:
		s.shift, s.bits = 1, 64
	case width == 128 && atomicity != atom16:
		s.shift, s.bits = 2, 96
	case width > 0:
		s.bits = width - 16
	}
	if atomicity == atom32Flip8 {
		s.flip = 8
	}
	return s
}

const (
	atom16 = iota
	atom32
	atom32Flip8
	atom64
)

// place is where a byte at a shared address goes.
func (s *swizzle) place(addr uint64) uint64 {
	return addr ^ addr>>s.shift&s.bits ^ addr>>4&s.flip
}

// chunk is how many bytes stay together.
func (s *swizzle) chunk() uint64 {
	if s.flip != 0 {
		return 8
	}
	return 16
}

// span is how many bytes of a row exchange their chunks among themselves, from a place where it starts: all of a row
// that is not swizzled. It is 0 where they do not: in the pattern of two lines.
func (s *swizzle) span(row uint64) uint64 {
	switch s.width {
	case 0:
		return row
	case 96:
		return 0
	}
	return s.width
}

// starts says whether a span starts at an address. All bytes of a line are xored with the same bits, see place.
func (s *swizzle) starts(addr uint64) bool { return s.width == 0 || addr%s.width == 0 }
