package tma

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emu"
)

// Products of a group, whose matrices a table in memory names: maps of them are made in the loop over the group.

// groupKernel returns the text of a kernel whose tile blocks take every other tile of each product. The inner loop
// over tiles ends by a condition, as that of a client is written.
func groupKernel() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`cuda_tile.module @m {
entry @groups(%%table: tile<ptr<i64>>, %%n: tile<i32>) {
  %%none = make_token : token
  %%c0 = constant <i32: 0> : tile<i32>
  %%c1 = constant <i32: 1> : tile<i32>
  %%step = constant <i32: 2> : tile<i32>
  %%zero = constant <f32: 0.0> : tile<128x128xf32>
  %%bx, %%by, %%bz = get_tile_block_id : tile<i32>
  %%tv = make_tensor_view %%table, shape = [%%n, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xi64, strides=[16,1]>
  %%pv = make_partition_view %%tv : partition_view<tile=(1x16), tensor_view<?x16xi64, strides=[16,1]>>
  for %%g in (%%c0 to %%n, step %%c1) : tile<i32> {
    %%row, %%rt = load_view_tko weak %%pv[%%g, %%c0] : partition_view<tile=(1x16), tensor_view<?x16xi64, strides=[16,1]>>, tile<i32> -> tile<1x16xi64>, token`)
	for i := range 9 {
		p("    %%k%d = constant <i32: %d> : tile<i32>\n    %%x%d = extract %%row[%%c0, %%k%d] : tile<1x16xi64> -> tile<1x1xi64>\n    %%y%d = reshape %%x%d : tile<1x1xi64> -> tile<i64>", i, i, i, i, i, i)
		if i < 3 {
			p("    %%q%d = int_to_ptr %%y%d : tile<i64> -> tile<ptr<f16>>\n    %%p%d = assume div_by<16>, %%q%d : tile<ptr<f16>>", i, i, i, i)
			continue
		}
		p("    %%t%d = trunci %%y%d : tile<i64> -> tile<i32>\n    %%u%d = assume bounded<0, ?>, %%t%d : tile<i32>", i, i, i, i)
		if i >= 6 {
			p("    %%s%d = assume div_by<8>, %%u%d : tile<i32>", i, i)
		}
	}
	const view = "tensor_view<?x?xf16, strides=[?,1]>"
	for i, of := range []struct{ name, rows, cols, tile string }{{"a", "%u3", "%u5", "128x64"}, {"b", "%u5", "%u4", "64x128"}, {"c", "%u3", "%u4", "128x128"}} {
		p("    %%v%s = make_tensor_view %%p%d, shape = [%s, %s], strides = [%%s%d, 1] : tile<i32> -> %s", of.name, i, of.rows, of.cols, 6+i, view)
		pad := ", padding_value = zero"
		if of.name == "c" {
			pad = ""
		}
		p("    %%w%s = make_partition_view %%v%s : partition_view<tile=(%s)%s, %s>", of.name, of.name, of.tile, pad, view)
	}
	p(`    %%sc:2 = get_index_space_shape %%wc : partition_view<tile=(128x128), %[1]s> -> tile<i32>
    %%sa:2 = get_index_space_shape %%wa : partition_view<tile=(128x64), padding_value = zero, %[1]s> -> tile<i32>
    %%all = muli %%sc#0, %%sc#1 : tile<i32>
    %%end = loop iter_values(%%i = %%bx) : tile<i32> -> tile<i32> {
      %%more = cmpi less_than %%i, %%all, signed : tile<i32> -> tile<i1>
      if %%more {
      } else {
        break %%i : tile<i32>
      }
      %%m = divi %%i, %%sc#1 signed rounding<zero> : tile<i32>
      %%l = remi %%i, %%sc#1 signed : tile<i32>
      %%sum = for %%k in (%%c0 to %%sa#1, step %%c1) : tile<i32> iter_values(%%acc = %%zero) -> (tile<128x128xf32>) {
        %%a, %%at = load_view_tko weak %%wa[%%m, %%k] token = %%none : partition_view<tile=(128x64), padding_value = zero, %[1]s>, tile<i32> -> tile<128x64xf16>, token
        %%b, %%bt = load_view_tko weak %%wb[%%k, %%l] token = %%none : partition_view<tile=(64x128), padding_value = zero, %[1]s>, tile<i32> -> tile<64x128xf16>, token
        %%d = mmaf %%a, %%b, %%acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
        continue %%d : tile<128x128xf32>
      }
      %%h = ftof %%sum : tile<128x128xf32> -> tile<128x128xf16>
      %%st = store_view_tko weak %%h, %%wc[%%m, %%l] token = %%none : tile<128x128xf16>, partition_view<tile=(128x128), %[1]s>, tile<i32> -> token
      %%next = addi %%i, %%step : tile<i32>
      continue %%next : tile<i32>
    }
    continue
  }
  return
}
}`, view)
	return b.String()
}

// A groupMember is one product: the extents, and seeds of the matrices.
type groupMember struct{ m, n, k, seed int }

func (g groupMember) a(i, k int) int { return (3*i+5*k+g.seed)%7 - 3 }
func (g groupMember) b(k, j int) int { return (2*k+3*j+5*g.seed)%5 - 2 }

