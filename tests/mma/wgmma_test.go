package mma

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// A groupProduct is a kernel of one MMA, of a shape and of types, that a group of warps computes on sm_90.
type groupProduct struct {
	m, n, k, batch, warps int
	elem, sum             string // types in memory; tf32: f32, which the kernel converts
	atT, btT              bool   // A is stored with its columns together, B with its columns
	wide                  bool   // what memory has is converted in registers, as f16 from f32: cp.async does not bring it
	instruction           string // of which there is at least one
	twice                 bool   // the sum goes through a second product, with A in registers
}

var productDTypes = map[string]launch.DType{"f16": launch.F16, "bf16": launch.BF16, "f32": launch.F32, "f8E4M3FN": launch.F8E4M3, "f8E5M2": launch.F8E5M2, "i8": launch.I8, "i32": launch.I32}

func (p groupProduct) name() string {
	return fmt.Sprintf("%s to %s, %d x %d x %d of %d, %d warps, %v %v %v %v", p.elem, p.sum, p.m, p.n, p.k, p.batch, p.warps, p.atT, p.btT, p.wide, p.twice)
}

// stored is the type in memory.
func (p groupProduct) stored() string {
	if p.elem == "tf32" || p.wide {
		return "f32"
	}
	return p.elem
}

func (p groupProduct) text() string {
	var b strings.Builder
	shape := func(rows, cols int, elem string) string {
		if p.batch > 1 {
			return fmt.Sprintf("tensor<%dx%dx%dx%s>", p.batch, rows, cols, elem)
		}
		return fmt.Sprintf("tensor<%dx%dx%s>", rows, cols, elem)
	}
	// access writes the place and the facts of a tile that fills an object of its own; stores say nothing of alignment.
	access := func(name string, rows, cols int, facts string) string {
		fmt.Fprintf(&b, "  %%%srow = arith.constant %d : i64\n  %%%smatrix = arith.constant %d : i64\n", name, cols, name, rows*cols)
		n, strides := 2, fmt.Sprintf("%%%srow, %%one", name)
		if p.batch > 1 {
			n, strides = 3, fmt.Sprintf("%%%smatrix, %s", name, strides)
		}
		list := func(x string) string { return strings.Repeat(x+", ", n-1) + x }
		if facts != "" {
			facts += fmt.Sprintf(", offset_div = array<i64: %s>, size_div = array<i64: %s>, stride_div = array<i64: %s1>", list("16"), list("16"), strings.Repeat("16, ", n-1))
		}
		return fmt.Sprintf("[%s] sizes [%s] strides [%s] {bounds = array<i1: %s>%s}", list("%z"), list("%big"), strides, list("false"), facts)
	}
	fmt.Fprintf(&b, "nv_tileas.func @k(%%q: !nv_tileas.ptr<%s>, %%a: !nv_tileas.ptr<%s>, %%b: !nv_tileas.ptr<%s>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = %d>} {\n", p.sum, p.stored(), p.stored(), p.warps)
	fmt.Fprintf(&b, "  %%z = arith.constant 0 : i64\n  %%one = arith.constant 1 : i64\n  %%big = arith.constant 4096 : i64\n")
	load := func(name string, rows, cols int, transposed bool) string {
		r, c := rows, cols
		if transposed {
			r, c = cols, rows
		}
		at := access(name, r, c, ", padding = \"zero\", base_div = 16 : i64")
		fmt.Fprintf(&b, "  %%%sl, %%%st = nv_tileas.tiled_load %%%s%s : !nv_tileas.ptr<%s> -> %s\n", name, name, name, at, p.stored(), shape(r, c, p.stored()))
		v := "%" + name + "l"
		if transposed {
			perm := "1, 0"
			if p.batch > 1 {
				perm = "0, 2, 1"
			}
			fmt.Fprintf(&b, "  %%%sp = nv_tileas.permute %s [%s] : %s -> %s\n", name, v, perm, shape(r, c, p.stored()), shape(rows, cols, p.stored()))
			v = "%" + name + "p"
		}
		if p.stored() != p.elem {
			fmt.Fprintf(&b, "  %%%sc = arith.ftof %s : %s to %s\n", name, v, shape(rows, cols, p.stored()), shape(rows, cols, p.elem))
			v = "%" + name + "c"
		}
		return v
	}
	x := load("a", p.m, p.k, p.atT)
	y := load("b", p.k, p.n, p.btT)
	one := "1.0"
	if p.sum == "i32" {
		one = "1"
	}
	sum := shape(p.m, p.n, p.sum)
	fmt.Fprintf(&b, "  %%c = arith.constant dense<%s> : %s\n", one, sum)
	fmt.Fprintf(&b, "  %%d = nv_tileas.dot %s, %s, %%c : %s, %s -> %s\n", x, y, shape(p.m, p.k, p.elem), shape(p.k, p.n, p.elem), sum)
	if p.twice {
		fmt.Fprintf(&b, "  %%h = arith.ftof %%d : %s to %s\n", sum, shape(p.m, p.n, p.elem))
		fmt.Fprintf(&b, "  %%e = nv_tileas.dot %%h, %s, %%c : %s, %s -> %s\n", y, shape(p.m, p.n, p.elem), shape(p.k, p.n, p.elem), sum)
	}
	result := "%d"
	if p.twice {
		result = "%e"
	}
	fmt.Fprintf(&b, "  %%t = nv_tileas.tiled_store %s, %%q%s : %s, !nv_tileas.ptr<%s>\n  nv_tileas.return\n}\n", result, access("q", p.m, p.n, ""), sum, p.sum)
	return b.String()
}

