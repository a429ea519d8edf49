package bytecode

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A constEntry is the bytes of a constant; its type comes from where it is used. A malformed entry is an error there.
type constEntry struct {
	span
	data []byte
	err  *Error
}

func (f *File) readConstants() {
	if f.Find(ConstantSection) == nil {
		return
	}
	c := f.cursor(ConstantSection)
	spans := c.table(8, 8)
	f.consts = make([]constEntry, len(spans))
	for i, s := range spans {
		e := &f.consts[i]
		e.span = s
		ec := c.entry(s, "constant", i)
		e.err = catch(func() { e.data = ec.bytes(ec.count(1, "bytes")) })
	}
}

// constant reads a reference to a constant of type t.
//
// A type and not a constant says how many elements there are, so that one constant may serve tiles of different
// shapes; the budget counts each (charge).
func (c *cursor) constant(f *File, t ir.Type) ir.Attribute {
	start := c.pos
	i := c.index(len(f.consts), "constant")
	e := &f.consts[i]
	if e.err != nil {
		panic(e.err)
	}
	tile, ok := t.(*cudatile.TileType)
	if !ok {
		c.failAt(start, "constant %d has type %s, expected a tile", i, ir.TypeString(t))
	}
	c.charge(f, len(e.data))
	data, problem := unpack(e.data, tile.Elem, int(tile.NumElements()))
	if problem != "" {
		c.failAt(start, "constant %d of type %s: %s", i, ir.TypeString(t), problem)
	}
	c.charge(f, len(data))
	return f.ctx.Dense(t, data)
}

// wireBytes returns how many bytes an element takes in the constant section: tf32, whose patterns have 19 bits there,
// takes 3.
func wireBytes(elem ir.Type) int {
	if isTF32(elem) {
		return 3
	}
	return ir.DenseElemBytes(elem)
}

func isTF32(t ir.Type) bool {
	f, ok := t.(*ir.FloatType)
	return ok && f.Format == numeric.TF32
}

// tf32Pad is how many bits, all zero, a TF32 pattern has below those that are stored.
const tf32Pad = 13

// unpack turns the stored form of n elements into that of an ir.DenseElementsAttr, in which equal elements are stored
// once. It returns what is wrong with the stored form, if anything.
//
//	element      stored as                                       of one value
//	i1           bits, the lowest first, padded to bytes         one byte, bit 0
//	i8 .. f64    little-endian                                   one element
//	f4E2M1FN     a byte each, upper half zero                    one byte
//	tf32         3 bytes with its 19 bits                        3 bytes; in memory the top bits of a word
func unpack(stored []byte, elem ir.Type, n int) (data []byte, problem string) {
	width := ir.BitWidth(elem)
	if width == 0 || width == 4 && !isFloat(elem) {
		return nil, "elements of type " + ir.TypeString(elem) + " cannot be stored"
	}
	if width == 1 {
		return unpackBits(stored, n)
	}
	size := wireBytes(elem)
	if len(stored) != size && len(stored) != size*n {
		return nil, "expected " + strconv.Itoa(size) + " or " + strconv.Itoa(size*n) + " bytes, but got " + strconv.Itoa(len(stored))
	}
	if allSame(stored, size) {
		stored = stored[:size]
	}
	if width < 8 {
		for _, b := range stored {
			if b>>width != 0 {
				return nil, "element 0x" + strconv.FormatUint(uint64(b), 16) + " does not fit " + strconv.Itoa(width) + " bits"
			}
		}
	}
	if !isTF32(elem) {
		return stored, ""
	}
	data = make([]byte, 0, len(stored)/3*4)
	for i := 0; i < len(stored); i += 3 {
		v := uint32(stored[i]) | uint32(stored[i+1])<<8 | uint32(stored[i+2])<<16
		if v>>(32-tf32Pad) != 0 {
			return nil, "element 0x" + strconv.FormatUint(uint64(v), 16) + " does not fit 19 bits"
		}
		v <<= tf32Pad
		data = append(data, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return data, ""
}

func isFloat(t ir.Type) bool { _, ok := t.(*ir.FloatType); return ok }

// allSame reports whether data is a repetition of its first size bytes.
func allSame(data []byte, size int) bool {
	for i := size; i < len(data); i++ {
		if data[i] != data[i-size] {
			return false
		}
	}
	return true
}

// unpackBits turns bits, lowest first, into bytes. A single byte stands for more than eight elements by its lowest bit.
func unpackBits(stored []byte, n int) (data []byte, problem string) {
	if len(stored) == 1 && n > 8 {
		return []byte{stored[0] & 1}, ""
	}
	if want := (n + 7) / 8; len(stored) != want {
		return nil, "expected 1 or " + strconv.Itoa(want) + " bytes, but got " + strconv.Itoa(len(stored))
	}
	same := true
	bit := func(i int) byte { return stored[i/8] >> (i % 8) & 1 }
	for i := 1; i < n && same; i++ {
		same = bit(i) == bit(0)
	}
	if same {
		return []byte{bit(0)}, ""
	}
	data = make([]byte, n)
	for i := range data {
		data[i] = bit(i)
	}
	return data, ""
}
