package dropin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/programs"
)

// shown are kernels of the corpus whose cubins are compared: one with tensor cores and many parameters, and a
// reduction.
var shown = []string{"matmul_f16", "softmax_rows_f16"}

// TestCubins holds what clients read of a cubin beside what tileiras makes of the same kernel: the language by which
// the driver knows a tile kernel, the threads of a block, which the launch does not give, shared memory that is all
// static, and parameters of the kernel and no others.
func TestCubins(t *testing.T) {
	t.Parallel()
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	ours := filepath.Join(programs.Install(t), program)
	cases := filepath.Join(corpus.Dir(t), "cases")
	for i, name := range shown {
		file := filepath.Join(cases, name, "k.tileirbc")
		for k, gpu := range tier.Generations {
			if !tier.Try(i+k, 4) {
				continue
			}
			t.Run(name+" "+gpu, func(t *testing.T) {
				t.Parallel()
				theirs, err := kernels(t, reference, assembler, file, gpu)
				if err != nil {
					t.Fatal(err)
				}
				got, err := kernels(t, ours, assembler, file, gpu)
				if err != nil {
					t.Fatal(err)
				}
				compareKernels(t, got, theirs)
			})
		}
	}
}

// compareKernels holds what clients read of a cubin beside what tileiras says there.
func compareKernels(t *testing.T, got, theirs []*cubin.Kernel) {
	t.Helper()
	if len(got) != len(theirs) {
		t.Fatalf("%d kernels, want %d", len(got), len(theirs))
	}
	for i, k := range got {
		want := theirs[i]
		t.Logf("%s: ours %+v", k.Name, *k)
		t.Logf("%s: theirs %+v", k.Name, *want)
		if k.Name != want.Name || k.Language != want.Language || k.Language != 7 {
			t.Errorf("kernel %s, language %d, want %s, %d", k.Name, k.Language, want.Name, want.Language)
		}
		if k.Block[0] < 32 || k.Block[1] != 1 || k.Block[2] != 1 || k.Registers == 0 {
			t.Errorf("%s: threads %v, %d registers", k.Name, k.Block, k.Registers)
		}
		if len(k.Params) > len(want.Params) || !slices.Equal(k.Params, want.Params[:len(k.Params)]) {
			t.Errorf("%s: parameters %v, want %v", k.Name, k.Params, want.Params)
		}
	}
}

// TestStaticShared compiles a kernel with more shared memory than a module may declare without asking for it.
func TestStaticShared(t *testing.T) {
	t.Parallel()
	assembler := judges.Ptxas(t)
	ours := filepath.Join(programs.Install(t), program)
	file := filepath.Join(t.TempDir(), "large.tileirbc")
	if err := os.WriteFile(file, encode(t, largeProduct), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := kernels(t, ours, assembler, file, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].StaticShared <= 48<<10 {
		t.Errorf("got %+v, want more than 48 KiB of static shared memory", got)
	}
}

const largeProduct = `cuda_tile.module @kernels {
  entry @large(%p: tile<ptr<f16>>, %q: tile<ptr<f32>>) {
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %n = constant <i32: 64> : tile<i32>
    %v = make_tensor_view %p, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %a = make_partition_view %v : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %w = make_tensor_view %p, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %b = make_partition_view %w : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %o = make_tensor_view %q, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %d = make_partition_view %o : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%c0, %i] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b[%i, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s : tile<128x128xf32>
    }
    %t = store_view_tko weak %r, %d[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
`

// kernels compiles a file and reads the cubin. The error is what the compiler says.
func kernels(t *testing.T, program, assembler, file, gpu string) ([]*cubin.Kernel, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "k.cubin")
	cmd := exec.Command(program, file, "-o", out, "--gpu-name", gpu, "-O3", "--lineinfo")
	cmd.Env = append(os.Environ(), ptxas.EnvVar+"="+assembler)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	ks, err := cubin.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return ks, nil
}

