package nvvm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

func parse(src string) (ir.Op, error) {
	ctx := ir.NewContext(builtin.Dialect, nvvm.Dialect)
	m, err := asm.Parse(ctx, "test.mlir", []byte(src), asm.ParseOptions{ImplicitModule: builtin.Module})
	if err != nil {
		return ir.Op{}, err
	}
	return m, ir.Verify(m)
}

// TestRoundTrip: what is printed is read as the same, whichever way the operations are spelled.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := parse(string(src))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		used := make(map[*ir.OpDef]bool)
		m.Walk(func(op ir.Op) ir.WalkResult {
			used[op.Def()] = true
			return ir.Advance
		})
		for _, def := range nvvm.Dialect.Ops() {
			if _, special := def.Ext.(nvvm.SpecialRegister); !used[def] && !special {
				t.Errorf("%s: no operation '%s'", file, def.FullName())
			}
		}
		text := asm.String(m)
		again, err := parse(text)
		if err != nil {
			t.Fatalf("%s, printed: %v\n%s", file, err, text)
		}
		if got := asm.String(again); got != text {
			t.Errorf("%s: not a fixed point:\n%s\n%s", file, text, got)
		}
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"three values", "%a, %b, %d = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32, f32", "accesses 1, 2, 4, 8, 16 or 32 values, but got 3"},
		{"too wide", "%a:8 = nvvm.ld %p : !nvvm.ptr<1> -> f64, f64, f64, f64, f64, f64, f64, f64", "at most 256 bits, but got 512"},
		{"mixed", "%a, %b = nvvm.ld %p : !nvvm.ptr<1> -> f32, i32", "values must all have one type, but got 'f32' and 'i32'"},
		{"no other", `%a = "nvvm.ld"(%p, %c) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!nvvm.ptr<1>, i1) -> f32`, "expected 1, but got 0"},
		{"space", "%a = nvvm.ldmatrix %p : !nvvm.ptr<1> -> i32", "pointer to shared memory"},
		{"float min", "%a = nvvm.atom min %p, %f {scope = \"gpu\"} : !nvvm.ptr<1>, f32", "'min' is for integers only"},
		{"no scope", "%a = nvvm.atom add %p, %f : !nvvm.ptr<1>, f32", "requires attribute 'scope'"},
		{"weak", "%a = nvvm.atom add %p, %f {ordering = \"weak\", scope = \"gpu\"} : !nvvm.ptr<1>, f32", "cannot have ordering 'weak'"},
		{"exchange types", "%a = nvvm.atom.cas %p, %f, %i {scope = \"gpu\"} : !nvvm.ptr<1>, f32, i32", "requires the same type for the value and what memory is compared with, but got 'f32' and 'i32'"},
		{"copy size", "nvvm.cp.async %s, %p {size = 12 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>", "copies 4, 8 or 16 bytes, but got 12"},
		{"copy cache", "nvvm.cp.async %s, %p {size = 8 : i32, cache = \"cg\"} : !nvvm.ptr<3>, !nvvm.ptr<1>", "copies 16 bytes, but got 8"},
		{"copy from shared", "nvvm.cp.async %s, %s {size = 8 : i32} : !nvvm.ptr<3>, !nvvm.ptr<3>", "cannot copy from shared memory"},
		{"pack", "%a = nvvm.pack %f16 : f16 -> i32", "must have 32 bits together, but got 16"},
		{"accumulators", `%a = "nvvm.mma.sync"(%i, %i, %f, %f) {operandSegmentSizes = array<i32: 1, 1, 2>, shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"} : (i32, i32, f32, f32) -> f32`,
			"has 2 accumulator registers but 1 results"},
		{"space number", "%a = nvvm.addressof @x : !nvvm.ptr<9>", "unknown address space 9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse("nvvm.func @k(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>, %f: f32, %i: i32, %c: i1, %f16: f16) {\n" + tt.text + "\nnvvm.return\n}")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	m, err := parse(`nvvm.func @k(%i: i32, %h: f16, %g: f16, %p: !nvvm.ptr<1>) {
  %lo, %hi = nvvm.unpack %i : i32 -> f16, f16
  %same = nvvm.pack %lo, %hi : f16, f16 -> i32
  %swapped = nvvm.pack %hi, %lo : f16, f16 -> i32
  %both = nvvm.pack %h, %g : f16, f16 -> i32
  %h2, %g2 = nvvm.unpack %both : i32 -> f16, f16
  %b0, %b1 = nvvm.unpack %both : i32 -> bf16, bf16
  %zero = arith.constant 0 : i64
  %q = nvvm.ptradd %p, %zero : !nvvm.ptr<1>, i64
  nvvm.return
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{1: "%i", 4: "%h %g", 7: "%p"}
	k := 0
	for op := range m.Body().First().Body().Ops() {
		var got []string
		if op.Def().Fold != nil && op.NumOperands() > 0 {
			constants := make([]ir.Attribute, op.NumOperands())
			for i, v := range op.Operands() {
				constants[i] = ir.ConstantValue(v)
			}
			for _, r := range op.Def().Fold(op, constants) {
				got = append(got, "%"+r.Value.Name())
			}
		}
		if strings.Join(got, " ") != want[k] {
			t.Errorf("operation %d, '%s': folds to %v, want %q", k, op.Name(), got, want[k])
		}
		k++
	}
}
