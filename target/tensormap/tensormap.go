package tensormap

import (
	"fmt"
	"math/bits"
)

// Bytes and Align are the size and the alignment of a tensor map.
const (
	Bytes = 128
	Align = 64
)

// A Map is one hidden parameter. Dimensions are innermost first, as the driver takes them.
type Map struct {
	Element int    `json:"element_bytes"` // 1, 2, 4 or 8; copies move bits, so that the type does not matter beyond its size, unless they round or add
	Base    Expr   `json:"base"`          // address
	Sizes   []Expr `json:"sizes"`         // in elements; what is not positive is an empty object
	Strides []Expr `json:"strides"`       // of all dimensions but the innermost, in elements
	Box     []int  `json:"box"`
	Swizzle int    `json:"swizzle,omitempty"` // bytes: 32, 64 or 128
	Rounded bool   `json:"rounded,omitempty"` // elements are f32, which copies round to tf32
	Float   string `json:"float,omitempty"`   // f16, bf16 or f32: elements are such numbers, which copies add
}

// A Tensor is a map for one launch, as cuTensorMapEncodeTiled takes it. Elements outside are zero, and steps between
// elements are 1.
type Tensor struct {
	Address uint64
	Element int
	Sizes   []uint64
	Strides []uint64 // in bytes
	Box     []uint32
	Swizzle int
	Rounded bool   // from f32 to tf32
	Float   string // what elements are that copies add; empty: integers, or they are only moved
}

// The limits of a map (CUDA driver API, cuTensorMapEncodeTiled).
const (
	unit        = 16
	sizeLimit   = 1 << 32
	strideLimit = 1 << 40
)

// An Unfit is the error of an object that no map describes. The launch goes on with 128 zeros for the map. A kernel
// tests whether the arguments are such before code that uses one. The machine rejects a copy with zeros.
type Unfit struct{ why string }

func (e *Unfit) Error() string { return "tensor map: " + e.why }

func unfit(format string, args ...any) error { return &Unfit{fmt.Sprintf(format, args...)} }

// Tensor evaluates the map for the arguments of a launch: the bits of each, pointers as addresses.
//
// An empty dimension is described as one of a single element: copies of a kernel stay outside of it by their
// coordinates, since no map is empty.
func (m *Map) Tensor(args []uint64) (*Tensor, error) {
	if len(m.Sizes) < 1 || len(m.Sizes) > 5 || len(m.Strides) != len(m.Sizes)-1 || len(m.Box) != len(m.Sizes) {
		return nil, fmt.Errorf("tensor map: %d sizes, %d strides and %d box sizes do not go together", len(m.Sizes), len(m.Strides), len(m.Box))
	}
	t := &Tensor{Element: m.Element, Swizzle: m.Swizzle, Rounded: m.Rounded, Float: m.Float}
	var err error
	if t.Address, err = m.Base.Value(args); err != nil {
		return nil, err
	}
	if t.Address%unit != 0 {
		return nil, unfit("address 0x%x is not aligned to %d bytes", t.Address, unit)
	}
	for i := range m.Sizes {
		n, err := m.Sizes[i].Value(args)
		if err != nil {
			return nil, err
		}
		size := max(int64(n), 1)
		if size > sizeLimit {
			return nil, unfit("%d elements along dimension %d are more than 2^32", size, i)
		}
		t.Sizes, t.Box = append(t.Sizes, uint64(size)), append(t.Box, uint32(m.Box[i]))
	}
	for i := range m.Strides {
		n, err := m.Strides[i].Value(args)
		if err != nil {
			return nil, err
		}
		hi, bytes := bits.Mul64(n, uint64(m.Element))
		if hi != 0 || bytes >= strideLimit || bytes%unit != 0 {
			return nil, unfit("stride %d of dimension %d is not a multiple of %d bytes below 2^40", int64(n), i+1, unit)
		}
		t.Strides = append(t.Strides, bytes)
	}
	return t, nil
}