// value is element i of a factor: small, so that sums are exact in every type.
func (groupProduct) value(which, i int) int64 { return int64((i*(7+2*which)+i/37+i/701*5)%3 - 1) }

func (p groupProduct) request(t *testing.T) (*launch.Request, []int64) {
	t.Helper()
	d := productDTypes[p.stored()]
	factor := func(which, n int) launch.Arg {
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, d.Bytes(n))}
		for i := range n {
			d.Store(b.Data, i, kerneltest.Bits(t, d, p.value(which, i)))
		}
		return launch.Arg{Buffer: b}
	}
	out := productDTypes[p.sum]
	q := &launch.Buffer{DType: out, Shape: []int{p.batch * p.m * p.n}, Data: make([]byte, out.Bytes(p.batch*p.m*p.n))}
	at := func(which, g, rows, cols, i, j int, transposed bool) int64 {
		if transposed {
			return p.value(which, (g*cols+j)*rows+i)
		}
		return p.value(which, (g*rows+i)*cols+j)
	}
	want := make([]int64, p.batch*p.m*p.n)
	for g := range p.batch {
		first := make([]int64, p.m*p.n)
		for i := range p.m {
			for j := range p.n {
				s := int64(1)
				for k := range p.k {
					s += at(0, g, p.m, p.k, i, k, p.atT) * at(1, g, p.k, p.n, k, j, p.btT)
				}
				first[i*p.n+j] = s
			}
		}
		for i := range p.m {
			for j := range p.n {
				s := first[i*p.n+j]
				if p.twice {
					s = 1
					for k := range p.k {
						s += first[i*p.n+k] * at(1, g, p.k, p.n, k, j, p.btT)
					}
				}
				want[(g*p.m+i)*p.n+j] = s
			}
		}
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: q}, factor(0, p.batch*p.m*p.k), factor(1, p.batch*p.k*p.n)}}, want
}

