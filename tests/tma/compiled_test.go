package tma

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A traffic is a kernel whose tiles travel by bulk tensor copies. Its parameters are buffers and then numbers of 32
// bits; the first buffer is what it leaves.
type traffic struct {
	name     string
	body     string // of @k, behind what trafficHead makes
	buffers  []trafficBuffer
	numbers  []int32
	grid     uint32
	options  string                // of tileas-plan-copies
	schedule string                // options of tileas-schedule-loops
	gpus     []string              // empty: sm_90 and sm_120
	maps     []contract.TensorMaps // empty: both
	code     string                // an instruction that the code has
}

// A trafficBuffer is n elements of a type: small integers, which sums of any order hold exactly.
type trafficBuffer struct {
	typ string
	n   int
}

var trafficTypes = map[string]launch.DType{"f32": launch.F32, "f16": launch.F16, "i32": launch.I32, "i64": launch.I64, "bf16": launch.BF16, "i8": launch.I8}

func (k *traffic) text() string {
	var b strings.Builder
	b.WriteString("cuda_tile.module @m {\nentry @k(")
	for i, x := range k.buffers {
		fmt.Fprintf(&b, "%%p%d: tile<ptr<%s>>, ", i, x.typ)
	}
	for i := range k.numbers {
		fmt.Fprintf(&b, "%%m%d: tile<i32>, ", i)
	}
	b.WriteString("%last: tile<i32>) {\n  %tok = make_token : token\n  %zero = constant <i32: 0> : tile<i32>\n  %one = constant <i32: 1> : tile<i32>\n  %two = constant <i32: 2> : tile<i32>\n")
	for i, x := range k.buffers {
		fmt.Fprintf(&b, "  %%b%d = assume div_by<16>, %%p%d : tile<ptr<%s>>\n", i, i, x.typ)
	}
	for i := range k.numbers {
		fmt.Fprintf(&b, "  %%n%d = assume bounded<0, ?>, %%m%d : tile<i32>\n", i, i)
	}
	b.WriteString("  %x, %y, %z = get_tile_block_id : tile<i32>\n" + k.body + "  return\n}\n}\n")
	return b.String()
}

func (k *traffic) request() *launch.Request {
	rng := rand.New(rand.NewPCG(7, 9))
	r := &launch.Request{Entry: "k", Grid: [3]uint32{max(1, k.grid), 1, 1}}
	for _, x := range k.buffers {
		d := trafficTypes[x.typ]
		b := &launch.Buffer{DType: d, Shape: []int{x.n}, Data: make([]byte, d.Bytes(x.n))}
		for i := range x.n {
			v := rng.IntN(15) - 7
			if _, _, whole := d.Int(); whole {
				d.Store(b.Data, i, uint64(int64(v))&(1<<(8*d.Size()-1)<<1-1))
				continue
			}
			bits, _ := d.ParseValue(fmt.Sprint(v)) // of a small integer, so that there is no error
			d.Store(b.Data, i, bits)
		}
		r.Args = append(r.Args, launch.Arg{Buffer: b})
	}
	for _, n := range append(k.numbers[:len(k.numbers):len(k.numbers)], 0) {
		r.Args = append(r.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(n))}})
	}
	return r
}

// run compares the code, and the tiles behind insert-barriers, with the tiles of the program, however late what is
// asynchronous completes.
func (k *traffic) run(t *testing.T, gpu string, maps contract.TensorMaps) {
	t.Helper()
	what := fmt.Sprintf("%s, maps %v", gpu, maps)
	var said bytes.Buffer
	want := k.request()
	if err := interp.New(kerneltest.Read(t, &said, "k.mlir", []byte(k.text()))).Run(context.Background(), want); err != nil {
		t.Fatalf("%v\n%s", err, k.text())
	}
	m := kerneltest.Read(t, &said, "k.mlir", []byte(k.text()))
	w := kerneltest.AtTileAS{Seen: func(m ir.Op) {
		for _, late := range []bool{false, true} {
			e := interp.New(m)
			e.Adversarial, e.Threads = late, true
			kerneltest.RunAndCompare(t, fmt.Sprintf("%s, tileas, late %v", what, late), e, k.request(), 0, want.Args[0].Buffer)
		}
	}}
	result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: 3, TensorMaps: maps, Instruments: []pipeline.Instrument{w},
		PassOptions: map[string]string{"tileas-plan-copies": k.options, "tileas-schedule-loops": k.schedule}})
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, &said)
	}
	if !strings.Contains(string(result.PTX), k.code) {
		t.Fatalf("%s: there is no %s\n%s", what, k.code, result.PTX)
	}
	for seed := range uint64(4) {
		e := kerneltest.Emulator(t, result, "k")
		e.Adversarial, e.Seed = seed > 0, seed
		kerneltest.RunAndCompare(t, fmt.Sprintf("%s, ptx, seed %d", what, seed), e, k.request(), 0, want.Args[0].Buffer)
	}
}

