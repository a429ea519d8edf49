package tests

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// Kernels at nv_tileas that copy by tensor maps.

// tensorNames are what their texts abbreviate, beside those of bulk copies. The memory behind %src is 64 rows of 8 i32, of which a tile is 32 rows of 4; the swizzled one has rows of 8.
var tensorNames = strings.NewReplacer(
	"MAP(", "nv_tileas.tensor_map %src sizes[", ")OF", "] strides[%eight, %unit] : !nv_tileas.ptr<i32> -> TMAP",
	"TMA(", "nv_tileas.tma_load ", ")TO", " : "+buf+`, TMAP, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">> -> !nv_tileas.mem_token`,
	"BACK(", "nv_tileas.tma_store ", ")INTO", " : "+buf+", TMAP -> !nv_tileas.mem_token",
	"SWIZZLED", `!nv_tileas.buffer<32x8xi32, #nv_tileas.shared<"{shape = [32, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4], [8, 0], [16, 0]]}">>`,
	"SMAP", "!nv_tileas.tma_map<32x8xi32, order = [1, 0], swizzle = 32>",
	"WIDE", `tensor<32x8xi32, #nv_tileas.layout<"{shape = [32, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>`,
)

func tensored(text string) scheduled {
	return bulked(strings.ReplaceAll(tensorNames.Replace("  %eight = arith.constant 8 : i64\n"+text), "TMAP", "!nv_tileas.tma_map<32x4xi32, order = [1, 0]>"))
}

const oneTensor = `
  %sixtyfour = arith.constant 64 : i64
  %r = arith.constant 5 : i64
  %c = arith.constant 4 : i64
  %m = MAP(%sixtyfour, %eight)OF
  %a = nv_tileas.alloc_shared : BUF
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 1)ON
  nv_tileas.barrier
  EXPECT(%bar, 512)ON
  %t = TMA(%a, %m[%r, %c], %bar)TO`

// storeTensor stores a tile that begins two rows above the output and one column to the left of it.
const storeTensor = `
  %m = nv_tileas.tensor_map %q sizes[%eight, %c16] strides[%c16, %unit] : !nv_tileas.ptr<i32> -> TMAP
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %y, %a : ROWS, BUF
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = BACK(%a, %m[%up, %left])INTO
  %g = nv_tileas.bulk_commit : !nv_tileas.group`

const storeAt = `
  %c16 = arith.constant 16 : i64
  %up = arith.constant -2 : i64
  %left = arith.constant -1 : i64`

func tensorElement(row, column int) uint64 {
	if row < 0 || column < 0 || row >= 64 || column >= 8 {
		return 0
	}
	return uint64(7 * (8*row + column))
}

