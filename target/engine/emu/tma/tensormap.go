package tma

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// TensorMap describes a tensor in global memory and the box that one
// cp.async.bulk.TMA copies. The bits of a real tensor map are opaque;
// Encode makes the emulator's own form, to be passed where a kernel expects
// the 128 bytes. As on hardware, a kernel may make one itself from zeros by
// tensormap.replace.
type TensorMap struct {
	Address uint64
	// Type is the element type: u8, u16, u32, s32, u64, s64, f16, bf16, f32,
	// f32.ftz, tf32, tf32.ftz, f64, b4x16, b4x16_p64 or b6x16_p32.
	Type string
	Dims []uint64 // elements, innermost first, one to five
	// Strides are the distances in bytes between elements of the
	// dimensions but the innermost; multiples of 16.
	Strides []uint64
	// Box is the number of elements, at most 256 each, that a copy visits,
	// steps of ElementStrides apart. With Im2col only the first one counts,
	// the channels of a pixel.
	Box []uint32
	// ElementStrides are from 1 to 8; nil stands for ones.
	ElementStrides []uint32
	// Swizzle is 0, 32, 64, 96 or 128, the width in bytes of the pattern by
	// which chunks are exchanged in shared memory. The innermost dimension of
	// the box must have just that many bytes.
	Swizzle int
	// Atomicity tells for Swizzle 128 which chunks stay together: "" or
	// "16B", "32B", "32B_FLIP_8B" or "64B".
	Atomicity string
	// FillNaN makes elements outside of the tensor NaN instead of zero. The
	// ISA does not say which NaN that is; here all its bits are ones.
	FillNaN bool
	// Im2col makes a map for the im2col modes.
	Im2col *Im2col
}

// Im2col is the part of a tensor map that the im2col modes need. The
// dimensions of the tensor are channels, w, h and d as far as it has them,
// and images.
type Im2col struct {
	// Lower and Upper are the corners of the bounding box in w, h and d: the
	// first coordinate, and the last relative to that of the tensor.
	Lower, Upper []int
	Pixels       uint32 // of a copy, at most 1024
	// Wide makes a map for im2col::w and im2col::w::128, whose bounding box
	// has only a w.
	Wide bool
}

var (
	tensorSwizzles = []int{0, 32, 64, 128, 96}
	atomicities    = []string{"16B", "32B", "32B_FLIP_8B", "64B"}
)

const (
	tensorBytes = 128
	maxPixels   = 1024
)

// mapMode is what a map is for.
type mapMode uint8

const (
	mapTiled mapMode = iota
	mapIm2col
	mapWide
)

var modeNames = [...]string{"tiled", "im2col", "im2col::w"}

// The fields of the emulator's tensor map. One that is all zero is not
// valid, as its box is empty.
const (
	mapAddress        = 0  // 8 bytes
	mapRank           = 8  // 1: dimensions less one
	mapType           = 9  // 1
	mapSwizzle        = 10 // 1
	mapInterleave     = 11 // 1
	mapFill           = 12 // 1
	mapAtomicity      = 13 // 1
	mapModeAt         = 14 // 1
	mapDims           = 16 // 5 times 8
	mapStrides        = 56 // 4 times 8
	mapBox            = 88 // 5 times 2
	mapElementStrides = 98 // 5 times 1
	mapPixels         = 104
	mapLower          = 106 // 3 times 2
	mapUpper          = 112 // 3 times 2
	mapEnd            = 118
)

// tensorMap is a decoded TensorMap.
//
// NVIDIA's own 128 bytes are opaque by contract, and the encoder is in the driver; an emulator that reads them would
// rest on measurements of one version. So the host asks for a map in words (TensorMap), and kernels that copy or
// change maps see 128 bytes that only the emulator can read.
type tensorMap struct {
	address        uint64
	t              copyType
	rank           int
	swizzle        swizzle
	fill           bool
	mode           mapMode
	dims           [5]uint64
	strides        [5]uint64 // of all dimensions but the innermost, in bytes
	box            [5]uint64
	elementStrides [5]uint64
	pixels         uint64
	lower, upper   [3]int64
	bytes          uint64 // of a box in shared memory
}

func (m *tensorMap) atom() atom { return m.t.atom() }

// change is what happens to the elements of a load or of a store.
func (m *tensorMap) change(load bool) change {
	switch {
	case m.t.scalar == syntax.TF32 && load && m.t.ftz:
		return changeFlushRound
	case m.t.scalar == syntax.TF32 && load:
		return changeRound
	case m.t.ftz && load:
		return changeFlush
	case m.t.sub == 6 && !load:
		return changePack
	}
	return changeNone
}

