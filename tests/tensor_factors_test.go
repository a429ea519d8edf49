package tests

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/plants"
)

// A rescaled is attention with exact arithmetic in the place of its softmax: what a product yields goes on as the factor A of a second one, whose sum each iteration changes the sign of some rows of.
type rescaled struct {
	name          string
	rows, keys, d int
	elem          string // of the second product's factors
	sign          string // a condition on %row and %i under which a row keeps its sign
	twice         bool   // the sum is also stored in each iteration, to where the next one overwrites it
}

var rescaledKernels = []rescaled{
	{name: "f16", rows: 128, keys: 64, d: 64, elem: "f16", sign: "%row, %turn"},
	{name: "bf16, 64 rows", rows: 64, keys: 64, d: 128, elem: "bf16", sign: "%row, %turn"},
	{name: "whole groups", rows: 128, keys: 32, d: 64, elem: "f16", sign: "%group, %turn"},
	{name: "two along M", rows: 256, keys: 32, d: 32, elem: "f16", sign: "%group, %turn"},
	{name: "tf32", rows: 128, keys: 32, d: 32, elem: "tf32", sign: "%row, %turn"},
	{name: "read twice", rows: 128, keys: 64, d: 32, elem: "f16", sign: "%row, %turn", twice: true},
}

const rescaledText = `cuda_tile.module @m {
entry @k(%po: tile<ptr<f32>>, %pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<IN>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 4> : tile<i32>
  %o = assume div_by<16>, %po : tile<ptr<f32>>
  %q = assume div_by<16>, %pq : tile<ptr<f16>>
  %k = assume div_by<16>, %pk : tile<ptr<f16>>
  %v = assume div_by<16>, %pv : tile<ptr<IN>>
  %vo = make_tensor_view %o, shape = [ROWS, DEPTH], strides = [DEPTH, 1] : tensor_view<ROWSxDEPTHxf32, strides=[DEPTH,1]>
  %vq = make_tensor_view %q, shape = [ROWS, 64], strides = [64, 1] : tensor_view<ROWSx64xf16, strides=[64,1]>
  %vk = make_tensor_view %k, shape = [64, ALL], strides = [1, 64] : tensor_view<64xALLxf16, strides=[1,64]>
  %vv = make_tensor_view %v, shape = [ALL, DEPTH], strides = VSTRIDE : tensor_view<ALLxDEPTHxIN, strides=VSTRIDE>
  %to = make_partition_view %vo : OUT
  %tq = make_partition_view %vq : partition_view<tile=(ROWSx64), tensor_view<ROWSx64xf16, strides=[64,1]>>
  %tk = make_partition_view %vk : partition_view<tile=(64xKEYS), tensor_view<64xALLxf16, strides=[1,64]>>
  %tv = make_partition_view %vv : partition_view<tile=(KEYSxDEPTH), tensor_view<ALLxDEPTHxIN, strides=VSTRIDE>>
  %none = constant <f32: 0.0> : tile<ROWSxKEYSxf32>
  %start = constant <f32: 0.0> : tile<ROWSxDEPTHxf32>
  %least = constant <f32: -8.0> : tile<ROWSxKEYSxf32>
  %most = constant <f32: 8.0> : tile<ROWSxKEYSxf32>
  %row = iota : tile<ROWSxi32>
  %five = constant <i32: 5> : tile<ROWSxi32>
  %ones = constant <i32: 1> : tile<ROWSxi32>
  %group = shri %row, %five unsigned : tile<ROWSxi32>
  %x, %ux = load_view_tko weak %tq[%zero, %zero] token = %tok : partition_view<tile=(ROWSx64), tensor_view<ROWSx64xf16, strides=[64,1]>>, tile<i32> -> tile<ROWSx64xf16>, token
  %r:2 = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %start, %stored = %tok) -> (tile<ROWSxDEPTHxf32>, token) {
    %y, %uy = load_view_tko weak %tk[%zero, %i] token = %tok : partition_view<tile=(64xKEYS), tensor_view<64xALLxf16, strides=[1,64]>>, tile<i32> -> tile<64xKEYSxf16>, token
    %s = mmaf %x, %y, %none : tile<ROWSx64xf16>, tile<64xKEYSxf16>, tile<ROWSxKEYSxf32>
    %s1 = minf %s, %most : tile<ROWSxKEYSxf32>
    %s2 = maxf %s1, %least : tile<ROWSxKEYSxf32>
    %p = ftof %s2 : tile<ROWSxKEYSxf32> -> tile<ROWSxKEYSxELEM>
    %i1 = reshape %i : tile<i32> -> tile<1xi32>
    %turn = broadcast %i1 : tile<1xi32> -> tile<ROWSxi32>
    %b0 = andi SIGN : tile<ROWSxi32>
    %b1 = andi %b0, %ones : tile<ROWSxi32>
    %b2 = addi %b1, %b1 : tile<ROWSxi32>
    %b3 = subi %ones, %b2 : tile<ROWSxi32>
    %f0 = itof %b3 signed : tile<ROWSxi32> -> tile<ROWSxf32>
    %f1 = reshape %f0 : tile<ROWSxf32> -> tile<ROWSx1xf32>
    %f2 = broadcast %f1 : tile<ROWSx1xf32> -> tile<ROWSxDEPTHxf32>
    %sum = mulf %acc, %f2 rounding<nearest_even> : tile<ROWSxDEPTHxf32>
EACH
    %z, %uz = load_view_tko weak %tv[%i, %zero] token = %tok : partition_view<tile=(KEYSxDEPTH), tensor_view<ALLxDEPTHxIN, strides=VSTRIDE>>, tile<i32> -> tile<KEYSxDEPTHxIN>, token
CONVERT
    %d = mmaf %p, %w, %sum : tile<ROWSxKEYSxELEM>, tile<KEYSxDEPTHxELEM>, tile<ROWSxDEPTHxf32>
    continue %d, LAST : tile<ROWSxDEPTHxf32>, token
  }
  %done = store_view_tko weak %r#0, %to[%zero, %zero] token = %r#1 : tile<ROWSxDEPTHxf32>, OUT, tile<i32> -> token
  return
}
}
`

