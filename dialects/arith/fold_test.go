package arith_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// wide is the value of a bit pattern of w bits.
func wide(w int, a uint64, signed bool) int64 {
	if signed {
		return int64(a<<(64-w)) >> (64 - w)
	}
	return int64(a)
}

// divide rounds the exact quotient towards the given direction: 0 to zero, -1 down, +1 up.
func divide(x, y int64, direction int) int64 {
	q := x / y
	if x%y == 0 {
		return q
	}
	if negative := (x < 0) != (y < 0); negative && direction < 0 {
		return q - 1
	} else if !negative && direction > 0 {
		return q + 1
	}
	return q
}

// An intRef says what an operation on w bits is, in 64-bit numbers; undefined cases give false.
type intRef func(w int, a, b uint64) (int64, bool)

func signedRef(f func(w int, x, y int64) (int64, bool)) intRef {
	return func(w int, a, b uint64) (int64, bool) { return f(w, wide(w, a, true), wide(w, b, true)) }
}

func unsignedRef(f func(w int, x, y int64) (int64, bool)) intRef {
	return func(w int, a, b uint64) (int64, bool) { return f(w, int64(a), int64(b)) }
}

func totalRef(f func(x, y int64) int64) intRef {
	return signedRef(func(_ int, x, y int64) (int64, bool) { return f(x, y), true })
}

func divisionRef(direction int) func(w int, x, y int64) (int64, bool) {
	return func(w int, x, y int64) (int64, bool) {
		if y == 0 || x == -1<<(w-1) && y == -1 {
			return 0, false
		}
		return divide(x, y, direction), true
	}
}

func remainder(_ int, x, y int64) (int64, bool) {
	if y == 0 {
		return 0, false
	}
	return x % y, true
}

func maxRef(_ int, x, y int64) (int64, bool) { return max(x, y), true }
func minRef(_ int, x, y int64) (int64, bool) { return min(x, y), true }
func highRef(w int, x, y int64) (int64, bool) {
	return x * y >> w, true
}

// intRefs covers every binary operation on integers, for widths of at most 32.
var intRefs = map[*ir.OpDef]intRef{
	arith.AddI: totalRef(func(x, y int64) int64 { return x + y }),
	arith.SubI: totalRef(func(x, y int64) int64 { return x - y }),
	arith.MulI: totalRef(func(x, y int64) int64 { return x * y }),
	arith.AndI: totalRef(func(x, y int64) int64 { return x & y }),
	arith.OrI:  totalRef(func(x, y int64) int64 { return x | y }),
	arith.XOrI: totalRef(func(x, y int64) int64 { return x ^ y }),

	arith.MulHSI: signedRef(highRef),
	arith.MulHUI: func(w int, a, b uint64) (int64, bool) { return int64(a * b >> w), true },
	arith.DivSI:  signedRef(divisionRef(0)), arith.CeilDivSI: signedRef(divisionRef(1)), arith.FloorDiv: signedRef(divisionRef(-1)),
	arith.DivUI: unsignedRef(func(_ int, x, y int64) (int64, bool) { return divisionRef(0)(64, x, y) }),
	arith.CeilDivUI: unsignedRef(func(_ int, x, y int64) (int64, bool) {
		return divisionRef(1)(64, x, y)
	}),
	arith.RemSI: signedRef(remainder), arith.RemUI: unsignedRef(remainder),
	arith.MaxSI: signedRef(maxRef), arith.MaxUI: unsignedRef(maxRef),
	arith.MinSI: signedRef(minRef), arith.MinUI: unsignedRef(minRef),
	arith.ShLI: unsignedRef(func(w int, x, y int64) (int64, bool) { return x << min(y, 63), y < int64(w) }),
	arith.ShRSI: func(w int, a, b uint64) (int64, bool) {
		return wide(w, a, true) >> min(b, 63), b < uint64(w)
	},
	arith.ShRUI: unsignedRef(func(w int, x, y int64) (int64, bool) { return x >> min(y, 63), y < int64(w) }),
}

// operandsOf returns the bit patterns that are tried for a width: all, or those at the edges.
func operandsOf(w int) []uint64 {
	var out []uint64
	if w <= 8 {
		for a := range uint64(1) << w {
			out = append(out, a)
		}
		return out
	}
	mask := uint64(1)<<w - 1
	for _, a := range []uint64{0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 12345, 1 << (w - 2)} {
		out = append(out, a&mask, -a&mask, (1<<(w-1)+a)&mask, (1<<(w-1)-1-a)&mask)
	}
	return out
}

