package launch

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// DType is the element type of a buffer or the type of a scalar. Unlike Tile IR's integers, these have a signedness,
// which only matters to print and compare them.
type DType uint8

// The element types. I1 takes a byte in memory, TF32 the upper bits of four. Elements of four bits share a byte, the
// first in its lower half (Tile IR specification, tensor views).
const (
	I1 DType = iota + 1
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64
	TF32
	F8E4M3
	F8E5M2
	F8E8M0
	F8E5M3
	F4E2M1
	I4
	U4
	Ptr // an address: a scalar for a pointer parameter, or an element of a list of arrays
	numDTypes
)

// dtypeRow describes an element type: an integer of a width or a float of a format, and how NumPy files hold it.
type dtypeRow struct {
	name   string
	alias  string // Tile IR's spelling, where it differs
	size   int    // 0: half a byte
	width  numeric.Int
	signed bool
	format numeric.Format
	stored npy.DType // what a file of this type holds when nothing else is said
}

// int4 is the width of an integer of half a byte.
const int4 numeric.Int = 4

var dtypes = [numDTypes]dtypeRow{
	I1:     {name: "i1", size: 1, width: numeric.I1, stored: npy.Uint8},
	I8:     {name: "i8", size: 1, width: numeric.I8, signed: true, stored: npy.Int8},
	I16:    {name: "i16", size: 2, width: numeric.I16, signed: true, stored: npy.Int16},
	I32:    {name: "i32", size: 4, width: numeric.I32, signed: true, stored: npy.Int32},
	I64:    {name: "i64", size: 8, width: numeric.I64, signed: true, stored: npy.Int64},
	U8:     {name: "u8", size: 1, width: numeric.I8, stored: npy.Uint8},
	U16:    {name: "u16", size: 2, width: numeric.I16, stored: npy.Uint16},
	U32:    {name: "u32", size: 4, width: numeric.I32, stored: npy.Uint32},
	U64:    {name: "u64", size: 8, width: numeric.I64, stored: npy.Uint64},
	F16:    {name: "f16", size: 2, format: numeric.F16, stored: npy.Float16},
	BF16:   {name: "bf16", size: 2, format: numeric.BF16, stored: npy.Uint16},
	F32:    {name: "f32", size: 4, format: numeric.F32, stored: npy.Float32},
	F64:    {name: "f64", size: 8, format: numeric.F64, stored: npy.Float64},
	TF32:   {name: "tf32", size: 4, format: numeric.TF32, stored: npy.Float32},
	F8E4M3: {name: "f8e4m3", alias: "f8E4M3FN", size: 1, format: numeric.F8E4M3FN, stored: npy.Uint8},
	F8E5M2: {name: "f8e5m2", alias: "f8E5M2", size: 1, format: numeric.F8E5M2, stored: npy.Uint8},
	F8E8M0: {name: "f8e8m0", alias: "f8E8M0FNU", size: 1, format: numeric.F8E8M0FNU, stored: npy.Uint8},
	F8E5M3: {name: "f8e5m3", alias: numeric.F8E5M3FNU.String(), size: 1, format: numeric.F8E5M3FNU, stored: npy.Uint8},
	F4E2M1: {name: "f4e2m1", alias: "f4E2M1FN", format: numeric.F4E2M1FN, stored: npy.Uint8},
	I4:     {name: "i4", width: int4, signed: true, stored: npy.Uint8},
	U4:     {name: "u4", width: int4, stored: npy.Uint8},
	Ptr:    {name: "ptr", size: 8, width: numeric.I64, stored: npy.Uint64},
}

// ParseDType reads the name of an element type, in the spelling of case.json or of Tile IR.
func ParseDType(name string) (DType, error) {
	for d := I1; d < numDTypes; d++ {
		if name == dtypes[d].name || name == dtypes[d].alias && name != "" {
			return d, nil
		}
	}
	names := make([]string, 0, numDTypes)
	for _, row := range dtypes[I1:] {
		names = append(names, row.name)
	}
	return 0, fmt.Errorf("unknown element type %q, expected one of %s", name, strings.Join(names, ", "))
}

// Valid reports whether d is one of the types above.
func (d DType) Valid() bool { return d >= I1 && d < numDTypes }