// TestTensorCopies: tensor copies do what they say, on every engine.
func TestTensorCopies(t *testing.T) {
	t.Parallel()
	const wait = "\n  WAIT(%bar, %c0)IS"
	at := func(row, column int) func(int) uint64 {
		return func(i int) uint64 {
			if i >= 128 {
				return 0
			}
			return tensorElement(row+i/4, column+i%4)
		}
	}
	moved := func(row, column string) string {
		return strings.NewReplacer("%r = arith.constant 5", "%r = arith.constant "+row, "%c = arith.constant 4", "%c = arith.constant "+column).Replace(oneTensor)
	}
	for name, tt := range map[string]struct {
		text string
		want func(int) uint64
	}{
		"one":                     {oneTensor + wait + showBulk, at(5, 4)},
		"below and to the right":  {moved("40", "6") + wait + showBulk, at(40, 6)},
		"above and to the left":   {moved("-3", "-1") + wait + showBulk, at(-3, -1)},
		"outside":                 {moved("64", "0") + wait + showBulk, at(64, 0)},
		"far outside":             {moved("4294967296", "0") + wait + showBulk, at(1000, 0)},
		"far outside on the left": {moved("0", "-4294967300") + wait + showBulk, at(0, -1000)},
		"an empty object":         {strings.Replace(moved("0", "0"), "%sixtyfour = arith.constant 64", "%sixtyfour = arith.constant 0", 1) + wait + showBulk, at(1000, 0)},
		"an empty object of great width": {strings.NewReplacer("sizes[%sixtyfour, %eight]", "sizes[%zero, %broad]", "%sixtyfour = arith.constant 64", "%broad = arith.constant 2147483647").Replace(
			tensorNames.Replace(moved("0", "0"))) + wait + showBulk, at(1000, 0)},
		"narrow offsets": {strings.Replace(oneTensor, "%bar)TO", "%bar {narrow})TO", 1) + wait + showBulk, at(5, 4)},
		"a condition that does not hold": {strings.NewReplacer("512)ON", "512 if %no)ON", ", %bar)TO", ", %bar if %no)TO").Replace("\n  %no = arith.cmpi slt, %c2, %c1 : i32"+oneTensor) + `
  EXPECT(%bar, 512)ON
  %u = TMA(%a, %m[%c, %c], %bar)TO` + wait + showBulk, at(4, 4)},
		"swizzled": {`
  %sixtyfour = arith.constant 64 : i64
  %m = nv_tileas.tensor_map %src sizes[%sixtyfour, %eight] strides[%eight, %unit] : !nv_tileas.ptr<i32> -> SMAP
  %a = nv_tileas.alloc_shared align 256 : SWIZZLED
  %bar = nv_tileas.alloc_shared : BAR
  INIT(%bar, 1)ON
  nv_tileas.barrier
  EXPECT(%bar, 1024)ON
  %t = nv_tileas.tma_load %a, %m[%four, %zero], %bar : SWIZZLED, SMAP, BAR -> !nv_tileas.mem_token
  WAIT(%bar, %c0)IS
  %wide = nv_tileas.local_load %a : SWIZZLED -> WIDE
  %done = nv_tileas.tiled_store %wide, %q[%zero, %zero] sizes [%many, %eight] strides [%eight, %unit] {bounds = array<i1: true, true>} : WIDE, !nv_tileas.ptr<i32>`,
			func(i int) uint64 { return tensorElement(4+i/8, i%8) }},
		"a loop": {strings.Replace(oneTensor[:strings.Index(oneTensor, "EXPECT")], "%r = arith.constant 5 : i64", "", 1) + `
  %none = nv_tileas.splat %c0 : i32 -> COLS
  %sum, %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none, %parity = %c0) -> (COLS, i32) : i32 {
    EXPECT(%bar, 512)ON
    %row = arith.extsi %i : i32 to i64
    %t = TMA(%a, %m[%row, %zero], %bar)TO
    WAIT(%bar, %parity)IS
    %x0 = nv_tileas.local_load %a : BUF -> COLS
    %all = arith.addi %acc, %x0 : COLS
    %next = arith.xori %parity, %c1 : i32
    scf.continue %all, %next : COLS, i32
  }
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %sum, %back : COLS, BUF
  nv_tileas.barrier
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`, func(i int) uint64 {
			n := uint64(0)
			if i >= 128 {
				return 0
			}
			for k := range 4 {
				n += tensorElement(k+i/4, i%4)
			}
			return n
		}},
		"store": {storeAt + storeTensor + "\n  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group", func(i int) uint64 {
			if row, column := i/16, i%16; column < 3 && row < 8 {
				return uint64(102 + row)
			}
			return 0
		}},
		// The end of the kernel waits for what is written; the buffer is free behind the wait for reads.
		"store, waited for as far as it reads": {storeAt + storeTensor + `
  nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group
  nv_tileas.barrier
  nv_tileas.local_store %x, %a : ROWS, BUF`, func(i int) uint64 {
			if row, column := i/16, i%16; column < 3 && row < 8 {
				return uint64(102 + row)
			}
			return 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := tensored(tt.text)
			k.want = tt.want
			k.out, k.gpu = 256, "sm_90"
			k.runsAlike(t)
			k.maps = contract.TensorMapsDevice
			k.runsAlike(t)
		})
	}
}

