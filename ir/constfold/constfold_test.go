package constfold

import (
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

var i8, f32 = Type{Int: numeric.I8}, Type{Float: numeric.F32}

// TestEval has the cases that are not computed. The tests of the tools compare the others with the interpreter.
func TestEval(t *testing.T) {
	t.Parallel()
	wide, half := Type{Int: numeric.I32}, Type{Float: numeric.F16}
	one, inf := numeric.F32.Encode(1, numeric.Env{}), numeric.F32.Inf(false)
	signed, unsigned := numeric.Wraps{Signed: true}, numeric.Wraps{Unsigned: true}
	tests := []struct {
		name string
		spec Spec
		in   []uint64
		want uint64
		ok   bool
	}{
		{"sum", Spec{Op: Add, In: i8}, []uint64{127, 1}, 128, true},
		{"sum that wraps as signed", Spec{Op: Add, In: i8, Promise: signed}, []uint64{127, 1}, 128, false},
		{"sum that does not wrap as unsigned", Spec{Op: Add, In: i8, Promise: unsigned}, []uint64{127, 1}, 128, true},
		{"product that wraps", Spec{Op: Mul, In: i8, Promise: unsigned}, []uint64{16, 16}, 0, false},
		{"negation that wraps", Spec{Op: Neg, In: i8, Promise: signed}, []uint64{128}, 128, false},
		{"quotient by zero", Spec{Op: Div, In: i8}, []uint64{1, 0}, 255, false},
		{"overflowing quotient", Spec{Op: Div, In: i8, Signed: true}, []uint64{128, 255}, 128, false},
		{"overflowing remainder", Spec{Op: Rem, In: i8, Signed: true}, []uint64{128, 255}, 0, true},
		{"shift by the width", Spec{Op: Shl, In: i8}, []uint64{1, 8}, 0, false},
		{"shift that loses bits", Spec{Op: Shl, In: i8, Promise: unsigned}, []uint64{129, 1}, 2, false},
		{"truncation that loses bits", Spec{Op: Convert, In: wide, Out: i8, Promise: signed}, []uint64{255}, 0, false},
		{"truncation that does not", Spec{Op: Convert, In: wide, Out: i8, Promise: unsigned}, []uint64{255}, 255, true},
		{"infinity as an integer", Spec{Op: Convert, In: f32, Out: i8}, []uint64{inf}, 255, false},
		{"saturated infinity", Spec{Op: Convert, In: f32, Out: i8, Saturating: true}, []uint64{inf}, 255, true},
		{"exponential", Spec{Op: Exp, In: f32, Out: f32}, []uint64{one}, 0x402df854, true},
		{"exponential in f64", Spec{Op: Exp, In: Type{Float: numeric.F64}}, []uint64{0x3ff0000000000000}, 0x4005bf0a8b145769, false},
		{"sine of a large angle", Spec{Op: Sin, In: f32}, []uint64{numeric.F32.Encode(1e30, numeric.Env{})}, 0xbf7a6c12, false},
		{"power", Spec{Op: PowInt, In: half, Exponent: i8}, []uint64{numeric.F16.Encode(2, numeric.Env{}), 0xfd}, 0x3000, true},
		{"integer operation of floats", Spec{Op: Xor, In: f32}, []uint64{one, one}, 0, false},
		{"function of integers", Spec{Op: Exp, In: i8}, []uint64{1}, 0, false},
		{"nothing", Spec{}, []uint64{1}, 0, false},
	}
	for _, tt := range tests {
		got, ok := tt.spec.Eval(tt.in...)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: got %#x, %v, want %#x, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestDense(t *testing.T) {
	t.Parallel()
	c := ir.NewContext()
	tensor := func(n int64, elem ir.Type) ir.Type { return c.Tensor([]int64{n}, elem, nil) }
	counting := func(n int) (e Elements) {
		for i := range n {
			e = append(e, uint64(i))
		}
		return e
	}
	if a := Write(c, tensor(4, c.Int(8)), Elements{7, 7, 0x107, 7}); a == nil || len(a.Data) != 1 {
		t.Error("equal elements are not written as one")
	}
	if a := Write(c, tensor(1<<20, c.Int(64)), Elements{5}); a == nil || len(a.Data) != 8 {
		t.Error("a splat is not written in any number")
	}
	if a := Write(c, tensor(Limit, c.Int(8)), counting(Limit)); a == nil {
		t.Error("as many elements as the limit are not written")
	}
	if Write(c, tensor(2*Limit, c.Int(8)), counting(2*Limit)) != nil {
		t.Error("more elements than the limit are written")
	}
	if Write(c, tensor(2, c.Float(numeric.F4E2M1FN)), Elements{1, 2}) != nil {
		t.Error("differing elements of half a byte are written")
	}
	if a := Write(c, tensor(2, c.Int(1)), Elements{1, 0}); a == nil || a.Data != "\x01\x00" {
		t.Error("truth values are not written")
	}
	if Write(c, tensor(2, c.None()), Elements{1}) != nil || Write(c, tensor(2, c.Int(8)), nil) != nil {
		t.Error("what is no constant is written")
	}
	large := c.Dense(tensor(2*Limit, c.Int(8)), make([]byte, 2*Limit))
	if _, ok := Read(large); ok {
		t.Error("more elements than the limit are read")
	}
	if _, ok := Read(c.Unit()); ok {
		t.Error("what is no constant is read")
	}
	spec := Spec{Op: Div, In: i8, Out: i8}
	a, b := c.Dense(tensor(2, c.Int(8)), []byte{6, 9}), c.Dense(tensor(2, c.Int(8)), []byte{3})
	if got := spec.Fold(c, tensor(2, c.Int(8)), []ir.Attribute{a, b}); got == nil || got.Data != "\x02\x03" {
		t.Errorf("got %v", got)
	}
	if got := spec.Fold(c, tensor(2, c.Int(8)), []ir.Attribute{b, c.Dense(tensor(2, c.Int(8)), []byte{1, 0})}); got != nil {
		t.Errorf("an element without a value is folded to %v", got)
	}
}
