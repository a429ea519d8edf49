package opttool_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/any/cse"
	"github.com/tilewright/tilewright/passes/any/dce"
	"github.com/tilewright/tilewright/passes/convert/cudatiletotileaa"
	"github.com/tilewright/tilewright/passes/convert/tileaatotileas"
)

// execTool is tile-opt with some passes of its own, three of which are wrong.
func execTool(t *testing.T) *opttool.Tool {
	t.Helper()
	swap := func(from, to *ir.OpDef) func(*passes.Run) error {
		return func(r *passes.Run) error {
			r.Op.Walk(func(op ir.Op) ir.WalkResult {
				if op.Is(from) {
					b := ir.BuilderBefore(op)
					op.Result(0).ReplaceAllUsesWith(b.Create(to, op.Operands(), op.ResultTypes()).Result(0))
					op.Erase()
				}
				return ir.Advance
			})
			return nil
		}
	}
	on := func(kernel string) func(p *passes.Pass) { return func(p *passes.Pass) { p.On = kernel } }
	tool := opttool.TileOpt()
	tool.Registry = new(passes.Registry)
	for _, p := range []*passes.Pass{
		cse.Pass, dce.Pass, cudatiletotileaa.Pass, tileaatotileas.Pass,
		pass("wrong-sum", swap(arith.AddF, arith.SubF), on("nv_tileaa.func")),
		pass("wrong-address", swap(arith.MulI, arith.AddI), on("nv_tileaa.func")),
		pass("wrong-scalar-sum", swap(arith.AddF, arith.SubF), on("nvvm.func")),
	} {
		if err := tool.Registry.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return tool
}

// --verify-each=exec names the first pass that changes what a case computes, and only that.
func TestVerifyEachExec(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases", "vadd_f32")
	module, err := os.ReadFile(filepath.Join(folder, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	const toAA, toAS = "--convert-cuda-tile-to-tileaa", "--convert-tileaa-to-tileas"
	exec := []string{"--verify-each=exec", "--exec-case=" + filepath.Join(folder, "case.json")}
	tests := []struct {
		args   []string
		status int
		want   string // of what is written to standard error
	}{
		{append(exec, toAA, "--cse", toAS), 0, ""},
		{append(exec, toAA, "--wrong-sum", "--cse"), 1,
			"after pass 'wrong-sum' case 'vadd_f32' gives another result: argument "},
		{append(exec, toAA, "--wrong-address", toAS), 1, "after pass 'wrong-address' case 'vadd_f32' "},
		{append(exec, toAA, "--wrong-sum"), 1, " before (expected "},
		{[]string{"--verify-each", toAA, "--wrong-sum"}, 0, ""},
		{[]string{"--verify-each=false", toAA}, 0, ""},
		{[]string{"--verify-each=exec", toAA}, 2, "--verify-each=exec needs --exec-case"},
		{[]string{exec[1], toAA}, 2, "--exec-case is for --verify-each=exec"},
		{[]string{"--races", toAA}, 2, "--races is for --verify-each=exec"},
		{append(exec, "--races", toAA, toAS), 0, ""},
		{[]string{"--verify-each=maybe", toAA}, 2, "--verify-each must be true, false or exec, but got 'maybe'"},
		{[]string{exec[0], "--exec-case=none.json", toAA}, 2, "none.json"},
		{[]string{exec[0], "--exec-case=" + filepath.Join(corpus.Dir(t), "cases", "vadd_f64"), toAA}, 1, "before any pass, case 'vadd_f64' cannot be executed: "},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		status := execTool(t).Main(append(tt.args, "-"), bytes.NewReader(module), &out, &errs)
		if status != tt.status || !strings.Contains(errs.String(), tt.want) || tt.want == "" && errs.Len() > 0 {
			t.Errorf("%v: status %d, want %d with %q\n%s", tt.args, status, tt.status, tt.want, &errs)
		}
		if status != 0 && out.Len() > 0 {
			t.Errorf("%v: failed, but wrote %d bytes", tt.args, out.Len())
		}
	}
}

// Below the levels of the interpreter, the PTX of the rest of the lowering is executed.
func TestVerifyEachExecOfScalarCode(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases", "vadd_f32")
	var code, errs bytes.Buffer
	if opttool.TileOpt().Main([]string{"--lower-to=nvvm", "--gpu-name=sm_80", filepath.Join(folder, "k.tileirbc")}, nil, &code, &errs) != 0 {
		t.Fatalf("lowering: %s", &errs)
	}
	for _, tt := range []struct {
		pass   string
		status int
		want   string
	}{
		{"--dce", 0, ""},
		{"--wrong-scalar-sum", 1, "after pass 'wrong-scalar-sum' case 'vadd_f32' gives another result: argument "},
	} {
		var out, errs bytes.Buffer
		status := execTool(t).Main([]string{"--verify-each=exec", "--exec-case=" + folder, "--gpu-name=sm_80", tt.pass, "-"}, bytes.NewReader(code.Bytes()), &out, &errs)
		if status != tt.status || !strings.Contains(errs.String(), tt.want) || tt.want == "" && errs.Len() > 0 {
			t.Errorf("%s: status %d, want %d with %q\n%s", tt.pass, status, tt.status, tt.want, &errs)
		}
	}
}