const (
	trafficStore  = "cp.async.bulk.tensor.2d.global.shared::cta"
	trafficLoad   = "cp.async.bulk.tensor.2d.shared::" // cta or cluster, as the target wants it
	trafficReduce = "cp.reduce.async.bulk.tensor.2d.global.shared::cta"
)

// sumOfTwoLoops adds up 128x160 by 160x64 in two loops.
const sumOfTwoLoops = `
  %va = make_tensor_view %b1, shape = [128, 160], strides = [160, 1] : tensor_view<128x160xf16, strides=[160,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x160xf16, strides=[160,1]>>
  %vb = make_tensor_view %b2, shape = [160, 64], strides = [64, 1] : tensor_view<160x64xf16, strides=[64,1]>
  %pb = make_partition_view %vb : partition_view<tile=(16x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %first = for %k1 in (%zero to %n0, step %one) : tile<i32> iter_values(%acc1 = %none) -> (tile<128x64xf32>) {
    %u1, %ta1 = load_view_tko weak %pa[%zero, %k1] token = %tok : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x160xf16, strides=[160,1]>>, tile<i32> -> tile<128x16xf16>, token
    %v1, %tb1 = load_view_tko weak %pb[%k1, %zero] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %s1 = mmaf %u1, %v1, %acc1 : tile<128x16xf16>, tile<16x64xf16>, tile<128x64xf32>
    continue %s1 : tile<128x64xf32>
  }
  %sum = for %k2 in (%n0 to %n1, step %one) : tile<i32> iter_values(%acc2 = %first) -> (tile<128x64xf32>) {
    %u2, %ta2 = load_view_tko weak %pa[%zero, %k2] token = %tok : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x160xf16, strides=[160,1]>>, tile<i32> -> tile<128x16xf16>, token
    %v2, %tb2 = load_view_tko weak %pb[%k2, %zero] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %s2 = mmaf %u2, %v2, %acc2 : tile<128x16xf16>, tile<16x64xf16>, tile<128x64xf32>
    continue %s2 : tile<128x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
`

// storesOfTiles computes tiles in a loop and stores each as soon as it is there.
const storesOfTiles = `
  %vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>
  %va = make_tensor_view %b1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %vb = make_tensor_view %b2, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf16, strides=[256,1]>
  %pb = make_partition_view %vb : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %four = constant <i32: 4> : tile<i32>
  %end = for %i in (%zero to %n0, step %one) : tile<i32> iter_values(%done = %tok) -> (token) {
    %sum = for %k in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %a, %t1 = load_view_tko weak %pa[%zero, %k] token = %tok : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x16xf16>, token
      %b, %t2 = load_view_tko weak %pb[%k, %i] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>, tile<i32> -> tile<16x64xf16>, token
      %s = mmaf %a, %b, %acc : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %h = ftof %sum : tile<64x64xf32> -> tile<64x64xf16>
    %to = divi %i, %two signed rounding<zero> : tile<i32>
    %st = store_view_tko weak %h, %pc[%to, %zero] token = %done : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> token
    continue %st : token
  }
`

// params: what is done once does not pay for a map that a tile block makes.
var params = []contract.TensorMaps{contract.TensorMapParams}

