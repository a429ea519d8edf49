package number

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
)

// The first row of each kind is from listings of the reference tools, the others follow the same rule.
func TestFloatText(t *testing.T) {
	t.Parallel()
	f32 := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	for _, tt := range []struct {
		f    numeric.Format
		bits uint64
		want string
	}{
		{numeric.F32, f32(1), "1.000000e+00"},
		{numeric.F32, f32(-2.5), "-2.500000e+00"},
		{numeric.F32, 0, "0.000000e+00"},
		{numeric.F32, 1 << 31, "-0.000000e+00"},
		{numeric.F32, f32(0.1), "1.000000e-01"},
		{numeric.F32, f32(1.44269502), "1.44269502"},
		{numeric.F32, f32(123456789), "0x4CEB79A3"},
		{numeric.F32, f32(3.14159), "3.141590e+00"},
		{numeric.F32, 1, "1.401300e-45"},
		{numeric.F32, f32(math.MaxFloat32), "3.40282347E+38"},
		{numeric.F32, f32(0.000123456789), "1.2345679E-4"},
		{numeric.F32, f32(0.00123456789), "0.00123456784"},
		{numeric.F32, f32(1e10), "1.000000e+10"},
		{numeric.F32, f32(1e-5), "9.99999974E-6"},
		{numeric.F32, f32(8.3333333), "8.33333301"},
		{numeric.F32, 0x7F800000, "0x7F800000"},
		{numeric.F32, 0xFF800000, "0xFF800000"},
		{numeric.F32, 0x7FC00000, "0x7FC00000"},
		{numeric.F64, math.Float64bits(2.718281828459045), "2.7182818284590451"},
		{numeric.F64, math.Float64bits(1e300), "1.000000e+300"},
		{numeric.F16, 0xC248, "-3.140630e+00"},
		{numeric.F16, 0x7C00, "0x7C00"},
		{numeric.BF16, 0x3F80, "1.000000e+00"},
		{numeric.F8E4M3FN, 0x7F, "0x7F"},
	} {
		if got := string(AppendFloat(nil, tt.f, tt.bits)); got != tt.want {
			t.Errorf("%v %#x: got %s, want %s", tt.f, tt.bits, got, tt.want)
		}
	}
}

// Every number of every small format, and a sample of the others, reads back as itself.
func TestFloatReadsBack(t *testing.T) {
	t.Parallel()
	for _, f := range numeric.Formats() {
		step := uint64(1)
		if f.Bits() > 16 {
			step = uint64(1)<<(f.Bits()-12) | 0x9E37
		} else if f.Bits() == 16 {
			step = 7
		}
		for bits := uint64(0); ; bits += step {
			if f.Bits() < 64 && bits >= 1<<f.Bits() || f.Bits() == 64 && bits+step < bits {
				break
			}
			if f == numeric.TF32 {
				bits &^= 1<<13 - 1
			}
			text := string(AppendFloat(nil, f, bits))
			if strings.HasPrefix(text, "0x") {
				if got, ok := ParseBits(text, f.Bits()); !ok || got != bits {
					t.Fatalf("%v %#x: text %s", f, bits, text)
				}
				continue
			}
			if !readsAs(f, []byte(text), bits) {
				t.Fatalf("%v %#x: text %s does not read back", f, bits, text)
			}
		}
	}
}

// A literal is rounded once, not to a double first.
func TestFloatRoundsOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want uint64
	}{
		{"1.00048828125", 0x3C00},
		{"1.00048828125000000000000001", 0x3C01},
		{"1.00048828124999999999999999", 0x3C00},
		{"1.00146484375", 0x3C02},
		{"1.00146484374999999999999999", 0x3C01},
		{"65519.9", 0x7BFF},
		{"1.0e99", 0x7C00},
	} {
		if got := ParseFloat(numeric.F16, tt.text, false); got != tt.want {
			t.Errorf("%s: got %#x, want %#x", tt.text, got, tt.want)
		}
	}
}

// Short literals are read as strconv reads them.
func TestShortFloat(t *testing.T) {
	t.Parallel()
	for n := range 1 << 16 {
		digits := strconv.Itoa(n * 7919 % 10000000)
		for at := 1; at <= len(digits); at += 1 + n%3 {
			text := digits[:at] + "." + digits[at:]
			want, _ := strconv.ParseFloat(text, 32)
			if got, ok := shortFloat(text); !ok || got != want {
				t.Fatalf("%s: got %v, %t, want %v", text, got, ok, want)
			}
		}
	}
	for _, text := range []string{"16777217", "1.0e3", "1234567.8"} {
		if _, ok := shortFloat(text); ok {
			t.Errorf("%s is taken for a short literal", text)
		}
	}
}
