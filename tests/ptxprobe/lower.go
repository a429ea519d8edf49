package ptxprobe

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/passes/nvvm/legalizearith"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

// Parse reads and verifies a module of kernels.
func Parse(t testing.TB, src string) ir.Op {
	t.Helper()
	ctx := ir.NewContext(builtin.Dialect, nvvm.Dialect)
	var diags strings.Builder
	ctx.Diag.Push(ctx.Diag.PrintTo(&diags))
	m, err := asm.Parse(ctx, "test.mlir", []byte(src), asm.ParseOptions{ImplicitModule: builtin.Module})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, &diags)
	}
	if err := ir.Verify(m); err != nil {
		t.Fatalf("verify: %v\n%s", err, &diags)
	}
	return m
}

// Lower expands and legalises the kernels of a module; functions are within CUDA's bounds.
func Lower(t testing.TB, module ir.Op, gpu string) {
	t.Helper()
	LowerTo(t, module, gpu, expandmath.CUDA)
}

// LowerTo is Lower with functions of this accuracy.
func LowerTo(t testing.TB, module ir.Op, gpu string, accuracy expandmath.Accuracy) {
	t.Helper()
	for op := range module.Body().Ops() {
		if _, err := expandmath.Expand(op, accuracy); err != nil {
			t.Fatal(err)
		}
		if _, err := legalizearith.Legalize(op, arch(t, gpu)); err != nil {
			t.Fatal(err)
		}
	}
	if err := ir.Verify(module); err != nil {
		t.Fatal(err)
	}
}

func arch(t testing.TB, gpu string) *sm.Arch {
	t.Helper()
	a, err := sm.Lookup(gpu)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Emit writes a module as PTX.
func Emit(t testing.TB, module ir.Op, gpu string) (*ptx.Module, string) {
	t.Helper()
	m, _, err := nvvmtoptx.Emit(module, arch(t, gpu), nvvmtoptx.Style{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	return m, text.String()
}

// Load parses PTX for execution.
func Load(t testing.TB, text string) *emu.Module {
	t.Helper()
	m, err := emu.Parse("probe.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, excerpt(text, err))
	}
	return m
}

// excerpt returns the text around the line that an emulator's error names.
func excerpt(text string, err error) string {
	var line, column int
	if _, scanErr := fmt.Sscanf(strings.TrimPrefix(err.Error(), "probe.ptx:"), "%d:%d", &line, &column); scanErr != nil {
		return text
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-6):min(len(lines), line+2)], "\n")
}

var asmError = regexp.MustCompile(`line (\d+); error.*`)

// Assemble fails the test when the assembler rejects the text.
func Assemble(t testing.TB, m *ptx.Module, text string) {
	t.Helper()
	cmd := exec.Command(judges.Ptxas(t), "-O0", "-arch", m.Target.String(), "-o", os.DevNull, "-")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	lines := strings.Split(text, "\n")
	for _, m := range asmError.FindAllStringSubmatch(string(out), 5) {
		if n, err := strconv.Atoi(m[1]); err == nil && n <= len(lines) {
			t.Errorf("ptxas: %s\n%s", m[0], lines[n-1])
		}
	}
	t.Errorf("ptxas: %v\n%s", err, out)
}
