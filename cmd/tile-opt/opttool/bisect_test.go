package opttool_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
)

// A plantedBug is a pass that rewrites many operations and does one of them wrong.
type plantedBug struct {
	name, on string
	run      func(*passes.Run) error
	after    string // --after=
	what, op string // the wrong rewrite
	change   string // a line of the diff that is shown
	left     int    // operations that the small module has at most
}

// again builds an operation again in its place, which is right.
func again(op ir.Op, def *ir.OpDef) {
	b := ir.BuilderBefore(op)
	op.Result(0).ReplaceAllUsesWith(b.Create(def, op.Operands(), op.ResultTypes(), op.InherentAttrs()...).Result(0))
	op.Erase()
}

// each calls f for the operations of one row in a kernel, in order, with their number from 1.
func each(r *passes.Run, def *ir.OpDef, f func(n int, op ir.Op)) error {
	var ops []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(def) {
			ops = append(ops, op)
		}
		return ir.Advance
	})
	for i, op := range ops {
		f(i+1, op)
	}
	return nil
}

// wrongPattern is a set of patterns of which one is wrong: it commutes what does not commute, where both operands are
// alike in nothing.
func wrongPattern(r *passes.Run) error {
	const done = "test.done"
	right := rewrite.Pattern{Name: "commute-sum", Root: arith.AddI, Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		if op.HasUnitAttr(done) {
			return false
		}
		rw.Update(op, func() {
			a, b := op.Operand(0), op.Operand(1)
			op.SetOperands([]ir.Value{b, a})
			op.SetAttr(done, op.Context().Unit())
		})
		return true
	}}
	wrong := rewrite.Pattern{Name: "commute-difference", Root: arith.SubI, Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		if op.HasUnitAttr(done) {
			return false
		}
		rw.Update(op, func() {
			a, b := op.Operand(0), op.Operand(1)
			op.SetOperands([]ir.Value{b, a})
			op.SetAttr(done, op.Context().Unit())
		})
		return true
	}}
	r.Rewrite(rewrite.NewSet(right, wrong), rewrite.Config{NoFold: true, NoConstantHoisting: true, NoErase: true})
	return nil
}

// planted are five bugs, at each level and of each kind: a pattern, an operation, an address, an order of memory, a
// constant of scalar code.
var planted = []plantedBug{
	{name: "wrong-pattern", on: "nv_tileaa.func", run: wrongPattern, after: "convert-cuda-tile-to-tileaa", what: "commute-difference", op: "arith.subi", change: "arith.subi %", left: 60},
	{name: "wrong-product", on: "cuda_tile.entry", after: "cse#1", what: "rebuild-product", op: "cuda_tile.muli", change: "addi %", left: 60, run: func(r *passes.Run) error {
		return each(r, cudatile.MulI, func(n int, op ir.Op) {
			if !r.May("rebuild-product", op) {
				return
			}
			if n == 2 {
				again(op, cudatile.AddI)
			} else {
				again(op, cudatile.MulI)
			}
		})
	}},
	{name: "wrong-address", on: "nv_tileaa.func", after: "licm#tileaa", what: "rebuild-load", op: "nv_tileaa.tiled_load", change: "nv_tileaa.tiled_load", left: 60, run: func(r *passes.Run) error {
		return each(r, tileaa.Level.TiledLoad, func(n int, op ir.Op) {
			if !r.May("rebuild-load", op) || n != 2 {
				return
			}
			for i := range op.NumOperands() { // offsets of the second load change places
				if a, b := op.Operand(i), op.Operand((i+1)%op.NumOperands()); a.Type() == b.Type() && a != b {
					op.SetOperand(i, b)
					op.SetOperand(i+1, a)
					return
				}
			}
		})
	}},
	{name: "wrong-type", on: "nv_tileas.func", after: "tileas-remove-layout-conversions", what: "rebuild-index", op: "arith.muli", change: "arith.addi", left: 60, run: func(r *passes.Run) error {
		return each(r, arith.MulI, func(n int, op ir.Op) {
			if !r.May("rebuild-index", op) {
				return
			}
			if n == 3 {
				again(op, arith.AddI)
			} else {
				again(op, arith.MulI)
			}
		})
	}},
	{name: "wrong-scalar", on: "nvvm.func", after: "cse#nvvm", what: "rebuild-shift", op: "arith.muli", change: "arith.addi", left: 400, run: func(r *passes.Run) error {
		return each(r, arith.MulI, func(n int, op ir.Op) {
			if !r.May("rebuild-shift", op) {
				return
			}
			if n == 1 {
				again(op, arith.AddI)
			} else {
				again(op, arith.MulI)
			}
		})
	}},
}

