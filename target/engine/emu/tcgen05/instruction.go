package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// kind is a kind of tcgen05.mma: the formats that its instruction
// descriptor can name (PTX ISA, tables "Instruction descriptor format").
type kind struct {
	types  [8]*element
	d      [4]syntax.Type
	k      int  // of a dense A
	scaled bool // by blocks
	scales bool // the accumulator, by scale-input-d
	wide   bool // scale factors may be of .ue4m3
}

var narrowElements = [8]*element{
	0: newElement(syntax.E4M3, false), 1: newElement(syntax.E5M2, false), 3: newElement(syntax.E2M3, false),
	4: newElement(syntax.E3M2, false), 5: newElement(syntax.E2M1, false),
}

var kinds = map[string]*kind{
	"kind::f16":      {types: [8]*element{0: newElement(syntax.F16, false), 1: newElement(syntax.BF16, false)}, d: [4]syntax.Type{0: syntax.F16, 1: syntax.F32}, k: 16, scales: true},
	"kind::tf32":     {types: [8]*element{2: newElement(syntax.TF32, false)}, d: [4]syntax.Type{1: syntax.F32}, k: 8, scales: true},
	"kind::f8f6f4":   {types: narrowElements, d: [4]syntax.Type{0: syntax.F16, 1: syntax.F32}, k: 32},
	"kind::i8":       {types: [8]*element{0: newElement(syntax.U8, false), 1: newElement(syntax.S8, false)}, d: [4]syntax.Type{2: syntax.S32}, k: 32},
	"kind::mxf8f6f4": {types: narrowElements, k: 32, scaled: true},
	"kind::mxf4":     {types: [8]*element{1: newElement(syntax.E2M1, true)}, k: 64, scaled: true},
	"kind::mxf4nvf4": {types: [8]*element{1: newElement(syntax.E2M1, true)}, k: 64, scaled: true, wide: true},
}

// description is what the instruction descriptor adds to the form.
type description struct {
	form
	mma.Shape
	ta, tb         *element
	td             syntax.Type
	negate         bool // the product
	transA, transB bool
	saturate       bool
	selector       int // of sparsity metadata
	fine           bool
	idA, idB       int // bytes of the scale factors
	maxShift       int // of the columns of B
}

// An idesc is the bits of an instruction descriptor.
type idesc uint64

func (v idesc) field(at, n int) uint64 { return uint64(v) >> at & num.Mask(n) }
func (v idesc) bit(at int) bool        { return v>>at&1 == 1 }

const (
	noFormat     = "the instruction descriptor names a format that is not supported"
	reservedBits = "reserved bits of the instruction descriptor are set"
)

// parse reads the instruction descriptor, and returns what is wrong with it.
//
// The instruction descriptor is an operand at run time. So all of this is checked when the MMA is issued, and ptxas
// accepts anything. Reserved bits fault, as for matrix descriptors.
//
// PTX ISA, tables "Instruction descriptor format for .kind::tf32, .kind::f16, .kind::f8f6f4 and .kind::i8" and
// "... for .kind::mxf8f6f4", "... for .kind::mxf4 and .kind::mxf4nvf4".
func (o *description) parse(bits uint64) string {
	v := idesc(bits)
	if v.bit(2) != o.sparse {
		if o.sparse {
			return "the instruction descriptor of a sparse MMA is not sparse"
		}
		return "the instruction descriptor is sparse, the instruction is not"
	}
	o.K = o.kind.k
	if o.sparse { // half of A is stored
		o.K *= 2
	}
	o.N = int(v.field(17, 6)) * 8
	o.negate = v.bit(13) != v.bit(14) // A and B negated: the signs cancel out
	o.transA, o.transB = v.bit(15), v.bit(16)
	o.ta, o.tb = o.kind.types[v.field(7, 3)], o.kind.types[v.field(10, 3)]
	if o.ta == nil || o.tb == nil {
		return noFormat
	}
	read := o.parsePlain
	if o.kind.scaled {
		read = o.parseScaled
	}
	if wrong := read(v); wrong != "" {
		return wrong
	}
	if !o.shaped() {
		return "the instruction descriptor has a shape that does not exist"
	}
	if o.shift && o.M < 128 {
		return "'.ashift' needs an M of 128 or 256"
	}
	if wrong := o.transposed(); wrong != "" {
		return wrong
	}
	return o.scaleIDs()
}

