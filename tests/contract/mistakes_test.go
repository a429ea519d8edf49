package contract

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A source is who words a phrase so.
type source string

const (
	public source = "NVIDIA/cuda-tile"                                // its code or its tests
	tools  source = "tileiras and tileirdisasm 13.5"                  // tried
	third  source = "the third-party description of the closed tools" // not contradicted by the others
	ours   source = "this project"                                    // a hint beside the words of others
)

// A phrase is part of an answer.
type phrase struct {
	text string
	by   source
}

// The tools that are asked.
const (
	opt        = "tile-opt"
	translator = "tile-translate --cudatilebc-to-mlir"
	tileiras   = "tileiras --gpu-name=sm_100"
	tilec      = "tilec"
)

// kernel returns the text of a module with an entry @k.
func kernel(params, body string) string {
	return "cuda_tile.module @m {\n  entry @k(" + params + ") {\n    " + body + "\n    return\n  }\n}\n"
}

const tview = "tensor_view<4xf32, strides=[1]>"

var mistakes = []struct {
	name    string
	input   string
	tool    string
	phrases []phrase
}{
	{"func.func instead of entry", "cuda_tile.module @m {\n  func.func @k() {\n    func.return\n  }\n}\n", opt, []phrase{
		{"custom op 'func.func' is unknown", public}, {"note: a kernel is a 'cuda_tile.entry' in a 'cuda_tile.module'", ours}}},
	{"MLIR bytecode", mlirBytecode, tileiras, []phrase{
		{"input does not correspond to Tile IR bytecode (it looks like MLIR bytecode instead)", tools}}},
	{"MLIR bytecode, disassembled", mlirBytecode, translator, []phrase{
		{"input does not correspond to Tile IR bytecode (it looks like MLIR bytecode instead)", tools}}},
	{"MLIR bytecode where text is accepted too", mlirBytecode, opt, []phrase{
		{"invalid magic number at position 0, got 77 expected 127", public}, {"it looks like MLIR bytecode", tools}}},
	{"no bytecode", "hello, world", tileiras, []phrase{{"error: input does not correspond to Tile IR bytecode\n", tools}}},
	{"MLIR's end of the magic number", "\x7fTileIR\n\x0d\x01\x00\x00", opt, []phrase{
		{"invalid magic number at position 7, got 10 expected 0", public}}},
	{"another version", "\x7fTileIR\x00\x0e\x01\x00\x00", opt, []phrase{
		{"unsupported Tile version 14.1.0, this reader supports versions [13.1 - 13.5]", public}}},
	{"dialect of the lowering", kernel("", `"cute.copy"() : () -> ()`), opt, []phrase{
		{"operation being parsed with an unregistered dialect", public}, {"note: unregistered dialect: cute", third}}},
	{"type of another dialect", kernel("%p: !llvm.ptr", ""), opt, []phrase{{"of unregistered dialect 'llvm'", public}}},
	{"attribute tags of MLIR", "", translator, []phrase{ // the input is made below
		{"unsupported AttributeTag 14 for self-contained attribute", public}, {"unknown attribute tag 14", third}}},
	{"no operandSegmentSizes", kernel("%p: tile<ptr<f32>>", `%a, %b = "cuda_tile.load_ptr_tko"(%p) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>}> : `+
		`(!cuda_tile.tile<ptr<f32>>) -> (!cuda_tile.tile<f32>, !cuda_tile.token)`), opt, []phrase{{"operandSegmentSizes", public}}},
	{"token at another place", kernel("%p: tile<ptr<f32>>, %m: tile<i1>, %x: tile<f32>", "%t = make_token : token\n"+
		`%a, %b = "cuda_tile.load_ptr_tko"(%p, %t, %m, %x) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : `+
		"(!cuda_tile.tile<ptr<f32>>, !cuda_tile.token, !cuda_tile.tile<i1>, !cuda_tile.tile<f32>) -> (!cuda_tile.tile<f32>, !cuda_tile.token)"), opt, []phrase{
		{"operand #1 must be tile of i1 values, but got '!cuda_tile.token'", public}}},
	{"no _tko", kernel("%p: tile<ptr<f32>>", "%a, %b = load_ptr weak %p : tile<ptr<f32>> -> tile<f32>, token"), opt, []phrase{
		{"custom op 'load_ptr' is unknown", public}, {"note: operations that tokens order end in '_tko': 'load_ptr_tko'", ours}}},
	{"tensor instead of tile", kernel("", "%c = constant <f32: 1.0> : tensor<16xf32>"), opt, []phrase{{"must be tile of", public}, {"but got 'tensor<16xf32>'", public}}},
	{"view out of an if", kernel("%p: tile<ptr<f32>>, %c: tile<i1>", "%v = if %c -> ("+tview+") {\n"+
		"%t = make_tensor_view %p, shape = [4], strides = [1] : "+tview+"\nyield %t : "+tview+"\n} else {\n"+
		"%t = make_tensor_view %p, shape = [4], strides = [1] : "+tview+"\nyield %t : "+tview+"\n}"), opt, []phrase{{"is a tensor_view, which is not supported", public}}},
	{"view out of a for", kernel("%p: tile<ptr<f32>>, %n: tile<i32>", "%t = make_tensor_view %p, shape = [4], strides = [1] : "+tview+"\n"+
		"%v = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %t) -> ("+tview+") {\ncontinue %a : "+tview+"\n}"), opt, []phrase{
		{"is a tensor_view, which is not supported", public}}},
	{"dimension that is no power of two", kernel("", "%c = constant <f32: 1.0> : tile<48xf32>"), opt, []phrase{{"all dimensions must be powers of two, got 48", public}}},
	{"too many elements", kernel("", "%c = constant <f32: 1.0> : tile<8192x4096xf32>"), opt, []phrase{{"tile would exceed the maximum of 16777216 elements", public}}},
	{"another target", "module attributes {nv_tileaa.compute_capability = 90 : i32} {\n}\n", tilec + " --gpu-name=sm_100", []phrase{
		{"the module is for 'sm_90' (nv_tileaa.compute_capability = 90 : i32), but --gpu-name is 'sm_100'", ours}}},
	{"no target and no module", "", "tileiras", []phrase{{"input does not correspond to Tile IR bytecode", tools}}},
}

