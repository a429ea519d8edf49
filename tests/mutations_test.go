package tests

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/emulate"
	"github.com/tilewright/tilewright/target/launch"
)

// mutationGPU is the target whose code the mutations are written for.
const mutationGPU = "sm_80"

// A mutation plants a bug in the PTX of a case: what pattern matches becomes the replacement, at one site at a time. Each such bug must be
// reported by the emulator, by a fault, a deadlock or a wrong output. Where some is set one of the sites suffices, because the rest may be
// harmless: the guard of an access that is inside for every thread, say.
type mutation struct {
	name, kernel         string
	pattern, replacement string
	some                 bool
	report               string // what a report must say; empty: a wrong output or a fault, by the course of things
}

var mutations = []mutation{
	{name: "dropped barrier", kernel: "matmul_f16", pattern: `\tbar\.sync 0;\n`},
	{name: "dropped barrier of a reduction", kernel: "softmax_rows_f16", pattern: `\tbar\.sync 0;\n`},
	{name: "dropped barrier of a transposition", kernel: "transpose_f16", pattern: `\tbar\.sync 0;\n`},
	{name: "divergent barrier", kernel: "softmax_rows_f16", pattern: `\t(bar\.sync 0;)`, replacement: "\tsetp.lt.u32 %p1, %r9, 7;\n\t@%p1 $1", report: "aligned barrier must not be divergent"},
	{name: "unmasked tail store", kernel: "vadd_f32", pattern: `@%p\d+ (st\.global)`, replacement: "$1"},
	{name: "unmasked tail load", kernel: "softmax_rows_f16", pattern: `@%p\d+ (ld\.global)`, replacement: "$1", some: true},
	{name: "inverted mask", kernel: "vadd_f32", pattern: `@(%p\d+ st\.global)`, replacement: "@!$1"},
	{name: "wrong swizzle", kernel: "matmul_f16", pattern: `(xor\.b32 %r\d+, %r\d+), (?:32|64);(\n\tadd)`, replacement: "$1, 16;$2"},
	{name: "no swizzle on one side", kernel: "matmul_f16", pattern: `xor(\.b32 %r\d+, %r\d+, %r\d+;\n\tshl)`, replacement: "or$1"},
	{name: "swapped fragment of A", kernel: "matmul_f16", pattern: `(mma\.sync.*\}, )\{(%r\d+), (%r\d+), `, replacement: "$1{$3, $2, "},
	{name: "swapped fragment of B", kernel: "matmul_f16", pattern: `(mma\.sync.*\}, )\{(%r\d+), (%r\d+)\}`, replacement: "$1{$3, $2}"},
	{name: "swapped accumulators", kernel: "matmul_f16", pattern: `(mma\.sync.*, )\{(%f\d+), (%f\d+), (%f\d+), (%f\d+)\};`, replacement: "$1{$4, $5, $2, $3};"},
	{name: "transposition left out", kernel: "fmha_causal_f16_gqa", pattern: `\.x4\.trans\.`, replacement: ".x4."},
	{name: "matrices in the wrong order", kernel: "matmul_f16", pattern: `(ldmatrix.*)\{(%r\d+), (%r\d+), (%r\d+), (%r\d+)\}`, replacement: "$1{$2, $4, $3, $5}"},
	{name: "one iteration too few", kernel: "matmul_f16", pattern: `(mov\.b32 %r\d+), 0;\n(\$L\d+:)`, replacement: "$1, 1;\n$2"},
	{name: "loop that is not entered", kernel: "matmul_f16", pattern: `@!(%p\d+ bra)`, replacement: "@$1"},
	{name: "accumulator without a start", kernel: "matmul_f16", pattern: `\tmov\.f32 %f\d+, 0f00000000;\n`, report: "is read before it is written"},
	{name: "loop that does not advance", kernel: "matmul_f16", pattern: `(add\.s32 %r\d+, %r\d+), 1;`, replacement: "$1, 0;", report: "step limit reached"},
	{name: "half a butterfly", kernel: "layer_norm_fwd", pattern: `(shfl\.sync\.bfly\.b32 .*), 16, 31`, replacement: "$1, 8, 31"},
	{name: "wrong member mask", kernel: "softmax_rows_f16", pattern: `0xffffffff;`, replacement: "0x0000ffff;", report: "is not in its own member mask"},
	{name: "misaligned vector", kernel: "matmul_f16", pattern: `(st\.shared\.v\d\.b32 \[%r\d+)`, replacement: "${1}+2", report: "misaligned"},
	{name: "shared memory too small", kernel: "matmul_f16", pattern: `(\.shared .*)\[(\d+)\];`, replacement: "$1[1024];", report: "out of bounds"},
	{name: "wrong stride of rows", kernel: "transpose_f16", pattern: `(mul\.lo\.s64 %rd\d+, %rd\d+), 2;`, replacement: "$1, 4;"},
	{name: "zero extension of a negative number", kernel: "int_arith_i32", pattern: `shr\.s32`, replacement: "shr.u32"},
	{name: "unsigned comparison", kernel: "int_arith_i32", pattern: `setp\.(lt|gt|le|ge)\.s32`, replacement: "setp.$1.u32"},
}

