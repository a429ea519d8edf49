package confirm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/jsonschema"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// workerVar makes the test's program a worker, whose device has the error of that name.
const workerVar = "TILEWRIGHT_CONFIRM_PLANT"

// plants are errors of a device: they change PTX before it is executed.
var plants = map[string]func(ptx string) string{
	"none": func(ptx string) string { return ptx },
	// The registers of B, or of A, hold each other's elements.
	"fragment B": func(ptx string) string {
		return strings.Replace(ptx, "f32.f16.f16.f32 {%r6, %r7, %r8, %r9}, {%r0, %r1, %r2, %r3}, {%r4, %r5}", "f32.f16.f16.f32 {%r6, %r7, %r8, %r9}, {%r0, %r1, %r2, %r3}, {%r5, %r4}", 1)
	},
	"add": func(ptx string) string {
		return strings.Replace(ptx, "\tadd.s32 %r0, %r1, %r2;", "\tsub.s32 %r0, %r1, %r2;", 1)
	},
	// Data that is stored too late for a barrier.
	"litmus": func(ptx string) string {
		if !strings.Contains(ptx, "barrier.sync 1") {
			return ptx
		}
		return strings.Replace(ptx, "st.weak.global.u32 [%x], 1;", "", 1)
	},
	// A coordinate of the copies of one probe.
	"tma": func(ptx string) string {
		if strings.Contains(ptx, "mov.b32 %r20, 4;") && strings.Contains(ptx, "expect_tx.shared::cta.b64 _, [%bar], 1024;") {
			return strings.Replace(ptx, "mov.b32 %r21, 3;", "mov.b32 %r21, 4;", 1)
		}
		return ptx
	},
	"fault": func(ptx string) string {
		return strings.Replace(ptx, "\tadd.s64 %d0, %d1, %d2;", "\ttrap;", 1)
	},
	"syntax": func(ptx string) string {
		return strings.Replace(ptx, "\tadd.s64 %d0, %d1, %d2;", "\tfrobnicate;", 1)
	},
	// A GEMM whose results are not below zero.
	"relu": func(ptx string) string {
		return strings.ReplaceAll(ptx, "cvt.rn.bf16.f32", "cvt.rn.relu.bf16.f32")
	},
	// A kernel that prints, and does not end its line.
	"print": func(ptx string) string {
		fmt.Print("{}\n1 2 3\nhalf a li")
		return ptx
	},
	"crash": func(ptx string) string {
		if strings.Contains(ptx, "\tadd.s64 %d0, %d1, %d2;") {
			os.Exit(3)
		}
		return ptx
	},
	"hang": func(ptx string) string {
		if strings.Contains(ptx, "\tadd.s64 %d0, %d1, %d2;") {
			time.Sleep(time.Hour)
		}
		return ptx
	},
}

