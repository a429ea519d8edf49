package dropin

import (
	"bytes"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/programs"
)

//go:embed testdata/invocations.txt
var invocations string

// An ending is what a caller sees of a run.
type ending struct {
	Status int
	Errors []string
	Files  []string
	Output bool // something on standard output
}

// fewest is how many command lines are compared at least: docs/clients.md and docs/conformance.md name the number.
const fewest = 119

// TestInvocations compares with tileiras itself how command lines end.
func TestInvocations(t *testing.T) {
	t.Parallel()
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	ours := filepath.Join(programs.Install(t), program)
	in := t.TempDir()
	inputs(t, in)
	n := 0
	for line := range strings.Lines(invocations) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		if !tier.Try(n, 20) {
			continue
		}
		mark, args := line[0], line[2:]
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			want := end(t, reference, args, in, assembler)
			got := end(t, ours, args, in, assembler)
			switch {
			case mark == '+' && want.Errors == nil:
				got.Errors = nil
			case mark == '~':
				want.Errors, got.Errors = want.Errors[len(want.Errors)-1:], got.Errors[len(got.Errors)-1:]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-tileiras +tilec:\n%s", diff)
			}
		})
	}
	if n < fewest {
		t.Errorf("%d command lines, expected at least %d", n, fewest)
	}
}

// inputs writes what the command lines name.
func inputs(t *testing.T, dir string) {
	t.Helper()
	folder, err := demo.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := os.ReadFile(filepath.Join(folder, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	// A module without functions, as front ends send it to find out which versions are taken.
	nothing := encode(t, "cuda_tile.module @kernels {\n}\n")
	for name, data := range map[string][]byte{"k.tileirbc": kernel, "trunc.bc": kernel[:500], "nofn.bc": nothing, "text.txt": []byte("hello\n"), "empty.bc": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// encode writes a module as bytecode that every version of the reference reads.
func encode(t *testing.T, text string) []byte {
	t.Helper()
	module, err := asm.Parse(tileir.NewContext(), "module", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := bytecode.Encode(module, bytecode.Options{Version: ir.Version{Major: 13, Minor: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// end runs a program in a folder of its own.
func end(t *testing.T, program, args, in, assembler string) ending {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(in)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", program+" "+args)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), ptxas.EnvVar+"="+assembler)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	e := ending{Status: cmd.ProcessState.ExitCode(), Output: stdout.Len() > 0}
	if said := strings.ReplaceAll(strings.TrimRight(stderr.String(), "\n"), program, "tileiras"); said != "" {
		e.Errors = strings.Split(said, "\n")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range entries {
		e.Files = append(e.Files, f.Name())
	}
	slices.Sort(e.Files)
	return e
}