// TestIntegerFolds compares every integer operation, on all i1, i4 and i8 and at the edges of i16 and i32, with
// arithmetic on int64.
func TestIntegerFolds(t *testing.T) {
	t.Parallel()
	for _, def := range arith.Dialect.Ops() {
		if len(def.Operands) == 2 && def.Operands[0].Type.Desc == arith.IntLike.Desc && def != arith.CmpI && intRefs[def] == nil {
			t.Errorf("%s is not tested", def.FullName())
		}
	}
	for def, ref := range intRefs {
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			h := newBench()
			for _, w := range []int{1, 4, 8, 16, 32} {
				typ, mask := h.ctx.Int(w), uint64(1)<<w-1
				op := h.op(def, typ, []ir.Type{typ, typ})
				inputs := operandsOf(w)
				for _, b := range inputs {
					cb := arith.FromBits(typ, b)
					alone, ok := partial(t, op, nil, cb)
					for _, a := range inputs {
						want, defined := ref(w, a, b)
						if ok && defined && alone(a) != uint64(want)&mask {
							t.Fatalf("i%d: %#x, %#x: got %#x from the right operand, want %#x", w, a, b, alone(a), uint64(want)&mask)
						}
						got, ok := folded(t, op, arith.FromBits(typ, a), cb)
						if ok != defined && defined || ok && defined && got != uint64(want)&mask {
							t.Fatalf("i%d: %#x, %#x: got %#x, %v, want %#x, %v", w, a, b, got, ok, uint64(want)&mask, defined)
						}
					}
				}
			}
		})
	}
}

// partial folds op with some operands known and returns the result as a function of the first operand.
func partial(t *testing.T, op ir.Op, in ...ir.Attribute) (func(a uint64) uint64, bool) {
	t.Helper()
	r := op.Def().Fold(op, in)
	switch {
	case r == nil:
		return nil, false
	case r[0].Attr != nil:
		return func(uint64) uint64 { return arith.Bits(r[0].Attr) }, true
	case r[0].Value == op.Operand(0):
		return func(a uint64) uint64 { return a }, true
	case r[0].Value == op.Operand(1):
		return func(uint64) uint64 { return arith.Bits(in[1]) }, true
	}
	t.Fatalf("%s: folded to a foreign value", op.Name())
	return nil, false
}

// TestIdentities lists what is folded although the first operand is not known. That the results are right is checked
// above for those with a constant, and here for those with equal operands.
func TestIdentities(t *testing.T) {
	t.Parallel()
	h := newBench()
	i8 := h.ctx.Int(8)
	count := 0
	for def, ref := range intRefs {
		op := h.op(def, i8, []ir.Type{i8, i8})
		for b := range uint64(256) {
			if _, ok := partial(t, op, nil, arith.FromBits(i8, b)); ok {
				count++
			}
		}
		x := h.value(i8)
		same := h.b.Create(def, []ir.Value{x, x}, []ir.Type{i8})
		f, ok := partial(t, same, nil, nil)
		if !ok {
			continue
		}
		count++
		for a := range uint64(256) {
			if want, defined := ref(8, a, a); defined && f(a) != uint64(want)&0xff {
				t.Errorf("%s of %#x with itself: got %#x, want %#x", def.Name, a, f(a), uint64(want)&0xff)
			}
		}
	}
	if want := 7 + 1 + 2 + 2 + 5 + 2 + 8 + 8; count != want { // +0, |~0, &, *, /1, %1, min and max of the ends, with itself
		t.Errorf("%d identities on i8, want %d", count, want)
	}
}

func TestCompareInts(t *testing.T) {
	t.Parallel()
	h := newBench()
	i1 := h.ctx.Int(1)
	holds := map[string]func(x, y int64) bool{
		"eq": func(x, y int64) bool { return x == y }, "ne": func(x, y int64) bool { return x != y },
		"lt": func(x, y int64) bool { return x < y }, "le": func(x, y int64) bool { return x <= y },
		"gt": func(x, y int64) bool { return x > y }, "ge": func(x, y int64) bool { return x >= y },
	}
	for _, pred := range []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"} {
		signed := pred[0] == 's'
		f := holds[pred[len(pred)-2:]]
		for _, w := range []int{1, 4, 8, 32} {
			typ := h.ctx.Int(w)
			op := h.op(arith.CmpI, i1, []ir.Type{typ, typ}, h.keyword(arith.AttrPredicate, pred))
			for _, a := range operandsOf(w) {
				for _, b := range operandsOf(w) {
					want := f(wide(w, a, signed), wide(w, b, signed))
					if got, ok := folded(t, op, arith.FromBits(typ, a), arith.FromBits(typ, b)); !ok || (got == 1) != want {
						t.Fatalf("%s i%d %#x, %#x: got %v, %v, want %v", pred, w, a, b, got, ok, want)
					}
				}
			}
			x := h.value(typ)
			same := h.b.Create(arith.CmpI, []ir.Value{x, x}, []ir.Type{i1}, h.keyword(arith.AttrPredicate, pred))
			if got, ok := folded(t, same, nil, nil); !ok || (got == 1) != f(0, 0) {
				t.Errorf("%s of a value with itself: got %v, %v", pred, got, ok)
			}
		}
	}
	// The signed value of true is -1.
	slt := h.op(arith.CmpI, i1, []ir.Type{i1, i1}, h.keyword(arith.AttrPredicate, "slt"))
	if got, _ := folded(t, slt, h.ctx.BoolAttr(true), h.ctx.BoolAttr(false)); got != 1 {
		t.Error("true slt false must hold")
	}
	ult := h.op(arith.CmpI, i1, []ir.Type{i1, i1}, h.keyword(arith.AttrPredicate, "ult"))
	if got, _ := folded(t, ult, h.ctx.BoolAttr(true), h.ctx.BoolAttr(false)); got != 0 {
		t.Error("true ult false must not hold")
	}
}

