package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/dialects/arith"
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

// tensorScaled are products whose scales go to tensor memory: of one and several words for a row, one and several groups of 32 rows, more than one instruction along the rows.
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

// TestScaledInTensorMemory: such products are by instructions that scale, and what they compute is what the interpreter does, bit for bit.
func TestScaledInTensorMemory(t *testing.T) {
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
				gpu := tensorTargets[(i+level)%len(tensorTargets)]
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
	m := readSaying(t, &said, "k.mlir", []byte(p.source()))
	result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: level})
	if err != nil {
		t.Fatalf("%s, -O%d: %v\n%s", gpu, level, err, &said)
	}
	if !strings.Contains(string(result.PTX), want) {
		t.Fatalf("%s, -O%d: the product is not by '%s'\n%s", gpu, level, want, result.PTX)
	}
}

// TestPtxasScaled assembles them for all targets with tensor memory.
func TestPtxasScaled(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, p := range tensorScaled {
		for j, gpu := range tensorTargets {
			var said bytes.Buffer
			m := readSaying(t, &said, "k.mlir", []byte(p.source()))
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

// scaledLoop adds up products of 128 x 32 in four turns, with scales that differ by row, column and block.
const scaledLoop = `cuda_tile.module @m {
entry @k(%po: tile<ptr<f32>>, %pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %ps: tile<ptr<f8E8M0FNU>>, %pt: tile<ptr<f8E8M0FNU>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %end = constant <i32: 4> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
  %b = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
  %s = assume div_by<16>, %ps : tile<ptr<f8E8M0FNU>>
  %t = assume div_by<16>, %pt : tile<ptr<f8E8M0FNU>>
  %va = make_tensor_view %a, shape = [128, 512], strides = [512, 1] : tensor_view<128x512xf8E4M3FN, strides=[512,1]>
  %vb = make_tensor_view %b, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf8E4M3FN, strides=[32,1]>
  %vs = make_tensor_view %s, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf8E8M0FNU, strides=[16,1]>
  %vt = make_tensor_view %t, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf8E8M0FNU, strides=[32,1]>
  %vo = make_tensor_view %po, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
  %ta = make_partition_view %va : partition_view<tile=(128x128), tensor_view<128x512xf8E4M3FN, strides=[512,1]>>
  %tb = make_partition_view %vb : partition_view<tile=(128x32), tensor_view<512x32xf8E4M3FN, strides=[32,1]>>
  %ts = make_partition_view %vs : partition_view<tile=(128x4), tensor_view<128x16xf8E8M0FNU, strides=[16,1]>>
  %tt = make_partition_view %vt : partition_view<tile=(4x32), tensor_view<16x32xf8E8M0FNU, strides=[32,1]>>
  %to = make_partition_view %vo : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
  %none = constant <f32: 0.0> : tile<128x32xf32>
  %r = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x32xf32>) {
    %la, %ua = load_view_tko weak %ta[%zero, %i] token = %tok : partition_view<tile=(128x128), tensor_view<128x512xf8E4M3FN, strides=[512,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
    %lb, %ub = load_view_tko weak %tb[%i, %zero] token = %tok : partition_view<tile=(128x32), tensor_view<512x32xf8E4M3FN, strides=[32,1]>>, tile<i32> -> tile<128x32xf8E4M3FN>, token
    %ls, %us = load_view_tko weak %ts[%zero, %i] token = %tok : partition_view<tile=(128x4), tensor_view<128x16xf8E8M0FNU, strides=[16,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
    %lt, %ut = load_view_tko weak %tt[%i, %zero] token = %tok : partition_view<tile=(4x32), tensor_view<16x32xf8E8M0FNU, strides=[32,1]>>, tile<i32> -> tile<4x32xf8E8M0FNU>, token
    %d = mmaf_scaled %la, %lb, %acc, %ls, %lt : tile<128x128xf8E4M3FN>, tile<128x32xf8E4M3FN>, tile<128x32xf32>, tile<128x4xf8E8M0FNU>, tile<4x32xf8E8M0FNU>
    continue %d : tile<128x32xf32>
  }
  %done = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> token
  return
}
}
`

// scaledRequest is a launch of it. Factors are 1, 2 and -1, so that all sums are exact.
func scaledRequest() *launch.Request {
	buffer := func(d launch.DType, n int, at func(i int) byte) launch.Arg {
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}
		for i := range n {
			b.Data[i*d.Size()] = at(i)
		}
		return launch.Arg{Buffer: b}
	}
	pick := func(list ...byte) func(int) byte {
		return func(i int) byte { return list[(i+i/7+i/16)%len(list)] }
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{buffer(launch.F32, 128*32, func(int) byte { return 0 }),
		buffer(launch.F8E4M3, 128*512, pick(0x38, 0x40, 0xb8)), buffer(launch.F8E4M3, 512*32, pick(0x40, 0x38, 0x38, 0xb8)),
		buffer(launch.F8E8M0, 128*16, pick(127, 128, 126, 129, 125)), buffer(launch.F8E8M0, 16*32, pick(127, 126, 128))}}
}

// TestScaledPlants: mistakes with scales in tensor memory are found by executing the level.
func TestScaledPlants(t *testing.T) {
	t.Parallel()
	ofScales := func(def *ir.OpDef, operand int) func(m ir.Op) ir.Op {
		return func(m ir.Op) ir.Op {
			return plants.FirstWhere(m, def, func(op ir.Op) bool { return ir.BitWidth(ir.ElementType(tileas.HeldType(op.Operand(operand)))) == 8 })
		}
	}
	stored := ofScales(tileas.TensorStore, 1)
	for name, tt := range map[string]struct {
		damage func(m ir.Op) bool
		want   string
	}{
		"none": {func(ir.Op) bool { return true }, ""},
		"not stored": {func(m ir.Op) bool {
			op := stored(m)
			op.Erase()
			return true
		}, "'nv_tileas.tensor_dot' op reads tensor memory that nothing has stored"},
		"one slot": {func(m ir.Op) bool {
			m.Walk(func(op ir.Op) ir.WalkResult {
				if op.Is(tileas.BufferSlot) && op.Result(0).Type().(*tileas.BufferType).Space == tileas.TensorSpace {
					op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Context().Int(32), 0))
				}
				return ir.Advance
			})
			return true
		}, "'nv_tileas.tensor_store' op writes tensor memory that 'nv_tileas.tensor_dot' is still reading"},
		"no barrier behind the store": {func(m ir.Op) bool {
			for op := stored(m); !op.Is(tileas.TensorDot); op = op.Next() {
				if op.Is(tileas.Barrier) {
					op.Erase()
					return true
				}
			}
			return false
		}, "'nv_tileas.tensor_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tensor_store'"},
		"slots of one turn before": {func(m ir.Op) bool {
			dot := nth(m, tileas.TensorDot, 0)
			slot := tileas.TensorScales(dot)[0].DefiningOp()
			if !slot.Is(tileas.BufferSlot) {
				return false
			}
			b := ir.BuilderBefore(dot)
			i32 := m.Context().Int(32)
			other := b.Create(arith.XOrI, []ir.Value{slot.Operand(1), arith.NewInt(b, i32, 1)}, []ir.Type{i32}).Result(0)
			dot.SetOperand(5, b.Create(tileas.BufferSlot, []ir.Value{slot.Operand(0), other}, []ir.Type{slot.Result(0).Type()}).Result(0))
			return true
		}, "'nv_tileas.tensor_dot' op reads tensor memory that nothing has stored"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := false
			w := atLevel{seen: func(m ir.Op) {
				ran = true
				if !tt.damage(m) {
					t.Error("there is nothing to damage")
				}
				for _, late := range []bool{false, true} {
					e := interp.New(m)
					e.Adversarial, e.Threads = late, true
					if err := e.Run(context.Background(), scaledRequest()); tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
						t.Errorf("late %v: got %v, want %s", late, err, tt.want)
					}
				}
			}}
			var said bytes.Buffer
			m := readSaying(t, &said, "k.mlir", []byte(scaledLoop))
			_, err := compile.To(context.Background(), m, compile.Options{GPU: "sm_100", OptLevel: 3, Instruments: []pipeline.Instrument{w}})
			if !ran || tt.want == "" && err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
		})
	}
}

