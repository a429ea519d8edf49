package tma

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Encode returns the bytes of the map.
//
// What it accepts is what decodeTensorMap does: the map that a kernel makes by tensormap.replace and the one that a
// host encodes obey the same rules, written once.
func (m TensorMap) Encode() ([]byte, error) {
	rank := len(m.Dims)
	if rank < 1 || rank > 5 || len(m.Box) != rank && (m.Im2col == nil || len(m.Box) == 0 || len(m.Box) > rank) || len(m.Strides) != rank-1 || m.ElementStrides != nil && len(m.ElementStrides) != rank {
		return nil, fmt.Errorf("tensor map: %d dimensions, %d strides and %d box sizes do not go together", rank, len(m.Strides), len(m.Box))
	}
	kind := slices.IndexFunc(mapTypes, func(t copyType) bool { return t.name == m.Type })
	if kind < 0 {
		return nil, fmt.Errorf("tensor map: unknown element type '%s'", m.Type)
	}
	swizzle := slices.Index(tensorSwizzles, m.Swizzle)
	if swizzle < 0 {
		return nil, fmt.Errorf("tensor map: swizzle %d is not 0, 32, 64, 96 or 128", m.Swizzle)
	}
	atomicity := 0
	if m.Atomicity != "" {
		if atomicity = slices.Index(atomicities, m.Atomicity); atomicity < 0 {
			return nil, fmt.Errorf("tensor map: unknown swizzle atomicity '%s'", m.Atomicity)
		}
	}
	b := make([]byte, tensorBytes)
	le := binary.LittleEndian
	le.PutUint64(b[mapAddress:], m.Address)
	b[mapRank], b[mapType], b[mapSwizzle], b[mapAtomicity] = byte(rank-1), byte(kind), byte(swizzle), byte(atomicity)
	if m.FillNaN {
		b[mapFill] = 1
	}
	for i, n := range m.Dims {
		size := uint32(1)
		if i < len(m.Box) {
			size = m.Box[i]
		}
		if size > 256 {
			return nil, fmt.Errorf("tensor map: dimension %d has box %d", i, size)
		}
		le.PutUint64(b[mapDims+8*i:], n)
		le.PutUint16(b[mapBox+2*i:], uint16(size))
		b[mapElementStrides+i] = 1
		if m.ElementStrides != nil {
			b[mapElementStrides+i] = byte(min(m.ElementStrides[i], 255))
		}
	}
	for i, n := range m.Strides {
		le.PutUint64(b[mapStrides+8*i:], n)
	}
	if c := m.Im2col; c != nil {
		if err := c.encode(b, rank); err != nil {
			return nil, err
		}
	}
	if _, err := decodeTensorMap(b); err != nil {
		return nil, fmt.Errorf("tensor map: %w", err)
	}
	return b, nil
}

func (c *Im2col) encode(b []byte, rank int) error {
	corners := rank - 2
	b[mapModeAt] = byte(mapIm2col)
	if c.Wide {
		corners, b[mapModeAt] = 1, byte(mapWide)
	}
	if rank < 3 || len(c.Lower) != corners || len(c.Upper) != corners {
		return fmt.Errorf("tensor map: %d dimensions do not go with %d lower and %d upper corners", rank, len(c.Lower), len(c.Upper))
	}
	if c.Pixels > maxPixels {
		return fmt.Errorf("tensor map: %d pixels are more than %d", c.Pixels, maxPixels)
	}
	le := binary.LittleEndian
	le.PutUint16(b[mapPixels:], uint16(c.Pixels))
	for i := range corners {
		for _, x := range []int{c.Lower[i], c.Upper[i]} {
			if x < -1<<15 || x > 1<<15-1 {
				return fmt.Errorf("tensor map: corner %d does not fit 16 bits", x)
			}
		}
		le.PutUint16(b[mapLower+2*i:], uint16(c.Lower[i]))
		le.PutUint16(b[mapUpper+2*i:], uint16(c.Upper[i]))
	}
	return nil
}
