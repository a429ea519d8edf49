package emitptx_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes/emitptx"
	"github.com/tilewright/tilewright/target/ptx"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var testDialect = &ir.Dialect{Name: "emittest"}

var testModule = testDialect.Op(ir.OpDef{Name: "module", Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator,
	Regions: []ir.Field{{Name: "body"}}})

// parse reads and verifies a module of kernels.
func parse(t testing.TB, src string) ir.Op {
	t.Helper()
	ctx := ir.NewContext(nvvm.Dialect, testDialect)
	var diags strings.Builder
	ctx.Diag.Push(ctx.Diag.PrintTo(&diags))
	m, err := asm.Parse(ctx, "test.mlir", []byte(src), asm.ParseOptions{ImplicitModule: testModule})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, &diags)
	}
	if err := ir.Verify(m); err != nil {
		t.Fatalf("verify: %v\n%s", err, &diags)
	}
	return m
}

func emit(t testing.TB, src, gpu string) (*ptx.Module, string) {
	t.Helper()
	m, _, err := emitptx.Emit(parse(t, src), gpu, false)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	return m, text.String()
}

// assemble fails the test when the assembler rejects the text.
func assemble(t testing.TB, m *ptx.Module, text string) {
	t.Helper()
	cmd := exec.Command(judges.Ptxas(t), "-arch", m.Target.String(), "-o", os.DevNull, "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(text, "\n")
		for _, m := range regexp.MustCompile(`line (\d+); error.*`).FindAllStringSubmatch(string(out), 5) {
			n, _ := strconv.Atoi(m[1])
			t.Errorf("ptxas: %s\n%s", m[0], lines[n-1])
		}
		t.Errorf("ptxas: %v\n%s", err, out)
	}
}

// TestGolden emits every testdata file; its first line names the architecture, as in "// sm_80".
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			gpu, _, _ := strings.Cut(strings.TrimPrefix(string(src), "// "), "\n")
			m, got := emit(t, string(src), gpu)
			golden := strings.TrimSuffix(file, ".mlir") + ".ptx"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			assemble(t, m, got)
		})
	}
}