func TestMain(m *testing.M) {
	if plant, ok := os.LookupEnv(workerVar); ok {
		device := StandIn("sm_90")
		device.Edit = func(ptx []byte) []byte { return []byte(plants[plant](string(ptx))) }
		err := Work(context.Background(), os.Stdin, os.Stdout, func() (*cuda.Library, error) { return device.Library(), nil }, Source{StandIn: true})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runOf is a run on a device with an error.
func runOf(t *testing.T, plant string, only ...string) *Run {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Path: filepath.Join(t.TempDir(), "answers.json"), Kit: "test", Only: only, Timeout: time.Minute,
		Command: func(ctx context.Context) *exec.Cmd {
			cmd := exec.CommandContext(ctx, program)
			cmd.Env = append(os.Environ(), workerVar+"="+plant)
			return cmd
		}}
}

// ran runs and compares what was written.
func ran(t *testing.T, r *Run) (*Comparison, string) {
	t.Helper()
	if _, err := r.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	f, err := Read(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(context.Background(), f, Source{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := c.Write(&text, false); err != nil {
		t.Fatal(err)
	}
	return c, text.String()
}

// TestAgrees: a device that is as the emulator agrees with it, in every probe of the kit.
func TestAgrees(t *testing.T) {
	t.Parallel()
	r := runOf(t, "none", "form/add", "form/atom", "fragment/mma.sync m16", "descriptor/wgmma m64n16k32 s32 s8", "descriptor/tma store", "litmus/store", "litmus/message passing over", "numeric/random, seed 3", "numeric/random with loops, seed 2", "timing/latency of f", "timing/latency of ld", "kernel/GEMM f8e4m3 1024", "kernel/attention of f16, 32 heads of 4096 x 128")
	if tier.All() {
		r.Only = nil
	}
	c, text := ran(t, r)
	if !c.OK() || tier.All() && c.Count("", NotAsked) > 0 {
		t.Errorf("%s", text)
	}
	for _, k := range []Kind{Forms, Fragments, Descriptors, Litmus, Numeric} {
		if c.Count(k, Agrees) < 2 {
			t.Errorf("%d probes of kind %s agree", c.Count(k, Agrees), k)
		}
	}
	// The emulator's clock counts the instructions of a warp. So what is measured as a latency is one instruction, and
	// what the loop adds.
	f, err := Read(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Findings {
		p := c.Findings[i].Probe
		if p.timed == nil || p.timed.warps > 1 || f.Probes[p.ID] == nil {
			continue
		}
		answer, err := f.Probes[p.ID].bytes()
		if err != nil {
			t.Fatal(err)
		}
		if n := p.timed.measured(answer); n < 0.9 || n > 2.3 {
			t.Errorf("%s: %.2f instructions", p.ID, n)
		}
	}
	var form, got any
	file, err := os.ReadFile(r.Path)
	if err := errors.Join(err, json.Unmarshal(Schema, &form), json.Unmarshal(file, &got)); err != nil {
		t.Fatal(err)
	}
	for _, what := range jsonschema.Unlike(form.(map[string]any), got) {
		t.Error(what)
	}
}

// TestPlanted: a device with another layout of a fragment, or another result of an instruction, is found, and the
// report names the probe, the value, what it means and where to look.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		plant, only string
		wrong       string // the only probe that differs
		says        []string
	}{
		{"fragment B", "fragment/mma.sync m16n8k", "fragment/mma.sync m16n8k16 f32 f16 f16", []string{"register 0 of D, number 0: got ", "means: Elements of A, B, C or D", "look at: target/engine/emu/mma/fragment.go"}},
		{"litmus", "litmus/message passing over", "litmus/message passing over a barrier, cta", []string{"2048 of 2048 values differ, first outcome 01, which is forbidden, 2048 times", "look at: docs/async-model.md"}},
		{"tma", "descriptor/tma load 2d of 4", "descriptor/tma load 2d of 4 bytes swizzle 128 at 4 3", []string{"word of shared memory, number 0: got ", "means: TMA places elements"}},
		{"add", "form/add.", "form/add.s32 %r0, %r1, %r2;", []string{"%r0, number ", "look at: target/engine/emu/arith"}},
	} {
		t.Run(tt.plant, func(t *testing.T) {
			t.Parallel()
			c, text := ran(t, runOf(t, tt.plant, tt.only))
			if c.OK() || c.Count("", Differs) != 1 || c.Count("", Agrees) < 1 {
				t.Errorf("the planted error does not show alone:\n%s", text)
			}
			for _, want := range append(tt.says, "differs: "+tt.wrong) {
				if !strings.Contains(text, want) {
					t.Errorf("no '%s' in\n%s", want, text)
				}
			}
		})
	}
}

// TestBesideBLAS: a GEMM is timed beside cuBLAS, and one that computes other bits differs. Where cuBLAS has no product,
// there is a time alone.
func TestBesideBLAS(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	c, text := ran(t, runOf(t, "relu", "kernel/GEMM bf16 1024", "kernel/GEMM tf32 1024", "kernel/GEMM f8", "kernel/GEMM f16 1024 x 1024 x 1024, 16"))
	if c.Count(Kernels, Differs) != 1 || c.Count(Kernels, Agrees) != 2 || c.Count(Kernels, Figure) != 2 {
		t.Errorf("%s", text)
	}
	for _, want := range []string{"differs: kernel/GEMM bf16 1024 x 1024 x 1024", "of 16384 elements differ from cuBLAS's, first element ", " TFLOP/s; cuBLAS "} {
		if !strings.Contains(text, want) {
			t.Errorf("no '%s' in\n%s", want, text)
		}
	}
	for _, x := range c.Findings {
		if x.Verdict == Figure && !strings.HasSuffix(x.Detail, "no cuBLAS for products of f8e4m3") {
			t.Errorf("%s: %s", x.Probe.ID, x.Detail)
		}
	}
}

// TestTimes: a time that is near the model's agrees, and one that is not differs, with both numbers.
func TestTimes(t *testing.T) {
	t.Parallel()
	const id = "timing/issue of fma.rn.f64"
	r := runOf(t, "none", id)
	if _, err := r.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	f, err := Read(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	f.Device.StandIn = false
	for cycles, want := range map[float64]Verdict{2: Agrees, 3: Agrees, 4: Differs, 0.1: Differs} { // the model has 2
		answer, err := f.Probes[id].bytes()
		if err != nil {
			t.Fatal(err)
		}
		ops := timedIterations * bodyLength * manyWarps / partitions
		for i := range len(answer) / 16 {
			launch.U64.Store(answer, 2*i, 1000)
			launch.U64.Store(answer, 2*i+1, 1000+uint64(cycles*float64(ops)))
		}
		f.Probes[id].Answer = pack64(answer)
		c, err := Compare(context.Background(), f, Source{})
		if err != nil {
			t.Fatal(err)
		}
		if says := fmt.Sprintf("measured %.1f cycles, the model has 2.0", cycles); c.Count(Timing, want) != 1 || !slices.ContainsFunc(c.Findings, func(x Finding) bool { return strings.HasPrefix(x.Detail, says) }) {
			t.Errorf("%v cycles: not %s, or nothing says '%s'", cycles, want, says)
		}
	}
}

// TestPrinting: what kernels print is no answer.
func TestPrinting(t *testing.T) {
	t.Parallel()
	c, text := ran(t, runOf(t, "print", "form/add."))
	if !c.OK() || c.Count("", Agrees) < 10 {
		t.Errorf("%s", text)
	}
}

// TestBroken: a probe that faults, crashes, hangs or is rejected does not keep the others from their answers.
func TestBroken(t *testing.T) {
	t.Parallel()
	for plant, says := range map[string]string{"fault": "failed: running 'k': CUDA_ERROR_LAUNCH_FAILED", "syntax": "rejected: loading the module: CUDA_ERROR_INVALID_PTX", "crash": "crashed: exit status 3", "hang": "timeout: "} {
		t.Run(plant, func(t *testing.T) {
			t.Parallel()
			r := runOf(t, plant, "form/add.")
			if plant == "hang" {
				r.Timeout = 5 * time.Second
			}
			c, text := ran(t, r)
			if c.OK() || c.Count("", Broken) != 1 || c.Count("", Differs) != 0 || c.Count("", Agrees) < 10 || !strings.Contains(text, "failed: form/add.s64 %d0, %d1, %d2;\n    "+says) {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestResume: a run that was stopped goes on with what the file lacks, and asks nothing twice; another device, or
// another question, is told apart.
func TestResume(t *testing.T) {
	t.Parallel()
	r := runOf(t, "none", "form/add.")
	ctx, stop := context.WithCancel(context.Background())
	asked := 0
	r.Progress = func(int, int, string) {
		if asked++; asked == 4 {
			stop()
		}
	}
	if _, err := r.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	f, err := Read(r.Path)
	if err != nil || len(f.Probes) != 3 {
		t.Fatalf("%v: %v", f, err)
	}
	one := "form/add.s32 %r0, %r1, %r2;"
	if f.Probes[one] == nil {
		t.Fatalf("no answer to %s in %v", one, f.Probes)
	}
	f.Probes[one].Probe = "another question"
	if err := f.Write(r.Path); err != nil {
		t.Fatal(err)
	}
	var again []string
	r.Progress = func(_, _ int, id string) { again = append(again, id) }
	c, text := ran(t, r)
	if !c.OK() || len(again) != c.Count("", Agrees)-2 || again[0] != one {
		t.Errorf("asked %q\n%s", again, text)
	}
	f.Device.Name = "another"
	if err := f.Write(r.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Do(context.Background()); err == nil || !strings.Contains(err.Error(), "is of another with driver") {
		t.Errorf("got %v", err)
	}
	r.Fresh, r.Limit = true, 1
	if _, err := r.Do(context.Background()); !errors.Is(err, ErrLimit) {
		t.Errorf("got %v", err)
	}
}
