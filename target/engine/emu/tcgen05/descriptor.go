package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// matrix is a matrix in shared memory as a matrix descriptor of tcgen05 gives it (PTX ISA, "Shared memory descriptor",
// "Strides", "Canonical Layouts"). Its unit is 16 bytes of neighbours in the contiguous dimension.
//
// The descriptor looks like that of wgmma, but has a constant in bits 46 to 48, wider swizzling modes and a base offset
// that counts. Two types keep each honest to its own section.
type matrix struct {
	start, lead, stride uint64
	width               uint64 // bytes of the swizzle; 0: none
	pattern             uint64 // where its pattern starts, modulo 1024, if there is one
	wide                bool   // the swizzle moves 32 bytes at once, not 16
	major               bool   // M or N is the contiguous dimension, not K
	per                 uint64 // elements of a unit
}

// parseDescriptor splits a matrix descriptor into its fields.
//
// Bits that must be zero are checked, because a descriptor is made by arithmetic on registers, where a carry from one
// field into the next is the typical mistake.
func parseDescriptor(v uint64, major bool, per int) (matrix, string) {
	m := matrix{
		start: v & num.Mask(14) << 4, lead: v >> 16 & num.Mask(14) << 4, stride: v >> 32 & num.Mask(14) << 4,
		pattern: v >> 49 & 7 << 7, major: major, per: uint64(per),
	}
	switch v >> 61 {
	case 0:
	case 1:
		m.width, m.wide = 128, true
	case 2:
		m.width = 128
	case 4:
		m.width = 64
	case 6:
		m.width = 32
	default:
		return m, "the swizzling mode of the matrix descriptor does not exist"
	}
	switch {
	case v>>46&7 != 1:
		return m, "the constant in bits 46 to 48 of the matrix descriptor is not 1"
	case v>>53&0xff != 0 || v>>14&3 != 0 || v>>30&3 != 0:
		return m, "reserved bits of the matrix descriptor are set"
	case v>>52&1 != 0:
		// "Absolute address mode for K dimension being 48B".
		return m, "an absolute leading dimension in a matrix descriptor is for a K of 96, which is not supported"
	case m.wide && !major:
		// "Layout for swizzle atoms" has no such atom along K.
		return m, "the swizzling mode with atoms of 32 bytes needs a transposed matrix"
	}
	return m, ""
}

// fits reports whether rows of a number of bytes along K have room in the
// swizzle: a matrix with K as the contiguous dimension has no second stride.
func (m *matrix) fits(bytes int) string {
	if !m.major && m.width != 0 && m.start%m.width+uint64(bytes) > m.width {
		return "a row of the matrix is wider than the swizzling mode of its descriptor"
	}
	return ""
}

// at is the shared address of the unit with element (r, k), r along M or N.
// Without swizzle, memory consists of core matrices of 8 rows of 16 bytes;
// with it, of 8 rows (4 for the wide one) of the swizzle's width.
//
// Addresses are linear in the numbers of swizzle atoms and of rows in them; the exclusive or comes last, on the sum,
// as hardware does it on addresses.
func (m *matrix) at(r, k uint64) uint64 {
	switch {
	case !m.major && m.width == 0:
		return m.start + r/8*m.stride + r%8*16 + k/m.per*m.lead
	case !m.major:
		return m.swizzle(m.start + r/8*m.stride + r%8*m.width + k/m.per*16)
	case m.width == 0:
		return m.start + r/m.per*m.stride + k/8*m.lead + k%8*16
	}
	rows := uint64(8)
	if m.wide {
		rows = 4
	}
	in := m.width / 16
	u := r / m.per
	return m.swizzle(m.start + u/in*m.lead + k/rows*m.stride + k%rows*m.width + u%in*16)
}

// swizzle exchanges chunks of a row of 128 bytes: the number of the chunk is
// xored with that of the row since the start of the pattern.
func (m *matrix) swizzle(addr uint64) uint64 {
	row := addr - m.pattern
	if m.wide {
		return addr ^ row>>2&0x60
	}
	return addr ^ row>>3&(m.width-16)
}

// gather reads rows [first, first+rows) with k columns. Element (r, c) goes
// to out[(r-first)*rowStep+c*kStep]. The matrix is in the shared memory
// whose addresses start at window.
func (m *matrix) gather(w *machine.Warp, lane int, window uint64, first, rows, k int, t *element, out []float64, rowStep, kStep int) {
	per := int(m.per)
	var v [32]float64
	if m.major {
		for r := first / per * per; r < first+rows; r += per {
			for c := range k {
				b := w.At(syntax.Shared, window+m.at(uint64(r), uint64(c)), 16, lane, false)
				if b == nil {
					return
				}
				t.unit(b, &v)
				for e := max(0, first-r); e < per && r+e < first+rows; e++ {
					out[(r+e-first)*rowStep+c*kStep] = v[e]
				}
			}
		}
		return
	}
	for r := range rows {
		for c := 0; c < k; c += per {
			b := w.At(syntax.Shared, window+m.at(uint64(first+r), uint64(c)), 16, lane, false)
			if b == nil {
				return
			}
			t.unit(b, &v)
			for e := range min(per, k-c) {
				out[r*rowStep+(c+e)*kStep] = v[e]
			}
		}
	}
}
