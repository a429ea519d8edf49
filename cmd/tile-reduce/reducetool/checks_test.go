package reducetool_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

func planted(name, on string, edit func(*passes.Pass), f func(op ir.Op)) {
	p := &passes.Pass{Name: name, Summary: "a bug for tests", Doc: "A bug for tests.", On: on, Run: func(r *passes.Run) error {
		r.Op.Walk(func(op ir.Op) ir.WalkResult { f(op); return ir.Advance })
		return nil
	}}
	if edit != nil {
		edit(p)
	}
	passes.Register(p)
}

// Bugs: a pass that crashes on one operation, one that leaves invalid IR where there is another, and one of the
// default pipeline that subtracts f64s that are to be added.
func init() {
	planted("test-crash", "cuda_tile.entry", nil, func(op ir.Op) {
		if op.Is(cudatile.MmaF) {
			panic("planted")
		}
	})
	planted("test-invalid", "cuda_tile.entry", nil, func(op ir.Op) {
		if op.Is(cudatile.FToF) {
			op.SetOperands(nil)
		}
	})
	planted("test-miscompile", "nv_tileaa.func", func(p *passes.Pass) {
		p.Requires, p.Steps = []*passes.Property{property.TileAA}, []passes.Step{{}}
	}, func(op ir.Op) {
		if op.Is(arith.AddF) && ir.BitWidth(ir.ElementType(op.Result(0).Type())) == 64 {
			op.Result(0).ReplaceAllUsesWith(ir.BuilderBefore(op).Create(arith.SubF, op.Operands(), op.ResultTypes(), op.InherentAttrs()...).Result(0))
			op.Erase()
		}
	})
}

// TestChecks shrinks real kernels to what each of the checks finds.
func TestChecks(t *testing.T) {
	t.Parallel()
	kernel := func(name string) string { return filepath.Join(corpus.Dir(t), "cases", name, "k.tileirbc") }
	// An assembler that spills what multiplies on tensor cores.
	fake := script(t, `while [ $# -gt 0 ]; do case $1 in *.ptx) in=$1;; -o) out=$2; shift;; esac; shift; done
echo cubin > $out
if grep -q 'mma.sync' $in; then n=8; else n=0; fi
echo "ptxas info    : Compiling entry function 'k' for 'sm_80'"
echo "ptxas info    : Function properties for k"
echo "    0 bytes stack frame, $n bytes spill stores, $n bytes spill loads"`)
	for _, tt := range []struct {
		name string
		args []string
		has  string // is left
		most int    // lines
	}{
		{"crashes", []string{"--check=crashes", "--pass-pipeline=builtin.module(cuda_tile.entry(test-crash))", kernel("matmul_f16")}, "mmaf", 15},
		{"invalid", []string{"--check=invalid", "--pass-pipeline=builtin.module(cuda_tile.entry(test-invalid))", kernel("matmul_f16")}, "ftof", 15},
		{"engines", []string{"--check=engines", "--gpu-name=sm_80", "--case=" + filepath.Dir(kernel("vadd_f64")), kernel("vadd_f64")}, "addf", 40},
		{"spills", []string{"--check=spills", "--gpu-name=sm_80", "--ptxas=" + fake, kernel("matmul_f16")}, "mmaf", 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := call("", append(tt.args, "-q")...)
			if lines := strings.Count(out, "\n"); status != 0 || !strings.Contains(out, tt.has) || lines > tt.most {
				t.Errorf("status %d, %d lines without %s or more than %d are left\n%s%s", status, lines, tt.has, tt.most, errs, out)
			}
		})
	}
}

// TestNothingToFind is of kernels with which nothing is wrong, and of flags that do not fit.
func TestNothingToFind(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases", "vadd_f32")
	module := filepath.Join(folder, "k.tileirbc")
	for _, tt := range []struct {
		args   []string
		status int
		errs   string
	}{
		{[]string{"--check=crashes", module}, 1, "the input is not interesting"},
		{[]string{"--check=invalid", "--gpu-name=sm_80", "-O1", module}, 1, "the input is not interesting"},
		{[]string{"--check=engines", "--case=" + folder, module}, 1, "the input is not interesting"},
		{[]string{"--check=spills", "--ptxas=" + judges.Tool(t, "ptxas"), module}, 1, "the input is not interesting"},
		{[]string{"--check=engines", module}, 2, "--case is what --check=engines executes"},
		{[]string{"--check=crash", module}, 2, "unknown check 'crash' (did you mean 'crashes'?)"},
		{[]string{"--check=spills", "--pass-pipeline=builtin.module(cse)", module}, 2, "cannot be combined with --pass-pipeline"},
		{[]string{"--check=crashes", "--pass-pipeline=builtin.module(csee)", module}, 2, "unknown pass 'csee'"},
		{[]string{"--check=crashes", "--test=true", module}, 2, "--test and --check cannot be combined"},
		{[]string{"--test=true", "--case=" + folder, module}, 2, "--case is for --check"},
	} {
		status, _, errs := call("", tt.args...)
		if status != tt.status || !strings.Contains(errs, tt.errs) {
			t.Errorf("%v: status %d, want %d with %q\n%s", tt.args, status, tt.status, tt.errs, errs)
		}
	}
}