// TestClients replays the command lines of the other clients (cutile-rs, cuTile.jl), as their sources have them.
func TestClients(t *testing.T) {
	t.Parallel()
	assembler := judges.Ptxas(t)
	bin := programs.Install(t)
	in := t.TempDir()
	inputs(t, in)
	rust := encode(t, "cuda_tile.module @kernels {\n  entry @probe(%p: tile<ptr<f32>>) {\n    %a = constant <i32: 0> : tile<i32>\n    %b = constant <i32: 4> : tile<i32>\n    %c = constant <i32: 1> : tile<i32>\n    %t = make_token : token\n"+
		"    for %i in (%a to %b, step %c) : tile<i32> {\n      %x, %u = load_ptr_tko weak %p token = %t : tile<ptr<f32>> -> tile<f32>, token\n      continue\n    }\n    return\n  }\n}\n")
	if err := os.WriteFile(filepath.Join(in, "U.bc"), rust, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"tileiras --list-versions",
		"tileiras --gpu-name sm_120 -o U.cubin U.bc",
		"tileiras --gpu-name sm_90 --opt-level 3 -o K.cubin k.tileirbc",
		"tileiras --gpu-name sm_90 --opt-level 2 --lineinfo -o L.cubin k.tileirbc",
		"tileiras --gpu-name sm_90 --opt-level 0 --device-debug --sanitize=memcheck -o M.cubin k.tileirbc",
		"tileiras nofn.bc -o probe.cubin --gpu-name sm_100",
		"tileiras k.tileirbc -o O.cubin --gpu-name sm_90 -O3 --lineinfo",
		"tileiras k.tileirbc -o R.cubin --gpu-name sm_90 -O3 --lineinfo --remark-format=yaml --remarks=all --remarks-output-file=K.remarks.yaml",
		"tileiras k.tileirbc -o D.cubin --gpu-name sm_90 -O0 --device-debug",
		"tileiras --version",
		"tileirdisasm k.tileirbc",
		"tileirdisasm k.tileirbc --preview=simt",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			line := strings.Fields(args)
			got := end(t, filepath.Join(bin, line[0]), strings.Join(line[1:], " "), in, assembler)
			if got.Status != 0 || got.Errors != nil {
				t.Errorf("status %d: %s", got.Status, strings.Join(got.Errors, "\n"))
			}
			if i := slices.Index(line, "-o"); i > 0 && !slices.Contains(got.Files, line[i+1]) {
				t.Errorf("no %s", line[i+1])
			}
		})
	}
}

// TestFollowedLink calls the program as cutile-rs does, by the path that the link named in the environment leads to:
// the cubin must be that of the drop-in all the same. Whoever types the program's name gets the program.
func TestFollowedLink(t *testing.T) {
	t.Parallel()
	assembler := judges.Ptxas(t)
	real, link := linked(t)
	in := t.TempDir()
	inputs(t, in)
	for _, tt := range []struct {
		name, program, link string
		language            int
	}{{"followed", real, link, 7}, {"typed", "tilec", link, 0}, {"another", real, "/nonexistent/tileiras", 0}} {
		out := filepath.Join(t.TempDir(), "k.cubin")
		cmd := exec.Command(real, "--gpu-name", "sm_90", "--opt-level", "3", "--emit=cubin", "-o", out, filepath.Join(in, "k.tileirbc"))
		if tt.language != 0 {
			cmd.Args = slices.DeleteFunc(cmd.Args, func(a string) bool { return a == "--emit=cubin" })
		}
		cmd.Args[0] = tt.program
		cmd.Env = append(os.Environ(), ptxas.EnvVar+"="+assembler, "CUTILE_TILEIRAS_PATH="+tt.link)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, said)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if ks, err := cubin.Read(data); err != nil || len(ks) == 0 || (ks[0].Language == 7) != (tt.language == 7) {
			t.Errorf("%s: %+v, %v", tt.name, ks, err)
		}
	}
}

// TestWithoutAssembler asks as clients do which versions are taken, where there is no PTX assembler. It must not be
// taken for an old compiler; a kernel must not be taken to be compiled.
func TestWithoutAssembler(t *testing.T) {
	t.Parallel()
	ours := filepath.Join(programs.Install(t), program)
	in := t.TempDir()
	inputs(t, in)
	const none = "/nonexistent/ptxas"
	if got := end(t, ours, "nofn.bc -o probe.cubin --gpu-name sm_120", in, none); got.Status != 0 || !slices.Contains(got.Files, "probe.cubin") {
		t.Errorf("probe: %+v", got)
	}
	if got := end(t, ours, "k.tileirbc -o k.cubin --gpu-name sm_120", in, none); got.Status != 5 || slices.Contains(got.Files, "k.cubin") {
		t.Errorf("kernel: %+v", got)
	}
}

// TestDisassembler compares the other persona with the tool of that name.
func TestDisassembler(t *testing.T) {
	t.Parallel()
	reference := judges.Tool(t, "tileirdisasm")
	ours := filepath.Join(programs.Install(t), "tileirdisasm")
	in := t.TempDir()
	inputs(t, in)
	for _, args := range []string{"k.tileirbc", "k.tileirbc -g", "--print-debug-info k.tileirbc", "--preview=simt k.tileirbc", "nofn.bc", "none", "text.txt", "empty.bc", "",
		"--preview=x k.tileirbc", "k.tileirbc k.tileirbc", "--frobnicate k.tileirbc", "k.tileirbc --preview", ".", "--print-debug-info=2 k.tileirbc"} {
		want, got := end(t, reference, args+" > out.txt", in, ""), end(t, ours, args+" > out.txt", in, "")
		if want.Status != got.Status || len(want.Errors) != len(got.Errors) || len(got.Errors) > 0 && args != "--frobnicate k.tileirbc" && want.Errors[0] != strings.ReplaceAll(got.Errors[0], ours, reference) {
			t.Errorf("%s: got %+v, want %+v", args, got, want)
		}
	}
}
