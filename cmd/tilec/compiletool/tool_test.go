package compiletool_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

const kernel = `entry @k(%p: tile<ptr<f32>>) {
  %c = constant <f32: 1.0> : tile<f32>
  %t = make_token : token
  %u = store_ptr_tko weak %p, %c token = %t : tile<ptr<f32>>, tile<f32> -> token
  return
}
`

// inputs makes a folder of input files.
func inputs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	folder, err := demo.Extract(dir)
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(folder, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	unsupported := bytes.Clone(module)
	unsupported[8], unsupported[9] = 13, 99
	for name, data := range map[string][]byte{
		"k.tileirbc":      module,
		"k.mlir":          []byte(kernel),
		"truncated.bc":    module[:len(module)/2],
		"version.bc":      unsupported,
		"wrong-magic.bc":  append([]byte("\x7fTileXX\x00"), module[8:]...),
		"syntax.mlir":     []byte("entry @k() {\n  %x = frobnicate : tile<f32>\n  return\n}\n"),
		"invalid.mlir":    []byte("entry @k(%p: tile<f32>) {\n  %x = addf %p, %p rounding<negative_inf> flush_to_zero : tile<f32>\n  %y = \"cuda_tile.addf\"(%p) : (tile<f32>) -> tile<f32>\n  return\n}\n"),
		"no-functions.bc": probe(t),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// probe is what front ends compile to learn which versions of bytecode the tool takes: a module without functions.
func probe(t *testing.T) []byte {
	t.Helper()
	module, err := asm.Parse(tileir.NewContext(), "probe", []byte("cuda_tile.module @kernels {\n}\n"), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := bytecode.Encode(module, bytecode.Options{Version: ir.Version{Major: 13, Minor: 4}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type result struct {
	status      int
	out, errors string
}

func call(program, args, stdin string) result {
	var out, errs bytes.Buffer
	status := compiletool.Main(context.Background(), program, strings.Fields(args), strings.NewReader(stdin), &out, &errs)
	return result{status, out.String(), errs.String()}
}

// TestTilec calls the tool by its own name. IN stands for the folder of inputs; a file that a call names as its
// output must exist exactly when the call succeeds.
func TestTilec(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args   string
		stdin  string
		status int
		out    string // substring
		errors string // substring; empty: nothing is written there
	}{
		{args: "IN/k.tileirbc", out: ".visible .entry matmul_f16("},
		{args: "-gpu-name=sm_80 IN/k.tileirbc -O0", out: ".target sm_80\n"},
		{args: "-", stdin: kernel, out: ".visible .entry k("},
		{args: "", stdin: kernel, out: ".target sm_90\n"},
		{args: "--emit=mlir IN/k.tileirbc", out: "entry @matmul_f16("},
		{args: "--emit=tileaa IN/k.mlir", out: "nv_tileaa.func @k("},
		{args: "--emit=tileas IN/k.mlir", out: "nv_tileas.func @k("},
		{args: "--emit nvvm IN/k.mlir", out: "nvvm.func @k("},
		{args: "-o OUT.ptx IN/k.mlir"},
		{args: "-o OUT.mlir IN/k.mlir"},
		{args: "--lineinfo IN/k.tileirbc", out: ".loc 1 "},
		{args: "--timing IN/k.mlir", out: ".entry k(", errors: "Execution time report"},
		{args: "--pass-statistics IN/k.mlir", out: ".entry k(", errors: "ptx-statements"},
		{args: "--schedule=serial --dump-pass-pipeline IN/k.mlir", out: ".entry k(", errors: "tileas-schedule-loops{scheduler=serial}"},
		{args: "--dump-pass-pipeline IN/k.mlir", out: ".entry k(", errors: "cuda_tile.entry(canonicalize,cse,licm"},
		{args: "--print-after-all IN/k.mlir", out: ".entry k(", errors: "// -----// IR Dump After ConvertCudaTileToTileAA (convert-cuda-tile-to-tileaa) //----- //"},
		{args: "--mlir-print-ir-before=emit-ptx IN/k.mlir", out: ".entry k(", errors: "IR Dump Before EmitPTX"},
		{args: "IN/no-functions.bc", out: ".version"},
		{args: "--list-versions", out: "13.1\n13.2\n"},
		{args: "--help", out: "compile a Tile IR kernel"},
		{args: "--version", out: "V13."},

		{args: "IN/truncated.bc -o OUT.ptx", status: 1, errors: "truncated.bc: offset "},
		{args: "IN/version.bc -o OUT.ptx", status: 1, errors: "13.99"},
		{args: "IN/wrong-magic.bc -o OUT.ptx", status: 1, errors: "invalid magic number"},
		{args: "IN/syntax.mlir -o OUT.ptx", status: 1, errors: "syntax.mlir:2:8: error: "},
		{args: "IN/invalid.mlir -o OUT.ptx", status: 1, errors: "invalid.mlir:"},
		{args: "IN/none.bc -o OUT.ptx", status: 1, errors: "no such file"},
		{args: "IN/k.mlir -o IN/none/x.ptx", status: 1, errors: "cannot write 'IN/none/x.ptx'"},
		{args: "IN/k.mlir --ptxas IN/none -o OUT.cubin", status: 1, errors: "ptxas as --ptxas says: "},

		{args: "IN/k.mlir --gpu-name=sm_75", status: 2, errors: "unknown architecture 'sm_75', expected one of sm_80, sm_86, "},
		{args: "IN/k.mlir -O4", status: 2, errors: "invalid optimization level: 4"},
		{args: "IN/k.mlir IN/k.tileirbc", status: 2, errors: "expected one input file, but got 'IN/k.mlir' and 'IN/k.tileirbc'"},
		{args: "IN/k.mlir --emit=ptx --launches=l.json", status: 2, errors: "--launches is about --report, which is not asked for"},
		{args: "IN/k.mlir --emit=ptxx", status: 2, errors: "unknown value 'ptxx' of --emit (did you mean 'ptx'?); values: mlir, tileaa, tileas, nvvm, ptx, cubin"},
		{args: "IN/k.mlir --frobnicate", status: 2, errors: "unknown flag '--frobnicate'"},
		{args: "IN/k.mlir --print-after=css", status: 2, errors: "unknown pass 'css'"},
		{args: "IN/k.mlir --emit=cubin", status: 2, errors: "a cubin is no text: name a file with -o"},
		{args: "IN/k.mlir --sanitize=memcheck", status: 2, errors: "--sanitize is for cubins, but the output is ptx"},
		{args: "IN/k.mlir --sanitize=race", status: 2, errors: "unknown value 'race' of --sanitize"},
		{args: "IN/k.mlir -g", status: 2, errors: "--device-debug needs -O0"},
		{args: "IN/k.mlir -g -O0", out: ".loc "},
		{args: "IN/k.mlir --preview=simt", out: ".entry k("},
		{args: "IN/k.mlir --preview=warp", status: 2, errors: "unknown preview feature 'warp'; there is 'simt'"},
		{args: "IN/k.mlir -l lib", status: 1, errors: "tile libraries are not available yet"},
		{args: "IN/k.tileirbc --remarks=memory", out: ".entry", errors: "remark: Load instruction selected: Ldgsts instruction"},
		{args: "IN/k.tileirbc --remarks-passed=tensorcore", out: ".entry", errors: "remark: MMA uses mma.sync m16n8k16"},
		{args: "IN/k.tileirbc --remarks-missed=tensorcore", out: ".entry", errors: "mma.sync, not wgmma: its tile has 32 rows"},
		{args: "--remarks -o IN/o.ptx IN/k.tileirbc", errors: "remark: Load instruction selected: Ldgsts instruction"},
		{args: "--remarks memory IN/k.tileirbc", out: ".entry", errors: "remark: Load instruction selected: Ldgsts instruction"},
		{args: "IN/k.mlir --remarks=some", status: 2, errors: "unknown value 'some' of --remarks"},
		{args: "IN/k.mlir --remark-format=json", status: 2, errors: "unknown value 'json' of --remark-format"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			dir := inputs(t)
			output := filepath.Join(dir, "out")
			expand := strings.NewReplacer("IN/", dir+"/", "OUT.", output+".")
			got := call("tilec", expand.Replace(tt.args), tt.stdin)
			if got.status != tt.status || !strings.Contains(got.out, tt.out) {
				t.Errorf("status %d, want %d; output\n%s\nerrors\n%s", got.status, tt.status, got.out, got.errors)
			}
			if !strings.Contains(got.errors, expand.Replace(tt.errors)) || tt.errors == "" && got.errors != "" {
				t.Errorf("errors are\n%swant %q", got.errors, tt.errors)
			}
			if tt.status != 0 && got.out != "" {
				t.Errorf("a failed run wrote\n%s", got.out)
			}
			written, err := filepath.Glob(output + ".*")
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Contains(tt.args, "OUT.") && tt.status == 0; want != (len(written) == 1) {
				t.Errorf("files written: %v", written)
			}
			if hidden, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); hidden != nil {
				t.Errorf("left behind: %v", hidden)
			}
		})
	}
}

// TestTileiras calls the tool by the name of NVIDIA's assembler: the exit statuses and the messages are those that
// front ends know.
func TestTileiras(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args   string
		status int
		errors string // whole; PATH stands for the folder of inputs
	}{
		{"--gpu-name sm_90 --emit=ptx -o OUT IN/k.tileirbc", 0, ""},
		{"IN/k.tileirbc -o OUT --emit=ptx -gpu-name sm_120 -O3 --lineinfo", 0, ""},
		{"--arch=sm_100 --opt-level 3 --emit=ptx -o OUT IN/no-functions.bc", 0, ""},
		{"IN/k.tileirbc --gpu-name sm_90 --emit=ptx -o OUT --host-arch=x86_64 --host-os=linux", 0, ""},
		{"--gpu-name sm_75 IN/k.tileirbc", 1, "tileiras: for the --gpu-name option: Cannot find option named 'sm_75'!\n"},
		{"--gpu-name sm_90 IN/none", 1, "error: unable to read input file 'IN/none': No such file or directory\n"},
		{"--gpu-name sm_90 --frobnicate IN/k.tileirbc", 1, "tileiras: Unknown command line argument '--frobnicate'.  Try: '/opt/bin/tileiras --help'\ntileiras: Did you mean '--gpu-name'?\n"},
		{"--gpu-name sm_90 --emits=ptx IN/k.tileirbc", 1, "tileiras: Unknown command line argument '--emits=ptx'.  Try: '/opt/bin/tileiras --help'\ntileiras: Did you mean '--emit'?\n"},
		{"IN/k.tileirbc", 2, "error: GPU architecture sm_0 is not supported by this version of tileiras."},
		{"IN/k.tileirbc --gpu-name sm_90 -O4", 2, "error: invalid optimization level: 4\n"},
		{"IN/k.tileirbc --gpu-name sm_90 -O 3", 1, "tileiras: for the -O option: requires a value!\n"},
		{"IN/k.tileirbc --gpu-name sm_90 -g", 2, "error: optimized debugging is currently not supported, change the optimization level to 0 or disable full debug info\n"},
		{"IN/k.tileirbc --gpu-name sm_90 --emit=ptx -o IN/none/x", 2, "error: cannot write 'IN/none/x': "},
		{"IN/k.mlir --gpu-name sm_90 --emit=ptx -o OUT", 3, "error: input does not correspond to Tile IR bytecode\n"},
		{"IN/truncated.bc --gpu-name sm_90 --emit=ptx -o OUT", 3, "error: error at offset "},
		{"IN/k.tileirbc --gpu-name sm_90 -l lib -o OUT", 5, "error: libraries require the 'simt' preview feature\n"},
		{"IN/k.tileirbc --gpu-name sm_90 --preview=simt -l IN/none -o OUT", 5, "error: failed to open tile library: No such file or directory\n"},
		{"IN/k.tileirbc --gpu-name sm_90 --ptxas=IN/none -o OUT", 5, "error: ptxas as --ptxas says: "},
		{"IN/no-functions.bc --gpu-name sm_120 --ptxas=IN/none -o OUT", 0, ""},
		{"--gpu-name sm_90", 1, "error: no input file provided\n\n"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			dir := inputs(t)
			output := filepath.Join(dir, "out")
			expand := strings.NewReplacer("IN/", dir+"/", "OUT", output)
			got := call("/opt/bin/tileiras", expand.Replace(tt.args), kernel)
			if got.status != tt.status || (got.out != "") != strings.HasPrefix(tt.errors, "error: no input") {
				t.Errorf("status %d, want %d; output %q", got.status, tt.status, got.out)
			}
			if want := expand.Replace(tt.errors); !strings.HasPrefix(got.errors, want) || want == "" && got.errors != "" {
				t.Errorf("errors are\n%swant\n%s", got.errors, want)
			}
			info, err := os.Stat(output)
			if written := err == nil && info.Size() > 0; written != (tt.status == 0) {
				t.Errorf("output written: %t", written)
			}
		})
	}
}

// TestCubin makes cubins with the real assembler.
func TestCubin(t *testing.T) {
	t.Parallel()
	assembler := judges.Ptxas(t)
	for program, args := range map[string]string{
		"tilec":    "IN/k.mlir -o IN/k.cubin --ptxas ",
		"tileiras": "IN/k.tileirbc -o IN/k.cubin --gpu-name sm_90 --remarks=all --remark-format=yaml --remarks-output-file=IN/k.yaml --ptxas ",
	} {
		dir := inputs(t)
		got := call(program, strings.ReplaceAll(args, "IN/", dir+"/")+assembler, "")
		if got != (result{}) {
			t.Errorf("%s: %+v", program, got)
		}
		cubin, err := os.ReadFile(filepath.Join(dir, "k.cubin"))
		if err != nil || !bytes.HasPrefix(cubin, []byte("\x7fELF")) {
			t.Errorf("%s: got %.8q, %v", program, cubin, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "k.yaml")); program == "tileiras" && err != nil {
			t.Error(err)
		}
	}
}

// TestNoAssembler checks what a user reads who has no ptxas, or for one whose toolkit is installed where it is always
// found, that it is used.
func TestNoAssembler(t *testing.T) {
	for _, name := range []string{"PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", judges.EnvVar, ptxas.EnvVar} {
		t.Setenv(name, "")
	}
	dir := inputs(t)
	output := filepath.Join(dir, "k.cubin")
	got := call("tilec", filepath.Join(dir, "k.mlir")+" -o "+output, "")
	_, statErr := os.Stat(output)
	if _, err := ptxas.Find(""); err == nil {
		if got.status != 0 || statErr != nil {
			t.Errorf("status %d, output %v\n%s", got.status, statErr, got.errors)
		}
		return
	}
	if got.status != 1 || !os.IsNotExist(statErr) || strings.Count(got.errors, "\n") != 1 ||
		!strings.Contains(got.errors, "install the CUDA toolkit, or the Python package nvidia-cuda-nvcc") {
		t.Errorf("status %d, output %v\n%s", got.status, statErr, got.errors)
	}
}