var groupProducts = []groupProduct{
	{m: 64, n: 64, k: 64, batch: 1, warps: 4, elem: "f16", sum: "f32", instruction: "m64n64k16.f32.f16.f16"},
	{m: 128, n: 8, k: 32, batch: 1, warps: 4, elem: "f16", sum: "f32", instruction: "m64n8k16.f32.f16.f16"},
	{m: 64, n: 256, k: 16, batch: 1, warps: 4, elem: "bf16", sum: "f32", instruction: "m64n256k16.f32.bf16.bf16"},
	{m: 64, n: 128, k: 128, batch: 1, warps: 4, elem: "f16", sum: "f16", instruction: "m64n128k16.f16.f16.f16"},
	{m: 128, n: 128, k: 64, batch: 1, warps: 8, elem: "f16", sum: "f32", atT: true, instruction: "m64n128k16.f32.f16.f16"},
	{m: 64, n: 128, k: 64, batch: 1, warps: 8, elem: "f16", sum: "f32", btT: true, instruction: "m64n64k16.f32.f16.f16"},
	{m: 256, n: 32, k: 32, batch: 1, warps: 8, elem: "bf16", sum: "f32", atT: true, btT: true, instruction: "m64n32k16.f32.bf16.bf16"},
	{m: 64, n: 32, k: 32, batch: 2, warps: 4, elem: "f16", sum: "f32", instruction: "m64n32k16.f32.f16.f16"},
	{m: 64, n: 512, k: 16, batch: 1, warps: 8, elem: "f16", sum: "f32", instruction: "m64n256k16.f32.f16.f16"},
	{m: 64, n: 64, k: 64, batch: 1, warps: 4, elem: "f8E4M3FN", sum: "f32", btT: true, instruction: "m64n64k32.f32.e4m3.e4m3"},
	{m: 64, n: 64, k: 128, batch: 1, warps: 4, elem: "f8E5M2", sum: "f16", btT: true, instruction: "m64n64k32.f16.e5m2.e5m2"},
	{m: 128, n: 64, k: 64, batch: 1, warps: 4, elem: "i8", sum: "i32", btT: true, instruction: "m64n64k32.s32.s8.s8"},
	{m: 64, n: 64, k: 64, batch: 1, warps: 4, elem: "tf32", sum: "f32", instruction: "m64n64k8.f32.tf32.tf32"},
	{m: 64, n: 32, k: 64, batch: 1, warps: 4, elem: "tf32", sum: "f32", btT: true, instruction: "m64n32k8.f32.tf32.tf32"},
	{m: 64, n: 64, k: 32, batch: 1, warps: 4, elem: "f16", sum: "f32", wide: true, atT: true, instruction: "m64n64k16.f32.f16.f16"},
	{m: 64, n: 64, k: 64, batch: 1, warps: 4, elem: "f16", sum: "f32", twice: true, instruction: "m64n64k16.f32.f16.f16"},
	{m: 128, n: 64, k: 64, batch: 1, warps: 8, elem: "bf16", sum: "f32", twice: true, btT: true, instruction: "m64n64k16.f32.bf16.bf16"},
}

func (p groupProduct) ptx(t *testing.T, level string) []byte {
	t.Helper()
	return groupPTX(t, p.text(), level)
}

func groupPTX(t *testing.T, text, level string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var ptx, errs bytes.Buffer
	if status := opttool.TileOpt().Main([]string{"--lower-to=ptx", level, "--gpu-name=sm_90", "--tensor-maps=none", path}, strings.NewReader(""), &ptx, &errs); status != 0 {
		t.Fatalf("%s: status %d\n%s", level, status, &errs)
	}
	return ptx.Bytes()
}

// TestPtxasWGMMA: the assembler takes such products as they are meant, beside each other and without spills.
func TestPtxasWGMMA(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, p := range groupProducts {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			for k, level := range []string{"-O0", "-O3"} {
				if !tier.Try(i+k, 4) {
					continue
				}
				out, err := tool.Assemble(context.Background(), p.ptx(t, level), ptxas.Options{Arch: "sm_90a", OptLevel: 3})
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range out.Warnings {
					t.Errorf("%s: %v", level, w)
				}
				for _, e := range out.Entries {
					if e.SpillStores+e.SpillLoads > 0 {
						t.Errorf("%s: %d bytes are spilled", level, e.SpillStores)
					}
				}
			}
		})
	}
}

