package launch

import (
	"math"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/npy"
)

func TestDTypeTable(t *testing.T) {
	t.Parallel()
	for d := I1; d < numDTypes; d++ {
		got, err := ParseDType(d.String())
		if err != nil || got != d {
			t.Errorf("%v parses as %v, %v", d, got, err)
		}
		_, isFloat := d.Format()
		_, _, isInt := d.Int()
		if isFloat == isInt || d.Size() != dtypes[d].stored.Size() {
			t.Errorf("%v: inconsistent row %+v", d, dtypes[d])
		}
		data := make([]byte, d.Bytes(3))
		d.Store(data, 1, 0x8182838485868788)
		unused := 64 - 8*d.Size()/d.PerByte()
		if got, want := d.Load(data, 1), uint64(0x8182838485868788)<<unused>>unused; got != want {
			t.Errorf("%v: stored %#x, loaded %#x", d, want, got)
		}
		if d.Load(data, 0) != 0 || d.Load(data, 2) != 0 {
			t.Errorf("%v: a store touched its neighbours", d)
		}
	}
	for name, want := range map[string]DType{"f8E4M3FN": F8E4M3, "f8E8M0FNU": F8E8M0, "f4E2M1FN": F4E2M1, "fnv8E5M3FNU": F8E5M3} {
		if got, err := ParseDType(name); err != nil || got != want {
			t.Errorf("%s parses as %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "f31", "F32"} {
		if d, err := ParseDType(name); err == nil {
			t.Errorf("%q parses as %v", name, d)
		}
	}
}

func TestNumpyTypes(t *testing.T) {
	t.Parallel()
	for stored, want := range map[npy.DType]DType{
		npy.Bool: I1, npy.Int8: I8, npy.Int16: I16, npy.Int32: I32, npy.Int64: I64, npy.Uint8: U8, npy.Uint16: U16,
		npy.Uint32: U32, npy.Uint64: U64, npy.Float16: F16, npy.Float32: F32, npy.Float64: F64,
	} {
		if got := fromNumpy(stored); got != want {
			t.Errorf("%s is %v, want %v", stored, got, want)
		}
		if !want.storable(stored) {
			t.Errorf("%v cannot be stored as %s", want, stored)
		}
	}
	if BF16.storable(npy.Float16) || BF16.storable(npy.Int16) || F32.storable(npy.Int32) || F8E4M3.storable(npy.Uint16) {
		t.Error("a type is taken for another")
	}
}

func TestParseValue(t *testing.T) {
	t.Parallel()
	tests := []struct {
		d    DType
		in   string
		want uint64
	}{
		{I32, "-1", 0xffffffff}, {I32, "4294967295", 0xffffffff}, {I64, "-9223372036854775808", 1 << 63}, {I8, "0x7f", 0x7f},
		{I1, "true", 1}, {I1, "false", 0}, {I1, "1", 1}, {U8, "255", 255},
		{F32, "0.1", 0x3dcccccd}, {F32, "-0", 0x80000000}, {F32, "inf", 0x7f800000}, {F32, "nan", 0x7fc00000},
		{F64, "0.1", math.Float64bits(0.1)}, {F16, "65504", 0x7bff}, {F8E4M3, "448", 0x7e}, {F8E8M0, "2", 128},
		{BF16, "1.00390625", 0x3f80},
		{BF16, "1.00390625000000000000000001", 0x3f81}, // a float64 in between would be a tie
		{F32, "1e-999999999", 0},
	}
	for _, tt := range tests {
		if got, err := tt.d.ParseValue(tt.in); err != nil || got != tt.want {
			t.Errorf("%v %s: got %#x, %v, want %#x", tt.d, tt.in, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		d  DType
		in string
	}{{I32, "4294967296"}, {I32, "-2147483649"}, {I32, ""}, {I32, "1.0"}, {I1, "2"}, {F32, "1e39"}, {F16, "65520"}, {F8E4M3, "500"}, {F32, "x"}, {F64, "1e400"}} {
		if got, err := tt.d.ParseValue(tt.in); err == nil {
			t.Errorf("%v %q: got %#x", tt.d, tt.in, got)
		}
	}
	for _, tt := range []struct {
		d    DType
		bits uint64
		want string
	}{{I8, 0xff, "-1"}, {U8, 0xff, "255"}, {I1, 1, "1"}, {F32, 0x3dcccccd, "0.1"}, {F16, 0xfc00, "-Inf"}} {
		if got := tt.d.FormatValue(tt.bits); got != tt.want {
			t.Errorf("%v %#x prints as %s, want %s", tt.d, tt.bits, got, tt.want)
		}
	}
}

// Two elements of four bits share a byte, the first in its lower half.
func TestHalfBytes(t *testing.T) {
	t.Parallel()
	b, err := NewBuffer(&npy.Array{DType: npy.Uint8, Shape: []int{2}, Data: []byte{0x31, 0xf0}}, F4E2M1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range b.Len() {
		got = append(got, b.DType.FormatValue(b.DType.Load(b.Data, i)))
	}
	if s := strings.Join(got, " "); s != "0.5 1.5 0 -6" || (Arg{Buffer: b}).String() != "f4e2m1[4]" {
		t.Errorf("got %s of %s", s, Arg{Buffer: b})
	}
	if I4.FormatValue(15) != "-1" || U4.FormatValue(15) != "15" {
		t.Errorf("15 is %s and %s", I4.FormatValue(15), U4.FormatValue(15))
	}
	if v, err := I4.ParseValue("-8"); v != 8 || err != nil {
		t.Errorf("-8 is %d, %v", v, err)
	}
	if _, err := I4.ParseValue("16"); err == nil {
		t.Error("16 is an i4")
	}
	other := b.Clone()
	other.Data[1] = 0x70 // 6 for -6
	d, err := Compare(other, b, Tolerance{})
	if err != nil || d.Elements != 4 || d.Mismatches != 1 || d.First != 3 || d.FirstPair != "got 6, want -6" {
		t.Errorf("got %+v, %v", d, err)
	}
	if _, err := NewBuffer(&npy.Array{DType: npy.Uint16, Shape: []int{1}, Data: []byte{0, 0}}, F4E2M1); err == nil {
		t.Error("u2 stands for f4e2m1")
	}
}
