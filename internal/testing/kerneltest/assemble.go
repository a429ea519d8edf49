package kerneltest

import (
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// IgnoredHint reports whether a diagnostic says that a hint has no effect. Front ends write such hints: no pass follows
// some, and clusters are not profitable for others.
func IgnoredHint(text string) bool {
	return strings.Contains(text, "warning: hint '") || strings.HasPrefix(text, "hint '") || strings.Contains(text, "tile blocks of '") && strings.Contains(text, "have one CTA each")
}

// Assemble compiles and assembles a module, and reports whether registers are spilled.
func Assemble(t *testing.T, tool *ptxas.Tool, gpu string, data []byte) (spilled bool) {
	t.Helper()
	return AssembleWith(t, tool, gpu, data, compile.Options{})
}

// AssembleWith is Assemble with further options.
func AssembleWith(t *testing.T, tool *ptxas.Tool, gpu string, data []byte, options compile.Options) (spilled bool) {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(d *ir.Diagnostic) {
		if !IgnoredHint(d.Message) {
			t.Errorf("%s: %v", gpu, d)
		}
	})
	module, err := tileir.Read(ctx, "k.tileirbc", data)
	if err != nil {
		t.Fatal(err)
	}
	options.GPU, options.OptLevel = gpu, 3
	code, err := compile.To(context.Background(), module, options)
	if err != nil {
		t.Fatalf("%s: %v", gpu, err)
	}
	result, err := tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 3})
	if err != nil {
		t.Fatalf("%s: %v", gpu, err)
	}
	if len(result.Entries) != len(code.Launch.Kernels) {
		t.Errorf("%s: ptxas reports %d entries, but the module has %d", gpu, len(result.Entries), len(code.Launch.Kernels))
	}
	for _, w := range result.Warnings {
		t.Errorf("%s: %v", gpu, w)
	}
	for _, e := range result.Entries {
		spilled = spilled || e.SpillStores+e.SpillLoads > 0
	}
	return spilled
}