// half returns small integers as f16, which holds them exactly.
func half(n int) uint16 {
	if n == 0 {
		return 0
	}
	sign := uint16(0)
	if n < 0 {
		sign, n = 1<<15, -n
	}
	e := bits.Len(uint(n)) - 1
	return sign | uint16(15+e)<<10 | uint16(n<<10>>e)&(1<<10-1)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// runGroup runs the MMAs of a group with two tile blocks, and compares all elements of the results, and what lies
// behind their rows.
func runGroup(code *emu.Module, shared uint32, mem *emu.Memory, list []groupMember, adversarial bool, seed uint64) error {
	put := func(name string, data []byte) (uint64, error) {
		at, err := mem.Alloc(name, uint64(len(data)), 256)
		if err == nil {
			err = mem.Write(at, data)
		}
		return at, err
	}
	matrix := func(rows, cols int, at func(i, j int) int) (addr uint64, ld int, err error) {
		ld = roundUp(cols, 8) + 8
		data := make([]byte, 2*rows*ld)
		for i := range rows {
			for j := range cols {
				binary.LittleEndian.PutUint16(data[2*(i*ld+j):], half(at(i, j)))
			}
		}
		addr, err = put("matrix", data)
		return addr, ld, err
	}
	table := make([]byte, 16*8*len(list))
	outs, lds := make([]uint64, len(list)), make([]int, len(list))
	for i, g := range list {
		a, lda, err := matrix(g.m, g.k, g.a)
		if err != nil {
			return err
		}
		b, ldb, err := matrix(g.k, g.n, g.b)
		if err != nil {
			return err
		}
		c, ldc, err := matrix(g.m, g.n, func(int, int) int { return 77 })
		if err != nil {
			return err
		}
		outs[i], lds[i] = c, ldc
		for j, x := range []uint64{a, b, c, uint64(g.m), uint64(g.n), uint64(g.k), uint64(lda), uint64(ldb), uint64(ldc)} {
			binary.LittleEndian.PutUint64(table[8*(16*i+j):], x)
		}
	}
	at, err := put("table", table)
	if err != nil {
		return err
	}
	params := [][]byte{binary.LittleEndian.AppendUint64(nil, at), binary.LittleEndian.AppendUint32(nil, uint32(len(list)))}
	if _, err := code.Run(context.Background(), mem, emu.Launch{Entry: "groups", Grid: [3]uint32{2, 1, 1}, Params: params, DynamicShared: shared, Adversarial: adversarial, Seed: seed, MaxSteps: 1 << 30}); err != nil {
		return err
	}
	for x, g := range list {
		data := make([]byte, 2*g.m*lds[x])
		if err := mem.Read(outs[x], data); err != nil {
			return err
		}
		for i := range g.m {
			for j := range lds[x] {
				want := 0
				for k := range g.k {
					if j < g.n {
						want += g.a(i, k) * g.b(k, j)
					}
				}
				if got := binary.LittleEndian.Uint16(data[2*(i*lds[x]+j):]); got != half(want) {
					return fmt.Errorf("product %d: element [%d, %d] is 0x%x, want 0x%x", x, i, j, got, half(want))
				}
			}
		}
	}
	return nil
}

// TestMapsInLoops: groups of other lengths and extents, launched at the same time from one module, on each family of
// targets and with both kinds of maps.
func TestMapsInLoops(t *testing.T) {
	t.Parallel()
	for _, gpu := range []string{"sm_90", "sm_100"} {
		for _, maps := range []contract.TensorMaps{contract.TensorMapParams, contract.TensorMapsDevice} {
			t.Run(fmt.Sprint(gpu, " ", maps), func(t *testing.T) {
				t.Parallel()
				var said bytes.Buffer
				r, err := compile.To(context.Background(), kerneltest.Read(t, &said, "k.mlir", []byte(groupKernel())), compile.Options{GPU: gpu, OptLevel: 3, TensorMaps: maps})
				if err != nil {
					t.Fatalf("%v\n%s", err, &said)
				}
				for _, want := range []string{"cp.async.bulk.tensor.2d.shared::cluster.global", "tensormap.replace", "fence.proxy.tensormap"} {
					if !bytes.Contains(r.PTX, []byte(want)) {
						t.Errorf("has no %s", want)
					}
				}
				code, err := emu.Parse("k.ptx", r.PTX)
				if err != nil {
					t.Fatal(err)
				}
				shared, mem := kerneltest.Emulator(t, r, "groups").DynamicShared, emu.NewMemory()
				if err := runGroup(code, shared, mem, []groupMember{{130, 72, 64, 1}, {64, 136, 200, 2}}, true, 7); err != nil {
					t.Fatal(err)
				}
				var wait sync.WaitGroup
				for i := range 3 {
					wait.Go(func() {
						list := []groupMember{{128, 128, 128, i}, {40 + 8*i, 260, 72, i + 1}, {8, 8, 8, i}}
						if err := runGroup(code, shared, mem, list[i%2:], false, uint64(i)); err != nil {
							t.Errorf("launch %d: %v", i, err)
						}
					})
				}
				wait.Wait()
			})
		}
	}
}
