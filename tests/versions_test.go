package tests

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A ragged is a product of matrices of which the kernel promises nothing, with tiles of 32x32x32: what its loop tests in front is to be seen in what it computes only by being right.
type ragged struct {
	name  string
	typ   string // of extents, strides and the counter
	loop  string // around %i, which is the tile along the depth
	outer bool   // the product is inside another loop, over the tile blocks
	lower string // of the loop, if not a parameter
	left  string // how the left operand is loaded, if not as a tile of a view
}

const raggedText = `cuda_tile.module @m {
entry @k(%%out: tile<ptr<f32>>, %%pa: tile<ptr<f16>>, %%pb: tile<ptr<f16>>, %%m: tile<%[1]s>, %%n: tile<%[1]s>, %%k: tile<%[1]s>, %%sa: tile<%[1]s>, %%sb: tile<%[1]s>, %%skew: tile<%[1]s>, %%lo: tile<%[1]s>, %%hi: tile<%[1]s>, %%columns: tile<i32>, %%blocks: tile<i32>) {
  %%tok = make_token : token
  %%none = constant <f32: 0.0> : tile<32x32xf32>
  %%zero = constant <i32: 0> : tile<i32>
  %%one = constant <%[1]s: 1> : tile<%[1]s>
  %%two = constant <%[1]s: 2> : tile<%[1]s>
  %%a = offset %%pa, %%skew : tile<ptr<f16>>, tile<%[1]s> -> tile<ptr<f16>>
  %%b = offset %%pb, %%skew : tile<ptr<f16>>, tile<%[1]s> -> tile<ptr<f16>>
  %%va = make_tensor_view %%a, shape = [%%m, %%k], strides = [%%sa, 1] : tile<%[1]s> -> tensor_view<?x?xf16, strides=[?,1]>
  %%vb = make_tensor_view %%b, shape = [%%k, %%n], strides = [%%sb, 1] : tile<%[1]s> -> tensor_view<?x?xf16, strides=[?,1]>
  %%pva = make_partition_view %%va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %%pvb = make_partition_view %%vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %%vo = make_tensor_view %%out, shape = [96, 96], strides = [96, 1] : tensor_view<96x96xf32, strides=[96,1]>
  %%pvo = make_partition_view %%vo : partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>
%[2]s
  return
}
}
`

const raggedBody = `
  %%column = remi %%at, %%columns signed : tile<i32>
  %%row = divi %%at, %%columns signed : tile<i32>
  %%x = exti %%row signed : tile<i32> -> tile<i64>
  %%y = exti %%column signed : tile<i32> -> tile<i64>
  %[2]s
  %%r = for %%i in (%[5]s to %%hi, step %[3]s) : tile<%[1]s> iter_values(%%acc = %%none) -> (tile<32x32xf32>) {
%[4]s
    %%tb, %%t2 = load_view_tko weak %%pvb[%%i, %%v] token = %%tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<%[1]s> -> tile<32x32xf16>, token
    %%d = mmaf %%ta, %%tb, %%acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    continue %%d : tile<32x32xf32>
  }
  %%done = store_view_tko weak %%r, %%pvo[%%row, %%column] token = %%tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>, tile<i32> -> token`

const raggedView = `    %%ta, %%t1 = load_view_tko weak %%pva[%%u, %%i] token = %%tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<%s> -> tile<32x32xf16>, token`

// raggedGather loads the rows through pointers, with masks for rows and columns, but for the last one, which the other operand has.
const raggedGather = `    %c32 = constant <i32: 32> : tile<i32>
    %zeros = constant <f16: 0.0> : tile<32x32xf16>
    %count = iota : tile<32xi32>
    %from = muli %i, %c32 : tile<i32>
    %f1 = reshape %from : tile<i32> -> tile<1xi32>
    %f2 = broadcast %f1 : tile<1xi32> -> tile<32xi32>
    %c1 = addi %f2, %count : tile<32xi32>
    %c2 = reshape %c1 : tile<32xi32> -> tile<1x32xi32>
    %cols = broadcast %c2 : tile<1x32xi32> -> tile<32x32xi32>
    %top = muli %row, %c32 : tile<i32>
    %r1 = reshape %top : tile<i32> -> tile<1xi32>
    %r2 = broadcast %r1 : tile<1xi32> -> tile<32xi32>
    %r3 = addi %r2, %count : tile<32xi32>
    %r4 = reshape %r3 : tile<32xi32> -> tile<32x1xi32>
    %lines = broadcast %r4 : tile<32x1xi32> -> tile<32x32xi32>
    %k0 = subi %k, %one : tile<i32>
    %k1 = reshape %k0 : tile<i32> -> tile<1x1xi32>
    %k2 = broadcast %k1 : tile<1x1xi32> -> tile<32x32xi32>
    %m1 = reshape %m : tile<i32> -> tile<1x1xi32>
    %m2 = broadcast %m1 : tile<1x1xi32> -> tile<32x32xi32>
    %s1 = reshape %sa : tile<i32> -> tile<1x1xi32>
    %s2 = broadcast %s1 : tile<1x1xi32> -> tile<32x32xi32>
    %in1 = cmpi less_than %cols, %k2, signed : tile<32x32xi32> -> tile<32x32xi1>
    %in2 = cmpi greater_than %m2, %lines, unsigned : tile<32x32xi32> -> tile<32x32xi1>
    %in = andi %in1, %in2 : tile<32x32xi1>
    %o1 = muli %lines, %s2 : tile<32x32xi32>
    %o2 = addi %o1, %cols : tile<32x32xi32>
    %p1 = reshape %a : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %p3 = offset %p2, %o2 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
`

