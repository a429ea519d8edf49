package nvvmtoptx_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// vectorKernel copies count values of a type from x to y where the flag (a byte) is set; elsewhere it stores the
// constants that the load has instead. A second copy goes through shared memory.
func vectorKernel(typ string, count, bytes int, zero string) string {
	list := func(prefix string) string {
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprintf("%%%s%d", prefix, i)
		}
		return strings.Join(names, ", ")
	}
	types := strings.TrimSuffix(strings.Repeat(typ+", ", count), ", ")
	others := make([]string, count)
	for i := range others {
		others[i] = []string{"%zero", "%arg"}[i%2]
	}
	return fmt.Sprintf(`
nvvm.func @k(%%x: !nvvm.ptr<1>, %%y: !nvvm.ptr<1>, %%arg: %[1]s, %%flag: i1) attributes {nvvm.reqntid = array<i32: 32>, nvvm.shared_bytes = 2048 : i32} {
  %%zero = arith.constant %[6]s
  %%tid = nvvm.read.ptx.sreg.tid.x : i32
  %%size = arith.constant %[3]d : i32
  %%off = arith.muli %%tid, %%size : i32
  %%px = nvvm.ptradd %%x, %%off : !nvvm.ptr<1>, i32
  %%py = nvvm.ptradd %%y, %%off : !nvvm.ptr<1>, i32
  %[4]s = nvvm.ld %%px if %%flag else %[5]s : !nvvm.ptr<1> -> %[2]s
  %%base = nvvm.shared_base : !nvvm.ptr<3>
  %%sh = nvvm.ptradd %%base, %%off : !nvvm.ptr<3>, i32
  nvvm.st %%sh, %[4]s : !nvvm.ptr<3>, %[2]s
  nvvm.barrier
  %[7]s = nvvm.ld %%sh : !nvvm.ptr<3> -> %[2]s
  nvvm.st %%py, %[7]s : !nvvm.ptr<1>, %[2]s
  %%one = arith.constant 1 : i32
  %%first = arith.cmpi ult, %%tid, %%one : i32
  nvvm.st %%y + 4096, %[7]s if %%first : !nvvm.ptr<1>, %[2]s
  nvvm.return
}`, typ, types, bytes*count, list("v"), strings.Join(others, ", "), zero, list("w"))
}

// TestVectorAccesses moves vectors of every type that fits an access through registers.
func TestVectorAccesses(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		typ, zero string
		bytes     int
	}{
		{"i1", "false", 1}, {"i8", "0 : i8", 1}, {"i16", "0 : i16", 2}, {"f16", "0.0 : f16", 2}, {"bf16", "0.0 : bf16", 2}, {"i32", "0 : i32", 4},
		{"f32", "0.0 : f32", 4}, {"i64", "0 : i64", 8}, {"f64", "0.0 : f64", 8}, {"f8E4M3FN", "0.0 : f8E4M3FN", 1},
	} {
		for count := 1; count*tt.bytes <= 32; count *= 2 {
			for k, gpu := range []string{"sm_80", "sm_100"} {
				if !tier.Try(i+k+bits.TrailingZeros(uint(count)), 2) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%dx%s", gpu, count, tt.typ), func(t *testing.T) {
					t.Parallel()
					m, text := ptxprobe.Emit(t, ptxprobe.Parse(t, vectorKernel(tt.typ, count, tt.bytes, tt.zero)), gpu)
					ptxprobe.Assemble(t, m, text)
					for _, flag := range []byte{0, 1} {
						moveVectors(t, text, tt.typ, tt.bytes, count, flag)
					}
				})
			}
		}
	}
}

func moveVectors(t *testing.T, text, typ string, bytes, count int, flag byte) {
	t.Helper()
	const lanes, room = 32, 8192
	mem := emu.NewMemory()
	x, errX := mem.Alloc("x", room, 32)
	y, errY := mem.Alloc("y", room, 32)
	data := make([]byte, lanes*count*bytes)
	r := rand.New(rand.NewPCG(3, uint64(count)))
	for i := range data {
		data[i] = byte(r.Uint32())
		if typ == "i1" {
			data[i] &= 2 // any byte that is not zero is true
		}
	}
	arg := data[:bytes]
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	if err := mem.Write(x, data); err != nil {
		t.Fatal(err)
	}
	params := [][]byte{binary.LittleEndian.AppendUint64(nil, x), binary.LittleEndian.AppendUint64(nil, y), arg, {flag}}
	if _, err := ptxprobe.Load(t, text).Run(context.Background(), mem, emu.Launch{Entry: "k", Params: params}); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(data))
	first := make([]byte, count*bytes)
	if err := mem.Read(y, got); err != nil {
		t.Fatal(err)
	}
	if err := mem.Read(y+4096, first); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		want := data[i]
		if flag == 0 {
			want = 0
			if i/bytes%count%2 == 1 {
				want = arg[i%bytes]
			}
		}
		if typ == "i1" && want != 0 {
			want = 1
		}
		if got[i] != want {
			t.Fatalf("flag %d, byte %d: got %#x, want %#x\n%s", flag, i, got[i], want, text)
		}
		if i < len(first) && first[i] != want {
			t.Fatalf("flag %d, predicated byte %d: got %#x, want %#x", flag, i, first[i], want)
		}
	}
}
