package dropin

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/programs"
)

// linked puts this program into a folder as tilec, and returns that path and a symbolic link to it that is named
// tileiras.
func linked(t *testing.T) (real, link string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	real, link = filepath.Join(dir, "tilec"), filepath.Join(dir, program)
	if err := errors.Join(os.Link(self, real), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	return real, link
}

// clientVar names the program of testdata/cutile-rs, which takes minutes to build and headers of CUDA (cuda.h,
// curand.h) and libclang:
//
//	CUDA_TOOLKIT_PATH=... LIBCLANG_PATH=... cargo build --manifest-path tests/dropin/testdata/cutile-rs/Cargo.toml --target-dir /tmp/cutile-rs
//	TILEWRIGHT_CUTILE_RS=/tmp/cutile-rs/debug/cutile-client go test ./tests/dropin -run CutileRs
const clientVar = "TILEWRIGHT_CUTILE_RS"

// TestCutileRs lets cutile-rs compile kernels, by a link that it follows, with the variables that work under clients.
func TestCutileRs(t *testing.T) {
	t.Parallel()
	client, reference, assembler := os.Getenv(clientVar), judges.Tool(t, program), judges.Ptxas(t)
	if client == "" {
		t.Skipf("%s names no client", clientVar)
	}
	_, link := linked(t)
	for _, gpu := range tier.Generations {
		out, dumps := t.TempDir(), t.TempDir()
		cmd := exec.Command(client, gpu, out)
		cmd.Env = append(os.Environ(), "CUTILE_TILEIRAS_PATH="+link, ptxas.EnvVar+"="+assembler, "TILEWRIGHT_DUMP_DIR="+dumps, "TILEWRIGHT_FLAGS=-O2", "TILEWRIGHT_DELEGATE="+reference)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", gpu, err, said)
		}
		for _, name := range []string{"add", "product"} {
			data, err := os.ReadFile(filepath.Join(out, name+".cubin"))
			if err != nil {
				t.Fatal(err)
			}
			if ks, err := cubin.Read(data); err != nil || len(ks) != 1 || ks[0].Name != name+"_entry" || ks[0].Language != 7 {
				t.Errorf("%s, %s: %+v, %v", gpu, name, ks, err)
			}
		}
		compilations, err := filepath.Glob(filepath.Join(dumps, "*"))
		if err != nil || len(compilations) != 2 {
			t.Errorf("%s: %d compilations left a dump, want 2", gpu, len(compilations))
		}
		for _, dir := range compilations {
			command, err := os.ReadFile(filepath.Join(dir, "command.txt"))
			if err != nil || !strings.Contains(string(command), `added: ["-O2"]`) {
				t.Errorf("%s: %s, %v", gpu, command, err)
			}
			if report, err := os.ReadFile(filepath.Join(dir, "delegate.txt")); err != nil || !strings.Contains(string(report), "registers") {
				t.Errorf("%s: %s, %v", gpu, report, err)
			}
			if said, err := os.ReadFile(filepath.Join(dir, "errors.txt")); err != nil || len(said) > 0 {
				t.Errorf("%s: %s, %v", gpu, said, err)
			}
		}
	}
}

// TestServeInRust runs the example of a client of tile-run --serve that docs/serve.md names.
func TestServeInRust(t *testing.T) {
	t.Parallel()
	compiler := judges.Rustc(t)
	examples, err := filepath.Abs("../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(t.TempDir(), "serve")
	cmd := exec.Command(compiler, "--edition=2021", "-Dwarnings", "-o", client, filepath.Join(examples, "serve.rs"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	cmd = exec.Command(client, filepath.Join(programs.Install(t), "tile-run"), "add.mlir")
	cmd.Dir = examples
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"interp: 1024 sums are right", "ptx: 1024 sums are right", "as it should be: out-of-bounds: tile block (7, 0, 0): add.mlir:23:"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}
