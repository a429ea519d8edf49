package plants

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// hiddenPlants are bugs that change results by less than tolerances allow, and that are found with --exact.
var hiddenPlants = append(append(In(Plant{Kernel: "testdata/exact/softmax.mlir", Launch: "--grid=4 --arg=f32[4000]=random --arg=f32[4000] --arg=i32:1000", By: Exec},
	Plant{Name: "the sum of a row lacks its last element", Pass: "canonicalize", Run: 1, Damage: on(summed, func(op ir.Op) bool {
		inside := op.Operand(0).DefiningOp()
		b := ir.BuilderBefore(op)
		n := inside.Operand(1)
		one := cudatile.NewSplat(b, n.Type().(*cudatile.TileType), 1)
		less := b.Create(cudatile.SubI, []ir.Value{n, one}, []ir.Type{n.Type()}, ir.NamedAttr{Name: "overflow", Value: cudatile.OverflowNone.Attr(b.Context())})
		test := b.Clone(inside, ir.NewMapping())
		test.SetOperand(1, less.Result(0))
		op.SetOperand(0, test.Result(0))
		return true
	})},
	Plant{Name: "what is beyond a row counts as 2^-20", Pass: "cse", Run: 1, Damage: on(summed, func(op ir.Op) bool { return splat(op, 2, 0x35800000) })},
	Plant{Name: "the maximum is not subtracted", Pass: "licm", Run: 1, Damage: first(cudatile.SubF, func(op ir.Op) bool { return splat(op, 1, 0) })},
	Plant{Name: "a factor is off in the twelfth bit", Pass: "loop-to-for", Damage: first(cudatile.MulF, func(op ir.Op) bool {
		bits, ok := cudatile.SplatBits(op.Operand(1))
		return ok && splat(op, 1, bits+1<<12)
	})},
), In(Plant{Kernel: "testdata/exact/rms-norm.mlir", Launch: "--grid=4 --arg=f32[4096]=random --arg=f32[4096]", By: Exec},
	Plant{Name: "the small number under a root is dropped", Pass: "canonicalize", Run: 1, Damage: func(fn ir.Op) bool {
		return Drop(FirstWhere(fn, cudatile.AddF, func(op ir.Op) bool {
			bits, constant := cudatile.SplatBits(op.Operand(1)) // zero is that of a hash
			return constant && bits != 0 && op.Operand(0).Type().(*cudatile.TileType).Rank() == 0
		}))
	}},
	Plant{Name: "the mean divides by one more", Pass: "cse", Run: 1, Damage: func(fn ir.Op) bool {
		for _, op := range All(fn, cudatile.Constant) {
			// 1024.0, or what it has become
			t := op.Result(0).Type().(*cudatile.TileType)
			if _, float := t.Elem.(*ir.FloatType); float && t.Rank() == 0 {
				bits, _ := cudatile.SplatBits(op.Result(0))
				op.SetAttr("value", cudatile.Splat(t, bits+1<<13))
				return true
			}
		}
		return false
	}},
	Plant{Name: "an element counts twice in a sum", Pass: "licm", Run: 1, Damage: first(cudatile.Reduce, func(op ir.Op) bool {
		t := op.Operand(0).Type().(*cudatile.TileType)
		return weigh(op, 0, func(i int) float64 {
			if i == int(t.NumElements())-1 {
				return 2
			}
			return 1
		})
	})},
)...), In(Plant{Kernel: "testdata/exact/matmul.mlir", Launch: "--grid=1 --arg=f16[16384]=random --arg=f16[16384]=random --arg=f32[1024]", By: Exec},
	Plant{Name: "an accumulator does not begin at zero", Pass: "canonicalize", Run: 1, Damage: first(cudatile.For, func(op ir.Op) bool { return splat(op, 3, 0x3a800000) })},
	Plant{Name: "the last step along K is left out", Pass: "cse", Run: 1, Damage: first(cudatile.For, func(op ir.Op) bool {
		bits, ok := cudatile.SplatBits(op.Operand(1))
		return ok && splat(op, 1, bits-1)
	})},
	Plant{Name: "an element of an operand is left out", Pass: "licm", Run: 1, Damage: first(cudatile.MmaF, func(op ir.Op) bool {
		return weigh(op, 0, func(i int) float64 {
			if i == 77 {
				return 0
			}
			return 1
		})
	})},
)...)

