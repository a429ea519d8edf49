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

// Kernels of which tileas-specialize-warps has a warp start all products (tcgen05): those of its suite, executed.

const tensorPlacing = "tileas-promote-to-tmem,tileas-allocate-tmem," + tileaskernel.Placing

// A multiplied is a kernel of the suite, for sm_100.
type multiplied struct {
	name string
	tileaskernel.Kernel
}

func multipliedKernel(t *testing.T, name string) multiplied {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "suite", "passes", "tileas-specialize-warps-products.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "// -----") {
		if strings.Contains(part, "nv_tileas.func @"+name+"(") {
			return multiplied{name, tileaskernel.Kernel{GPU: "sm_100", Text: part}}
		}
	}
	t.Fatalf("the suite has no kernel '%s'", name)
	return multiplied{}
}

// parted returns the kernel in TMEM, with its warps parted by options of the pass; "" leaves them together.
func (k multiplied) parted(t *testing.T, options string) ir.Op {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	m, err := tileir.Read(c, "k.mlir", []byte(k.Text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	passes := tensorPlacing
	if options != "" {
		passes = "tileas-specialize-warps{" + options + "},tileas-lower-pipes," + passes
	}
	if _, err := k.Run(m, passes); err != nil {
		t.Fatalf("%s: %v\n%s", options, err, &said)
	}
	roles := warpSpecialize(m)
	if roles.IsNil() != (options == "") || options != "" && (tileas.RoleAt(roles, 2).Name == "product") == strings.Contains(options, "no-mma-warp") {
		t.Fatalf("%s: has not the roles that are asked for", options)
	}
	return m
}

func (k multiplied) launched(t *testing.T, tiles, depth int) *launch.Request {
	t.Helper()
	args := []launch.Arg{kerneltest.Buffer(t, launch.F32, 128*64, func(int) int64 { return 77 })}
	for j, rows := range []int{128, 64} {
		args = append(args, kerneltest.Buffer(t, launch.F16, 512*rows, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	for _, v := range []int{tiles, depth} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(int32(v)))}})
	}
	return &launch.Request{Entry: k.name, Grid: [3]uint32{1, 1, 1}, Args: args}
}

// TestMMAWarpAgrees: a warp that starts all products makes what those that compute would, in every order, for sums of
// no product and of several rounds of a ring, in one slot and in two; in the interpreter, where products complete as
// late as they may, and as PTX.
func TestMMAWarpAgrees(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"sum", "sums", "goes_on", "taken_between", "shared_operand", "versions"} {
		for i, options := range []string{"slots=2 roles=always", "slots=3 roles=always", "slots=3 no-mma-warp roles=always"} {
			if !tier.Try(n+i, 9) {
				continue
			}
			t.Run(name+" "+options, func(t *testing.T) {
				t.Parallel()
				k := multipliedKernel(t, name)
				plain, m := k.parted(t, ""), k.parted(t, options)
				ptx, described := k.Lower(t, k.parted(t, options), new(bytes.Buffer))
				for _, shape := range [][2]int{{0, 0}, {1, 0}, {3, 0}, {3, 1}, {6, 5}} {
					want := k.launched(t, shape[0], shape[1])
					if err := interp.New(plain).Run(context.Background(), want); err != nil {
						t.Fatal(err)
					}
					for seed := range uint64(2) {
						what := fmt.Sprintf("%v tiles and steps, seed %d", shape, seed)
						e := interp.New(m)
						e.Threads, e.Adversarial, e.Seed = true, seed > 0, seed
						kerneltest.RunAndCompare(t, what, e, k.launched(t, shape[0], shape[1]), 0, want.Args[0].Buffer)
						if shape[0] == 1 || seed == 0 && shape[0] < 6 {
							continue
						}
						p, err := emulate.New("k.ptx", ptx)
						if err != nil {
							t.Fatal(err)
						}
						compile.Describe(p, described.Kernels[0])
						p.Adversarial, p.Seed = seed > 0, seed
						kerneltest.RunAndCompare(t, "as PTX, "+what, p, k.launched(t, shape[0], shape[1]), 0, want.Args[0].Buffer)
					}
				}
			})
		}
	}
}

// TestPtxasMMAWarp: the assembler takes the role.
func TestPtxasMMAWarp(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, name := range []string{"sum", "sums", "goes_on", "taken_between", "shared_operand", "versions"} {
		k := multipliedKernel(t, name)
		text, described := k.Lower(t, k.parted(t, "slots=3"), new(bytes.Buffer))
		out, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: described.Target, OptLevel: 3})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		for _, w := range out.Warnings {
			t.Errorf("%s: %v", name, w)
		}
	}
}
