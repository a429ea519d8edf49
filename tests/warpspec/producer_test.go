package warpspec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/internal/testing/tileaskernel"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Kernels whose warps tileas-specialize-warps gives roles: those of its suite, executed.

// A specialized kernel is one of the suite of the pass.
type specialized struct {
	name string
	tileaskernel.Kernel
}

func specializedKernel(t *testing.T, name string) specialized {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "suite", "passes", "tileas-specialize-warps.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "// -----") {
		if strings.Contains(part, "nv_tileas.func @"+name+"(") {
			return specialized{name, tileaskernel.Kernel{GPU: "sm_90", Text: part}}
		}
	}
	t.Fatalf("the suite has no kernel '%s'", name)
	return specialized{}
}

// occupied makes it one of which an SM runs three tile blocks: then the role that loads is one of a group of warps that
// give registers back.
func (k specialized) occupied() specialized {
	k.Text = strings.Replace(k.Text, "kernel_spec<num_warps = 4>", "kernel_spec<num_warps = 4, occupancy = 3>", 1)
	return k
}

// parted returns the kernel, with its warps parted by options of the pass; "" leaves it as it is.
func (k specialized) parted(t *testing.T, options string) ir.Op {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	m, err := tileir.Read(c, "k.mlir", []byte(k.Text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	passes := tileaskernel.Placing
	if options != "" {
		passes = "tileas-specialize-warps{" + options + "},tileas-lower-pipes," + tileaskernel.Placing
	}
	if _, err := k.Run(m, passes); err != nil {
		t.Fatalf("%s: %v\n%s", options, err, &said)
	}
	if got := !warpSpecialize(m).IsNil(); got != (options != "") {
		t.Fatalf("%s: has roles: %v", options, got)
	}
	return m
}

func (k specialized) launched(t *testing.T, trips int) *launch.Request {
	t.Helper()
	req := tileaskernel.LoopRequest(t, 0, 1, trips)
	req.Entry = k.name
	return req
}

// TestProducerWarpAgrees: with roles a kernel computes what it does without, in every order, for numbers of iterations from
// none to some rounds of its ring, with as few slots as it can have and with more; in the interpreter and as PTX.
func TestProducerWarpAgrees(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"product", "persistent", "taken", "late", "parts", "both", "stored", "table"} {
		for i, options := range []string{"slots=2 roles=always", "slots=3 roles=always", "roles=always", "slots=2 roles=always late=false"} {
			if !tier.Try(n+i, 12) {
				continue
			}
			t.Run(name+" "+options, func(t *testing.T) {
				t.Parallel()
				k := specializedKernel(t, name)
				plain, m := k.parted(t, ""), k.parted(t, options)
				ptx, described := k.Lower(t, k.occupied().parted(t, options), new(bytes.Buffer))
				for _, trips := range []int{0, 1, 3, 4, 7} {
					want := k.launched(t, trips)
					if err := interp.New(plain).Run(context.Background(), want); err != nil {
						t.Fatal(err)
					}
					for seed := range uint64(2) {
						what := fmt.Sprintf("%d iterations, seed %d", trips, seed)
						e := interp.New(m)
						e.Threads, e.Adversarial, e.Seed = true, seed > 0, seed
						kerneltest.RunAndCompare(t, what, e, k.launched(t, trips), 0, want.Args[0].Buffer)
						if trips%3 != 0 || trips == 0 && seed > 0 {
							continue
						}
						p, err := emulate.New("k.ptx", ptx)
						if err != nil {
							t.Fatal(err)
						}
						compile.Describe(p, described.Kernels[0])
						p.Adversarial, p.Seed = seed > 0, seed
						kerneltest.RunAndCompare(t, "as PTX, "+what, p, k.launched(t, trips), 0, want.Args[0].Buffer)
					}
				}
			})
		}
	}
}

// TestPtxasProducerWarp: the assembler takes roles as they are meant: registers move, and nothing spills.
func TestPtxasProducerWarp(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, name := range []string{"product", "persistent", "taken", "late", "parts", "both", "stored", "table"} {
		k := specializedKernel(t, name)
		text, described := k.Lower(t, k.occupied().parted(t, "roles=always"), new(bytes.Buffer))
		for _, want := range []string{".maxnreg 80", "setmaxnreg.inc.sync.aligned.u32 128;", "setmaxnreg.dec.sync.aligned.u32 32;"} {
			if strings.Count(string(text), want) != 1 {
				t.Errorf("%s: '%s' must stand once in\n%s", name, want, text)
			}
		}
		out, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: described.Target, OptLevel: 3})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		for _, w := range out.Warnings {
			t.Errorf("%s: %v", name, w)
		}
	}
}

// warpSpecialize returns the operation that parts the warps of a kernel, a zero Op if there is none.
func warpSpecialize(m ir.Op) (found ir.Op) {
	m.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			found = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}