func TestUnaryAndCastFolds(t *testing.T) {
	t.Parallel()
	h := newBench()
	widths := []int{1, 4, 8, 16, 32, 64}
	check := func(op ir.Op, a, want uint64) {
		t.Helper()
		got, ok := folded(t, op, arith.FromBits(op.Operand(0).Type(), a))
		if !ok || got != want {
			t.Fatalf("%s %s %#x to %s: got %#x, %v, want %#x", op.Name(), ir.TypeString(op.Operand(0).Type()), a,
				ir.TypeString(op.Result(0).Type()), got, ok, want)
		}
	}
	for _, from := range widths {
		ft, fm := h.ctx.Int(from), uint64(1)<<from-1
		neg, abs := h.op(arith.NegI, ft, []ir.Type{ft}), h.op(arith.AbsI, ft, []ir.Type{ft})
		for _, a := range operandsOf(from) {
			x := wide(from, a, true)
			check(neg, a, uint64(-x)&fm)
			check(abs, a, uint64(max(x, -x))&fm)
		}
		for _, to := range widths {
			tt, tm := h.ctx.Int(to), uint64(1)<<to-1
			for _, a := range operandsOf(from) {
				switch {
				case to > from:
					check(h.op(arith.ExtSI, tt, []ir.Type{ft}), a, uint64(wide(from, a, true))&tm)
					check(h.op(arith.ExtUI, tt, []ir.Type{ft}), a, a)
				case to < from:
					check(h.op(arith.TruncI, tt, []ir.Type{ft}), a, a&tm)
				}
			}
		}
	}
	f32, i32 := h.ctx.F32(), h.ctx.Int(32)
	check(h.op(arith.Bitcast, i32, []ir.Type{f32}), 0x7fc00001, 0x7fc00001)
	check(h.op(arith.Bitcast, f32, []ir.Type{i32}), 0x80000000, 0x80000000)
}

func TestSelectFolds(t *testing.T) {
	t.Parallel()
	h := newBench()
	i1, i32 := h.ctx.Int(1), h.ctx.Int(32)
	op := h.op(arith.Select, i32, []ir.Type{i1, i32, i32})
	for _, c := range []bool{true, false} {
		want := op.Operand(2)
		if c {
			want = op.Operand(1)
		}
		if r := op.Def().Fold(op, []ir.Attribute{h.ctx.BoolAttr(c), nil, nil}); len(r) != 1 || r[0].Value != want {
			t.Errorf("select on %v: got %v", c, r)
		}
	}
	if r := op.Def().Fold(op, make([]ir.Attribute, 3)); r != nil {
		t.Errorf("select of unknown values: got %v", r)
	}
	x, c := h.value(i32), h.value(i1)
	same := h.b.Create(arith.Select, []ir.Value{c, x, x}, []ir.Type{i32})
	if r := same.Def().Fold(same, make([]ir.Attribute, 3)); len(r) != 1 || r[0].Value != x {
		t.Errorf("select of equal values: got %v", r)
	}
	yes, no := h.constant(h.ctx.BoolAttr(true)), h.constant(h.ctx.BoolAttr(false))
	for _, tt := range []struct {
		yes, no ir.Value
		folds   bool
	}{{yes, no, true}, {no, yes, false}, {yes, c, false}} {
		truth := h.b.Create(arith.Select, []ir.Value{c, tt.yes, tt.no}, []ir.Type{i1})
		r := truth.Def().Fold(truth, []ir.Attribute{nil, ir.ConstantValue(tt.yes), ir.ConstantValue(tt.no)})
		if got := len(r) == 1 && r[0].Value == c; got != tt.folds {
			t.Errorf("select of truth values: got %v, want folded %v", r, tt.folds)
		}
	}
}