func (k rescaled) text() string {
	in, convert, vstride := k.elem, "", "[DEPTH,1]"
	if k.elem == "tf32" {
		in, vstride = "f32", "[1,ALL]"
		convert = "    %w = ftof %z : tile<KEYSxDEPTHxf32> -> tile<KEYSxDEPTHxtf32>"
	}
	each, last := "", "%stored"
	if k.twice {
		last = "%tw"
		each = "    %tw = store_view_tko weak %acc, %to[%zero, %zero] token = %stored : tile<ROWSxDEPTHxf32>, OUT, tile<i32> -> token"
	}
	text := strings.NewReplacer("CONVERT", convert, "EACH", each, "LAST", last).Replace(rescaledText)
	if convert == "" {
		text = strings.ReplaceAll(text, "%w", "%z")
	}
	text = strings.ReplaceAll(text, "VSTRIDE", vstride)
	return strings.NewReplacer("OUT", fmt.Sprintf("partition_view<tile=(%dx%d), tensor_view<%dx%dxf32, strides=[%d,1]>>", k.rows, k.d, k.rows, k.d, k.d), "ROWS", fmt.Sprint(k.rows), "KEYS", fmt.Sprint(k.keys),
		"ALL", fmt.Sprint(4*k.keys), "DEPTH", fmt.Sprint(k.d), "ELEM", k.elem, "IN", in, "SIGN", k.sign).Replace(text)
}

// request is a launch with small integers.
func (k rescaled) request(t *testing.T) *launch.Request {
	t.Helper()
	fill := func(d launch.DType, n, step int) launch.Arg {
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}
		for i := range n {
			bits, err := d.ParseValue(fmt.Sprint((i*step+i/13)%3 - 1))
			if err != nil {
				t.Fatal(err)
			}
			d.Store(b.Data, i, bits)
		}
		return launch.Arg{Buffer: b}
	}
	in := map[string]launch.DType{"f16": launch.F16, "bf16": launch.BF16, "tf32": launch.F32}[k.elem]
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{fill(launch.F32, k.rows*k.d, 0), fill(launch.F16, k.rows*64, 5), fill(launch.F16, 4*64*k.keys, 7), fill(in, 4*k.keys*k.d, 11)}}
}

// TestTensorFactors: a factor that threads compute from a product goes to tensor memory, and a sum that they change stays there, on every engine and at every level of optimisation.
func TestTensorFactors(t *testing.T) {
	t.Parallel()
	for i, k := range rescaledKernels {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			want := k.request(t)
			if err := interp.New(readModule(t, "k.mlir", []byte(k.text()))).Run(context.Background(), want); err != nil {
				t.Fatal(err)
			}
			for level := range 4 {
				gpu := tensorTargets[(i+level)%len(tensorTargets)]
				check := func(engine string, e launch.Engine) {
					t.Helper()
					leaves(t, fmt.Sprintf("%s, -O%d, %s", gpu, level, engine), e, k.request(t), 0, want.Args[0].Buffer)
				}
				carried, factors := false, 0
				w := atLevel{seen: func(m ir.Op) {
					m.Walk(func(op ir.Op) ir.WalkResult {
						if op.Is(tileas.TensorDot) && tileas.InTensor(op.Operand(0)) {
							factors++
							carried = carried || ir.InLoop(op) && !ir.InLoop(op.Operand(2).DefiningOp())
						}
						return ir.Advance
					})
					for _, late := range []bool{false, true} {
						e := interp.New(m)
						e.Adversarial, e.Threads = late, true
						check(fmt.Sprintf("tileas, late %v", late), e)
					}
				}}
				var said bytes.Buffer
				result, err := compile.To(context.Background(), readSaying(t, &said, "k.mlir", []byte(k.text())), compile.Options{GPU: gpu, OptLevel: level, Instruments: []pipeline.Instrument{w}})
				if err != nil {
					t.Fatalf("%s, -O%d: %v\n%s", gpu, level, err, &said)
				}
				if factors == 0 || !carried {
					t.Errorf("%s, -O%d: %d products take a factor from tensor memory; the sum stays: %v", gpu, level, factors, carried)
				}
				for seed := range uint64(3) {
					e := emulated(t, result, "k")
					e.Adversarial, e.Seed = seed > 0, seed
					check(fmt.Sprintf("ptx, seed %d", seed), e)
				}
			}
		})
	}
}