func (d DType) String() string {
	if !d.Valid() {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return dtypes[d].name
}

// MarshalText lets a DType be a JSON string.
func (d DType) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Size is the number of bytes that hold an element: one also where two elements share it.
func (d DType) Size() int { return max(1, dtypes[d].size) }

// PerByte is how many elements share a byte.
func (d DType) PerByte() int {
	if dtypes[d].size == 0 {
		return 2
	}
	return 1
}

// Bytes is the number of bytes of n elements in a row. Memory ends with an entire byte.
func (d DType) Bytes(n int) int { return (n + d.PerByte() - 1) / d.PerByte() * d.Size() }

// Format returns the floating-point format of d, if it is one.
func (d DType) Format() (numeric.Format, bool) {
	f := dtypes[d].format
	return f, f != 0
}

// Int returns the integer type of d and its signedness, if it is one.
func (d DType) Int() (w numeric.Int, signed, ok bool) {
	row := &dtypes[d]
	return row.width, row.signed, row.width != 0
}

// fromNumpy is the element type that a file holds when nothing else is said.
func fromNumpy(stored npy.DType) DType {
	if stored == npy.Bool {
		return I1
	}
	for d := I8; d < numDTypes; d++ {
		if dtypes[d].stored == stored {
			return d // the plain types are declared before those that borrow their storage
		}
	}
	return 0
}

// storable reports whether a file of NumPy's type may stand for d: its own type, or raw bits.
func (d DType) storable(stored npy.DType) bool {
	if stored.Size() != d.Size() {
		return false
	}
	return stored == dtypes[d].stored || stored[0] == 'u' || stored == npy.Bool && d == I1
}

// Load reads element i of data.
func (d DType) Load(data []byte, i int) uint64 {
	if d.PerByte() == 2 {
		return uint64(data[i/2] >> (i % 2 * 4) & 15)
	}
	size := d.Size()
	var v uint64
	for k, b := range data[i*size : (i+1)*size] {
		v |= uint64(b) << (8 * k)
	}
	return v
}

// Store writes element i of data.
func (d DType) Store(data []byte, i int, v uint64) {
	if d.PerByte() == 2 {
		shift := i % 2 * 4
		data[i/2] = data[i/2]&^(15<<shift) | byte(v&15)<<shift
		return
	}
	size := d.Size()
	for k := range size {
		data[i*size+k] = byte(v >> (8 * k))
	}
}

// FormatValue prints a value with as many digits as it needs.
func (d DType) FormatValue(v uint64) string {
	if f, ok := d.Format(); ok {
		digits := 32
		if d == F64 {
			digits = 64
		}
		return strconv.FormatFloat(f.Decode(v), 'g', -1, digits)
	}
	if d == Ptr {
		return fmt.Sprintf("%#x", v)
	}
	w, signed, _ := d.Int()
	if signed {
		return strconv.FormatInt(w.Signed(v), 10)
	}
	return strconv.FormatUint(v, 10)
}

// ParseValue reads a literal: an integer (0x is understood) within the width, signed or not, true or false for i1; a
// float, inf or nan. Floats are rounded to the type once; a finite one that becomes infinite or saturates is an error.
func (d DType) ParseValue(s string) (uint64, error) {
	if f, ok := d.Format(); ok {
		return parseFloat(f, s)
	}
	w, _, _ := d.Int()
	if d == I1 && (s == "true" || s == "false") {
		return map[string]uint64{"true": 1}[s], nil
	}
	if u, err := strconv.ParseUint(s, 0, int(w)); err == nil {
		return u, nil
	}
	i, err := strconv.ParseInt(s, 0, int(w))
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is out of range for %s", s, d)
	case err != nil:
		return 0, fmt.Errorf("%q is not an integer", s)
	}
	return w.Wrap(uint64(i)), nil
}

// maxLiteral bounds what a decimal literal may cost: no float needs more digits.
const maxLiteral = 1100

// A literal has any number of digits and the format may have few: strconv rounds to a double first, and rounding
// again would be wrong at ties.
func parseFloat(f numeric.Format, s string) (uint64, error) {
	if len(s) > maxLiteral {
		return 0, fmt.Errorf("literal of %d characters", len(s))
	}
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is out of range for %s", s, f)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number", s)
	case math.IsInf(x, 0), x != x, x == 0:
		return f.Encode(x, numeric.Env{}), nil
	}
	if _, err := strconv.ParseInt(s, 10, 53); err == nil { // a double holds it, as most elements that tests and tools write
		return encode(f, x, s)
	}
	// Rounding the literal to odd first leaves the second rounding right for every narrower format.
	exact, _, err := big.ParseFloat(s, 0, 53, big.ToZero)
	if err == nil && exact.Acc() != big.Exact && f != numeric.F64 {
		x, _ = exact.Float64()
		x = math.Float64frombits(math.Float64bits(x) | 1)
	}
	return encode(f, x, s)
}

// encode rounds the value of a literal to a format.
func encode(f numeric.Format, x float64, literal string) (uint64, error) {
	v := f.Encode(x, numeric.Env{})
	if y := f.Decode(v); math.IsInf(y, 0) || f.Spec().Saturate && math.Abs(x) > math.Abs(y) && v == f.MaxFinite(x < 0) {
		return 0, fmt.Errorf("%s is out of range for %s", literal, f)
	}
	return v, nil
}