var traffics = []traffic{
	{ // a loop over tiles, each of which is stored twice, the second time over the first one: stores come behind each other
		name: "stores over each other", buffers: []trafficBuffer{{"f16", 2 * 64 * 64}, {"f16", 64 * 64}, {"f16", 64 * 256}}, numbers: []int32{4}, gpus: []string{"sm_90"}, code: trafficStore, options: "short=true", body: storesOfTiles},
	{ // distinct tiles of a view whose rows overlap, as its stride says at run time: stores come behind each other too
		name: "stores over rows that overlap", buffers: []trafficBuffer{{"f16", 2 * 64 * 64}, {"f16", 64 * 64}, {"f16", 64 * 256}}, numbers: []int32{4, 64}, gpus: []string{"sm_90", "sm_100"}, code: "cp.async.bulk.wait_group.read 0;", options: "short=true",
		body: strings.NewReplacer("%vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] :", "%w = assume div_by<8>, %n1 : tile<i32>\n  %vc = make_tensor_view %b0, shape = [64, 256], strides = [%w, 1] : tile<i32> ->",
			"tensor_view<128x64xf16, strides=[64,1]>", "tensor_view<64x256xf16, strides=[?,1]>", "%pc[%to, %zero]", "%pc[%zero, %i]").Replace(storesOfTiles)},
	{ // a sum that one loop leaves to the next one, which in TMEM stays where it is, and of which products are under way
		name: "one sum of two loops", buffers: []trafficBuffer{{"f32", 128 * 64}, {"f16", 128 * 160}, {"f16", 160 * 64}}, numbers: []int32{4, 10}, gpus: []string{"sm_90", "sm_100"}, code: trafficLoad, options: "short=true", body: sumOfTwoLoops},
	{name: "one sum of two loops, in the order of the text", schedule: "scheduler=serial", buffers: []trafficBuffer{{"f32", 128 * 64}, {"f16", 128 * 160}, {"f16", 160 * 64}}, numbers: []int32{4, 10}, gpus: []string{"sm_90", "sm_100"},
		code: trafficLoad, options: "short=true", body: sumOfTwoLoops},
	{ // tiles that threads compute with, in a loop in which copies run ahead; the last one is ragged
		name: "sums of tiles", buffers: []trafficBuffer{{"f32", 64 * 64}, {"f32", 300 * 60}}, numbers: []int32{5, 300, 60}, code: trafficLoad, options: "short=true",
		body: `
  %w = assume div_by<4>, %n2 : tile<i32>
  %va = make_tensor_view %b1, shape = [%n1, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %a, %t1 = load_view_tko weak %pa[%i, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %s = addf %acc, %a : tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
`},
	{ // two tile blocks update the same elements, one of the tiles ragged
		name: "sums of f32 in memory", grid: 3, buffers: []trafficBuffer{{"f32", 40 * 72}, {"f32", 3 * 32 * 64}}, numbers: []int32{40, 72}, code: trafficReduce, options: "anything=true", maps: params,
		body: `
  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xf32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], addf, %a token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
`},
	{ // two tile blocks update the same elements, one of the tiles ragged
		name: "sums of f16 in memory", grid: 3, buffers: []trafficBuffer{{"f16", 40 * 72}, {"f16", 3 * 32 * 64}}, numbers: []int32{40, 72}, code: trafficReduce, options: "anything=true", maps: params,
		body: `
  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xf16, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xf16, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xf16, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], addf, %a token = %tok : tile<32x64xf16>, partition_view<tile=(32x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
`},
	{ // two tile blocks update the same elements, one of the tiles ragged
		name: "sums of i32 in memory", grid: 3, buffers: []trafficBuffer{{"i32", 40 * 72}, {"i32", 3 * 32 * 64}}, numbers: []int32{40, 72}, code: trafficReduce, options: "anything=true", maps: params,
		body: `
  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xi32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xi32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xi32, strides=[64,1]>>, tile<i32> -> tile<32x64xi32>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xi32, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], add, %a token = %tok : tile<32x64xi32>, partition_view<tile=(32x64), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
`},
	{ // two tile blocks update the same elements, one of the tiles ragged
		name: "bits of i64 in memory", grid: 3, buffers: []trafficBuffer{{"i64", 40 * 72}, {"i64", 3 * 32 * 64}}, numbers: []int32{40, 72}, code: trafficReduce, options: "anything=true", maps: params,
		body: `
  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xi64, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xi64, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xi64, strides=[64,1]>>, tile<i32> -> tile<32x64xi64>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xi64, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xi64, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], xor, %a token = %tok : tile<32x64xi64>, partition_view<tile=(32x64), tensor_view<?x?xi64, strides=[?,1]>>, tile<i32> -> token
`},
	{ // two tile blocks update the same elements, one of the tiles ragged
		name: "largest of i32 in memory", grid: 3, buffers: []trafficBuffer{{"i32", 40 * 72}, {"i32", 3 * 32 * 64}}, numbers: []int32{40, 72}, code: trafficReduce, options: "anything=true", maps: params,
		body: `
  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xi32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xi32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xi32, strides=[64,1]>>, tile<i32> -> tile<32x64xi32>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xi32, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], umax, %a token = %tok : tile<32x64xi32>, partition_view<tile=(32x64), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
`},
}

// TestTMAKernels: kernels whose tiles travel by bulk tensor copies give what the program says, with maps of both
// kinds.
func TestTMAKernels(t *testing.T) {
	t.Parallel()
	for _, k := range traffics {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k.everywhere(t)
		})
	}
}

// everywhere runs the kernel on its targets with its kinds of maps.
func (k *traffic) everywhere(t *testing.T) {
	t.Helper()
	gpus, kinds := k.gpus, k.maps
	if gpus == nil {
		gpus = []string{"sm_90", "sm_120"}
	}
	if kinds == nil {
		kinds = []contract.TensorMaps{contract.TensorMapParams, contract.TensorMapsDevice}
	}
	for _, gpu := range gpus {
		for _, maps := range kinds {
			k.run(t, gpu, maps)
		}
	}
}