// TestPtxasTensorFactors assembles them for all targets with tensor memory.
func TestPtxasTensorFactors(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, k := range rescaledKernels {
		for _, gpu := range tensorTargets {
			if assemble(t, tool, gpu, []byte(k.text())) {
				t.Errorf("%s, %s: spills registers", k.name, gpu)
			}
		}
	}
}

// TestTensorFactorPlants: mistakes with them are found by executing the level.
func TestTensorFactorPlants(t *testing.T) {
	t.Parallel()
	k := rescaledKernels[0]
	factorStore := func(m ir.Op) ir.Op {
		return plants.FirstWhere(m, tileas.TensorStore, func(op ir.Op) bool { return ir.BitWidth(ir.ElementType(op.Operand(0).Type())) == 16 })
	}
	product := func(m ir.Op) ir.Op {
		return plants.FirstWhere(m, tileas.TensorDot, func(op ir.Op) bool { return tileas.InTensor(op.Operand(0)) })
	}
	for name, tt := range map[string]struct {
		damage func(m ir.Op) bool
		want   string
	}{
		"none": {func(ir.Op) bool { return true }, ""},
		"factor not stored": {func(m ir.Op) bool {
			op := factorStore(m)
			op.Erase()
			return true
		}, "'nv_tileas.tensor_dot' op reads tensor memory that nothing has stored"},
		"no barrier behind the factor": {func(m ir.Op) bool {
			for op := factorStore(m); !op.Is(tileas.TensorDot); op = op.Next() {
				if op.Is(tileas.Barrier) {
					op.Erase()
					return true
				}
			}
			return false
		}, "'nv_tileas.tensor_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tensor_mul'"},
		"sum loaded beside the product": {func(m ir.Op) bool {
			dot := product(m)
			load := plants.FirstWhere(m, tileas.TensorLoad, func(op ir.Op) bool { return op.Operand(0) == dot.Operand(2) && !ir.InLoop(op) })
			wait := dot.Next()
			for ; !wait.IsNil() && !wait.Is(tileas.TensorWait); wait = wait.Next() {
			}
			if load.IsNil() || wait.IsNil() {
				return false
			}
			wait.Erase()
			return true
		}, "nv_tileas."},
		"factor written beside the product": {func(m ir.Op) bool {
			dot, store := product(m), factorStore(m)
			ir.BuilderAfter(dot).Create(tileas.TensorStore, store.Operands(), nil)
			return true
		}, "'nv_tileas.tensor_store' op writes tensor memory that 'nv_tileas.tensor_dot' is still reading"},
		"sum not scaled in its place": {func(m ir.Op) bool {
			mul := plants.FirstWhere(m, tileas.TensorMul, ir.InLoop)
			if mul.IsNil() {
				return false
			}
			mul.Erase()
			return true
		}, "differs"},
		"sum scaled beside the product": {func(m ir.Op) bool {
			mul := plants.FirstWhere(m, tileas.TensorMul, ir.InLoop)
			if mul.IsNil() {
				return false
			}
			mul.MoveAfter(product(m))
			return true
		}, "'nv_tileas.tensor_mul' op writes tensor memory that 'nv_tileas.tensor_dot' is still writing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := k.request(t)
			if err := interp.New(readModule(t, "k.mlir", []byte(k.text()))).Run(context.Background(), want); err != nil {
				t.Fatal(err)
			}
			ran := false
			w := atLevel{seen: func(m ir.Op) {
				ran = true
				if !tt.damage(m) {
					t.Error("there is nothing to damage")
				}
				for _, late := range []bool{false, true} {
					e, got := interp.New(m), k.request(t)
					e.Adversarial, e.Threads = late, true
					err := e.Run(context.Background(), got)
					if err == nil && !bytes.Equal(got.Args[0].Buffer.Data, want.Args[0].Buffer.Data) {
						err = fmt.Errorf("the result differs")
					}
					if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
						t.Errorf("late %v: got %v, want %s", late, err, tt.want)
					}
				}
			}}
			var said bytes.Buffer
			_, err := compile.To(context.Background(), readSaying(t, &said, "k.mlir", []byte(k.text())), compile.Options{GPU: "sm_100", OptLevel: 3, Instruments: []pipeline.Instrument{w}})
			if !ran || tt.want == "" && err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
		})
	}
}
