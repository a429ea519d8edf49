package pipelining

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A ragged is a GEMM of matrices of which the kernel promises nothing, with tiles of 32x32x32: testdata/ragged/NAME.mlir.
// What its loop tests before it starts is to be seen in what it computes only by being right.
type ragged struct {
	name  string
	typ   string // of extents, strides and the counter
	outer bool   // the MMA is inside another loop, over the tile blocks
	lower bool   // the lower bound of the loop is no parameter
}

var raggeds = []ragged{
	{name: "gemm", typ: "i32"},
	{name: "gemm_every_second_step", typ: "i32"},
	{name: "persistent_gemm", typ: "i32", outer: true},
	{name: "gemm_i64", typ: "i64"},
	{name: "gemm_gathered_rows", typ: "i32"},
	{name: "causal_gemm", typ: "i32", lower: true},
	{name: "persistent_causal_gemm_every_second_step", typ: "i32", outer: true, lower: true},
}

// An extent is a launch of a ragged.
type extent struct {
	m, n, k, sa, sb, skew, lo, hi int64 // hi: tiles along the depth
	rows, columns                 int64 // tile blocks
}

// extents are all ways in which facts hold or do not: matrices of whole tiles, of whole vectors, and of neither;
// strides that are multiples of a vector, of half of one, and odd ones; addresses likewise; and depths of up to five
// tiles, the last of which is whole, ends behind a vector, or inside one.
func extents() (list []extent) {
	for _, mn := range [][2]int64{{64, 64}, {40, 72}, {37, 67}} {
		for _, by := range [][2]int64{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 0}, {0, 4}} {
			for trips := range int64(6) {
				for _, less := range []int64{0, 8, 4, 1, 31} {
					k := 32*trips - less
					if trips == 0 && less > 0 {
						continue
					}
					list = append(list, extent{m: mn[0], n: mn[1], k: k, sa: 168 + by[0], sb: 96 + by[0], skew: by[1], hi: trips, rows: (mn[0] + 31) / 32, columns: (mn[1] + 31) / 32})
				}
			}
		}
	}
	return list
}

// huge are launches with extents and counters next to the largest numbers of the kernel's type, where what is
// computed of them must not wrap.
func (k ragged) huge() (list []extent) {
	most := int64(math.MaxInt32)
	if k.typ == "i64" {
		most = math.MaxInt64
	}
	for _, size := range []int64{most, most - 7, most - 30, most - 31, most - 32, most/2 + 1} {
		for _, odd := range []int64{0, 1} {
			list = append(list, extent{m: size, n: size, k: size, sa: 168 + odd, sb: 96 + odd, hi: 3, rows: 1, columns: 1},
				extent{m: 40, n: 40, k: size, sa: 168 + odd, sb: 96 + odd, hi: 2, rows: 2, columns: 2})
		}
	}
	if k.lower {
		return list
	}
	for _, lo := range []int64{0, most - 1, most} {
		for _, hi := range []int64{lo, -most - 1, -1, 0} {
			list = append(list, extent{m: 64, n: 64, k: 64, sa: 168, sb: 96, lo: lo, hi: min(lo, hi), rows: 1, columns: 1}, extent{m: most, n: most, k: most, sa: 168, sb: 96, lo: lo, hi: min(lo, hi), rows: 1, columns: 1})
		}
	}
	return list
}

// request is a launch with inputs that are NaN where the kernel has no business.
func (k ragged) request(e extent) *launch.Request {
	out := &launch.Buffer{DType: launch.F32, Shape: []int{96 * 96}, Data: make([]byte, 4*96*96)}
	matrix := func(rows, columns, stride int64) launch.Arg {
		b := &launch.Buffer{DType: launch.F16, Shape: []int{20000}, Data: make([]byte, 2*20000)}
		for i := range 20000 {
			launch.F16.Store(b.Data, i, 0x7e00)
		}
		for r := range min(rows, 160) {
			for c := range min(columns, 160) {
				bits, _ := launch.F16.ParseValue(fmt.Sprint((r*7+c*5+r*c/3)%5 - 2))
				if at := e.skew + r*stride + c; at < 20000 {
					launch.F16.Store(b.Data, int(at), bits)
				}
			}
		}
		return launch.Arg{Buffer: b}
	}
	req := &launch.Request{Entry: "k", Grid: [3]uint32{uint32(e.rows * e.columns), 1, 1}, Args: []launch.Arg{{Buffer: out}, matrix(e.m, e.k, e.sa), matrix(e.k, e.n, e.sb)}}
	if k.outer {
		req.Grid[0] = 2
	}
	d := kerneltest.Types[k.typ]
	for _, v := range []int64{e.m, e.n, e.k, e.sa, e.sb, e.skew, e.lo, e.hi} {
		req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: d, Bits: uint64(v) & (1<<(8*d.Size()-1)<<1 - 1)}})
	}
	for _, v := range []int64{e.columns, e.rows * e.columns} {
		req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(v)}})
	}
	return req
}

func (k ragged) read(t *testing.T) ir.Op {
	t.Helper()
	name := filepath.Join("testdata", "ragged", k.name+".mlir")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := tileir.Read(tileir.NewContext(), name, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestVersionsAgree: a GEMM gives the same in all versions of its loop, for all extents, on both engines, the emulator
// in order and adversarially.
func TestVersionsAgree(t *testing.T) {
	t.Parallel()
	for n, k := range raggeds {
		if !tier.Try(n, 3) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			var list []extent
			for i, e := range extents() {
				if (n == 0 && tier.All() && i%2 == 0 || i%7 == n) && tier.Try(i, 18) { // 7 is prime to the numbers of choices
					list = append(list, e)
				}
			}
			k.compare(t, append(list, k.huge()...))
		})
	}
}

func (k ragged) compare(t *testing.T, list []extent) {
	t.Helper()
	program := k.read(t)
	tiles, err := compile.To(context.Background(), k.read(t), compile.Options{GPU: "sm_80", OptLevel: 3, To: property.TileAA})
	if err != nil {
		t.Fatal(err)
	}
	code, err := compile.To(context.Background(), k.read(t), compile.Options{GPU: "sm_80", OptLevel: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		want := k.request(e)
		if err := interp.New(program).Run(context.Background(), want); err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		p := kerneltest.Emulator(t, code, "k")
		p.Adversarial, p.Seed = i%4 > 0, uint64(i)
		engines := map[string]launch.Engine{fmt.Sprintf("ptx, adversarial %v", p.Adversarial): p}
		if i%3 == 0 {
			engines["tileaa"] = interp.New(tiles.Module)
		}
		for name, engine := range engines {
			kerneltest.RunAndCompare(t, fmt.Sprintf("%s, %+v", name, e), engine, k.request(e), 0, want.Args[0].Buffer)
		}
	}
}
