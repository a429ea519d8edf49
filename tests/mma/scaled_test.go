package mma

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// A scaledProduct is a kernel of one mmaf_scaled.
type scaledProduct struct {
	factor, scale  string
	batch, m, n, k int // batch 0: matrices without a batch
	block          int
	elements       []byte // patterns that the factors are made of, two of four bits in one
}

// Patterns of factors whose sums of products f32 holds: ordinary ones: zeros, the least and the largest numbers,
// infinities and NaN where there are some.
var (
	plainE4M3   = []byte{0x00, 0x38, 0xb8, 0x40, 0x44, 0xc8, 0x30, 0x4e}
	mostE4M3    = []byte{0x00, 0x7e, 0xfe, 0x80, 0x7d, 0x00}
	leastE4M3   = []byte{0x01, 0x81, 0x02, 0x03, 0x00}
	plainE5M2   = []byte{0x00, 0x3c, 0xbc, 0x40, 0x42, 0xc4, 0x38}
	leastE5M2   = []byte{0x01, 0x81, 0x02, 0x03, 0x00}
	specialE5M2 = []byte{0x00, 0x00, 0x00, 0x00, 0x3c, 0x00, 0x00, 0x7c, 0x00, 0x00, 0xbc, 0x00, 0xfc, 0x00, 0x7f, 0x00, 0x00}
	allE2M1     = []byte{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0x0f, 0x71}
)

var scaledProducts = []scaledProduct{
	{"f8E4M3FN", "f8E8M0FNU", 0, 32, 32, 32, 32, plainE4M3},
	{"f8E4M3FN", "f8E8M0FNU", 0, 16, 16, 32, 32, mostE4M3},
	{"f8E4M3FN", "f8E8M0FNU", 0, 16, 16, 32, 32, leastE4M3},
	{"f8E4M3FN", "f8E8M0FNU", 2, 16, 32, 64, 32, plainE4M3},
	{"f8E5M2", "f8E8M0FNU", 0, 32, 32, 32, 32, plainE5M2},
	{"f8E5M2", "f8E8M0FNU", 0, 32, 32, 32, 32, leastE5M2},
	{"f8E5M2", "f8E8M0FNU", 0, 64, 16, 128, 32, specialE5M2},
	{"f4E2M1FN", "f8E8M0FNU", 0, 32, 32, 32, 32, allE2M1},
	{"f4E2M1FN", "f8E8M0FNU", 0, 32, 32, 64, 16, allE2M1},
	{"f4E2M1FN", "f8E4M3FN", 0, 32, 32, 16, 16, allE2M1},
	{"f4E2M1FN", "f8E4M3FN", 2, 16, 8, 128, 16, allE2M1},
	{"f4E2M1FN", "fnv8E5M3FNU", 0, 32, 32, 16, 16, allE2M1},
	{"f4E2M1FN", "fnv8E5M3FNU", 0, 32, 32, 64, 32, allE2M1},
	// Several fragments on both sides, and several words of scales.
	{"f8E4M3FN", "f8E8M0FNU", 0, 32, 64, 128, 32, plainE4M3},
	{"f8E5M2", "f8E8M0FNU", 0, 64, 32, 64, 32, plainE5M2},
	{"f8E5M2", "f8E8M0FNU", 2, 8, 4, 256, 32, plainE5M2},
	{"f4E2M1FN", "f8E8M0FNU", 0, 64, 64, 256, 32, allE2M1},
	{"f4E2M1FN", "f8E8M0FNU", 2, 32, 64, 128, 16, allE2M1},
	{"f4E2M1FN", "f8E4M3FN", 0, 32, 64, 128, 16, allE2M1},
}

