package generate_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestKernels generates kernels, which must verify and come back from text and from bytecode unchanged.
func TestKernels(t *testing.T) {
	t.Parallel()
	seeds := 60
	if tier.All() {
		seeds = 300
	}
	for seed := range uint64(seeds) {
		k := generate.New(seed, generate.Options{})
		text, req := k.Text, k.Launch
		if !bytes.Equal(text, generate.New(seed, generate.Options{}).Text) {
			t.Fatalf("seed %d: a second kernel differs from the first", seed)
		}
		module := read(t, seed, text)
		ir.DropNames(module)
		want := printed(t, module)
		if got := printed(t, read(t, seed, want)); !bytes.Equal(got, want) {
			t.Errorf("seed %d: text comes back as another module", seed)
		}
		var inner ir.Op
		for op := range module.Body().Ops() {
			inner = op
		}
		data, err := bytecode.Encode(inner, bytecode.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(req.Args) == 0 || req.Entry != generate.Entry {
			t.Errorf("seed %d: launch of '%s' with %d arguments", seed, req.Entry, len(req.Args))
		}
		if n := bytes.Count(printed(t, read(t, seed, data)), []byte("\n")); n != bytes.Count(want, []byte("\n")) {
			t.Errorf("seed %d: bytecode comes back as %d lines, expected %d", seed, n, bytes.Count(want, []byte("\n")))
		}
	}
}

// TestLoops generates kernels that are to have loops: each has one, and they have all that the option promises.
func TestLoops(t *testing.T) {
	t.Parallel()
	seeds := 60
	if tier.All() {
		seeds = 150
	}
	large, nested, divides, breaks := 0, 0, 0, 0
	for seed := range uint64(seeds) {
		loops, in := 0, make(map[string]int)
		read(t, seed, generate.New(seed, generate.Options{Loops: true}).Text).Walk(func(op ir.Op) ir.WalkResult {
			if op.Is(cudatile.For) || op.Is(cudatile.Loop) {
				loops++
			}
			around := op.ParentOp()
			for !around.IsNil() && !around.Is(cudatile.For) && !around.Is(cudatile.Loop) {
				around = around.ParentOp()
			}
			if !around.IsNil() {
				in[op.Def().Name]++
				if op.Is(cudatile.MmaF) && ir.TypeString(op.Operand(0).Type()) == "!cuda_tile.tile<64x64xf16>" {
					large++
				}
			}
			return ir.Advance
		})
		if loops == 0 {
			t.Errorf("seed %d has no loop", seed)
		}
		nested += min(1, in["for"]+in["loop"])
		divides += min(1, in["divi"]+in["remi"])
		breaks += min(1, in["break"])
	}
	for what, n := range map[string]int{"large products": large, "loops in loops": nested, "divisions": divides, "breaks": breaks} {
		if n < seeds/30 {
			t.Errorf("%d kernels of %d have %s in loops, expected more", n, seeds, what)
		}
	}
}

func read(t *testing.T, seed uint64, data []byte) ir.Op {
	t.Helper()
	ctx := tileir.NewContext()
	var said bytes.Buffer
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, fmt.Sprintf("seed-%d", seed), data)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, said.Bytes())
	}
	return module
}

func printed(t *testing.T, module ir.Op) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := asm.Print(&b, module, asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestProducts generates kernels that are to have large MMAs. Most have one in a loop that accumulates tiles of at
// least 64 rows; some have chains of two, and some batches, also with one right operand for all.
func TestProducts(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	const seeds = 120
	large, chains, batches, repeated := 0, 0, 0, 0
	for seed := range uint64(seeds) {
		in, most := make(map[ir.Op]int), int64(0)
		read(t, seed, generate.New(seed, generate.Options{Products: true}).Text).Walk(func(op ir.Op) ir.WalkResult {
			if !op.Is(cudatile.MmaF) && !op.Is(cudatile.MmaI) {
				return ir.Advance
			}
			shape := op.Result(0).Type().(*cudatile.TileType).Shape
			if around := op.ParentOp(); around.Is(cudatile.For) {
				in[around]++
				most = max(most, shape[len(shape)-2])
			}
			if len(shape) > 2 && shape[1] >= 32 {
				batches++
				if def := op.Operand(1).DefiningOp(); !def.IsNil() && def.Is(cudatile.Broadcast) {
					repeated++
				}
			}
			return ir.Advance
		})
		if most >= 64 {
			large++
		}
		for _, n := range in {
			if n > 1 {
				chains++
			}
		}
	}
	if large < seeds/2 || chains < seeds/8 || batches < 3 || repeated == 0 {
		t.Errorf("of %d kernels %d have large products in a loop; there are %d chains of products and %d batches, %d with one right operand", seeds, large, chains, batches, repeated)
	}
}
