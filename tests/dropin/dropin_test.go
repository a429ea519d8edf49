package dropin

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/programs"
)

const program = "tileiras"

// TestMain lets the test program be the compiler when it is called by that name.
func TestMain(m *testing.M) { programs.Main(m) }

//go:embed client.py
var client string

// exported are kernels of the corpus that the producer has compiled, each for one of four architectures.
var exported = []string{"batch_matmul", "fmha_causal_f16_gqa", "matmul_persistent", "softmax_online_bf16"}

// TestProducer lets the producer find the compiler on PATH, ask for its version and for the bytecode that it takes,
// and compile kernels with it.
func TestProducer(t *testing.T) {
	t.Parallel()
	python, assembler := judges.Python(t), judges.Ptxas(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, work := t.TempDir(), t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, program)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "cases", "softmax_rows_f16", "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"good": data, "damaged": data[:len(data)/2]} {
		if err := os.WriteFile(filepath.Join(work, name+".bytecode"), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(work, "kernels"), 0o777); err != nil {
		t.Fatal(err)
	}
	sent := exported[:tier.Count(2, len(exported))]
	for _, name := range sent {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "cases", name, "k.tileirbc"))
		if err == nil {
			err = os.WriteFile(filepath.Join(work, "kernels", name+".bytecode"), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, "-c", client, work)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), ptxas.EnvVar+"="+assembler)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	var got struct {
		Compiler string
		Version  string
		Bytecode string
		Cubin    []byte
		Remarks  bool
		Error    string
		Kernels  map[string][]byte
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s%s", err, out, &errs)
	}
	if got.Compiler != filepath.Join(bin, program) {
		t.Errorf("the producer found %s", got.Compiler)
	}
	if !strings.Contains(got.Version, "V13.5.") || !strings.Contains(got.Version, "Tilewright") {
		t.Errorf("the version is %q", got.Version)
	}
	if got.Bytecode != "V_13_5" {
		t.Errorf("the producer would write bytecode %s", got.Bytecode)
	}
	if !bytes.HasPrefix(got.Cubin, []byte("\x7fELF")) {
		t.Errorf("the cubin begins with %.8q", got.Cubin)
	}
	if len(got.Kernels) != len(sent) {
		t.Errorf("%d kernels exported, want %d", len(got.Kernels), len(sent))
	}
	for name, data := range got.Kernels {
		if ks, err := cubin.Read(data); err != nil || len(ks) == 0 || ks[0].Language != 7 {
			t.Errorf("%s: %v, %v", name, ks, err)
		}
	}
	if !got.Remarks {
		t.Error("no file of remarks")
	}
	for _, want := range []string{"Return code 3\n", "error at offset ", "input does not correspond to Tile IR bytecode"} {
		if !strings.Contains(got.Error, want) {
			t.Errorf("no %q in what the producer says about a damaged file:\n%s", want, got.Error)
		}
	}
}