// scales are the patterns that rows and columns take in turn, so that each meets each. Those of products of one block
// leave the range of f32, together or alone; with several blocks each sum stays in it, since the interpreter rounds
// once and compiled code after each block.
func (p scaledProduct) scales() (rows, columns []byte, nan byte) {
	switch {
	case p.scale == "f8E4M3FN":
		rows = []byte{0x00, 0x7e, 0x38, 0x01, 0x08, 0x45, 0x33, 0x0f, 0x7d}
		return rows, rows, 0x7f
	case p.scale == "fnv8E5M3FNU":
		rows = []byte{0x00, 0xfe, 0x78, 0x01, 0x08, 0x85, 0x73, 0x0f, 0xfd}
		return rows, rows, 0xff
	case p.k == p.block:
		rows = []byte{0x00, 0xfe, 0x7f, 0x80, 0x01, 0xfd, 0x3f, 0xc0, 0x10, 0xe6, 0x0f, 0xe5, 0x7e}
		return rows, rows, 0xff
	}
	return []byte{0x7f, 0xfe, 0xe0}, []byte{0x00, 0x74, 0x40}, 0xff
}

func (p scaledProduct) name() string {
	return fmt.Sprintf("%s by %s %d %dx%dx%d in %d, %x", p.factor, p.scale, p.batch, p.m, p.n, p.k, p.block, p.elements[1])
}

// source returns the kernel: buffers of bytes in, f32 in and out.
func (p scaledProduct) source() string {
	batches, prefix := max(p.batch, 1), ""
	if p.batch > 0 {
		prefix = fmt.Sprintf("%dx", p.batch)
	}
	var b strings.Builder
	b.WriteString("cuda_tile.module @m {\nentry @k(%c: tile<ptr<f32>>, %a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %s: tile<ptr<i8>>, %t: tile<ptr<i8>>) {\n")
	pointers := func(name, elem string, n int) {
		fmt.Fprintf(&b, "  %%i%[1]s = iota : tile<%[3]dxi32>\n  %%r%[1]s = reshape %%%[1]s : tile<ptr<%[2]s>> -> tile<1xptr<%[2]s>>\n"+
			"  %%b%[1]s = broadcast %%r%[1]s : tile<1xptr<%[2]s>> -> tile<%[3]dxptr<%[2]s>>\n"+
			"  %%p%[1]s = offset %%b%[1]s, %%i%[1]s : tile<%[3]dxptr<%[2]s>>, tile<%[3]dxi32> -> tile<%[3]dxptr<%[2]s>>\n"+
			"  %%l%[1]s, %%t%[1]s = load_ptr_tko weak %%p%[1]s : tile<%[3]dxptr<%[2]s>> -> tile<%[3]dx%[2]s>, token\n", name, elem, n)
	}
	load := func(name, elem string, rows, columns int) string {
		n := batches * rows * columns
		t := fmt.Sprintf("tile<%s%dx%dx%s>", prefix, rows, columns, elem)
		bytes, cast := n, "bitcast"
		if elem == "f4E2M1FN" {
			bytes, cast = n/2, "unpack"
		}
		pointers(name, "i8", bytes)
		fmt.Fprintf(&b, "  %%f%[1]s = %[2]s %%l%[1]s : tile<%[3]dxi8> -> tile<%[4]dx%[5]s>\n", name, cast, bytes, n, elem)
		fmt.Fprintf(&b, "  %%m%s = reshape %%f%s : tile<%dx%s> -> %s\n", name, name, n, elem, t)
		return t
	}
	ta, tb := load("a", p.factor, p.m, p.k), load("b", p.factor, p.k, p.n)
	ts, tt := load("s", p.scale, p.m, p.k/p.block), load("t", p.scale, p.k/p.block, p.n)
	sum, n := fmt.Sprintf("tile<%s%dx%dxf32>", prefix, p.m, p.n), batches*p.m*p.n
	pointers("c", "f32", n)
	fmt.Fprintf(&b, "  %%mc = reshape %%lc : tile<%[1]dxf32> -> %[2]s\n  %%d = mmaf_scaled %%ma, %%mb, %%mc, %%ms, %%mt : %[3]s, %[4]s, %[2]s, %[5]s, %[6]s\n"+
		"  %%o = reshape %%d : %[2]s -> tile<%[1]dxf32>\n  %%k = store_ptr_tko weak %%pc, %%o : tile<%[1]dxptr<f32>>, tile<%[1]dxf32> -> token\n  return\n}\n}\n",
		n, sum, ta, tb, ts, tt)
	return b.String()
}

