package intrange

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// specs are the integer operations of width w with all that changes what they compute.
func specs(w numeric.Int) []constfold.Spec {
	t := constfold.Type{Int: w}
	var out []constfold.Spec
	promises := []numeric.Wraps{{}, {Signed: true}, {Unsigned: true}, {Signed: true, Unsigned: true}}
	add := func(s constfold.Spec) {
		if s.In.Int == 0 {
			s.In = t
		}
		if s.Out.Int == 0 {
			s.Out = t
		}
		out = append(out, s)
	}
	for _, p := range promises {
		for _, op := range []constfold.Op{constfold.Add, constfold.Sub, constfold.Mul, constfold.Shl, constfold.Neg} {
			add(constfold.Spec{Op: op, Promise: p})
		}
		if w > 2 {
			add(constfold.Spec{Op: constfold.Convert, Out: constfold.Type{Int: w - 2}, Promise: p})
		}
	}
	for _, signed := range []bool{false, true} {
		for _, r := range []numeric.Rounding{numeric.Zero, numeric.NegInf, numeric.PosInf} {
			add(constfold.Spec{Op: constfold.Div, Signed: signed, Env: numeric.Env{Rounding: r}})
		}
		for _, op := range []constfold.Op{constfold.Rem, constfold.Min, constfold.Max, constfold.MulHigh, constfold.Shr, constfold.And, constfold.Or,
			constfold.Xor, constfold.Abs} {
			add(constfold.Spec{Op: op, Signed: signed})
		}
		for p := numeric.Equal; p <= numeric.GreaterOrEqual; p++ {
			add(constfold.Spec{Op: constfold.Compare, Signed: signed, Predicate: p, Out: constfold.Type{Int: 1}})
		}
		if w < 62 {
			add(constfold.Spec{Op: constfold.Convert, Signed: signed, Out: constfold.Type{Int: w + 2}})
		}
	}
	return out
}

func describe(s *constfold.Spec) string {
	return fmt.Sprintf("op %d %v -> %v signed=%v promise=%+v rounding=%d predicate=%d", s.Op, s.In.Int, s.Out.Int, s.Signed, s.Promise, s.Env.Rounding, s.Predicate)
}

func arity(s *constfold.Spec) int {
	switch s.Op {
	case constfold.Neg, constfold.Abs, constfold.Convert:
		return 1
	}
	return 2
}

// exact are the operations whose result is the smallest range that covers all results.
var exact = map[constfold.Op]bool{constfold.Add: true, constfold.Sub: true, constfold.And: true, constfold.Or: true, constfold.Min: true,
	constfold.Max: true, constfold.Neg: true, constfold.Abs: true, constfold.Compare: true}

func randomRange(r *rand.Rand, w numeric.Int) Range {
	var b builder
	sign := w.MinSigned()
	if which := r.IntN(3); which != 0 {
		lo := r.Uint64() & (sign - 1)
		b.part(w, part{lo, lo + r.Uint64N(sign-lo)})
		if which == 1 {
			return b.sum
		}
	}
	lo := r.Uint64() & (sign - 1)
	b.part(w, part{sign + lo, sign + lo + r.Uint64N(sign-lo)})
	return b.sum
}

// TestSmallWidths computes every pair of numbers of random ranges and compares with the range of the result.
func TestSmallWidths(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for w := numeric.Int(1); w <= 5; w++ {
		for _, s := range specs(w) {
			for range 150 {
				in := []Range{randomRange(r, w), randomRange(r, w)}[:arity(&s)]
				got := Of(&s, in)
				var want builder
				for a := range w.Mask() + 1 {
					for b := range w.Mask() + 1 {
						args := []uint64{a, b}[:len(in)]
						if !in[0].Contains(a) || len(in) == 2 && !in[1].Contains(b) {
							continue
						}
						if v, ok := s.Eval(args...); ok {
							want.part(s.Out.Int, part{v, v})
							if !got.Contains(v) {
								t.Fatalf("%s of %v: %v is %d, not in %v", describe(&s), in, args, v, got)
							}
						}
					}
				}
				precise := exact[s.Op] && s.Promise == numeric.Wraps{} || s.Op == constfold.Convert
				if want.any && precise && got != want.sum {
					t.Fatalf("%s of %v: got %v, which %v would cover", describe(&s), in, got, want.sum)
				}
			}
		}
	}
}

// TestLargeWidths tries numbers at the ends and inside of random ranges.
func TestLargeWidths(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, w := range []numeric.Int{8, 16, 31, 32, 64} {
		for _, s := range specs(w) {
			for range 300 {
				in := []Range{randomRange(r, w), randomRange(r, w)}[:arity(&s)]
				if r.IntN(2) == 0 { // small numbers, where operations do not wrap
					in[len(in)-1] = Signed(w, -int64(r.IntN(4)), int64(r.IntN(40)))
				}
				got := Of(&s, in)
				for range 20 {
					args := make([]uint64, len(in))
					for i := range args {
						args[i] = sample(r, in[i])
					}
					if v, ok := s.Eval(args...); ok && !got.Contains(v) {
						t.Fatalf("%s of %v: %v is %d, not in %v", describe(&s), in, args, v, got)
					}
				}
			}
		}
	}
}

// sample returns a number of the range, often one at an end.
func sample(r *rand.Rand, of Range) uint64 {
	var parts []part
	of.parts(func(p part) { parts = append(parts, p) })
	p := parts[r.IntN(len(parts))]
	switch r.IntN(4) {
	case 0:
		return p.lo
	case 1:
		return p.hi
	}
	if p.hi-p.lo == 1<<64-1 {
		return r.Uint64()
	}
	return p.lo + r.Uint64N(p.hi-p.lo+1)
}

// TestSets holds construction, Meet and Join to sets of numbers.
func TestSets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	const w = numeric.Int(4)
	for range 3000 {
		a, b := randomRange(r, w), randomRange(r, w)
		join := Join(a, b)
		meet, ok := Meet(a, b)
		any := false
		var hull builder
		for v := range w.Mask() + 1 {
			in := a.Contains(v) && b.Contains(v)
			any = any || in
			if a.Contains(v) || b.Contains(v) {
				hull.part(w, part{v, v})
			}
			if in != (ok && meet.Contains(v)) {
				t.Fatalf("meet of %v and %v is %v, wrong for %d", a, b, meet, v)
			}
		}
		if any != ok || hull.sum != join {
			t.Fatalf("%v and %v: meet %v %v, join %v, want %v", a, b, meet, ok, join, hull.sum)
		}
	}
	for _, tt := range []struct {
		r    Range
		want string
	}{
		{Full(8), "any"}, {Const(8, 255), "-1"}, {Const(1, 1), "-1"}, {Unsigned(8, 0, 200), "unsigned [0, 200]"}, {Signed(8, -3, 7), "[-3, 7]"},
		{Unsigned(8, 3, 7), "[3, 7]"}, {Join(Signed(8, -3, -2), Signed(8, 4, 9)), "[-3, -2] or [4, 9]"}, {Range{}, "no integer"},
		{Unsigned(8, 5, 4), "any"}, {Signed(8, -1000, 1000), "any"}, {Signed(64, 0, 1<<62), "[0, 4611686018427387904]"},
		{Unsigned(64, 1, 1<<63), "unsigned [1, 9223372036854775808]"},
	} {
		if got := tt.r.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
