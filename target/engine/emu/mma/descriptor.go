package mma

import (
	"encoding/binary"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// swizzled exchanges the 16-byte chunks of a shared address: the chunk number is xored with the number of the 128-byte
// row, modulo the pattern.
//
// The bits come from the address, not from the row of the matrix: the patterns repeat every 1024 bytes of shared
// memory. That is why the ISA asks for matrices that start there, or for a base offset, which is rejected here.
func swizzled(addr, width uint64) uint64 {
	if width == 0 {
		return addr
	}
	return addr ^ addr>>3&(width-16)
}

// sharedMatrix is a matrix in shared memory as a wgmma descriptor gives it.
//
// PTX ISA, "Shared Memory Matrix Layout" of wgmma. Lead and stride mean different things by
// major-ness and swizzle, and the ISA gives them by figures of canonical layouts; at is those figures as formulas,
// four of them.
type sharedMatrix struct {
	start, lead, stride, width uint64
	// major says that the row dimension (M or N) is the contiguous one.
	major bool
	bytes uint64 // of an element
}

// decodeDescriptor splits a matrix descriptor into its fields ("Shared
// Memory Matrix Layout", "Matrix Descriptor").
func decodeDescriptor(v uint64, major bool, bytes int) (sharedMatrix, string) {
	m := sharedMatrix{
		start: v & num.Mask(14) << 4, lead: v >> 16 & num.Mask(14) << 4, stride: v >> 32 & num.Mask(14) << 4,
		width: []uint64{0, 128, 64, 32}[v>>62], major: major, bytes: uint64(bytes),
	}
	if v>>49&7 != 0 {
		return m, "a base offset in a matrix descriptor is not supported"
	}
	return m, ""
}

// at is the shared address of element (r, k), r along M or N. Without
// swizzle, memory consists of core matrices of 8 rows of 16 bytes; with it,
// of patterns of 8 rows of the swizzle's width.
func (m sharedMatrix) at(r, k uint64) uint64 {
	per := 16 / m.bytes
	switch {
	case !m.major && m.width == 0:
		return m.start + r/8*m.stride + k/per*m.lead + r%8*16 + k%per*m.bytes
	case !m.major:
		return swizzled(m.start+r/8*m.stride+r%8*m.width+k*m.bytes, m.width)
	case m.width == 0:
		return m.start + r/per*m.stride + k/8*m.lead + k%8*16 + r%per*m.bytes
	}
	in := m.width / m.bytes
	return swizzled(m.start+r/in*m.lead+k/8*m.stride+k%8*m.width+r%in*m.bytes, m.width)
}

// gather reads rows [first, first+rows) of a shared matrix with k columns
// into out, where rows and columns are so many elements apart. Sixteen bytes
// are always neighbours in the contiguous dimension.
//
// Sixteen bytes at once is the unit of every layout and of every swizzle, so that an access is checked once for eight
// halves and not for each.
func (m sharedMatrix) gather(w *machine.Warp, first, rows, k int, out []float64, load func(uint64) float64, rowStep, columnStep int) {
	per := int(16 / m.bytes)
	dr, dk, step := 1, per, columnStep
	if m.major {
		dr, dk, step = per, 1, rowStep
	}
	for r := 0; r < rows; r += dr {
		for c := 0; c < k; c += dk {
			b := w.At(syntax.Shared, w.CTA.Window()+m.at(uint64(first+r), uint64(c)), 16, 0, false)
			if b == nil {
				return
			}
			to := out[r*rowStep+c*columnStep:]
			switch m.bytes {
			case 1:
				for e, v := range b[:16] {
					to[e*step] = load(uint64(v))
				}
			case 2:
				for e := range 8 {
					to[e*step] = load(uint64(binary.LittleEndian.Uint16(b[2*e:])))
				}
			default:
				for e := range 4 {
					to[e*step] = load(uint64(binary.LittleEndian.Uint32(b[4*e:])))
				}
			}
		}
	}
}

// touch accesses what gather reads, for the check of synchronisation.
func (m sharedMatrix) touch(w *machine.Warp, first, rows, k int) {
	per := int(16 / m.bytes)
	dr, dk := 1, per
	if m.major {
		dr, dk = per, 1
	}
	for r := 0; r < rows; r += dr {
		for c := 0; c < k; c += dk {
			if w.At(syntax.Shared, w.CTA.Window()+m.at(uint64(first+r), uint64(c)), 16, 0, false) == nil {
				return
			}
		}
	}
}
