package sm

// Elem is an element type of a matrix instruction.
type Elem uint8

// The element types.
const (
	NoElem Elem = iota
	F16
	BF16
	TF32
	F32
	F64
	S8
	U8
	S4
	U4
	S32
	E4M3
	E5M2
	E3M2
	E2M3
	E2M1
	UE8M0
	UE4M3
	numElems
)

// elems spells each type as PTX does and gives its width.
var elems = [numElems]struct {
	name string
	bits int
}{
	NoElem: {"", 0},
	F16:    {"f16", 16}, BF16: {"bf16", 16}, TF32: {"tf32", 32}, F32: {"f32", 32}, F64: {"f64", 64},
	S8: {"s8", 8}, U8: {"u8", 8}, S4: {"s4", 4}, U4: {"u4", 4}, S32: {"s32", 32},
	E4M3: {"e4m3", 8}, E5M2: {"e5m2", 8}, E3M2: {"e3m2", 6}, E2M3: {"e2m3", 6}, E2M1: {"e2m1", 4},
	UE8M0: {"ue8m0", 8}, UE4M3: {"ue4m3", 8},
}

// String returns the type as PTX spells it.
func (e Elem) String() string { return elems[e].name }

// Bits returns the width in bits. tf32 is held in 32, of which the instruction reads 19.
func (e Elem) Bits() int { return elems[e].bits }

// ElemNamed returns the type that PTX spells so.
func ElemNamed(name string) (Elem, bool) {
	for e := NoElem + 1; e < numElems; e++ {
		if elems[e].name == name {
			return e, true
		}
	}
	return NoElem, false
}
