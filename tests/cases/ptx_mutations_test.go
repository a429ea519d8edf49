package cases

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/tests/mutate"
)

// mutationGPU is the target whose code the mutations are written for.
const mutationGPU = "sm_80"

// mutationOpt is the level of optimisation below that at which loops have two versions, of which a case runs one.
const mutationOpt = 2

// mutations are bugs that a compiler could have. The emulator must report each, by a fault, a deadlock or a wrong
// output.
var mutations = []mutate.Mutation{
	{Name: "dropped barrier", Kernel: "matmul_f16", Pattern: `\tbar\.sync 0;\n`},
	{Name: "dropped barrier of a reduction", Kernel: "softmax_rows_f16", Pattern: `\tbar\.sync 0;\n`},
	{Name: "dropped barrier of a transposition", Kernel: "transpose_f16", Pattern: `\tbar\.sync 0;\n`},
	{Name: "divergent barrier", Kernel: "softmax_rows_f16", Pattern: `\t(bar\.sync 0;)`, Replacement: "\tmov.u32 %r9, %tid.x;\n\tsetp.lt.u32 %p1, %r9, 7;\n\t@%p1 $1", Report: "aligned barrier must not be divergent"},
	{Name: "unmasked tail store", Kernel: "vadd_f32", Pattern: `@%p\d+ (st\.global)`, Replacement: "$1"},
	{Name: "unmasked tail load", Kernel: "softmax_rows_f16", Pattern: `@%p\d+ (ld\.global)`, Replacement: "$1", Some: true},
	{Name: "inverted mask", Kernel: "vadd_f32", Pattern: `@(%p\d+ st\.global)`, Replacement: "@!$1"},
	{Name: "wrong swizzle", Kernel: "matmul_f16", Pattern: `(xor\.b32 %r\d+, %r\d+), (?:32|64);(\n\tadd)`, Replacement: "$1, 16;$2"},
	{Name: "no swizzle on one side", Kernel: "matmul_f16", Pattern: `xor(\.b32 %r\d+, %r\d+, %r\d+;\n\t(?:or|shl))`, Replacement: "or$1"},
	{Name: "swapped fragment of A", Kernel: "matmul_f16", Pattern: `(mma\.sync.*\}, )\{(%r\d+), (%r\d+), `, Replacement: "$1{$3, $2, "},
	{Name: "swapped fragment of B", Kernel: "matmul_f16", Pattern: `(mma\.sync.*\}, )\{(%r\d+), (%r\d+)\}`, Replacement: "$1{$3, $2}"},
	{Name: "swapped accumulators", Kernel: "matmul_f16", Pattern: `(mma\.sync.*, )\{(%f\d+), (%f\d+), (%f\d+), (%f\d+)\};`, Replacement: "$1{$4, $5, $2, $3};"},
	{Name: "transposition left out", Kernel: "fmha_causal_f16_gqa", Pattern: `\.x4\.trans\.`, Replacement: ".x4."},
	{Name: "matrices in the wrong order", Kernel: "matmul_f16", Pattern: `(ldmatrix.*)\{(%r\d+), (%r\d+), (%r\d+), (%r\d+)\}`, Replacement: "$1{$2, $4, $3, $5}"},
	{Name: "one iteration too few", Kernel: "matmul_f16", Pattern: `(mov\.b32 %r\d+), 0;\n(\$L\d+:)`, Replacement: "$1, 1;\n$2"},
	{Name: "loop that is not entered", Kernel: "matmul_f16", Pattern: `@!(%p\d+ bra)`, Replacement: "@$1"},
	{Name: "accumulator without a start", Kernel: "matmul_f16", Pattern: `\tmov\.f32 %f\d+, 0f00000000;\n`, Report: "is read before it is written"},
	{Name: "loop that does not advance", Kernel: "matmul_f16", Pattern: `(add\.s32 %r\d+, %r\d+), 1;(\n\t(?:mov|add\.s64|cvt|mul\.wide))`, Replacement: "$1, 0;$2", Report: "out of bounds"},
	{Name: "address that does not advance", Kernel: "matmul_persistent", Pattern: `(add\.s64 %rd\d+, %rd\d+), \d+;(\n\t(?:add\.s64|mov\.b64))`, Replacement: "$1, 0;$2"},
	{Name: "ring that does not turn", Kernel: "matmul_f16", Pattern: `(setp\.eq[^\n]*\n\tadd\.s32 %r\d+, %r\d+), \d+;`, Replacement: "$1, 0;"},
	{Name: "wait one group short", Kernel: "matmul_f16", Pattern: `cp\.async\.wait_group [1-3];`, Replacement: "cp.async.wait_group 4;"},
	{Name: "group that is not closed", Kernel: "matmul_f16", Pattern: `\tcp\.async\.commit_group;\n`},
	{Name: "half a butterfly", Kernel: "layer_norm_fwd", Pattern: `(shfl\.sync\.bfly\.b32 .*), 16, 31`, Replacement: "$1, 8, 31"},
	{Name: "wrong member mask", Kernel: "softmax_rows_f16", Pattern: `0xffffffff;`, Replacement: "0x0000ffff;", Report: "is not in its own member mask"},
	{Name: "misaligned vector", Kernel: "matmul_f16", Pattern: `(st\.shared\.v\d\.b32 \[%r\d+)`, Replacement: "${1}+2", Report: "misaligned"},
	{Name: "shared memory too small", Kernel: "matmul_f16", Pattern: `(\.shared .*)\[(\d+)\];`, Replacement: "$1[1024];", Report: "out of bounds"},
	{Name: "wrong stride of rows", Kernel: "transpose_f16", Pattern: `(mul\.wide\.s32 %rd\d+, %r\d+), 32;`, Replacement: "$1, 64;"},
	{Name: "zero extension of a negative number", Kernel: "int_arith_i32", Pattern: `shr\.s32`, Replacement: "shr.u32"},
	{Name: "unsigned comparison", Kernel: "int_arith_i32", Pattern: `setp\.(lt|gt|le|ge)\.s32`, Replacement: "setp.$1.u32", Some: true},
}

// TestMutations plants each bug. The unchanged PTX passes the same runs.
func TestMutations(t *testing.T) {
	t.Parallel()
	kernels := make(map[string]*mutant)
	for _, m := range mutations {
		if kernels[m.Kernel] == nil {
			k := newMutant(t, m.Kernel)
			steps, err := k.run(t, k.ptx)
			if err != nil {
				t.Fatalf("%s, unchanged: %v", m.Kernel, err)
			}
			k.steps = 4 * steps
			kernels[m.Kernel] = k
		}
		k := kernels[m.Kernel]
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			m.Check(t, k.ptx, func(t *testing.T, ptx string) error {
				_, err := k.run(t, ptx)
				return err
			})
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
	result, err := compile.To(context.Background(), module, compile.Options{GPU: mutationGPU, OptLevel: mutationOpt})
	if err != nil {
		t.Fatal(err)
	}
	return &mutant{c: c, ptx: string(result.PTX), steps: 1 << 30}
}

// run returns the first report of some courses, the first without an adversary, and how many warp instructions the
// longest launch takes.
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
