package divisibility

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A sample is a tile of elements with a fact and a range that hold for it.
type sample struct {
	Operand
	elems []uint64
}

// randomSample makes a tile of 2^n elements.
func randomSample(r *rand.Rand, w numeric.Int, n int) sample {
	f := Fact{Width: int(w), Exp: r.IntN(int(w) + 1), Steps: make([]Step, n)}
	if r.IntN(2) == 0 {
		f.Exp = min(r.IntN(3), int(w))
	}
	scale := r.IntN(int(w))
	for i := range f.Steps {
		switch r.IntN(6) {
		case 0:
		case 1:
			f.Steps[i] = linear(0, f.Width)
		case 2:
			f.Steps[i] = linear(int64(r.Uint64()), f.Width)
		case 3:
			f.Steps[i] = linear(-1<<r.IntN(int(w)), f.Width)
		default:
			f.Steps[i] = linear(1<<((scale+i)%int(w)), f.Width)
		}
	}
	base := make(map[int]uint64)
	near := r.Uint64()
	s := sample{elems: make([]uint64, 1<<n)}
	for i := range s.elems {
		v, other := uint64(0), 0
		for k, step := range f.Steps {
			switch {
			case i>>k&1 == 0:
			case step.Linear:
				v += uint64(step.By)
			default:
				other |= 1 << k
			}
		}
		if _, ok := base[other]; !ok {
			base[other] = r.Uint64() << f.Exp
			if near&1 == 0 { // numbers of one sign, close together
				base[other] = w.Wrap(near>>1)>>1&^7 + r.Uint64N(4)<<f.Exp
				base[other] = base[other] >> f.Exp << f.Exp
			}
		}
		s.elems[i] = w.Wrap(base[other] + v)
	}
	drop := r.IntN(1 << n)
	if r.IntN(3) > 0 {
		drop = 0
	}
	s.Fact = f.without(func(i int) bool { return drop>>i&1 != 0 })
	s.Range = intrange.Full(w)
	if r.IntN(2) == 0 {
		s.Range = intrange.Const(w, s.elems[0])
		for _, v := range s.elems {
			s.Range = intrange.Join(s.Range, intrange.Const(w, v))
		}
	}
	return s
}

// constantSample makes a tile of equal elements.
func constantSample(w numeric.Int, n int, v uint64) sample {
	v = w.Wrap(v)
	s := sample{elems: make([]uint64, 1<<n)}
	for i := range s.elems {
		s.elems[i] = v
	}
	s.Fact = Fact{int(w), exponent(v, int(w)), zeros(n)}
	s.Range = intrange.Const(w, v)
	return s
}

// check reports what contradicts a fact. Elements that are not defined count as nothing.
func check(f Fact, elems []uint64, defined func(i int) bool) error {
	w := numeric.Int(f.Width)
	if 1<<len(f.Steps) != len(elems) {
		return fmt.Errorf("%d index bits for %d elements", len(f.Steps), len(elems))
	}
	lin := 0
	for k, s := range f.Steps {
		if !s.Linear {
			continue
		}
		lin |= 1 << k
		for i := range elems {
			if j := i | 1<<k; j != i && defined(i) && defined(j) && w.Sub(elems[j], elems[i]) != w.Wrap(uint64(s.By)) {
				return fmt.Errorf("elements %d and %d are %#x and %#x, but the step of bit %d is %d", i, j, elems[i], elems[j], k, s.By)
			}
		}
	}
	for i, v := range elems {
		if i&lin == 0 && defined(i) && exponent(v, f.Width) < f.Exp {
			return fmt.Errorf("element %d is %#x, not divisible by 2^%d", i, v, f.Exp)
		}
	}
	return nil
}

func all(int) bool { return true }

