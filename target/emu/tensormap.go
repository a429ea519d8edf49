package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

var tensormapOps = map[string]decodeFn{"tensormap": decodeTensormap}

// TensorMap describes a tensor in global memory and the box that one
// cp.async.bulk.tensor copies. The bits of a real tensor map are opaque;
// Encode makes the emulator's own form, to be passed where a kernel expects
// the 128 bytes. As on hardware, a kernel may make one itself from zeros by
// tensormap.replace.
type TensorMap struct {
	Address uint64
	Type    string   // element type: u8, u16, u32, s32, u64, s64, f16, bf16, f32, tf32 or f64
	Dims    []uint64 // elements, innermost first, one to five
	// Strides are the distances in bytes between elements of the
	// dimensions but the innermost; multiples of 16.
	Strides []uint64
	Box     []uint32 // elements, at most 256 each
	// Swizzle is 0, 32, 64 or 128, the width in bytes of the pattern by
	// which 16-byte chunks are exchanged in shared memory. The innermost
	// dimension of the box must have just that many bytes.
	Swizzle int
}

// tensorTypes and tensorSwizzles are by the values that tensormap.replace
// takes ("Tensormap data-movement instructions", table of new_val). The
// values 8 and 12 are f32 and tf32 with subnormals flushed.
var (
	tensorTypes    = []scalar{tU8, tU16, tU32, tS32, tU64, tS64, tF16, tF32, tNone, tF64, tBF16, tTF32}
	tensorSwizzles = []int{0, 32, 64, 128}
)

const tensorBytes = 128

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
	mapDims           = 16 // 5 times 8
	mapStrides        = 56 // 4 times 8
	mapBox            = 88 // 5 times 2
	mapElementStrides = 98 // 5 times 1
	mapEnd            = 103
)

// tensorMap is a decoded TensorMap.
type tensorMap struct {
	address uint64
	t       scalar
	rank    int
	swizzle uint64
	dims    [5]uint64
	strides [5]uint64 // of all dimensions, in bytes
	box     [5]uint64
}

// Encode returns the bytes of the map.
func (m TensorMap) Encode() ([]byte, error) {
	rank := len(m.Dims)
	if rank < 1 || rank > 5 || len(m.Box) != rank || len(m.Strides) != rank-1 {
		return nil, fmt.Errorf("tensor map: %d dimensions, %d strides and %d box sizes do not go together", rank, len(m.Strides), len(m.Box))
	}
	kind := slices.IndexFunc(tensorTypes, func(t scalar) bool { return t != tNone && t.String() == m.Type })
	if kind < 0 {
		return nil, fmt.Errorf("tensor map: unknown element type '%s'", m.Type)
	}
	swizzle := slices.Index(tensorSwizzles, m.Swizzle)
	if swizzle < 0 {
		return nil, fmt.Errorf("tensor map: swizzle %d is not 0, 32, 64 or 128", m.Swizzle)
	}
	b := make([]byte, tensorBytes)
	le := binary.LittleEndian
	le.PutUint64(b[mapAddress:], m.Address)
	b[mapRank], b[mapType], b[mapSwizzle] = byte(rank-1), byte(kind), byte(swizzle)
	for i, n := range m.Dims {
		if m.Box[i] > 256 {
			return nil, fmt.Errorf("tensor map: dimension %d has box %d", i, m.Box[i])
		}
		le.PutUint64(b[mapDims+8*i:], n)
		le.PutUint16(b[mapBox+2*i:], uint16(m.Box[i]))
		b[mapElementStrides+i] = 1
	}
	for i, n := range m.Strides {
		le.PutUint64(b[mapStrides+8*i:], n)
	}
	if _, err := decodeTensorMap(b); err != nil {
		return nil, fmt.Errorf("tensor map: %w", err)
	}
	return b, nil
}

// decodeTensorMap checks the rules of CUDA's cuTensorMapEncodeTiled too,
// because hardware would fault or do something else.
func decodeTensorMap(b []byte) (*tensorMap, error) {
	le := binary.LittleEndian
	m := &tensorMap{address: le.Uint64(b[mapAddress:]), rank: int(b[mapRank]) + 1}
	for _, x := range b[mapEnd:tensorBytes] {
		if x != 0 {
			return nil, errors.New("not a tensor map of the emulator")
		}
	}
	kind, swizzle := int(b[mapType]), int(b[mapSwizzle])
	switch {
	case m.rank > 5 || kind >= len(tensorTypes) || tensorTypes[kind] == tNone || swizzle >= len(tensorSwizzles):
		return nil, errors.New("not a tensor map of the emulator")
	case b[mapInterleave] != 0 || b[mapFill] != 0 || b[mapAtomicity] != 0:
		return nil, errors.New("interleaving, a fill mode or a swizzle atomicity other than the default is not supported")
	case m.address%16 != 0:
		return nil, fmt.Errorf("address %#x is not a multiple of 16", m.address)
	}
	m.t, m.swizzle = tensorTypes[kind], uint64(tensorSwizzles[swizzle])
	for i := range m.dims {
		if i >= m.rank {
			m.dims[i], m.box[i] = 1, 1
			continue
		}
		m.dims[i], m.box[i] = le.Uint64(b[mapDims+8*i:]), uint64(le.Uint16(b[mapBox+2*i:]))
		m.strides[i] = uint64(m.t.bytes())
		if i > 0 {
			m.strides[i] = le.Uint64(b[mapStrides+8*i-8:])
		}
		switch {
		case m.dims[i] == 0 || m.dims[i] > 1<<32 || m.box[i] == 0 || m.box[i] > 256:
			return nil, fmt.Errorf("dimension %d has size %d and box %d", i, m.dims[i], m.box[i])
		case i > 0 && (m.strides[i]%16 != 0 || m.strides[i] >= 1<<40):
			return nil, fmt.Errorf("stride %d of dimension %d is not a multiple of 16 below 2^40", m.strides[i], i)
		case b[mapElementStrides+i] != 1:
			return nil, fmt.Errorf("element stride %d of dimension %d is not supported", b[mapElementStrides+i], i)
		}
	}
	total := uint64(m.t.bytes())
	for _, n := range m.box {
		total *= n // below 2^48
	}
	if total > maxShared {
		return nil, fmt.Errorf("a box of %d bytes does not fit in shared memory", total)
	}
	if inner := m.box[0] * uint64(m.t.bytes()); inner%16 != 0 || m.swizzle != 0 && inner != m.swizzle {
		return nil, fmt.Errorf("a box row of %d bytes does not go with swizzle %d; it must be a multiple of 16 and fill the swizzle", inner, m.swizzle)
	}
	return m, nil
}