// TestSplatFolds folds tensors all of whose elements are equal, and no others.
func TestSplatFolds(t *testing.T) {
	t.Parallel()
	h := newBench()
	for _, elem := range []ir.Type{h.ctx.Int(1), h.ctx.Int(4), h.ctx.Int(8), h.ctx.Int(64), h.ctx.Index()} {
		tensor := h.ctx.Tensor([]int64{2, 4}, elem, h.ctx.String("layout"))
		bare := h.ctx.Tensor([]int64{2, 4}, elem, nil)
		splat := func(bits uint64) ir.Attribute { return arith.OfType(arith.FromBits(elem, bits), tensor) }
		op := h.op(arith.AddI, tensor, []ir.Type{tensor, tensor})
		r := op.Def().Fold(op, []ir.Attribute{splat(1), splat(1)})
		if len(r) != 1 || r[0].Attr != splat(2) {
			t.Errorf("%s: got %v", ir.TypeString(elem), r)
		}
		if d, ok := r[0].Attr.(*ir.DenseElementsAttr); !ok || d.Type() != ir.Type(bare) || !d.IsSplat(elem) {
			t.Errorf("%s: not a splat of %s: %v", ir.TypeString(elem), ir.TypeString(bare), r[0].Attr)
		}
		if r := op.Def().Fold(op, []ir.Attribute{nil, splat(0)}); len(r) != 1 || r[0].Value != op.Operand(0) {
			t.Errorf("%s: x + 0: got %v", ir.TypeString(elem), r)
		}
		loc := h.ctx.UnknownLoc()
		if c := arith.Dialect.Materialize(h.b, splat(1), tensor, loc); c.IsNil() || c.Result(0).Type() != ir.Type(tensor) {
			t.Errorf("%s: no constant", ir.TypeString(elem))
		}
		if c := arith.Dialect.Materialize(h.b, splat(1), elem, loc); !c.IsNil() {
			t.Errorf("%s: a constant of another type", ir.TypeString(elem))
		}
	}
	i8 := h.ctx.Int(8)
	pair := h.ctx.Tensor([]int64{2}, i8, nil)
	op := h.op(arith.AddI, pair, []ir.Type{pair, pair})
	mixed := h.ctx.Dense(pair, []byte{1, 2})
	if r := op.Def().Fold(op, []ir.Attribute{mixed, mixed}); r != nil {
		t.Errorf("elements that differ: got %v", r)
	}
	other := h.ctx.Dense(h.ctx.OpaqueType("t", "shaped"), []byte{1})
	if arith.Splat(other) != nil {
		t.Error("a dense constant of another dialect's type is no splat")
	}
}

// TestRandomFolds folds random constants of 64 bits and compares with package numeric.
func TestRandomFolds(t *testing.T) {
	t.Parallel()
	h := newBench()
	i64 := h.ctx.Int(64)
	rng := rand.New(rand.NewPCG(1, 2))
	w := numeric.I64
	for def, f := range map[*ir.OpDef]func(a, b uint64) (uint64, bool){
		arith.AddI:      func(a, b uint64) (uint64, bool) { return w.Add(a, b), true },
		arith.MulI:      func(a, b uint64) (uint64, bool) { return w.Mul(a, b), true },
		arith.MulHSI:    func(a, b uint64) (uint64, bool) { return w.MulHigh(a, b, true), true },
		arith.MulHUI:    func(a, b uint64) (uint64, bool) { return w.MulHigh(a, b, false), true },
		arith.DivSI:     func(a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.Zero) },
		arith.FloorDiv:  func(a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.NegInf) },
		arith.CeilDivUI: func(a, b uint64) (uint64, bool) { return w.Div(a, b, false, numeric.PosInf) },
		arith.RemSI:     func(a, b uint64) (uint64, bool) { return w.Rem(a, b, true) },
		arith.ShRSI:     func(a, b uint64) (uint64, bool) { return w.Shr(a, b, true), b < 64 },
	} {
		op := h.op(def, i64, []ir.Type{i64, i64})
		for range 500 {
			a, b := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
			want, defined := f(a, b)
			if got, ok := folded(t, op, arith.FromBits(i64, a), arith.FromBits(i64, b)); ok != defined || ok && got != want {
				t.Fatalf("%s %#x, %#x: got %#x, %v, want %#x, %v", def.Name, a, b, got, ok, want, defined)
			}
		}
	}
}