// TestPlantedTensorCopies: mistakes with tensor copies are found by executing the level, at the operation.
func TestPlantedTensorCopies(t *testing.T) {
	t.Parallel()
	const wait = "\n  WAIT(%bar, %c0)IS"
	const show = `
  %x0 = nv_tileas.local_load %a : BUF -> ROWS
  %done = OUT(%x0)AT`
	with := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the program", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"none":             {oneTensor + wait + show, ""},
		"read before wait": {oneTensor + show + wait, "stores an unspecified value"},
		"too few bytes":    {with(oneTensor, "512", "496") + wait, "waits for phase 0, which never ends: 0 of 1 arrivals are missing, and -16 bytes"},
		"bytes inside only": {with(with(oneTensor, "constant 5", "constant 63"), "512", "16") + wait,
			"waits for phase 0, which never ends: 0 of 1 arrivals are missing, and -496 bytes"},
		"wait dropped":        {oneTensor, "'nv_tileas.tma_load' op is still under way when the kernel ends"},
		"destination written": {oneTensor + "\n  nv_tileas.local_store %x, %a : ROWS, BUF" + wait, "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.tma_load' is still copying to"},
		"source written": {oneTensor + `
  %done = nv_tileas.tiled_store %x, %src[%r, %c] sizes [%many, %eight] strides [%eight, %unit] {bounds = array<i1: true, true>} : ROWS, !nv_tileas.ptr<i32>` + wait,
			"writes what 'nv_tileas.tma_load' is still reading"},
		"base not aligned":          {strings.NewReplacer("%src sizes", "%odd sizes").Replace(with(tensorNames.Replace(oneTensor), "%m = ", "%odd = NEXT(%src, %c1)BY\n  %m = ")) + wait, "which is not aligned to 16 bytes"},
		"stride odd":                {with(tensorNames.Replace(oneTensor), "strides[%eight,", "strides[%r,") + wait, "map has a stride of 5 along dimension 0, whose bytes are no multiple of 16"},
		"stride negative":           {with(with(tensorNames.Replace(oneTensor), "strides[%eight,", "strides[%neg,"), "%m = ", "%neg = arith.constant -8 : i64\n  %m = ") + wait, "map has a stride of -8 along dimension 0"},
		"inner stride":              {with(tensorNames.Replace(oneTensor), "%unit] :", "%eight] :") + wait, "map has a stride of 8 along dimension 1, where it must be 1"},
		"size":                      {with(oneTensor, "constant 64", "constant 4294967296") + wait, "map has a size of 4294967296 along dimension 0, which is too much"},
		"offset that is not narrow": {with(with(oneTensor, "constant 4 ", "constant 4294967300 "), "%bar)TO", "%bar {narrow})TO") + wait, "has 'narrow', but the offset 4294967300 along dimension 1 is no number of 32 bits"},
		"a map that no copy uses": {with(tensorNames.Replace(oneTensor), "%m = ", `%unused = nv_tileas.tensor_map %src sizes[%r, %r] strides[%r, %r] : !nv_tileas.ptr<i32> -> TMAP
  %m = `) + wait + show, ""},

		"store":                            {storeAt + storeTensor + "\n  nv_tileas.bulk_wait 0", ""},
		"store without fence":              {storeAt + with(storeTensor, "nv_tileas.fence_async", "") + "\n  nv_tileas.bulk_wait 0", "'nv_tileas.tma_store' op reads what 'nv_tileas.local_store' has stored, and no fence_async has stood between them"},
		"store without barrier":            {storeAt + with(storeTensor, "nv_tileas.barrier", "") + "\n  nv_tileas.bulk_wait 0", "'nv_tileas.tma_store' op accesses shared memory that another thread accesses in 'nv_tileas.local_store'"},
		"store without wait":               {storeAt + storeTensor, "'nv_tileas.tma_store' op is still under way when the kernel ends"},
		"store, read only":                 {storeAt + storeTensor + "\n  nv_tileas.bulk_wait read 0", ""},
		"store, read, source written":      {storeAt + storeTensor + "\n  nv_tileas.bulk_wait read 0\n  nv_tileas.barrier\n  nv_tileas.local_store %x, %a : ROWS, BUF", ""},
		"store, read, destination written": {storeAt + storeTensor + "\n  nv_tileas.bulk_wait read 0\n  nv_tileas.barrier\n  %done = OUT(%x)AT", "writes what 'nv_tileas.tma_store' is still writing"},
		"store, read, group left":          {storeAt + storeTensor + "\n  nv_tileas.bulk_wait read 1 for %g : !nv_tileas.group", "returns while group #0 that it waits for is under way"},
		"store, source written":            {storeAt + storeTensor + "\n  nv_tileas.local_store %x, %a : ROWS, BUF\n  nv_tileas.bulk_wait 0", "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.tma_store' is still reading"},
		"store, destination written":       {storeAt + storeTensor + "\n  %done = OUT(%x)AT\n  nv_tileas.bulk_wait 0", "writes what 'nv_tileas.tma_store' is still writing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tensored(tt.text).interpreted(t, tt.want)
		})
	}
}