// inputs writes the buffers and returns the arguments. Scales of a row are the same in all blocks, or else NaN in
// one, so that sums of blocks are exact as well.
func (p scaledProduct) inputs(t *testing.T, dir string) []string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name+".npy")
		if err := npy.WriteFile(file, &npy.Array{DType: npy.Int8, Shape: []int{len(data)}, Data: data}); err != nil {
			t.Fatal(err)
		}
		return "--arg=i8:" + file
	}
	random := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = p.elements[r.IntN(len(p.elements))]
		}
		return out
	}
	batches, blocks := max(p.batch, 1), p.k/p.block
	forRows, forColumns, nan := p.scales()
	var rows, columns []byte
	for i := range batches * p.m * blocks {
		rows = append(rows, forRows[i/blocks%len(forRows)])
	}
	for i := range batches * blocks * p.n {
		columns = append(columns, forColumns[(i%p.n+i%p.n/len(forColumns))%len(forColumns)])
	}
	rows[len(rows)-1], columns[len(columns)-1] = nan, nan
	size := 1
	if p.factor == "f4E2M1FN" {
		size = 2
	}
	return []string{fmt.Sprintf("--arg=f32[%d]", batches*p.m*p.n), write("a", random(batches*p.m*p.k/size)), write("b", random(batches*p.k*p.n/size)),
		write("s", rows), write("t", columns)}
}

// TestScaledMMA compares compiled products with the interpreter, bit for bit, for scales whose own products
// leave the range of f32.
func TestScaledMMA(t *testing.T) {
	t.Parallel()
	for i, p := range scaledProducts {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "k.mlir")
			if err := os.WriteFile(file, []byte(p.source()), 0o600); err != nil {
				t.Fatal(err)
			}
			inputs := p.inputs(t, dir)
			for k, way := range []string{"--gpu-name=sm_80 -O3", "--gpu-name=sm_90 -O3", "--gpu-name=sm_100 -O3", "--gpu-name=sm_120 -O3", "--gpu-name=sm_121 -O2", "--gpu-name=sm_80 -O0", "--gpu-name=sm_120 -O0"} {
				if !tier.Try(i+k, 7) {
					continue
				}
				args := append([]string{"--diff-engines=interp,ptx", "--entry=k", "--grid=1,1,1", "--timeout=60s"}, strings.Fields(way)...)
				var out, errs bytes.Buffer
				status := runtool.Main(context.Background(), append(append(args, inputs...), file), strings.NewReader(""), &out, &errs)
				if status != 0 || !strings.Contains(out.String(), "[ptx against interp]: arg 0 (f32["+inputs[0][len("--arg=f32["):]+"): ok\n") {
					t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
				}
			}
		})
	}
}

// TestNegativeScales: instructions take scales of f8E4M3FN without their sign, so that what a negative one scales is
// unspecified on all targets. The interpreter says so.
func TestNegativeScales(t *testing.T) {
	t.Parallel()
	p := scaledProduct{"f4E2M1FN", "f8E4M3FN", 0, 32, 32, 64, 16, allE2M1}
	dir := t.TempDir()
	file := filepath.Join(dir, "k.mlir")
	if err := os.WriteFile(file, []byte(p.source()), 0o600); err != nil {
		t.Fatal(err)
	}
	inputs := p.inputs(t, dir)
	rows := filepath.Join(dir, "s.npy")
	data, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] |= 0x80 // the last one is NaN
	if err := os.WriteFile(rows, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := append([]string{"--engine=interp", "--strict", "--entry=k", "--grid=1,1,1", "--timeout=60s"}, inputs...)
	if status := runtool.Main(context.Background(), append(args, file), strings.NewReader(""), &out, &errs); status == 0 || !strings.Contains(errs.String(), "stores an unspecified value") {
		t.Errorf("status %d\n%s%s", status, &out, &errs)
	}
}

// TestPtxasScaledMMA assembles them, each for the architectures in turn.
func TestPtxasScaledMMA(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, p := range scaledProducts {
		source := p.source()
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for k, n := range []int{i, i + 5} {
				if !tier.Try(i+k, 9) {
					continue
				}
				arch := sm.All()[n%len(sm.All())]
				if kerneltest.Assemble(t, tool, arch.Name, []byte(source)) {
					t.Errorf("%s: spills registers\n%s", arch, source)
				}
			}
		})
	}
}