func specs(w numeric.Int) []constfold.Spec {
	t := constfold.Type{Int: w}
	var out []constfold.Spec
	for _, op := range []constfold.Op{constfold.Add, constfold.Sub, constfold.Mul, constfold.And, constfold.Or, constfold.Xor, constfold.Shl, constfold.Neg,
		constfold.Abs} {
		out = append(out, constfold.Spec{Op: op, In: t, Out: t})
	}
	for _, signed := range []bool{false, true} {
		for _, op := range []constfold.Op{constfold.Min, constfold.Max, constfold.Rem, constfold.Shr, constfold.MulHigh} {
			out = append(out, constfold.Spec{Op: op, In: t, Out: t, Signed: signed})
		}
		for _, r := range []numeric.Rounding{numeric.Zero, numeric.NegInf, numeric.PosInf} {
			out = append(out, constfold.Spec{Op: constfold.Div, In: t, Out: t, Signed: signed, Env: numeric.Env{Rounding: r}})
		}
		for p := numeric.Equal; p <= numeric.GreaterOrEqual; p++ {
			out = append(out, constfold.Spec{Op: constfold.Compare, In: t, Out: constfold.Type{Int: 1}, Signed: signed, Predicate: p})
		}
		for _, to := range []numeric.Int{min(64, w+3), min(64, w+9), 64, max(2, w) - 1} {
			out = append(out, constfold.Spec{Op: constfold.Convert, In: t, Out: constfold.Type{Int: to}, Signed: signed})
		}
	}
	return out
}

// TestElementwise computes operations on random tiles of which something is known, and holds the results to what is
// then known of them.
func TestElementwise(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	const n = 3
	known := make(map[constfold.Op]int)
	for _, w := range []numeric.Int{1, 3, 4, 6, 8, 16, 32, 64} {
		for _, s := range specs(w) {
			for range 500 {
				in := []sample{randomSample(r, w, n), randomSample(r, w, n)}
				if s.Op == constfold.Neg || s.Op == constfold.Abs || s.Op == constfold.Convert {
					in = in[:1]
				} else if r.IntN(2) == 0 {
					c := []uint64{1 << r.IntN(int(w)), 1<<r.IntN(int(w)) - 1, ^uint64(0) << r.IntN(int(w)), r.Uint64N(uint64(w)), r.Uint64()}
					in[r.IntN(2)] = constantSample(w, n, c[r.IntN(len(c))])
				}
				operands := make([]Operand, len(in))
				for i := range in {
					operands[i] = in[i].Operand
				}
				got := Of(&s, operands, Fact{Width: int(s.Out.Int), Steps: make([]Step, n)})
				out, ok := make([]uint64, 1<<n), make([]bool, 1<<n)
				args := make([]uint64, len(in))
				for i := range out {
					for k := range in {
						args[k] = in[k].elems[i]
					}
					out[i], ok[i] = s.Eval(args...)
				}
				if err := check(got, out, func(i int) bool { return ok[i] }); err != nil {
					t.Fatalf("op %d of %v (signed %v, rounding %d, predicate %d, to %v): %v\noperands %+v\nfact %+v, elements %#x", s.Op, w, s.Signed, s.Env.Rounding,
						s.Predicate, s.Out.Int, err, in, got, out)
				}
				for _, step := range got.Steps {
					if step.Linear && step.By != 0 || got.Exp > 0 && got.Exp < got.Width {
						known[s.Op]++
						break
					}
				}
			}
		}
	}
	for op := constfold.Add; op <= constfold.Shr; op++ {
		if known[op] == 0 && op != constfold.Select && op != constfold.Bitcast && op != constfold.Compare && op != constfold.MulHigh {
			t.Errorf("operation %d: nothing was ever known of a result", op)
		}
	}
}

func TestJoinAndChoose(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		const w, n = numeric.Int(5), 3
		a, b, c := randomSample(r, w, n), randomSample(r, w, n), randomSample(r, 1, n)
		if a.Steps[0] == b.Steps[0] || r.IntN(2) == 0 {
			b.Fact, b.elems = a.Fact, append([]uint64(nil), a.elems...)
			for i := range b.elems { // other elements of which the same is known
				b.elems[i] = w.Wrap(b.elems[i] + 1<<a.Exp)
			}
			b.Range = intrange.Full(w)
		}
		joined := Join(a.Fact, b.Fact)
		for _, s := range []sample{a, b} {
			if err := check(joined, s.elems, all); err != nil {
				t.Fatalf("join of %+v and %+v: %v", a, b, err)
			}
		}
		chosen := Choose(ir.Op{}, []Operand{c.Operand, a.Operand, b.Operand})[0]
		out := make([]uint64, 1<<n)
		for i := range out {
			if out[i] = b.elems[i]; c.elems[i] != 0 {
				out[i] = a.elems[i]
			}
		}
		if err := check(chosen, out, all); err != nil {
			t.Fatalf("select of %+v, %+v and %+v: %v", c, a, b, err)
		}
	}
}

