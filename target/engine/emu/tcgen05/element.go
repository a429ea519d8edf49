package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// element is a type of the elements of A and B and how they are packed
// ("Packing formats of elements in Tensor and Shared memory").
//
// Elements of at most eight bits are looked up in a table of 256: that is cheaper than decoding, and it lets all
// padded and packed forms share one loop.
type element struct {
	t      syntax.Type
	per    int // elements in 16 bytes of shared memory
	packed int // bits from one to the next there
	held   int // bits from one to the next in tensor memory
	shift  int // of an element in its place in tensor memory
	values *[256]float64
	load   func(uint64) float64
}

// newElement describes a type; dense says that elements of four bits
// have no padding, as those of .kind::mxf4 and .kind::mxf4nvf4. The places
// of padded elements in tensor memory are bits 2 to 5 and 1 to 6 of a byte.
func newElement(t syntax.Type, dense bool) *element {
	bits := t.Bits()
	x := &element{t: t, per: 128 / max(bits, 8), packed: bits, held: max(bits, 8)}
	switch {
	case bits > 8:
		x.load = mma.ElementValue(t)
		return x
	case dense:
		x.per, x.held = 32, 4
	case bits == 4:
		x.shift = 2
	case bits == 6:
		x.shift = 1
	}
	x.values = new([256]float64)
	for i := range x.values {
		v := uint64(i) & num.Mask(bits)
		if t.Integer() {
			x.values[i] = mma.ElementValue(t)(v)
		} else {
			x.values[i] = mma.OperandFormats[t].Decode(v)
		}
	}
	return x
}

// unit converts 16 bytes of shared memory.
func (t *element) unit(b []byte, v *[32]float64) {
	switch t.packed {
	case 32:
		for i := range 4 {
			v[i] = t.load(machine.Load(b[4*i:][:4]))
		}
	case 16:
		for i := range 8 {
			v[i] = t.load(machine.Load(b[2*i:][:2]))
		}
	case 8:
		for i, x := range b[:16] {
			v[i] = t.values[x]
		}
	case 6: // 12 bytes and four of padding
		for i := range 16 {
			at := 6 * i
			v[i] = t.values[uint8((uint(b[at/8])|uint(b[at/8+1])<<8)>>(at%8))]
		}
	default: // 16 bytes, or eight and eight of padding
		for i := range t.per {
			v[i] = t.values[b[i/2]>>(4*(i%2))]
		}
	}
}

// from converts element k of a row in tensor memory.
func (t *element) from(row []uint32, k int) float64 {
	raw := uint64(row[k*t.held/32]) >> (k * t.held % 32) & num.Mask(t.held)
	if t.values != nil {
		return t.values[raw>>t.shift]
	}
	return t.load(raw)
}