// mlirBytecode is the start of a file that mlir-opt wrote.
const mlirBytecode = "ML\xefR\x0d\x01\x00\x00MLIR20.0.0git\x00\x00"

// TestMistakes holds the tools to the table.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			input := m.input
			if m.name == "attribute tags of MLIR" {
				input = wrongTag(t)
			}
			file := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(file, []byte(input), 0o644); err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(m.tool)
			args := append(words[1:], file)
			var out, errs bytes.Buffer
			var status int
			switch words[0] {
			case "tile-opt":
				status = opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs)
			case "tile-translate":
				status = translatetool.Main(args, strings.NewReader(""), &out, &errs)
			case "tileiras": // as PTX, which needs no assembler
				status = compiletool.Main(context.Background(), words[0], append(args, "--emit=ptx"), strings.NewReader(""), &out, &errs)
			default:
				status = compiletool.Main(context.Background(), words[0], args, strings.NewReader(""), &out, &errs)
			}
			if status == 0 {
				t.Errorf("%s takes it", m.tool)
			}
			for _, p := range m.phrases {
				if !strings.Contains(errs.String(), p.text) {
					t.Errorf("%s says\n%s\nwithout %q (%s)", m.tool, &errs, p.text, p.by)
				}
			}
		})
	}
}

// wrongTag returns a file in which an attribute has a tag that there is not.
func wrongTag(t *testing.T) string {
	t.Helper()
	module, err := asm.Parse(tileir.NewContext(), "k.mlir", []byte(kernel("%n: tile<i32>", "%a = assume div_by<16>, %n : tile<i32>")), tileir.Syntax())
	if err != nil {
		t.Fatal(err)
	}
	data, err := bytecode.Encode(module.Body().First(), bytecode.Options{Version: cudatile.V13_1})
	if err != nil {
		t.Fatal(err)
	}
	const divBy, divisor, none = 8, 16, 14
	at := bytes.Index(data, []byte{divBy, divisor})
	if at < 0 {
		t.Fatal("there is no div_by<16> in the file")
	}
	data[at] = none
	return string(data)
}

// TestCompiledFor says what becomes of attributes on the way through tilec: the module names the target, also one
// that is not the default.
func TestCompiledFor(t *testing.T) {
	t.Parallel()
	for attrs, target := range map[string]string{
		"": ".target sm_90\n", "attributes {nv_tileaa.compute_capability = 120 : i32}": ".target sm_120\n",
		`attributes {nv_tileaa.target_spec = "sm_80"}`: ".target sm_80\n",
	} {
		file := filepath.Join(t.TempDir(), "k.mlir")
		if err := os.WriteFile(file, []byte("module "+attrs+" {\n"+kernel("", "")+"}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := compiletool.Main(context.Background(), "tilec", []string{file}, strings.NewReader(""), &out, &errs); status != 0 || !strings.Contains(out.String(), target) {
			t.Errorf("%s: status %d\n%s%s", attrs, status, &out, &errs)
		}
	}
}

// TestNamesWhatBytecodeLoses says that what bytecode does not hold is named when it is written.
func TestNamesWhatBytecodeLoses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "k.mlir")
	text := "module attributes {nv_tileaa.compute_capability = 90 : i32, tt.num_warps = 8 : i32, mine.own = 1 : i32} {\ncuda_tile.module @m {\nentry @k() {\nreturn\n} {nvvm.maxnreg = 64 : i32}\n}\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := translatetool.Main([]string{"--mlir-to-cudatilebc", file}, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	for _, want := range []string{
		"warning: not written, because Tile IR bytecode has no place for it: 'nv_tileaa.compute_capability', 'tt.num_warps'\n",
		"warning: not written, because Tile IR bytecode has no place for it: 'nvvm.maxnreg'\n",
	} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%s\nwithout %s", &errs, want)
		}
	}
}
