package translatetool

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/corpus"
)

func run(input string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = Main(args, strings.NewReader(input), &o, &e)
	return status, o.String(), e.String()
}

const (
	kernel = `entry @k(%p: tile<ptr<f32>>) {
  %c = constant <f32: 1.0> : tile<f32>
  %e = exp %c : tile<f32>
  %t = make_token : token
  %u = store_ptr_tko weak %p, %e token = %t : tile<ptr<f32>>, tile<f32> -> token
  return
}
`
	atan2 = `cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    %c = atan2 %a, %a : tile<f32>
    return
  }
}
`
)

func TestActions(t *testing.T) {
	t.Parallel()
	status, file, errs := run(kernel, "--mlir-to-cudatilebc", "--bytecode-version=13.1")
	if status != 0 || !bytecode.Is([]byte(file)) {
		t.Fatalf("no bytecode: status %d, %s", status, errs)
	}
	tests := []struct {
		name, input string
		args        string
		status      int
		out, err    string // parts
	}{
		{"to text", file, "-cudatilebc-to-mlir", 0, "cuda_tile.module @kernels {\n  entry @k(%arg0: tile<ptr<f32>>) {", ""},
		{"generic", file, "--cudatilebc-to-mlir --generic-form", 0, `"cuda_tile.module"() `, ""},
		{"disassemble", file, "--disassemble -", 0, "entry @k(%arg0: tile<ptr<f32>>) {\n  %cst_1_f32 = constant <f32: 1.000000e+00>", ""},
		{"debug info", file, "-g --disassemble", 0, "loc(unknown)", ""},
		{"stat", file, "--stat", 0, "Tile IR bytecode 13.1", ""},
		{"hexdump", file, "--hexdump", 0, "%2 = cuda_tile.exp %1", ""},
		{"other version", file, "--mlir-to-cudatilebc --bytecode-version=13.4", 0, "\x7fTileIR\x00\x0d\x04\x00\x00", ""},
		{"round trip", kernel, "--test-cudatile-roundtrip", 0, "store_ptr_tko weak %arg0, %0 token=%1 : ", ""},
		{"round trip of old version", atan2, "--test-cudatile-roundtrip --bytecode-version=13.1", 1, "",
			"<stdin>:3:10: error: operation 'cuda_tile.atan2' is not available in bytecode version 13.1"},
		{"module", "module {\n" + atan2 + "}\n", "--test-cudatile-roundtrip", 0, "atan2 %arg0, %arg0", ""},
		{"no module", atan2, "--no-implicit-module --test-cudatile-roundtrip", 0, "atan2", ""},
		{"two modules", atan2 + strings.Replace(atan2, "@m", "@n", 1), "--test-cudatile-roundtrip", 1, "", "expected a single CUDA Tile IR module"},
		{"split", atan2 + "// -----\n" + kernel, "--split-input-file --test-cudatile-roundtrip", 0, "atan2", ""},
		{"split with error", atan2 + "// -----\nentry @k() { frob }\n", "--split-input-file --test-cudatile-roundtrip", 1, "", "<stdin>:8:14: error"},
		{"hints", strings.Replace(kernel, ") {", ") optimization_hints=<sm_80 = {frob = 3}> {", 1),
			"--test-cudatile-roundtrip -Wunsupported-hints -Werr-hints", 1, "", "frob is not known hint"},
		{"not verified", "entry @k() {\n  break\n}\n", "--test-cudatile-roundtrip", 1, "", "error"},
		{"versions", "", "--list-versions", 0, "13.1\n13.2\n13.3\n13.4\n13.5\n", ""},
		{"help", "", "-help", 0, "--bytecode-version VERSION", ""},

		{"no action", file, "", 2, "", "expected an action"},
		{"two actions", file, "--stat --hexdump", 2, "", "--stat cannot be combined with --hexdump"},
		{"unknown flag", file, "--disasemble", 2, "", "unknown flag '--disasemble' (did you mean 'disassemble'?)"},
		{"unknown version", kernel, "--mlir-to-cudatilebc --bytecode-version=12.9", 2, "",
			"Invalid argument '12.9': the supported versions are [13.1 - 13.5]"},
		{"text as bytecode", kernel, "--cudatilebc-to-mlir", 1, "", "input does not correspond to Tile IR bytecode"},
		{"missing file", "", "--stat none.tileirbc", 1, "", "none.tileirbc"},
		{"truncated", file[:len(file)-20], "--disassemble", 1, "", "error: <stdin>: offset "},
		{"truncated stat", file[:len(file)-20], "--stat", 1, "function ", "exceeds the remaining"},
		{"damaged body", strings.Replace(file, "\x5c\x00\x00", "\x5c\x00\x7f", 1), "--cudatilebc-to-mlir", 1, "",
			"function section, function @k: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := run(tt.input, strings.Fields(tt.args)...)
			if status != tt.status || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.err) || (tt.err == "") != (errs == "") {
				t.Errorf("status %d, want %d; output\n%s\nerrors\n%s", status, tt.status, out, errs)
			}
		})
	}
}

