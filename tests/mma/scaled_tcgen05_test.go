package mma

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/ptxas"
)

// tensorScaled are products whose scales go to TMEM: of one and several words for a row, one and several
// groups of 32 rows, more than one instruction along the rows.
var tensorScaled = []scaledProduct{
	{"f8E4M3FN", "f8E8M0FNU", 0, 128, 32, 128, 32, plainE4M3},
	{"f8E5M2", "f8E8M0FNU", 0, 128, 64, 256, 32, plainE5M2},
	{"f8E4M3FN", "f8E8M0FNU", 0, 256, 32, 128, 32, leastE4M3},
	{"f8E5M2", "f8E8M0FNU", 0, 128, 64, 128, 32, specialE5M2},
	// Two elements to a byte: one and two steps of the depth for each word of scales.
	{"f4E2M1FN", "f8E8M0FNU", 0, 128, 32, 128, 32, allE2M1},
	{"f4E2M1FN", "f8E4M3FN", 0, 128, 32, 64, 16, allE2M1},
	{"f4E2M1FN", "f8E8M0FNU", 0, 128, 64, 128, 32, allE2M1},
	{"f4E2M1FN", "f8E4M3FN", 0, 128, 64, 128, 16, allE2M1},
}

// kind is what PTX calls the types of such a product.
func (p scaledProduct) kind() string {
	switch {
	case p.factor != "f4E2M1FN":
		return "kind::mxf8f6f4.block_scale.block32"
	case p.block == 32:
		return "kind::mxf4.block_scale.block32"
	}
	return "kind::mxf4nvf4.block_scale.block16"
}

// TestScaledTcgen05: such products are by instructions that scale, and what they compute is what the
// interpreter does, bit for bit.
func TestScaledTcgen05(t *testing.T) {
	t.Parallel()
	for i, p := range tensorScaled {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "k.mlir")
			if err := os.WriteFile(file, []byte(p.source()), 0o600); err != nil {
				t.Fatal(err)
			}
			inputs := p.inputs(t, dir)
			for level := range 4 {
				if !tier.Try(i+level, 4) {
					continue
				}
				gpu := kerneltest.TensorMemoryTargets[(i+level)%len(kerneltest.TensorMemoryTargets)]
				p.scaledInstructions(t, gpu, level, p.kind())
				for seed := range 2 {
					args := []string{"--diff-engines=interp,ptx", "--entry=k", "--grid=1,1,1", "--timeout=60s", "--gpu-name=" + gpu, fmt.Sprintf("-O%d", level)}
					if seed > 0 {
						args = append(args, "--adversarial", fmt.Sprintf("--seed=%d", seed))
					}
					var out, errs bytes.Buffer
					status := runtool.Main(context.Background(), append(append(args, inputs...), file), strings.NewReader(""), &out, &errs)
					if status != 0 || !strings.Contains(out.String(), "[ptx against interp]: arg 0 (f32["+inputs[0][len("--arg=f32["):]+"): ok\n") {
						t.Errorf("%s, -O%d, seed %d: status %d\n%s%s", gpu, level, seed, status, &out, &errs)
					}
				}
			}
		})
	}
}

// scaledInstructions looks for an instruction in what a product is compiled to.
func (p scaledProduct) scaledInstructions(t *testing.T, gpu string, level int, want string) {
	t.Helper()
	var said bytes.Buffer
	m := kerneltest.Read(t, &said, "k.mlir", []byte(p.source()))
	result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: level})
	if err != nil {
		t.Fatalf("%s, -O%d: %v\n%s", gpu, level, err, &said)
	}
	if !strings.Contains(string(result.PTX), want) {
		t.Fatalf("%s, -O%d: the MMA is not by '%s'\n%s", gpu, level, want, result.PTX)
	}
}

// TestPtxasScaledTcgen05 assembles them for all targets with TMEM.
func TestPtxasScaledTcgen05(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, p := range tensorScaled {
		for j, gpu := range kerneltest.TensorMemoryTargets {
			if !tier.Try(i+j, 12) {
				continue
			}
			var said bytes.Buffer
			m := kerneltest.Read(t, &said, "k.mlir", []byte(p.source()))
			result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: (i + j) % 4})
			if err != nil {
				t.Fatalf("%s, %s: %v\n%s", p.name(), gpu, err, &said)
			}
			out, err := tool.Assemble(context.Background(), result.PTX, ptxas.Options{Arch: result.Launch.Target, OptLevel: 3})
			if err != nil {
				t.Fatalf("%s, %s: %v", p.name(), gpu, err)
			}
			for _, w := range out.Warnings {
				t.Errorf("%s, %s: %v", p.name(), gpu, w)
			}
		}
	}
}