// mapField is a field that tensormap.replace writes.
type mapField struct {
	at, size int
	each     int    // bytes from one dimension to the next; 0: one value for the map
	dims     int    // how many there are
	limit    uint64 // largest value; 0: any
	constant bool   // the new value is an immediate
}

var mapFields = map[string]mapField{
	"global_address":    {at: mapAddress, size: 8},
	"rank":              {at: mapRank, size: 1, limit: 4},
	"box_dim":           {at: mapBox, size: 2, each: 2, dims: 5, limit: 256},
	"global_dim":        {at: mapDims, size: 8, each: 8, dims: 5},
	"global_stride":     {at: mapStrides, size: 8, each: 8, dims: 4},
	"element_stride":    {at: mapElementStrides, size: 1, each: 1, dims: 5, limit: 8},
	"elemtype":          {at: mapType, size: 1, limit: 15, constant: true},
	"interleave_layout": {at: mapInterleave, size: 1, limit: 2, constant: true},
	"swizzle_mode":      {at: mapSwizzle, size: 1, limit: 4, constant: true},
	"swizzle_atomicity": {at: mapAtomicity, size: 1, limit: 3, constant: true},
	"fill_mode":         {at: mapFill, size: 1, limit: 1, constant: true},
}

// decodeTensormap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensormap(d *decoder) {
	switch d.oneOf("replace", "cp_fenceproxy") {
	case "replace":
		decodeMapReplace(d)
	case "cp_fenceproxy":
		decodeMapCopy(d)
	default:
		d.failInst("'tensormap' needs .replace or .cp_fenceproxy")
	}
}

func decodeMapReplace(d *decoder) {
	if !d.opt("tile") {
		d.failInst("'tensormap.replace' needs .tile")
	}
	var f mapField
	for i, m := range d.mods {
		if x, ok := mapFields[m]; ok {
			d.mods[i], f = "", x
		}
	}
	if f.size == 0 {
		d.failInst("'tensormap.replace' has no field")
	}
	sp := d.spaceOf()
	if !d.opt("b1024") {
		d.failInst("'tensormap.replace' needs .b1024")
	}
	t := d.typ(tB32, tB64)
	if wide := f.at == mapAddress || f.at == mapStrides; wide != (t == tB64) {
		d.failInst("type '.%s' does not go with the field", t)
	}
	n := 2
	if f.each > 0 {
		n = 3
	}
	args, offset := d.args(n), f.at
	if f.each > 0 {
		if o := args[1]; o.kind != opInt || o.bits >= uint64(f.dims) {
			d.badOperand(o, "the dimension must be a constant below %d", f.dims)
		}
		offset += f.each * int(args[1].bits)
	}
	at, value := d.addr(args[0]), args[len(args)-1]
	if f.constant && value.kind != opInt {
		d.badOperand(value, "the new value of the field must be a constant")
	}
	v := d.src(value, t)
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			x := w.lanes(v)[i]
			if f.limit > 0 && x > f.limit {
				w.faultf(i, "value %d of the field is above %d", x, f.limit)
				return
			}
			b := w.span(sp, at.lane(w, w.lanes(at.base), i), tensorBytes, 64, i, true)
			if b == nil {
				return
			}
			put(b[offset:][:f.size], x)
		}
	}
}

// decodeMapCopy decodes the copy of a tensor map that the kernel changed in
// shared memory to global memory, with a fence between the proxies.
func decodeMapCopy(d *decoder) {
	if !d.opt("global") || d.oneOf("shared", "shared::cta") == "" || !d.opt("tensormap::generic") || !d.opt("release") {
		d.failInst("'tensormap.cp_fenceproxy' needs .global.shared::cta.tensormap::generic.release")
	}
	if d.oneOf("cta", "cluster", "gpu", "sys") == "" || !d.opt("sync") || !d.opt("aligned") {
		d.failInst("'tensormap.cp_fenceproxy' needs a scope and .sync.aligned")
	}
	args := d.args(3)
	to, from := d.addr(args[0]), d.addr(args[1])
	if o := args[2]; o.kind != opInt || o.bits != tensorBytes {
		d.badOperand(o, "the size must be %d", tensorBytes)
	}
	d.wholeWarp(func(w *warp, m uint32) {
		for i := range warpSize {
			dst := w.span(spGlobal, to.lane(w, w.lanes(to.base), i), tensorBytes, 128, i, true)
			src := w.span(spShared, local(spShared, from.lane(w, w.lanes(from.base), i)), tensorBytes, 128, i, false)
			if dst == nil || src == nil {
				return
			}
			copy(dst, src)
		}
	})
}