// TestVerifyDiagnostics holds errors of reading, writing and the command's own against the comments in the input.
func TestVerifyDiagnostics(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, input, args string
		status            int
		err               string
	}{
		{"parser", "entry @k() {\n  // expected-error@below {{is unknown}}\n  frob\n}\n", "", 0, ""},
		{"writer", "// expected-error@below {{only ops from the 'cuda_tile' dialect are allowed}}\ncuda_tile.module @m {\n  entry @k() {\n" +
			"    // expected-remark@below {{invalid op: test.op}}\n    \"test.op\"() : () -> ()\n  }\n}\n", "--allow-unregistered-dialect", 0, ""},
		{"type", "// expected-error@unknown {{type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting 13.1}}\nentry @k(%a: tile<f8E8M0FNU>) {\n}\n",
			"--bytecode-version=13.1", 0, ""},
		{"view parameter", "// expected-error@below {{unsupported type in bytecode for entry argument #1: '!cuda_tile.tensor_view<8xf32, strides=[1]>', expected a rank-0 !cuda_tile.tile type}}\n" +
			"entry @k(%a: tile<i32>, %v: tensor_view<8xf32, strides=[1]>) {\n}\n", "", 0, ""},
		{"pointer parameter", "// expected-error@below {{unsupported type in bytecode for entry argument #0: '!cuda_tile.ptr<f16>'}}\n" +
			"entry @k(%p: !cuda_tile.ptr<f16>) {\n}\n", "", 0, ""},
		{"parts", kernel + "// -----\n// expected-error@unknown {{expected a single CUDA Tile IR module}}\nmodule {\n}\n", "--split-input-file", 1,
			"<stdin>:10:1: error: unexpected error: expected a single CUDA Tile IR module in the MLIR module\n<stdin>:9: error: expected error"},
		{"hints", "// expected-warning@below {{frob is not known hint}}\nentry @k() optimization_hints=<sm_80 = {frob = 3}> {\n}\n", "-Wunsupported-hints", 0, ""},
		{"nothing comes", "// expected-error@below {{oops}}\n" + kernel, "", 1, "<stdin>:1: error: expected error \"oops\" was not produced"},
		{"not expected", "entry @k() {\n  frob\n}\n", "", 1, "<stdin>:2:3: error: unexpected error: custom op 'frob' is unknown"},
		{"only expected", "entry @k() {\n  frob\n}\n", "--verify-diagnostics=only-expected", 0, ""},
		{"unknown mode", "", "--verify-diagnostics=none", 2, "--verify-diagnostics must be all, only-expected, but got 'none'"},
		{"no line above", "// expected-error@-3 {{x}}\n", "", 1, "there is no line -3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--mlir-to-cudatilebc", "--verify-diagnostics"}, strings.Fields(tt.args)...)
			status, out, errs := run(tt.input, args...)
			if status != tt.status || out != "" || !strings.Contains(errs, tt.err) || (tt.err == "") != (errs == "") {
				t.Errorf("status %d, want %d; output\n%q\nerrors\n%s", status, tt.status, out, errs)
			}
		})
	}
}

// TestOutputFile writes files completely or not at all.
func TestOutputFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.tileirbc")
	if status, out, errs := run(kernel, "--mlir-to-cudatilebc", "-o", path); status != 0 || out != "" || errs != "" {
		t.Fatalf("status %d, %q, %q", status, out, errs)
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytecode.Is(data) {
		t.Fatalf("no bytecode: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "bad")
	for _, action := range []string{"--disassemble", "--hexdump"} {
		if status, _, _ := run(string(data[:40]), action, "-o", bad); status != 1 {
			t.Errorf("%s: status %d", action, status)
		}
		if _, err := os.Stat(bad); !os.IsNotExist(err) {
			t.Errorf("%s: a file was left behind", action)
		}
	}
}

// TestDisassembleCorpus compares with the reference disassembler, with and without locations.
func TestDisassembleCorpus(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(corpus.Dir(t), "bytecode")
	listings, err := filepath.Glob(filepath.Join(dir, "*.g.mlir"))
	if err != nil || len(listings) == 0 {
		t.Fatalf("no listings: %v", err)
	}
	for _, file := range listings {
		stem := strings.TrimSuffix(file, ".g.mlir")
		for listing, args := range map[string][]string{file: {"-disassemble", "-g"}, stem + ".mlir": {"-disassemble"}} {
			want, err := os.ReadFile(listing)
			if err != nil {
				t.Fatal(err)
			}
			if status, got, errs := run("", append(args, stem+".tileirbc")...); status != 0 || got != string(want) {
				t.Errorf("%s: status %d, %s, output differs", listing, status, errs)
			}
		}
	}
}