// TestPairsPlants: mistakes with factors of two elements to a byte are found by executing the level, or by what it computes.
func TestPairsPlants(t *testing.T) {
	t.Parallel()
	p := scaledProduct{"f4E2M1FN", "f8E4M3FN", 0, 128, 32, 64, 16, allE2M1}
	request := func() *launch.Request {
		fill := func(d launch.DType, n int, list ...byte) launch.Arg {
			b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}
			for i := range n {
				b.Data[i*d.Size()] = list[(i*7+i/11)%len(list)]
			}
			return launch.Arg{Buffer: b}
		}
		return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{fill(launch.F32, 128*32, 0), fill(launch.I8, 128*32, 0x10, 0x32, 0x54, 0x9b, 0x7e), fill(launch.I8, 32*32, 0x21, 0x43, 0xa5, 0x6c),
			fill(launch.I8, 128*4, 0x38, 0x40, 0x30), fill(launch.I8, 4*32, 0x38, 0x30, 0x48, 0x40)}}
	}
	want := request()
	if err := interp.New(readModule(t, "k.mlir", []byte(p.source()))).Run(context.Background(), want); err != nil {
		t.Fatal(err)
	}
	// stored are the stores of factors, of which that of A comes first.
	stored := func(m ir.Op, n int) (op ir.Op) {
		m.Walk(func(o ir.Op) ir.WalkResult {
			if o.Is(tileas.LocalStore) && ir.BitWidth(ir.ElementType(o.Operand(0).Type())) == 8 {
				if n--; n < 0 && op.IsNil() {
					op = o
				}
			}
			return ir.Advance
		})
		return op
	}
	drop := func(n int) func(m ir.Op) bool {
		return func(m ir.Op) bool {
			op := stored(m, n)
			if op.IsNil() {
				return false
			}
			op.Erase()
			return true
		}
	}
	turned := func(n int, by *ir.OpDef, number int64) func(m ir.Op) bool { // each byte of a factor is another one
		return func(m ir.Op) bool {
			op := stored(m, n)
			if op.IsNil() {
				return false
			}
			b := ir.BuilderBefore(op)
			v := op.Operand(0)
			k := arith.NewConstant(b, v.Type(), arith.OfType(arith.FromBits(ir.ElementType(v.Type()), uint64(number)), v.Type()))
			op.SetOperand(0, b.Create(by, []ir.Value{v, k}, []ir.Type{v.Type()}).Result(0))
			return true
		}
	}
	for name, tt := range map[string]struct {
		damage func(m ir.Op) bool
		want   string
	}{
		"none":              {func(ir.Op) bool { return true }, ""},
		"A not stored":      {drop(0), "nv_tileas."},
		"B not stored":      {drop(1), "nv_tileas."},
		"lower halves of A": {turned(0, arith.AndI, 0xf), "differs"},
		"upper halves of B": {turned(1, arith.ShRUI, 4), "differs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := false
			w := atLevel{seen: func(m ir.Op) {
				ran = true
				if !tt.damage(m) {
					t.Error("there is nothing to damage")
				}
				e, got := interp.New(m), request()
				e.Adversarial, e.Threads = true, true
				err := e.Run(context.Background(), got)
				if err == nil && !bytes.Equal(got.Args[0].Buffer.Data, want.Args[0].Buffer.Data) {
					err = fmt.Errorf("the result differs")
				}
				if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("got %v, want %s", err, tt.want)
				}
			}}
			var said bytes.Buffer
			_, err := compile.To(context.Background(), readSaying(t, &said, "k.mlir", []byte(p.source())), compile.Options{GPU: "sm_100", OptLevel: 3, Instruments: []pipeline.Instrument{w}})
			if !ran || tt.want == "" && err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
		})
	}
}