// parseScaled reads the fields of a block-scaled MMA, whose accumulators are always f32.
func (o *description) parseScaled(v idesc) string {
	o.td = syntax.F32
	o.M = int(v.field(27, 2)) * 128
	o.idB, o.idA = int(v.field(4, 2)), int(v.field(29, 2))
	o.fine = !v.bit(23)
	switch {
	case v.field(0, 2) != 0 || v.bit(3) || v.bit(6) || v.field(24, 3) != 0:
		return reservedBits
	case v.bit(31) && o.kind.k != 64: // the bit chooses a K of 96, which only 4-bit kinds have
		return reservedBits
	case v.bit(31):
		return "a K of 96 is not supported"
	}
	return ""
}

// parsePlain reads the fields of an MMA without scale factors.
func (o *description) parsePlain(v idesc) string {
	o.td = o.kind.d[v.field(4, 2)]
	o.M = int(v.field(24, 5)) * 16
	o.saturate = v.bit(3)
	o.selector = int(v.field(0, 2))
	o.maxShift = [4]int{0, 8, 16, 32}[v.field(30, 2)]
	integers := o.td == syntax.S32
	negates := v.bit(13) || v.bit(14)
	switch {
	case o.td == syntax.NoType:
		return noFormat
	case o.td == syntax.F16 && (o.ta.t == syntax.BF16 || o.tb.t == syntax.BF16):
		return "the instruction descriptor has an accumulator of .f16 for operands of .bf16"
	case v.bit(6) || v.bit(23) || v.bit(29):
		return reservedBits
	// Fields that only some MMAs have are reserved in the others.
	case o.maxShift != 0 && !o.ws || o.saturate && !integers || integers && negates || o.selector != 0 && !o.sparse:
		return reservedBits
	case o.selector != 0 && o.ta.packed <= 8:
		return "the sparsity selector must be 0 for operands of at most 8 bits"
	case o.selector > 1:
		return "a sparsity selector above 1 is not supported"
	}
	return ""
}

// transposed rejects operands that cannot be transposed: K-major is the only layout below 8 bits.
func (o *description) transposed() string {
	if o.transA && o.ta.packed < 8 || o.transB && o.tb.packed < 8 {
		return "the instruction descriptor transposes an operand of less than 8 bits"
	}
	if step := o.wideStep(); o.transB && o.tb.packed == 8 && o.N%step != 0 {
		return "the instruction descriptor has a shape that does not exist with a transposed B of 8 bits"
	}
	return ""
}

// wideStep is the step of N for a transposed B of 8 bits (table "Various
// combinations of N shape with .cta_group qualifier for 8bit transpose B").
func (o *description) wideStep() int {
	if o.pair {
		return 32
	}
	return 16
}

// shaped checks M and N (table "Various combinations of .kind and shapes").
func (o *description) shaped() bool {
	if o.N < 8 || o.N > 256 {
		return false
	}
	if o.ws {
		return (o.M == 32 || o.M == 64 || o.M == 128) && (o.N == 64 || o.N == 128 || o.N == 256 && !o.sparse)
	}
	low, high, step := 64, 128, 8
	if o.pair {
		low, high, step = 128, 256, 16
	}
	if o.kind.scaled && (!o.pair || o.sparse) {
		low = high
	}
	if o.td == syntax.S32 {
		if o.pair {
			step = 32
		} else if o.N > 32 {
			step = 16
		}
	}
	return (o.M == low || o.M == high) && o.N%step == 0
}

// scaleIDs checks the type of the scale factors and which bytes of a word
// they are ("Valid combinations of scale_vectorsize with types and
// MMA-Kind", "Scale Factor A ID").
func (o *description) scaleIDs() string {
	if !o.kind.scaled {
		return ""
	}
	if o.fine && (!o.kind.wide || o.vectors != 4) {
		return "the instruction descriptor has scale factors of .ue4m3, which this form does not have"
	}
	for _, id := range []int{o.idA, o.idB} {
		if id%o.vectors != 0 || id+o.vectors > 4 {
			return "the instruction descriptor has a scale factor ID that this form does not have"
		}
	}
	return ""
}