// summed returns the selection that masks the elements of a sum.
func summed(fn ir.Op) ir.Op {
	for _, r := range All(fn, cudatile.Reduce) {
		if !First(r, cudatile.AddF).IsNil() {
			return r.Operand(0).DefiningOp()
		}
	}
	return ir.Op{}
}

// sweep erases what nothing uses any more, which another check would find.
func sweep(fn ir.Op) bool {
	for again := true; again; {
		again = false
		fn.WalkPost(func(op ir.Op) {
			if op != fn && ir.HasNoEffects(op) && !op.HasTrait(ir.Terminator) && !slices.ContainsFunc(op.Results(), ir.Value.HasUses) {
				op.Erase()
				again = true
			}
		})
	}
	return true
}

// splat replaces an operand by a constant of which all elements have the bits.
func splat(op ir.Op, operand int, bits uint64) bool {
	b := ir.BuilderBefore(op)
	op.SetOperand(operand, cudatile.NewSplat(b, op.Operand(operand).Type().(*cudatile.TileType), bits))
	return true
}

// weigh multiplies the elements of an operand.
func weigh(op ir.Op, operand int, factor func(i int) float64) bool {
	b := ir.BuilderBefore(op)
	v := op.Operand(operand)
	t := v.Type().(*cudatile.TileType)
	f := t.Elem.(*ir.FloatType)
	var data []byte
	for i := range t.NumElements() {
		bits := f.Format.Encode(factor(int(i)), numeric.Env{})
		for k := range ir.DenseElemBytes(f) {
			data = append(data, byte(bits>>(8*k)))
		}
	}
	factors := cudatile.NewConstant(b, b.Context().Dense(t, data))
	scaled := b.Create(cudatile.MulF, []ir.Value{v, factors}, []ir.Type{t}, ir.NamedAttr{Name: "rounding_mode", Value: cudatile.NearestEven.Attr(b.Context())})
	op.SetOperand(operand, scaled.Result(0))
	return true
}

// TestHiddenPlants: an execution after each pass does not notice these bugs with the tolerances that cases have, and
// names the pass without any.
func TestHiddenPlants(t *testing.T) {
	t.Parallel()
	for i, p := range hiddenPlants {
		damage := p.Damage
		p.Damage = func(fn ir.Op) bool { return damage(fn) && sweep(fn) }
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			if !tier.Try(i, 12) {
				t.Skip("one in four of these is in the short tier")
			}
			dir, module := p.input(t)
			// The tolerances of cases in the corpus; a product's is that of matmul_f16.
			tolerances := `"rtol": 0.002, "atol": 1e-5`
			if strings.Contains(p.Kernel, "matmul") {
				tolerances = `"rtol": 0.002, "atol": 0.02`
			}
			tolerant := withTolerance(t, dir, tolerances)
			args := []string{"--disable-threading", "--lower-to=tileas", "--verify-each=exec", module}
			if _, said, status := p.compile(t, append(args, "--exec-case="+tolerant), true); status != 0 {
				t.Errorf("the tolerance does not hide it: %s", said)
			}
			_, said, status := p.compile(t, append(args, "--exec-case="+tolerant, "--exact"), true)
			if status != 1 || !strings.Contains(said, p.verdict()) {
				t.Errorf("status %d\n%swant %q", status, said, p.verdict())
			}
			if _, said, status := p.compile(t, append(args, "--exec-case="+tolerant, "--exact"), false); status != 0 {
				t.Errorf("without the bug: status %d\n%s", status, said)
			}
		})
	}
}

// withTolerance returns a copy of a case that expects equal results, with tolerances.
func withTolerance(t *testing.T, dir, tolerances string) string {
	t.Helper()
	out := t.TempDir()
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(out, "case.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := exactly.ReplaceAll(text, []byte(tolerances))
	if err := os.WriteFile(file, changed, 0o600); err != nil || bytes.Equal(changed, text) {
		t.Fatalf("%v, %s", err, text)
	}
	return out
}

// exactly finds the tolerances of a case that has none.
var exactly = regexp.MustCompile(`"rtol": 0,\s*"atol": 0`)