const raggedPointers = raggedGather + `    %ta, %t1 = load_ptr_tko weak %p3, %in, %zeros token=%tok : tile<32x32xptr<f16>>, tile<32x32xi1>, tile<32x32xf16> -> tile<32x32xf16>, token`

// raggedCausal leaves out what is far to the right of the diagonal, which each row has somewhere else: of the first row of a tile, the last column of the one on the diagonal.
const raggedCausal = raggedGather + `    %tc, %t1 = load_ptr_tko weak %p3, %in, %zeros token=%tok : tile<32x32xptr<f16>>, tile<32x32xi1>, tile<32x32xf16> -> tile<32x32xf16>, token
    %shift = constant <i32: 30> : tile<32x32xi32>
    %shifted = addi %lines, %shift : tile<32x32xi32>
    %past = cmpi greater_than_or_equal %shifted, %cols, signed : tile<32x32xi32> -> tile<32x32xi1>
    %ta = select %past, %tc, %zeros : tile<32x32xi1>, tile<32x32xf16>`

func (k ragged) text() string {
	index := "%u = trunci %x : tile<i64> -> tile<i32>\n  %v = trunci %y : tile<i64> -> tile<i32>"
	if k.typ == "i64" {
		index = "%z64 = constant <i64: 0> : tile<i64>\n  %u = addi %x, %z64 : tile<i64>\n  %v = addi %y, %z64 : tile<i64>"
	}
	left := k.left
	if left == "" {
		left = fmt.Sprintf(raggedView, k.typ)
	}
	lower := "%lo"
	if k.lower != "" {
		lower = k.lower
	}
	body := fmt.Sprintf(raggedBody, k.typ, index, k.loop, left, lower)
	if k.outer {
		body = "  %start, %by, %bz = get_tile_block_id : tile<i32>\n  %many, %mb, %mc = get_num_tile_blocks : tile<i32>\n  for %at in (%start to %blocks, step %many) : tile<i32> {" + body + "\n  continue\n  }"
	} else {
		body = "  %at, %by, %bz = get_tile_block_id : tile<i32>" + body
	}
	return fmt.Sprintf(raggedText, k.typ, body)
}

var raggeds = []ragged{
	{name: "product", typ: "i32", loop: "%one"},
	{name: "product by two", typ: "i32", loop: "%two"},
	{name: "persistent product", typ: "i32", loop: "%one", outer: true},
	{name: "product of 64 bits", typ: "i64", loop: "%one"},
	{name: "product of gathered rows", typ: "i32", loop: "%one", left: raggedPointers},
	{name: "causal product", typ: "i32", loop: "%one", left: raggedCausal, lower: "%zero"},
	{name: "persistent causal product by two", typ: "i32", loop: "%two", outer: true, left: raggedCausal, lower: "%zero"},
}

// An extent is a launch of a ragged.
type extent struct {
	m, n, k, sa, sb, skew, lo, hi int64 // hi: tiles along the depth
	rows, columns                 int64 // tile blocks
}

// extents are all ways in which facts hold or do not: matrices of whole tiles, of whole vectors, and of neither; strides that are multiples of a vector, of half of one, and odd ones; addresses likewise; and depths of up to five tiles, the
// last of which is whole, ends behind a vector, or inside one.
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

// huge are launches with extents and counters next to the largest numbers of the kernel's type, where what is computed of them must not wrap.
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
	if k.lower != "" {
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
	d := pipedTypes[k.typ]
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
	m, err := tileir.Read(tileir.NewContext(), "k.mlir", []byte(k.text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, k.text())
	}
	return m
}

// TestVersions: a product gives the same in all versions of its loop, for all extents, on both engines, the emulator in order and adversarially.
func TestVersions(t *testing.T) {
	t.Parallel()
	for n, k := range raggeds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			var list []extent
			for i, e := range extents() {
				if n == 0 && !testing.Short() && i%2 == 0 || i%7 == n { // 7 is prime to the numbers of choices
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
		p := emulated(t, code, "k")
		p.Adversarial, p.Seed = i%4 > 0, uint64(i)
		engines := map[string]launch.Engine{fmt.Sprintf("ptx, adversarial %v", p.Adversarial): p}
		if i%3 == 0 {
			engines["tileaa"] = interp.New(tiles.Module)
		}
		for name, engine := range engines {
			leaves(t, fmt.Sprintf("%s, %+v", name, e), engine, k.request(e), 0, want.Args[0].Buffer)
		}
	}
}