// TestMutations plants each bug. The unchanged PTX passes the same runs.
func TestMutations(t *testing.T) {
	t.Parallel()
	kernels := make(map[string]*mutant)
	for _, m := range mutations {
		if kernels[m.kernel] == nil {
			k := newMutant(t, m.kernel)
			steps, err := k.run(t, k.ptx)
			if err != nil {
				t.Fatalf("%s, unchanged: %v", m.kernel, err)
			}
			k.steps = 4 * steps
			kernels[m.kernel] = k
		}
		k := kernels[m.kernel]
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			re := regexp.MustCompile(m.pattern)
			sites := re.FindAllStringSubmatchIndex(k.ptx, -1)
			if len(sites) == 0 {
				t.Fatalf("the PTX of %s has nothing that matches %q: let the mutation follow the compiler", m.kernel, m.pattern)
			}
			found := 0
			for _, at := range sites {
				text := k.ptx[:at[0]] + string(re.ExpandString(nil, m.replacement, k.ptx, at)) + k.ptx[at[1]:]
				line := 1 + strings.Count(k.ptx[:at[0]], "\n")
				_, err := k.run(t, text)
				switch {
				case err == nil:
					if !m.some {
						t.Errorf("line %d, '%s': nothing is reported", line, strings.TrimSpace(k.ptx[at[0]:at[1]]))
					}
				case !strings.Contains(err.Error(), m.report):
					t.Errorf("line %d: got %q, which does not say %q", line, err, m.report)
				default:
					found++
				}
			}
			if found == 0 {
				t.Errorf("nothing is reported at any of the %d sites", len(sites))
			}
		})
	}
}

// A mutant is a case of the corpus and its PTX, which will be changed.
type mutant struct {
	c     *launch.Case
	ptx   string
	steps uint64 // limit of a launch
}

func newMutant(t *testing.T, name string) *mutant {
	t.Helper()
	dir := filepath.Join(corpus.Dir(t), "cases", name)
	c, err := launch.LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, c.Module))
	if err != nil {
		t.Fatal(err)
	}
	ctx := tileir.NewContext()
	module, err := tileir.Read(ctx, c.Module, data)
	if err != nil {
		t.Fatal(err)
	}
	result, err := compile.To(context.Background(), module, compile.Options{GPU: mutationGPU, OptLevel: 3})
	if err != nil {
		t.Fatal(err)
	}
	return &mutant{c: c, ptx: string(result.PTX), steps: 1 << 30}
}

// run returns the first report of some courses, the first without an adversary, and how many warp instructions the longest launch takes.
func (k *mutant) run(t *testing.T, ptx string) (steps uint64, report error) {
	t.Helper()
	e, err := emulate.New("mutant.ptx", []byte(ptx))
	if err != nil {
		t.Fatalf("the mutant is no PTX: %v", err)
	}
	e.MaxSteps = k.steps
	for seed := range uint64(4) {
		e.Adversarial, e.Seed = seed > 0, seed
		req := k.c.Request()
		before := e.Stats.WarpInstructions
		if err := e.Run(context.Background(), req); err != nil {
			return 0, err
		}
		steps = max(steps, e.Stats.WarpInstructions-before)
		report, err := k.c.Check(req)
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK() {
			return 0, errors.New("wrong output")
		}
	}
	return steps, nil
}