// TestRuns holds Along to the elements of a tile of 4x8.
func TestRuns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	shape := []int64{4, 8}
	longest := 0
	for range 20000 {
		const w = numeric.Int(6)
		s := randomSample(r, w, 5)
		for dim, stride := range []int64{8, 1} {
			run := s.Along(shape, dim)
			longest = max(longest, int(run.Len))
			for i, v := range s.elems {
				at := int64(i) / stride % shape[dim] % run.Len
				head := s.elems[int64(i)-at*stride]
				if v != w.Wrap(head+uint64(at*run.Step)) || exponent(head, int(w)) < run.Exp {
					t.Fatalf("dimension %d of %+v: %+v does not hold for element %d", dim, s, run, i)
				}
			}
		}
		if d := s.Divisor(); d < MaxDivisor {
			for i, v := range s.elems {
				if v%uint64(d) != 0 {
					t.Fatalf("%+v: element %d is not divisible by %d", s, i, d)
				}
			}
		}
	}
	if longest != 8 {
		t.Errorf("the longest run is %d, expected 8", longest)
	}
}

// TestShapes holds the facts of operations that move elements to the elements.
func TestShapes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	c := ir.NewContext()
	i6 := c.Int(6)
	typ := func(shape ...int64) ir.Type { return c.Tensor(shape, i6, nil) }
	verify := func(what string, f Fact, elems []uint64) {
		t.Helper()
		if err := check(f, elems, all); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	move := func(s sample, n int, from func(i int) int) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			out[i] = s.elems[from(i)]
		}
		return out
	}
	for range 4000 {
		s := randomSample(r, 6, 5) // 4x8
		verify("reshape", Reshape(s.Fact, typ(2, 16)), s.elems)
		verify("permute", Permute(s.Fact, typ(4, 8), typ(8, 4), []int64{1, 0}), move(s, 32, func(i int) int { return i%4*8 + i/4 }))
		verify("extract", Part(s.Fact, typ(4, 8), typ(2, 4)), move(s, 8, func(i int) int { return (i/4+2)*8 + i%4 + 4 }))
		verify("broadcast", Repeat(s.Fact, typ(4, 1, 8), typ(4, 2, 8)), move(s, 64, func(i int) int { return i/16*8 + i%8 }))
		verify("same_elements", s.Fact.SameWithin(typ(4, 8), 1, 0), s.elems)

		b := randomSample(r, 6, 5)
		if r.IntN(2) == 0 {
			b.Fact, b.elems = s.Fact, s.elems
		}
		out := make([]uint64, 64)
		for i := range out {
			row, col := i/16, i%16
			if out[i] = s.elems[row*8+col%8]; col >= 8 {
				out[i] = b.elems[row*8+col%8]
			}
		}
		verify("cat", Concatenate(s.Fact, b.Fact, typ(4, 8), typ(4, 16), 1), out)

		scalar := randomSample(r, 6, 0)
		verify("splat", Repeat(scalar.Fact, i6, typ(4, 8)), move(scalar, 32, func(int) int { return 0 }))

		// What an assume promises.
		every := int64(1 + r.IntN(8))
		step := int64(1 + r.IntN(4))
		d := r.IntN(4)
		elems := make([]uint64, 32)
		for i := range elems {
			if col := int64(i % 8); col%every == 0 {
				elems[i] = numeric.Int(6).Wrap(r.Uint64() << d)
			} else {
				elems[i] = numeric.Int(6).Wrap(elems[i-1] + uint64(step))
			}
		}
		verify(fmt.Sprintf("div_by<%d, every %d along 1> by %d", 1<<d, every, step), Unknown(typ(4, 8)).Grouped(typ(4, 8), 1<<d, every, 1, step), elems)
	}
	if f := Count(typ(32)); check(f, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}, all) != nil ||
		f.Along([]int64{32}, 0) != (Run{32, 1, 6}) {
		t.Errorf("iota: %+v", f)
	}
}

func TestConstants(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 16))
	c := ir.NewContext()
	typ := c.Tensor([]int64{4, 8}, c.Int(6), nil)
	for range 3000 {
		s := randomSample(r, 6, 5)
		data := make([]byte, 32)
		for i, v := range s.elems {
			data[i] = byte(v)
		}
		f := Constant(typ, c.Dense(typ, data))
		if err := check(f, s.elems, all); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		if Join(f, s.Fact).Exp < s.Fact.Exp {
			t.Fatalf("%+v: found %+v", s, f)
		}
		for k, step := range s.Steps {
			if step.Linear && f.Steps[k] != step {
				t.Fatalf("%+v: found %+v", s, f)
			}
		}
	}
}