// TestTensorCopyTargets: targets without such copies refuse them, at the operation.
func TestTensorCopyTargets(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	k := tensored(oneTensor + "\n  WAIT(%bar, %c0)IS")
	k.gpu = "sm_89"
	m := k.module(t, &said)
	_, err := k.pass(m, placing)
	if err == nil {
		_, err = k.pass(m, lowering)
	}
	if want := "'nv_tileas.tensor_map' op needs tensor copy global to shared::cluster, tile mode, which sm_89 does not have"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s\n%s", err, want, &said)
	}
}

// TestPtxasTensorCopies assembles them for the targets that have them.
func TestPtxasTensorCopies(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for name, text := range map[string]string{
		"load":  oneTensor + "\n  WAIT(%bar, %c0)IS" + showBulk,
		"store": storeAt + storeTensor + "\n  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := sm.Names()
			for i, gpu := range slices.Repeat(all[slices.Index(all, "sm_90"):], 2) {
				var said bytes.Buffer
				k := tensored(text)
				if k.gpu = gpu; i >= len(all)-slices.Index(all, "sm_90") {
					k.maps = contract.TensorMapsDevice
				}
				k.assembles(t, tool, k.module(t, &said), &said)
			}
		})
	}
}

// deviceCode compiles a kernel whose tile blocks make its maps.
func deviceCode(t *testing.T, text string) *emu.Module {
	t.Helper()
	var said bytes.Buffer
	k := tensored(text)
	k.maps = contract.TensorMapsDevice
	ptx, _ := k.ptx(t, k.module(t, &said), &said)
	code, err := emu.Parse("k.ptx", ptx)
	if err != nil {
		t.Fatalf("%v\n%s", err, ptx)
	}
	return code
}

// TestDeviceMaps: launches that share the slots of a module, at the same time, with other arguments each, with more tile blocks than there are slots, and with tile blocks that return early.
func TestDeviceMaps(t *testing.T) {
	t.Parallel()
	const early = `
  %bx, %by, %bz = nv_tileas.get_program_id : i32, i32, i32
  %odd = arith.andi %bx, %c1 : i32
  %leave = arith.cmpi eq, %odd, %c1 : i32
  scf.if %leave {
    nv_tileas.return
  }`
	at := strings.Index(oneTensor, "  INIT(")
	for name, tt := range map[string]struct {
		text             string
		blocks, launches int
		adversarial      bool
	}{
		"at the same time":      {oneTensor + "\n  WAIT(%bar, %c0)IS" + showBulk, 40, 8, false},
		"as unfriendly":         {oneTensor + "\n  WAIT(%bar, %c0)IS" + showBulk, 8, 8, true},
		"more blocks than maps": {oneTensor + "\n  WAIT(%bar, %c0)IS" + showBulk, 9000, 1, false},
		"early":                 {oneTensor[:at] + early + oneTensor[at:] + "\n  WAIT(%bar, %c0)IS" + showBulk, 18000, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := deviceCode(t, tt.text)
			mem := emu.NewMemory()
			var wait sync.WaitGroup
			errs := make([]error, tt.launches)
			for i := range tt.launches {
				k := scheduled{out: 128}
				req := k.request()
				in, out := req.Args[1].Buffer, req.Args[0].Buffer
				for n := range scheduledIn {
					in.DType.Store(in.Data, n, uint64(i<<16+n))
				}
				var params [2][]byte
				var addrs [2]uint64
				for j, data := range [][]byte{out.Data, in.Data} {
					addr, err := mem.Alloc("argument", uint64(len(data)), 256)
					if err == nil {
						err = mem.Write(addr, data)
					}
					if err != nil {
						t.Fatal(err)
					}
					addrs[j], params[j] = addr, binary.LittleEndian.AppendUint64(nil, addr)
				}
				run := func() {
					_, errs[i] = code.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{uint32(tt.blocks), 1, 1}, Params: params[:], Adversarial: tt.adversarial, Seed: uint64(i), MaxSteps: 1 << 26})
					if errs[i] == nil {
						errs[i] = mem.Read(addrs[0], out.Data)
					}
					for n := range 128 {
						if got, want := out.DType.Load(out.Data, n), uint64(i<<16+8*(5+n/4)+4+n%4); errs[i] == nil && got != want {
							errs[i] = fmt.Errorf("element %d is %d, want %d", n, got, want)
						}
					}
				}
				if i == 0 { // which places the variables of the module
					run()
				} else {
					wait.Go(run)
				}
			}
			wait.Wait()
			for i, err := range errs {
				if err != nil {
					t.Errorf("launch %d: %v", i, err)
				}
			}
		})
	}
}