// TestWGMMA: products of every type pair, of factors that lie either way, in one and two groups of warps,
// from buffers and from registers, give what they should without optimisation and with it.
func TestWGMMA(t *testing.T) {
	t.Parallel()
	for i, p := range groupProducts {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			for k, level := range []string{"-O0", "-O3"} {
				if !tier.Try(i+k, 2) {
					continue
				}
				ptx := p.ptx(t, level)
				if !strings.Contains(string(ptx), "wgmma.mma_async.sync.aligned."+p.instruction) || !strings.Contains(string(ptx), ".target sm_90a") {
					t.Errorf("%s: there is no %s\n%s", level, p.instruction, p.text())
				}
				for seed := range uint64(3) {
					e, err := emulate.New("k.ptx", ptx)
					if err != nil {
						t.Fatal(err)
					}
					e.Adversarial, e.Seed = seed > 0, seed
					req, want := p.request(t)
					if err := e.Run(context.Background(), req); err != nil {
						t.Fatalf("%s, seed %d: %v", level, seed, err)
					}
					q := req.Args[0].Buffer
					for i, w := range want {
						if got := q.DType.Load(q.Data, i); got != kerneltest.Bits(t, q.DType, w) {
							t.Fatalf("%s, seed %d: element %d is %s, want %d", level, seed, i, q.DType.FormatValue(got), w)
						}
					}
				}
			}
		})
	}
}

// groupLoop adds up products of 64 x 64 x 64 along 64 x 512 and 512 x 64.
const groupLoop = `nv_tileas.func @k(%q: !nv_tileas.ptr<SUM>, %a: !nv_tileas.ptr<f16>, %b: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s64 = arith.constant 64 : i64
  %s512 = arith.constant 512 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c = arith.constant dense<1.0> : tensor<64x64xSUM>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xSUM>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %s64 : i64
    %x, %xt = nv_tileas.tiled_load %a[%z, %at] sizes [%s64, %s512] strides [%s512, %one] {padding = "zero", bounds = array<i1: false, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
    %y, %yt = nv_tileas.tiled_load %b[%at, %z] sizes [%s512, %s64] strides [%s64, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
    %d = nv_tileas.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xSUM>
    scf.continue %d : tensor<64x64xSUM>
  }
  %t = nv_tileas.tiled_store %s, %q[%z, %z] sizes [%s64, %s64] strides [%s64, %one] {bounds = array<i1: false, false>} : tensor<64x64xSUM>, !nv_tileas.ptr<SUM>
  nv_tileas.return
}
`

// TestWGMMAInLoops: sums that go through loops are right at every level of optimisation, those of 16 bits too, whose
// elements share registers.
func TestWGMMAInLoops(t *testing.T) {
	t.Parallel()
	for i, sum := range []string{"f16", "f32"} {
		for k, level := range []string{"-O0", "-O1", "-O2", "-O3"} {
			if !tier.Try(i+k, 2) {
				continue
			}
			t.Run(sum+level, func(t *testing.T) {
				t.Parallel()
				p := groupProduct{m: 64, n: 64, k: 512, batch: 1, elem: "f16", sum: sum}
				ptx := groupPTX(t, strings.ReplaceAll(groupLoop, "SUM", sum), level)
				for _, trips := range []int{0, 1, 2, 5, 8} {
					for seed := range uint64(3) {
						if !tier.Try(trips+int(seed), 9) {
							continue
						}
						e, err := emulate.New("k.ptx", ptx)
						if err != nil {
							t.Fatal(err)
						}
						e.Adversarial, e.Seed = seed > 0, seed
						req, _ := p.request(t)
						req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(trips)}})
						if err := e.Run(context.Background(), req); err != nil {
							t.Fatalf("%d times, seed %d: %v", trips, seed, err)
						}
						q := req.Args[0].Buffer
						for i := range p.m * p.n {
							want := int64(1)
							for k := range 64 * trips {
								want += p.value(0, i/p.n*p.k+k) * p.value(1, k*p.n+i%p.n)
							}
							if got := q.DType.Load(q.Data, i); got != kerneltest.Bits(t, q.DType, want) {
								t.Fatalf("%d times, seed %d: element %d is %s, want %d", trips, seed, i, q.DType.FormatValue(got), want)
							}
						}
					}
				}
			})
		}
	}
}
