package runtool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// kernel adds 1 to 16 elements for each CTA.
const kernel = `entry @add_one(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %one = constant <f32: 1.0> : tile<16xf32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %t = make_token : token
  %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(16), padding_value = zero, tensor_view<?xf32, strides=[1]>>
  %a, %t1 = load_view_tko weak %w[%x] token = %t : partition_view<tile=(16), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
  %b = addf %a, %one : tile<16xf32>
  %t2 = store_view_tko weak %b, %w[%x] token = %t1 : tile<16xf32>, partition_view<tile=(16), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  return
}
`

// spin stores for ever.
const spin = `entry @spin(%p: tile<ptr<f32>>) {
  %one = constant <f32: 1.0> : tile<f32>
  loop {
    %t = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token
    continue
  }
  return
}
`

// folder makes a folder of inputs: the embedded case, variants of it that are wrong, a kernel as text, as PTX, and
// arrays.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cases := filepath.Join(dir, "cases")
	original, err := demo.Extract(cases)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(original, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	variant := func(name string, edit func(map[string]any)) {
		var c map[string]any
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		edit(c)
		edited, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.CopyFS(to, os.DirFS(original)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, "case.json"), edited)
	}
	variant("no-entry", func(c map[string]any) { c["entry"] = "matmul_f1" })
	variant("few-arguments", func(c map[string]any) { c["args"] = c["args"].([]any)[:11] })
	variant("wrong-type", func(c map[string]any) { c["args"].([]any)[1] = map[string]any{"scalar": "f32", "value": 1.5} })
	variant("no-pointer", func(c map[string]any) { c["args"].([]any)[0] = map[string]any{"scalar": "i64", "value": 0} })
	variant("mismatch", func(c map[string]any) { c["expect"].([]any)[0].(map[string]any)["file"] = "out.npy" })
	variant("truncated", func(map[string]any) {})
	bytecode, err := os.ReadFile(filepath.Join(original, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "truncated", "k.tileirbc"), bytecode[:100])
	write(t, filepath.Join(dir, "k.mlir"), []byte(kernel))
	write(t, filepath.Join(dir, "spin.mlir"), []byte(spin))
	write(t, filepath.Join(dir, "bad.mlir"), []byte("entry @k() {\n  frobnicate\n}\n"))
	write(t, filepath.Join(dir, "bad.json"), []byte("{"))
	write(t, filepath.Join(dir, "k.ptx"), []byte(`// stores 7
.version 7.8
.target sm_90
.address_size 64
.visible .entry seven(.param .u64 p)
.reqntid 1
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	st.global.b32 [%rd1], 7;
	ret;
}
`))
	write(t, filepath.Join(dir, "threads.ptx"), []byte(`.version 7.8
.target sm_90
.address_size 64
.extern .shared .align 4 .b32 dynamic[];
.visible .entry number(.param .u64 p)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %dynamic_smem_size;
	add.u32 %r3, %r1, %r2;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.b32 [%rd3], %r3;
	ret;
}
`))
	write(t, filepath.Join(dir, "racing.ptx"), []byte(`.version 7.8
.target sm_90
.address_size 64
.visible .entry racing(.param .u64 p)
.reqntid 64
{
	.reg .b32 %r<8>;
	.shared .align 4 .b8 s[256];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, s;
	add.u32 %r4, %r3, %r2;
	st.shared.u32 [%r4], %r1;
	xor.b32 %r5, %r4, 128;
	ld.shared.u32 %r6, [%r5];
	ret;
}
`))
	numbers := make([]byte, 4*3)
	for i := range 3 {
		numbers[4*i] = byte(64 + i)
	}
	if err := npy.WriteFile(filepath.Join(dir, "numbers.npy"), &npy.Array{DType: npy.Int32, Shape: []int{3}, Data: numbers}); err != nil {
		t.Fatal(err)
	}
	ones := make([]byte, 4*20)
	for i := range 20 {
		copy(ones[4*i:], []byte{0, 0, 0x80, 0x3f})
	}
	if err := npy.WriteFile(filepath.Join(dir, "ones.npy"), &npy.Array{DType: npy.Float32, Shape: []int{20}, Data: ones}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func call(dir, args, stdin string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = runtool.Main(context.Background(), strings.Fields(strings.ReplaceAll(args, "IN/", dir+"/")), strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

// TestRun calls the tool. IN stands for the folder of inputs.
func TestRun(t *testing.T) {
	t.Parallel()
	launch := " --entry add_one --grid 2 --arg f32[20] --arg i32:20"
	for i, tt := range []struct {
		args   string
		status int
		out    []string // substrings
		errors string   // substring; empty: nothing is written there
	}{
		{"IN/cases/matmul_f16/case.json", 0, []string{"matmul_f16 [interp]: arg 10 (f16[9064]): ok, max abs "}, ""},
		{"IN/cases/matmul_f16 --engine=ptx -gpu-name=sm_80 -O0", 0, []string{"matmul_f16 [ptx]: arg 10 (f16[9064]): ok"}, ""},
		{"IN/cases --level=tileas --thread-races --adversarial --seed=3", 0, []string{"matmul_f16 [interp]: arg 10 (f16[9064]): ok"}, ""},
		{"IN/cases --engine=ptx --adversarial --seed=3", 0, []string{"matmul_f16 [ptx]: arg 10 (f16[9064]): ok"}, ""},
		{"IN/cases IN/mismatch", 1, []string{"mismatch [interp]: arg 10 (f16[9064]): 8983 of 9064 elements differ", "first at 0: got ",
			"case        engine  result ", "2 runs: 1 ok, 1 mismatch\n"}, ""},
		{"IN/cases --diff-engines=interp,ptx", 0, []string{"matmul_f16 [interp]: arg 10", "matmul_f16 [ptx]: arg 10", "matmul_f16 [ptx against interp]: arg 0 (f16[8000]): ok"}, ""},
		{"IN/cases --json --engine ptx", 0, []string{`"case": "matmul_f16"`, `"verdict": "ok"`, `"ThreadInstructions": `}, ""},
		{"IN/k.mlir --check 0=IN/ones.npy" + launch, 0, []string{"add_one [interp]: arg 0 (f32[20]): ok\n"}, ""},
		{"IN/k.mlir --check 0=IN/ones.npy,atol=0.5 --engine=ptx --entry add_one --grid 2,1,1 --arg f32:IN/ones.npy --arg i32:20", 1,
			[]string{"20 of 20 elements differ, max abs 1 at 0", "first at 0: got 2, want 1"}, ""},
		{"IN/k.mlir --diff-engines interp,ptx" + launch, 0, []string{"add_one [ptx against interp]: arg 0 (f32[20]): ok"}, ""},
		{"IN/k.mlir" + launch, 0, []string{"add_one [interp]: no outputs to compare"}, ""},
		{"-" + launch, 0, []string{"no outputs to compare"}, ""},
		{"IN/cases --level=tileaa", 0, []string{"matmul_f16 [interp]: arg 10 (f16[9064]): ok"}, ""},
		{"IN/cases --level=tileas --gpu-name=sm_80 -O0", 0, []string{"matmul_f16 [interp]: arg 10 (f16[9064]): ok"}, ""},
		{"IN/k.ptx --engine=ptx --entry seven --grid 1 --arg i32[1]", 0, []string{"seven [ptx]: no outputs"}, ""},
		{"--help", 0, []string{"tile-run --demo"}, ""},

		{"IN/no-entry", 1, nil, "no-entry: module has no entry 'matmul_f1' (did you mean 'matmul_f16'?); entries: matmul_f16"},
		{"IN/few-arguments --engine=ptx", 1, nil, "entry 'matmul_f16' has 15 parameters, but got 11 arguments; parameters: 0: tile<ptr<f16>>, 1: tile<i32>, "},
		{"IN/wrong-type", 1, nil, "argument 1 of entry 'matmul_f16' is f32:1.5, which does not fit the parameter's type tile<i32>"},
		{"IN/no-pointer --engine=ptx", 1, nil, "argument 0 of entry 'matmul_f16' is i64:0, which does not fit the parameter's type tile<ptr<f16>>"},
		{"IN/truncated", 1, nil, "k.tileirbc: offset "},
		{"IN/truncated IN/cases", 1, []string{"2 runs: 1 ok, 1 error\n"}, "truncated: 'IN/truncated/k.tileirbc' was rejected"},
		{"IN/bad.json", 1, nil, "bad.json: "},
		{"IN/none.json", 1, nil, "no such file"},
		{"IN/empty", 1, nil, "no case.json in 'IN/empty' or a folder in it"},
		{"IN/bad.mlir --entry k --grid 1", 1, nil, "bad.mlir:2:3: error: "},
		{"IN/k.mlir --entry add_one --grid 1 --arg f32[4]", 1, nil, "entry 'add_one' has 2 parameters, but got 1 arguments"},
		{"IN/threads.ptx --engine=ptx --entry number --grid 1 --block 3 --shared-bytes 64 --arg i32[3] --check 0=IN/numbers.npy", 0, []string{"number [ptx]: arg 0 (i32[3]): ok"}, ""},
		{"IN/threads.ptx --engine=ptx --entry number --grid 1 --arg i32[3]", 1, nil, "no block shape is given"},
		{"IN/k.mlir --engine=ptx --entry add_one --grid 1 --block 3 --arg f32[20] --arg i32:20", 1, nil, "--block is for PTX, but"},
		{"IN/k.mlir --entry k --grid 1 --block 3 --arg f32[20] --arg f32[20]", 2, nil, "--block is for the engines 'ptx' and 'cuda', none of which is asked for"},
		{"IN/k.ptx --engine=ptx --entry seven --grid 1 --block 0 --arg i32[1]", 2, nil, "--block=0: '0' is not a number from 1 to"},
		{"IN/k.ptx --entry seven --grid 1 --arg i32[1]", 1, nil, "k.ptx' is PTX, which only engine ptx runs"},
		{"IN/k.ptx --engine=ptx --entry seven --grid 1 --arg i64:8", 1, nil, "address 0x8"},
		{"IN/spin.mlir --entry spin --grid 1 --arg f32[1] --timeout=50ms", 1, nil, "spin: the launch took longer than 50ms"},
		{"IN/spin.mlir --entry spin --grid 1 --arg f32[1] --timeout=50ms --engine=ptx", 1, nil, "spin: the launch took longer than 50ms"},
		{"IN/spin.mlir --entry spin --grid 1 --arg f32[1] --max-steps=1000", 1, nil, "is operation 1001, more than the limit for a tile block"},
		{"IN/k.mlir --trace=mising" + launch, 1, nil, "no operation of entry 'add_one' has a result '%mising'"},

		{"", 2, nil, "no case and no module named"},
		{"IN/cases --repeat=-1", 2, nil, "--repeat must be 0 to 1048576, but got -1"},
		{"IN/cases --trace=all --trace-block=1,x", 2, nil, "--trace-block=1,x: 'x' is not a number from 0 to 2147483647"},
		{"IN/cases --engine=interpreter", 2, nil, "unknown engine 'interpreter' (did you mean 'interp'?); engines: interp, tileaa, tileas, ptx, cuda\n"},
		{"IN/cases --engine=cuda --adversarial", 2, nil, "--adversarial is for the engines 'interp', 'tileaa', 'tileas' and 'ptx', none of which is asked for"},
		{"IN/cases --engine=ptx --sync-check", 0, []string{"'matmul_f16': nothing found, for all schedules of this launch", "matmul_f16 [ptx]: arg 10"}, ""},
		{"IN/cases IN/cases --engine=ptx --sync-check", 0, []string{"2 runs: 2 ok"}, ""},
		{"IN/racing.ptx --engine=ptx --sync-check --grid 1 --arg i32[64]", 1, []string{"race: an order between the write and the read", "for all schedules of this launch", "racing [ptx]: no outputs"}, ""},
		{"IN/racing.ptx --engine=ptx --sync-check --grid 1 --arg i32[64] --json", 1, []string{`"verdict": "synchronization"`, `"verdict": "findings"`}, ""},
		{"IN/racing.ptx --engine=ptx --grid 1 --arg i32[64]", 0, []string{"racing [ptx]: no outputs"}, ""},
		{"IN/cases --sync-check", 2, nil, "--sync-check is for the engine 'ptx', which is not asked for"},
		{"IN/cases --engine=ptx --races", 2, nil, "--races is for the engines 'interp', 'tileaa' and 'tileas', none of which is asked for"},
		{"IN/cases --engine=tileas --level=tileas", 2, nil, "--level is for the engine 'interp', which is not asked for"},
		{"IN/cases --engine=ptx --seed=3", 2, nil, "--seed is for --adversarial, --fuzz and the engines that interpret"},
		{"IN/cases --level=tile", 2, nil, "unknown level 'tile'"},
		{"IN/cases --gpu-name=sm_70", 2, nil, "unknown architecture 'sm_70', expected one of sm_80, "},
		{"IN/cases -O5", 2, nil, "optimisation level must be 0 to 3, but got 5"},
		{"IN/cases --diff-engines=interp", 2, nil, "--diff-engines needs two engines or more, but got 'interp'"},
		{"IN/cases --diff-engines=interp,interp", 2, nil, "engine 'interp' is named twice"},
		{"IN/cases --diff-engines=interp,ptx --engine=ptx", 2, nil, "--engine cannot be combined with --diff-engines"},
		{"IN/cases --entry x", 2, nil, "--entry describes the launch of a module, but 'IN/cases' is a case"},
		{"IN/cases --out 0=x.npy", 2, nil, "--out names one folder for the outputs of cases"},
		{"IN/k.mlir IN/bad.mlir --entry k --grid 1", 2, nil, "expected one module, but got 'IN/k.mlir' and 'IN/bad.mlir'"},
		{"IN/k.mlir --grid 1", 1, nil, "has 2 parameters, but got 0 arguments"},
		{"IN/k.mlir --entry k", 2, nil, "needs --grid"},
		{"IN/k.mlir --entry k --grid 0", 2, nil, "--grid=0: '0' is not a number from 1 to 2147483647"},
		{"IN/k.mlir --entry k --grid 1,1,1,1", 2, nil, "--grid has 4 dimensions"},
		{"IN/k.mlir --entry k --grid 1 --arg x", 2, nil, `argument "x": expected TYPE:VALUE, TYPE:FILE or TYPE[N]`},
		{"IN/k.mlir --entry k --grid 1 --arg i32:5 --out 0=x.npy", 2, nil, `output "0=x.npy": argument 0 is not a buffer`},
		{"IN/k.mlir --entry k --grid 1 --arg i32:5 --check 0=x.npy", 2, nil, "argument 0 is not a buffer"},
		{"--demo IN/cases", 2, nil, "--demo takes no input"},
		{"--serve --shm-fd=1", 2, nil, "--shm-fd must be 3 or more, but got 1: lower numbers are the standard streams"},
		{"--serve --shm-fd=4095", 1, nil, "shared memory: stat descriptor 4095: bad file descriptor"},
		{"--frobnicate", 2, nil, "unknown flag '--frobnicate'"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) { // the folder has the name of the test, and must not contain commas
			t.Parallel()
			dir := folder(t)
			status, out, errs := call(dir, tt.args, kernel)
			if status != tt.status {
				t.Errorf("%s: status %d, want %d", tt.args, status, tt.status)
			}
			for _, want := range tt.out {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q in output\n%s", tt.args, want, out)
				}
			}
			if want := strings.ReplaceAll(tt.errors, "IN/", dir+"/"); !strings.Contains(errs, want) || want == "" && errs != "" {
				t.Errorf("%s: errors are\n%swant %q", tt.args, errs, tt.errors)
			}
		})
	}
}

// TestOutputs checks the files that runs write.
func TestOutputs(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if status, _, errs := call(dir, "IN/k.mlir --entry add_one --grid 2 --arg f32[20]=0.5 --arg i32:20 --out 0=IN/o.npy", ""); status != 0 {
		t.Fatal(errs)
	}
	a, err := npy.ReadFile(filepath.Join(dir, "o.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if want := bytes.Repeat([]byte{0, 0, 0xc0, 0x3f}, 20); a.DType != npy.Float32 || !bytes.Equal(a.Data, want) {
		t.Errorf("got %+v", a)
	}
	if status, _, errs := call(dir, "IN/cases --out IN/one", ""); status != 0 {
		t.Fatal(errs)
	}
	if status, _, errs := call(dir, "IN/cases --diff-engines=interp,ptx --out IN/two", ""); status != 0 {
		t.Fatal(errs)
	}
	for _, file := range []string{"one/matmul_f16/arg10.npy", "two/matmul_f16/interp/arg10.npy", "two/matmul_f16/ptx/arg10.npy"} {
		a, err := npy.ReadFile(filepath.Join(dir, file))
		if err != nil || a.DType != npy.Float16 || a.Len() != 9064 {
			t.Errorf("%s: got %v %v, %v", file, a.DType, a.Shape, err)
		}
	}
}

// TestDemo runs the demonstration: everything has its place on a screen or two, without colour where that is no
// terminal.
func TestDemo(t *testing.T) {
	t.Parallel()
	for gpu, ran := range map[string]string{"sm_80": "1536 threads in 48 warps", "sm_90": "1920 threads in 60 warps", "sm_120": "1920 threads in 60 warps"} { // there one of five warps loads
		status, out, errs := call("", "--demo --gpu-name="+gpu, "")
		if status != 0 || errs != "" {
			t.Errorf("status %d\n%s", status, errs)
		}
		for _, want := range []string{"version 13.3", "@matmul_f16, 15 parameters", "for " + gpu + " at -O3", "nv_tileaa ", "nv_tileas ", "nvvm ",
			"Passes: ", " mma m16n8k16", "bra $L", "on the tiles of the input  ok  9064 elements", "on the PTX                    ok  9064 elements",
			ran} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", gpu, want, out)
			}
		}
		if n := strings.Count(out, "\n"); n > 60 {
			t.Errorf("%s: %d lines", gpu, n)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%s: coloured", gpu)
		}
	}
}

// TestCancelled checks that a run ends with its context.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	dir := folder(t)
	if status := runtool.Main(ctx, []string{filepath.Join(dir, "cases")}, nil, &out, &errs); status != 1 || !strings.Contains(errs.String(), "canceled") {
		t.Errorf("status %d\n%s", status, &errs)
	}
}
