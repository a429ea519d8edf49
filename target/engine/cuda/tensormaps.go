package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/tilewright/tilewright/target/tensormap"
)

// Values of the driver's enumerations CUtensorMapSwizzle and CUtensorMapL2promotion; of CUtensorMapInterleave and
// CUtensorMapFloatOOBfill it is the first, 0.
const (
	// swizzleUnit is the swizzle of 32 bytes, number 1; each further one is of twice as many bytes.
	swizzleUnit = 32
	// promote128 lets the L2 cache fetch 128 bytes for each 32 that a copy misses: copies read rows.
	promote128 = 2
)

// dataTypes are CUtensorMapDataType by bytes: unsigned integers, since copies move bits.
var dataTypes = map[int]int32{1: 0, 2: 1, 4: 2, 8: 4}

// dataTypeTF32 is CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, of which copies round what they load.
const dataTypeTF32 = 11

// floatTypes are those of elements that copies add.
var floatTypes = map[string]int32{"f16": 6, "f32": 7, "bf16": 9}

// A mapCall is one call of cuTensorMapEncodeTiled, without the fields that are the same in all.
type mapCall struct {
	dataType, swizzle  int32
	rank               uint32
	address            uintptr
	sizes, strides     []uint64 // one stride less, but not none
	box, elementStride []uint32
}

// callFor returns the call that makes a map.
func callFor(t *tensormap.Tensor) (*mapCall, error) {
	dataType, ok := dataTypes[t.Element]
	if !ok {
		return nil, fmt.Errorf("tensor map: there are no elements of %d bytes", t.Element)
	}
	switch float, known := floatTypes[t.Float]; {
	case t.Rounded:
		dataType = dataTypeTF32
	case known:
		dataType = float
	case t.Float != "":
		return nil, fmt.Errorf("tensor map: there are no elements of type '%s'", t.Float)
	}
	c := &mapCall{dataType: dataType, rank: uint32(len(t.Sizes)), address: uintptr(t.Address), sizes: t.Sizes, strides: t.Strides, box: t.Box, elementStride: slices.Repeat([]uint32{1}, len(t.Sizes))}
	if t.Swizzle > 0 {
		c.swizzle = int32(bits.TrailingZeros(uint(t.Swizzle/swizzleUnit))) + 1
	}
	if len(c.strides) == 0 { // the driver takes a pointer, of which it reads nothing
		c.strides = []uint64{0}
	}
	return c, nil
}

// addMap makes a hidden parameter for a launch whose other parameters are there.
func (p *params) addMap(m *tensormap.Map) error {
	args := make([]uint64, len(p.values))
	for i := range p.values {
		args[i] = binary.LittleEndian.Uint64(p.values[i][:])
	}
	made := newMap()
	p.maps = append(p.maps, made)
	t, err := m.Tensor(args)
	if unfit := (*tensormap.Unfit)(nil); errors.As(err, &unfit) {
		return nil // zeros: the kernel has tested the same
	} else if err != nil {
		return err
	}
	c, err := callFor(t)
	if err != nil {
		return err
	}
	return p.driver.check("making a tensor map", p.driver.encodeMap(made, c.dataType, c.rank, c.address, &c.sizes[0], &c.strides[0], &c.box[0], &c.elementStride[0], 0, c.swizzle, promote128, 0))
}

// newMap returns the first byte of the memory of a map, which the driver wants aligned.
func newMap() *byte {
	room := make([]byte, tensormap.Bytes+tensormap.Align)
	return &room[-uintptr(unsafe.Pointer(&room[0]))%tensormap.Align]
}