// decodeTensorMap checks the rules of CUDA's cuTensorMapEncodeTiled and its
// relatives too, because hardware would fault or do something else.
//
// The encoder of CUDA rejects such maps on the host; a map made on the device has nobody else to check it.
func decodeTensorMap(b []byte) (*tensorMap, error) {
	le := binary.LittleEndian
	m := &tensorMap{address: le.Uint64(b[mapAddress:]), rank: int(b[mapRank]) + 1, mode: mapMode(b[mapModeAt]), pixels: uint64(le.Uint16(b[mapPixels:]))}
	for _, x := range b[mapEnd:tensorBytes] {
		if x != 0 {
			return nil, errors.New("not a tensor map of the emulator")
		}
	}
	kind, width := int(b[mapType]), int(b[mapSwizzle])
	switch {
	case m.rank > 5 || kind >= len(mapTypes) || width >= len(tensorSwizzles) || int(b[mapAtomicity]) >= len(atomicities) || m.mode > mapWide || b[mapFill] > 1:
		return nil, errors.New("not a tensor map of the emulator")
	case b[mapInterleave] != 0:
		return nil, errors.New("an interleaved layout is not supported")
	}
	m.t, m.fill = mapTypes[kind], b[mapFill] == 1
	m.swizzle = newSwizzle(uint64(tensorSwizzles[width]), int(b[mapAtomicity]))
	align := uint64(16)
	if m.t.padded {
		align = 32
	}
	if m.address%align != 0 {
		return nil, fmt.Errorf("address %#x is not a multiple of %d", m.address, align)
	}
	for i := range m.dims {
		m.elementStrides[i] = 1
		if i >= m.rank {
			m.dims[i], m.box[i] = 1, 1
			continue
		}
		m.dims[i], m.box[i] = le.Uint64(b[mapDims+8*i:]), uint64(le.Uint16(b[mapBox+2*i:]))
		if i > 0 {
			m.strides[i] = le.Uint64(b[mapStrides+8*i-8:])
			m.elementStrides[i] = uint64(b[mapElementStrides+i])
		}
		switch {
		case m.dims[i] == 0 || m.dims[i] > 1<<32 || m.box[i] == 0 || m.box[i] > 256:
			return nil, fmt.Errorf("dimension %d has size %d and box %d", i, m.dims[i], m.box[i])
		case i > 0 && (m.strides[i]%align != 0 || m.strides[i] >= 1<<40):
			return nil, fmt.Errorf("stride %d of dimension %d is not a multiple of %d below 2^40", m.strides[i], i, align)
		case m.elementStrides[i] == 0 || m.elementStrides[i] > 8:
			return nil, fmt.Errorf("element stride %d of dimension %d is not from 1 to 8", m.elementStrides[i], i)
		}
	}
	if err := m.checkBox(); err != nil {
		return nil, err
	}
	return m, m.readCorners(b)
}

// checkBox checks what a copy takes of shared memory.
func (m *tensorMap) checkBox() error {
	a := m.atom()
	inner := m.box[0] / uint64(a.elems) * a.shared
	total := inner
	if m.mode == mapTiled {
		for _, n := range m.box[1:] {
			total *= n // below 2^48
		}
	}
	m.bytes = total
	width := m.swizzle.width
	switch {
	case m.box[0]%uint64(a.elems) != 0 || m.dims[0]%uint64(a.elems) != 0:
		return fmt.Errorf("%d elements of %d in the innermost dimension are not a multiple of the atom of %d elements", m.box[0], m.dims[0], a.elems)
	case m.t.padded && (m.box[0] != 128 || m.dims[0]%128 != 0):
		return fmt.Errorf("a tensor of type .%s needs multiples of 128 elements and boxes of 128, not %d and %d", m.t.name, m.dims[0], m.box[0])
	case m.t.padded && (width != 0 && width != 128 || m.swizzle.atomicity == atom32Flip8):
		return fmt.Errorf("swizzle %d does not go with type .%s", width, m.t.name)
	case m.swizzle.atomicity != atom16 && width != 128:
		return fmt.Errorf("swizzle atomicity %s does not go with swizzle %d", atomicities[m.swizzle.atomicity], width)
	case m.fill && !m.t.floating():
		return fmt.Errorf("elements of type .%s cannot be filled with NaN", m.t.name)
	case total > syntax.MaxShared:
		return fmt.Errorf("a box of %d bytes does not fit in shared memory", total)
	case inner%16 != 0 || width != 0 && inner != width:
		return fmt.Errorf("a box row of %d bytes does not go with swizzle %d; it must be a multiple of 16 and fill the swizzle", inner, width)
	}
	return nil
}

// readCorners reads the fields of the im2col modes.
func (m *tensorMap) readCorners(b []byte) error {
	le := binary.LittleEndian
	n := m.spatial()
	bits := map[int]int{1: 16, 2: 8, 3: 5}[n]
	switch m.mode {
	case mapTiled:
		return nil
	case mapWide:
		n, bits = min(n, 1), 16
	}
	if n < 1 || m.pixels == 0 && m.mode == mapIm2col || m.pixels > maxPixels {
		return fmt.Errorf("an im2col map with %d dimensions and %d pixels is not valid", m.rank, m.pixels)
	}
	for i := range n {
		m.lower[i], m.upper[i] = num.SignExtend(uint64(le.Uint16(b[mapLower+2*i:])), 16), num.SignExtend(uint64(le.Uint16(b[mapUpper+2*i:])), 16)
		for _, x := range []int64{m.lower[i], m.upper[i]} {
			if x < -1<<(bits-1) || x >= 1<<(bits-1) {
				return fmt.Errorf("corner %d of the bounding box does not fit %d bits", x, bits)
			}
		}
		if m.lower[i] > m.last(1+i) {
			return fmt.Errorf("the bounding box of dimension %d, from %d to %d, is empty", 1+i, m.lower[i], m.last(1+i))
		}
	}
	return nil
}
