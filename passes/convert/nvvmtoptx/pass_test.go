package nvvmtoptx_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

type recorder struct{ artifacts map[string]passes.Artifact }

func (r *recorder) Report(*ir.Diagnostic)                   { /* the pass reports nothing */ }
func (r *recorder) Count(*passes.Statistic, int64)          {}
func (r *recorder) Artifact(name string, a passes.Artifact) { r.artifacts[name] = a }

// runPass runs emit-ptx and returns its artifacts.
func runPass(t *testing.T, src string, target *passes.Target) map[string]passes.Artifact {
	t.Helper()
	rec := &recorder{make(map[string]passes.Artifact)}
	r := passes.NewRun(context.Background(), nvvmtoptx.Pass, ptxprobe.Parse(t, src), nil, target, rec)
	if err := nvvmtoptx.Pass.Run(r); err != nil {
		t.Fatal(err)
	}
	return rec.artifacts
}

func textOf(t *testing.T, artifacts map[string]passes.Artifact) string {
	t.Helper()
	data, err := artifacts[nvvmtoptx.PTXArtifact].Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	src := `
nvvm.func @small(%p: !nvvm.ptr<1>, %n: i64) attributes {nvvm.reqntid = array<i32: 128>, nvvm.shared_bytes = 49152 : i32} {
  nvvm.return
}
nvvm.func @large() attributes {nvvm.reqntid = array<i32: 256>, nvvm.cluster_dim = array<i32: 2>, nvvm.shared_bytes = 49153 : i32} {
  nvvm.return
}`
	artifacts := runPass(t, src, &passes.Target{GPU: "sm_90"})
	data, err := artifacts[nvvmtoptx.LaunchArtifact].Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var got nvvmtoptx.Launch
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := nvvmtoptx.Launch{Target: "sm_90", Version: "7.8", Kernels: []*nvvmtoptx.Kernel{
		{Name: "small", Params: []string{"!nvvm.ptr<1>", "i64"}, Block: []int{128}, StaticShared: 49152},
		{Name: "large", Params: []string{}, Block: []int{256}, Cluster: []int{2}, DynamicShared: 49153},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, part := range []string{".shared .align 128 .b8 small_shared[49152];", ".extern .shared .align 128 .b8 large_shared[];", "// large: 49153 bytes of dynamic shared memory"} {
		if text := textOf(t, artifacts); !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func TestLineInfo(t *testing.T) {
	t.Parallel()
	src := `
nvvm.func @k(%p: !nvvm.ptr<1>) {
  %a = nvvm.ld %p : !nvvm.ptr<1> -> f32 loc("kernel.py":7:3)
  %b = arith.addf %a, %a : f32 loc("kernel.py":7:3)
  %c = arith.mulf %b, %a : f32 loc(callsite("lib.py":2:5 at "kernel.py":8:3))
  nvvm.st %p, %c : !nvvm.ptr<1>, f32 loc(unknown)
  nvvm.return
}`
	target := &passes.Target{GPU: "sm_80"}
	if text := textOf(t, runPass(t, src, target)); strings.Contains(text, ".loc") {
		t.Errorf("line information without being asked:\n%s", text)
	}
	nvvmtoptx.LineInfo.Set(target, true)
	text := textOf(t, runPass(t, src, target))
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ".loc") || strings.HasPrefix(line, ".file") {
			lines = append(lines, line)
		}
	}
	want := []string{`.file 1 "kernel.py"`, `.file 2 "lib.py"`, `.file 3 "test.mlir"`, ".loc 1 7 3", ".loc 1 8 3",
		".loc 2 2 5, function_name $L__info_string0, inlined_at 1 8 3", ".loc 3 7 3"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestInlinedTwice: the line of a call comes again where it was last written for another call of the function around
// it.
func TestInlinedTwice(t *testing.T) {
	t.Parallel()
	src := `
nvvm.func @k(%p: !nvvm.ptr<1>, %x: f32) {
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("f":2:1 at callsite("g":5:1 at "k":10:1)))
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("f":2:1 at callsite("g":5:1 at "k":20:1)))
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("f":3:1 at callsite("g":5:1 at "k":20:1)))
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("f":2:1 at callsite("g":5:1 at "k":10:1)))
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("g":5:1 at "k":20:1))
  nvvm.st %p, %x : !nvvm.ptr<1>, f32 loc(callsite("f":2:1 at callsite("g":5:1 at "k":10:1)))
  nvvm.return loc("k":10:1)
}`
	target := &passes.Target{GPU: "sm_80"}
	nvvmtoptx.LineInfo.Set(target, true)
	var lines []string
	for line := range strings.Lines(textOf(t, runPass(t, src, target))) {
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), ".loc "); ok {
			lines = append(lines, strings.Replace(at, ", function_name $L__info_string0, inlined_at", " in", 1))
		}
	}
	const k, g, f = "1", "2", "3"
	want := []string{
		k + " 10 1", g + " 5 1 in " + k + " 10 1", f + " 2 1 in " + g + " 5 1",
		k + " 20 1", g + " 5 1 in " + k + " 20 1", f + " 2 1 in " + g + " 5 1", f + " 3 1 in " + g + " 5 1",
		g + " 5 1 in " + k + " 10 1", f + " 2 1 in " + g + " 5 1",
		g + " 5 1 in " + k + " 20 1",
		g + " 5 1 in " + k + " 10 1", f + " 2 1 in " + g + " 5 1",
		k + " 10 1",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
