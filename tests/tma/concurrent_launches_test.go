package tma

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// columnSums is a kernel whose tile blocks, but for those from a number on, which end at once, sum up the columns of
// tiles, and store them in a row of their own.
const columnSums = `cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %turns: tile<i32>, %m1: tile<i32>, %m2: tile<i32>, %blocks: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %rows = assume bounded<0, ?>, %m1 : tile<i32>
  %n2 = assume bounded<0, ?>, %m2 : tile<i32>
  %w = assume div_by<4>, %n2 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %late = cmpi greater_than_or_equal %x, %blocks, signed : tile<i32> -> tile<i1>
  if %late {
    return
  }
  %va = make_tensor_view %b1, shape = [%rows, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %a, %t1 = load_view_tko weak %pa[%i, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %s = addf %acc, %a : tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %line = reduce %sum dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%l: tile<f32>, %r: tile<f32>) {
    %e = addf %l, %r : tile<f32>
    yield %e : tile<f32>
  }
  %row = reshape %line : tile<64xf32> -> tile<1x64xf32>
  %vc = make_tensor_view %b0, shape = [%blocks, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %row, %pc[%x, %zero] token = %tok : tile<1x64xf32>, partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}`

// A columnLaunch is a launch of it: what differs are the matrix, its extents, and how many tile blocks do something.
type columnLaunch struct{ grid, blocks, turns, rows, width, seed int }

func (c columnLaunch) at(i, j int) float32 { return float32((3*i+5*j+c.seed)%7 - 3) }

func (c columnLaunch) matrix() []byte {
	var data []byte
	for i := range c.rows {
		for j := range c.width {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(c.at(i, j)))
		}
	}
	return data
}

// check compares what a launch has left.
func (c columnLaunch) check(data []byte) error {
	for b := range c.blocks {
		for j := range 64 {
			want := float32(0)
			for i := range min(c.rows, 64*c.turns) {
				if j < c.width {
					want += c.at(i, j)
				}
			}
			if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*(64*b+j):])); got != want {
				return fmt.Errorf("tile block %d, column %d: %v, want %v", b, j, got, want)
			}
		}
	}
	return nil
}

func (c columnLaunch) numbers() []int { return []int{c.turns, c.rows, c.width, c.blocks} }

// inMemory runs a launch in a memory that others run in too.
func (c columnLaunch) inMemory(code *emu.Module, shared uint32, mem *emu.Memory, seed uint64) error {
	var params [][]byte
	var out uint64
	for i, data := range [][]byte{make([]byte, 4*64*c.blocks), c.matrix()} {
		at, err := mem.Alloc("buffer", uint64(len(data)), 256)
		if err == nil {
			err = mem.Write(at, data)
		}
		if err != nil {
			return err
		}
		if i == 0 {
			out = at
		}
		params = append(params, binary.LittleEndian.AppendUint64(nil, at))
	}
	for _, n := range c.numbers() {
		params = append(params, binary.LittleEndian.AppendUint32(nil, uint32(n)))
	}
	l := emu.Launch{Entry: "k", Grid: [3]uint32{uint32(c.grid), 1, 1}, Params: params, DynamicShared: shared, Adversarial: seed > 0, Seed: seed, MaxSteps: 1 << 30}
	if _, err := code.Run(context.Background(), mem, l); err != nil {
		return err
	}
	data := make([]byte, 4*64*c.blocks)
	if err := mem.Read(out, data); err != nil {
		return err
	}
	return c.check(data)
}

// TestConcurrentLaunches: launches of one module with different arguments at the same time, some of whose tile blocks
// end at once, with more of them than there are slots for the maps that tile blocks make, or with maps as parameters:
// each has maps of its own arguments.
func TestConcurrentLaunches(t *testing.T) {
	t.Parallel()
	compiled := func(t *testing.T, maps contract.TensorMaps) *compile.Result {
		var said bytes.Buffer
		r, err := compile.To(context.Background(), kerneltest.Read(t, &said, "k.mlir", []byte(columnSums)), compile.Options{GPU: "sm_90", OptLevel: 3, TensorMaps: maps,
			PassOptions: map[string]string{"tileas-plan-copies": "short=true"}})
		if err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
		if !bytes.Contains(r.PTX, []byte(trafficLoad)) {
			t.Fatalf("there is no %s\n%s", trafficLoad, r.PTX)
		}
		return r
	}
	launches := []columnLaunch{{grid: 40, blocks: 40, turns: 3, rows: 150, width: 60, seed: 1}, {grid: 33, blocks: 20, turns: 1, rows: 30, width: 64, seed: 2}, {grid: 24, blocks: 23, turns: 5, rows: 320, width: 100, seed: 3}}
	t.Run("parameters", func(t *testing.T) {
		t.Parallel()
		r := compiled(t, contract.TensorMapParams)
		var wait sync.WaitGroup
		for i, c := range launches {
			e := kerneltest.Emulator(t, r, "k")
			e.Adversarial, e.Seed = i > 0, uint64(i)
			wait.Go(func() {
				req := &launch.Request{Entry: "k", Grid: [3]uint32{uint32(c.grid), 1, 1}}
				req.Args = append(req.Args, launch.Arg{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{64 * c.blocks}, Data: make([]byte, 4*64*c.blocks)}},
					launch.Arg{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{c.rows * c.width}, Data: c.matrix()}})
				for _, n := range c.numbers() {
					req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(n))}})
				}
				err := e.Run(context.Background(), req)
				if err == nil {
					err = c.check(req.Args[0].Buffer.Data)
				}
				if err != nil {
					t.Errorf("launch %d: %v", i, err)
				}
			})
		}
		wait.Wait()
	})
	t.Run("device", func(t *testing.T) {
		t.Parallel()
		r := compiled(t, contract.TensorMapsDevice)
		code, err := emu.Parse("k.ptx", r.PTX)
		if err != nil {
			t.Fatal(err)
		}
		shared, mem := kerneltest.Emulator(t, r, "k").DynamicShared, emu.NewMemory()
		var wait sync.WaitGroup
		for i, c := range launches {
			wait.Go(func() {
				if err := c.inMemory(code, shared, mem, uint64(i)); err != nil {
					t.Errorf("launch %d: %v", i, err)
				}
			})
		}
		wait.Wait()
		// There are slots for as many tile blocks as can be resident, 256 SMs with some each: more come one after the
		// other, and find those given back.
		many := columnLaunch{grid: 1400, blocks: 1300, turns: 1, rows: 20, width: 4, seed: 5}
		if err := many.inMemory(code, shared, mem, 0); err != nil {
			t.Errorf("many tile blocks: %v", err)
		}
	})
}