// shown compares what was said with the page that shows it, but for numbers, which other passes change.
func shown(t *testing.T, said string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(corpus.Root(), "docs", "pass-authors.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "<!-- TestBisectExec/wrong-pattern -->\n\n")
	block, _, _ := strings.Cut(rest, "\n\n")
	said, _, _ = strings.Cut(said, "tile-opt: there it is") // where locations that the small module need not have would be
	number := regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)
	var want strings.Builder
	for line := range strings.Lines(block) {
		want.WriteString(strings.TrimPrefix(line, "    "))
	}
	if diff := cmp.Diff(number.ReplaceAllString(want.String()+"\n", "N"), number.ReplaceAllString(said, "N")); diff != "" {
		t.Errorf("docs/pass-authors.md (-page +run):\n%s", diff)
	}
}

// TestBisectExec leads from a wrong result to the rewrite that is wrong, for bugs that are planted at each level
// among rewrites that are right.
func TestBisectExec(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases", "matmul_f16")
	for i, bug := range planted {
		if !tier.Try(i, len(planted)) {
			continue
		}
		t.Run(bug.name, func(t *testing.T) {
			t.Parallel()
			tool := opttool.TileOpt()
			tool.Registry = new(passes.Registry)
			for _, p := range passes.Default.Passes() {
				if err := tool.Registry.Add(p); err != nil {
					t.Fatal(err)
				}
			}
			if err := tool.Registry.Add(pass(bug.name, bug.run, func(p *passes.Pass) { p.On = bug.on })); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			status := tool.Main([]string{"--bisect-exec", "--exec-case=" + folder, "--gpu-name=sm_80", "--after=" + bug.after + ":" + bug.name, filepath.Join(folder, "k.tileirbc")}, nil, &out, &errs)
			said := errs.String()
			t.Logf("%s%s", said, out.String())
			if status != 0 {
				t.Fatalf("status %d", status)
			}
			if want := fmt.Sprintf("pass '%s' (run ", bug.name); !strings.Contains(said, want) {
				t.Errorf("the pass is not named: no %q", want)
			}
			if want := regexp.MustCompile(`rewrite [0-9]+ of the [0-9]+ that it makes is the first to do so: '` + bug.what + "' on '" + regexp.QuoteMeta(bug.op) + "' at "); !want.MatchString(said) {
				t.Errorf("the rewrite is not named: no %s", want)
			}
			if !regexp.MustCompile(`(?m)^\+.*` + regexp.QuoteMeta(bug.change)).MatchString(said) {
				t.Errorf("the change is not shown: no %q", bug.change)
			}
			var before, after, tests int
			if m := regexp.MustCompile(`reduced from .*`).FindString(said); m == "" {
				t.Errorf("no module is reduced")
			} else if _, err := fmt.Sscanf(m, "reduced from %d to %d operations in %d tests", &before, &after, &tests); err != nil || after > bug.left || after >= before {
				t.Errorf("%s (%v), want at most %d", m, err, bug.left)
			}
			if bug.name == "wrong-pattern" {
				shown(t, said)
			}
			// The command in its first line shows it.
			first, _, _ := strings.Cut(out.String(), "\n")
			m := regexp.MustCompile(`^// tile-opt --pass-pipeline='(.*)' --gpu-name=(\w+)$`).FindStringSubmatch(first)
			if m == nil {
				t.Fatalf("the module does not begin with a command, but with %s", first)
			}
			var rest, more bytes.Buffer
			if status := tool.Main([]string{"--pass-pipeline=" + m[1], "--gpu-name=" + m[2], "-"}, bytes.NewReader(out.Bytes()), &rest, &more); status != 0 {
				t.Errorf("%s: status %d\n%s", first, status, &more)
			}
		})
	}
}
