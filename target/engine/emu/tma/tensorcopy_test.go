package tma_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// tensorTest copies with one thread: a load into shared memory at 0 of the
// buffer, whose bytes go to out, or a store of the input.
type tensorTest struct {
	m     emu.TensorMap
	inst  string // the copy; %m is the map, %b the buffer, %x the mbarrier
	tx    int    // bytes of a load
	bytes int    // of shared memory that matter
}

// run returns the bytes of shared memory and of the tensor after the copy.
func (c tensorTest) run(t *testing.T, data, shared []byte) (buffer, tensor []byte) {
	t.Helper()
	buffer, tensor, err := c.try(data, shared)
	if err != nil {
		t.Fatal(err)
	}
	return buffer, tensor
}

func (c tensorTest) try(data, shared []byte) (buffer, tensor []byte, err error) {
	wait := "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
	expect := ""
	if c.tx > 0 {
		expect = fmt.Sprintf("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%x], %d;", c.tx)
		wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%x], 0; @!%p0 bra W;"
	}
	src := fmt.Sprintf(`.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 in)
{
	.reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .b64 %%d<8>; .reg .b16 %%h<4>; .reg .b64 %%m; .reg .b32 %%b, %%x;
	.shared .align 1024 .b8 buf[%[1]d]; .shared .align 8 .b64 bar;
	mov.b64 %%m, map; cvta.param.u64 %%m, %%m; ld.param.u64 %%d5, [out]; ld.param.u64 %%d6, [in]; mov.u32 %%b, buf; mov.u32 %%x, bar;
	mbarrier.init.shared::cta.b64 [%%x], 1;
	mov.u32 %%r1, 0;
F:	add.u32 %%r2, %%b, %%r1; cvt.u64.u32 %%d1, %%r1; add.u64 %%d2, %%d1, %%d6; ld.global.u32 %%r3, [%%d2]; st.shared.u32 [%%r2], %%r3;
	add.u32 %%r1, %%r1, 4; setp.lt.u32 %%p1, %%r1, %[1]d; @%%p1 bra F;
	fence.proxy.async;
	%[2]s
	%[3]s
	%[4]s
	mov.u32 %%r1, 0;
C:	add.u32 %%r2, %%b, %%r1; cvt.u64.u32 %%d1, %%r1; add.u64 %%d2, %%d1, %%d5; ld.shared.u32 %%r3, [%%r2]; st.global.u32 [%%d2], %%r3;
	add.u32 %%r1, %%r1, 4; setp.lt.u32 %%p1, %%r1, %[1]d; @%%p1 bra C;
	ret;
}`, c.bytes, expect, c.inst, wait)
	mem := emu.NewMemory()
	var place [3]uint64
	for i, n := range []int{len(data), c.bytes, c.bytes} {
		if place[i], err = mem.Alloc("memory", uint64(n), 128); err != nil {
			return nil, nil, err
		}
	}
	shared = append(shared, make([]byte, c.bytes-len(shared))...)
	if err := mem.Write(place[0], data); err != nil {
		return nil, nil, err
	}
	if err := mem.Write(place[2], shared); err != nil {
		return nil, nil, err
	}
	c.m.Address = place[0]
	encoded, err := c.m.Encode()
	if err != nil {
		return nil, nil, err
	}
	m, err := emu.Parse("test.ptx", []byte(emutest.Header+src))
	if err != nil {
		return nil, nil, err
	}
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{1}, Params: [][]byte{encoded, emutest.LE64(place[1]), emutest.LE64(place[2])}, Adversarial: true}); err != nil {
		return nil, nil, err
	}
	buffer, tensor = make([]byte, c.bytes), make([]byte, len(data))
	if err := mem.Read(place[1], buffer); err != nil {
		return nil, nil, err
	}
	return buffer, tensor, mem.Read(place[0], tensor)
}

const (
	loadTensor  = "cp.async.bulk.tensor.%s.shared::cta.global.%s.mbarrier::complete_tx::bytes [%%b], [%%m, {%s}], [%%x]%s;"
	storeTensor = "cp.async.bulk.tensor.%s.global.shared::cta.%s.bulk_group [%%m, {%s}], [%%b];"
)

// TestSwizzles compares the swizzles with the tables of the ISA, of chunks of
// 16 bytes in 128-byte lines.
func TestSwizzles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		swizzle   int
		atomicity string
		table     []string
	}{
		{32, "", []string{"01234567", "10325476"}},
		{64, "", []string{"01234567", "10325476", "23016745", "32107654"}},
		{96, "", []string{"01234567", "10325476"}},
		{128, "", []string{"01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"}},
		{128, "32B", []string{"01234567", "23016745", "45670123", "67452301"}},
		{128, "64B", []string{"01234567", "45670123"}},
		{128, "32B_FLIP_8B", []string{"01234567", "23016745", "45670123", "67452301"}},
	} {
		t.Run(fmt.Sprintf("%d %s", c.swizzle, c.atomicity), func(t *testing.T) {
			t.Parallel()
			rows := 16 * 128 / c.swizzle
			bytes := rows * c.swizzle
			m := emu.TensorMap{Type: "u32", Dims: []uint64{uint64(c.swizzle / 4), uint64(rows)}, Strides: []uint64{uint64(c.swizzle)}, Box: []uint32{uint32(c.swizzle / 4), uint32(rows)},
				Swizzle: c.swizzle, Atomicity: c.atomicity}
			got, _ := tensorTest{m: m, inst: fmt.Sprintf(loadTensor, "2d", "tile", "0, 0", ""), tx: bytes, bytes: bytes}.run(t, emutest.Numbered(bytes/4), nil)
			for i, v := range emutest.U32s(got) {
				line := i / 32
				chunk := int(c.table[line%len(c.table)][i%32/4] - '0')
				word := i % 4
				if c.atomicity == "32B_FLIP_8B" && line%2 == 1 {
					word ^= 2
				}
				if want := uint32(32*line + 4*chunk + word + 1); v != want {
					t.Fatalf("word %d of line %d: got %d, want %d", i%32, line, v, want)
				}
			}
		})
	}
}

// TestGatherScatter moves four rows, one of them outside of the tensor.
func TestGatherScatter(t *testing.T) {
	t.Parallel()
	m := emu.TensorMap{Type: "u32", Dims: []uint64{16, 10}, Strides: []uint64{64}, Box: []uint32{8, 1}}
	data := emutest.Numbered(160)
	got, _ := tensorTest{m: m, inst: fmt.Sprintf(loadTensor, "2d", "tile::gather4", "4, 9, 2, 10, 0", ""), tx: 128, bytes: 128}.run(t, data, nil)
	for i, v := range emutest.U32s(got) {
		row := []uint32{9, 2, 10, 0}[i/8]
		want := 16*row + 4 + uint32(i%8) + 1
		if row == 10 {
			want = 0
		}
		if v != want {
			t.Errorf("word %d: got %d, want %d", i, v, want)
		}
	}
	_, tensor := tensorTest{m: m, inst: fmt.Sprintf(storeTensor, "2d", "tile::scatter4", "12, 9, 2, 10, 0"), bytes: 128}.run(t, data, emutest.LE32(make([]uint32, 32)...))
	for i, v := range emutest.U32s(tensor) {
		row, col := i/16, i%16
		want := uint32(i + 1)
		if col >= 12 && (row == 9 || row == 2 || row == 0) {
			want = 0
		}
		if v != want {
			t.Errorf("element (%d, %d): got %d, want %d", row, col, v, want)
		}
	}
}

// TestIm2col loads columns of a padded convolution and compares them with
// the sliding window itself.
func TestIm2col(t *testing.T) {
	t.Parallel()
	const n, h, w, ch = 2, 5, 7, 8
	for _, c := range []struct {
		name                   string
		lowW, lowH, upW, upH   int
		stride                 int
		startN, startH, startW int
		offW, offH             int
		channel                int
		nan                    bool
	}{
		{"3x3 padded", -1, -1, -1, -1, 1, 0, -1, -1, 0, 0, 0, false},
		{"last tap", -1, -1, -1, -1, 1, 0, 1, 3, 2, 2, 0, true},
		{"valid", 0, 0, -2, -2, 1, 1, 0, 0, 1, 2, 4, false},
		{"strided", -1, -1, -1, -1, 2, 0, 1, 1, 1, 1, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const pixels, channels = 40, 4
			m := emu.TensorMap{Type: "f32", Dims: []uint64{ch, w, h, n}, Strides: []uint64{4 * ch, 4 * ch * w, 4 * ch * w * h}, Box: []uint32{channels}, FillNaN: c.nan,
				ElementStrides: []uint32{1, uint32(c.stride), uint32(c.stride), 1},
				Im2col:         &emu.Im2col{Lower: []int{c.lowW, c.lowH}, Upper: []int{c.upW, c.upH}, Pixels: pixels}}
			inst := fmt.Sprintf("mov.b16 %%h0, %d; mov.b16 %%h1, %d; ", c.offW, c.offH) +
				fmt.Sprintf(loadTensor, "4d", "im2col", fmt.Sprintf("%d, %d, %d, %d", c.channel, c.startW, c.startH, c.startN), ", {%h0, %h1}")
			bytes := 4 * pixels * channels
			got, _ := tensorTest{m: m, inst: inst, tx: bytes, bytes: bytes}.run(t, emutest.Numbered(n*h*w*ch), nil)
			// All filter bases from the start on, by the loops of a convolution.
			var want []uint32
			for ni := c.startN; ni < n+5; ni++ {
				for y := c.lowH; y <= h-1+c.upH; y += c.stride {
					for x := c.lowW; x <= w-1+c.upW; x += c.stride {
						if ni == c.startN && (y < c.startH || y == c.startH && x < c.startW) {
							continue
						}
						py, px := y+c.offH, x+c.offW
						for k := range channels {
							v := uint32(((ni*h+py)*w+px)*ch + c.channel + k + 1)
							if ni >= n || py < 0 || py >= h || px < 0 || px >= w {
								if v = 0; c.nan {
									v = 0xffffffff
								}
							}
							want = append(want, v)
						}
					}
				}
			}
			for i, v := range emutest.U32s(got) {
				if v != want[i] {
					t.Fatalf("pixel %d channel %d: got %d, want %d", i/channels, i%channels, v, want[i])
				}
			}
		})
	}
}

// TestIm2colWide follows the example of the ISA for im2col::w: 128 pixels of
// a row of seven, over the images, and a halo of two; and, for 128, the same
// with the halo after each 32.
func TestIm2colWide(t *testing.T) {
	t.Parallel()
	const n, h, w, ch = 24, 3, 7, 8
	m := emu.TensorMap{Type: "u32", Dims: []uint64{ch, w, h, n}, Strides: []uint64{4 * ch, 4 * ch * w, 4 * ch * w * h}, Box: []uint32{ch}, Swizzle: 32,
		Im2col: &emu.Im2col{Lower: []int{0}, Upper: []int{0}, Pixels: 128, Wide: true}}
	pixel := func(i int) (ni, x int) { return 2 + (3+i)/w, (3 + i) % w }
	for _, c := range []struct {
		mode  string
		order func() []int
	}{
		{"im2col::w", func() (list []int) {
			for i := range 130 {
				list = append(list, i)
			}
			return list
		}},
		{"im2col::w::128", func() (list []int) {
			for part := range 4 {
				for i := range 34 {
					list = append(list, 32*part+i)
				}
			}
			return list
		}},
	} {
		order := c.order()
		bytes := 4 * ch * len(order)
		inst := "mov.b16 %h0, 2; mov.b16 %h1, 0; " + fmt.Sprintf(loadTensor, "4d", c.mode, "0, 3, 1, 2", ", {%h0, %h1}")
		got, _ := tensorTest{m: m, inst: inst, tx: bytes, bytes: bytes}.run(t, emutest.Numbered(n*h*w*ch), nil)
		for i, v := range emutest.U32s(got) {
			row := i / ch
			ni, x := pixel(order[row])
			chunk := i % ch / 4
			if row/4%2 == 1 { // swizzle of 32 bytes: odd lines
				chunk ^= 1
			}
			if want := uint32(((ni*h+1)*w+x)*ch + 4*chunk + i%4 + 1); v != want {
				t.Fatalf("%s: row %d word %d: got %d, want %d", c.mode, row, i%ch, v, want)
			}
		}
	}
}

// TestSubByteTensors pads elements of 4 and 6 bits on the way to shared
// memory and packs those of 6 bits on the way back.
func TestSubByteTensors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ         string
		group, into int // bytes of 16 elements in the tensor and in shared memory
	}{{"b4x16", 8, 8}, {"b4x16_p64", 8, 16}, {"b6x16_p32", 12, 16}} {
		row := 8 * c.group
		data := make([]byte, 2*row)
		for i := range data {
			data[i] = byte(3*i + 1)
		}
		m := emu.TensorMap{Type: c.typ, Dims: []uint64{128, 2}, Strides: []uint64{uint64(row)}, Box: []uint32{128, 2}}
		bytes := 2 * 8 * c.into
		got, _ := tensorTest{m: m, inst: fmt.Sprintf(loadTensor, "2d", "tile", "0, 0", ""), tx: 2 * row, bytes: bytes}.run(t, data, nil)
		for i, v := range data {
			if at := i/c.group*c.into + i%c.group; got[at] != v {
				t.Errorf("%s: byte %d is %#x at %d, want %#x", c.typ, i, got[at], at, v)
			}
		}
	}
	m := emu.TensorMap{Type: "b6x16_p32", Dims: []uint64{128}, Box: []uint32{128}}
	shared := make([]byte, 128)
	for i := range shared {
		shared[i] = byte(i*5)&0x3f | 0xc0 // the upper bits are padding
	}
	_, tensor := tensorTest{m: m, inst: fmt.Sprintf(storeTensor, "1d", "tile", "0"), bytes: 128}.run(t, make([]byte, 96), shared)
	for i := range 128 {
		var v byte
		for bit := range 6 {
			v |= tensor[(6*i+bit)/8] >> ((6*i + bit) % 8) & 1 << bit
		}
		if want := byte(i*5) & 0x3f; v != want {
			t.Errorf("element %d: got %#x, want %#x", i, v, want)
		}
	}
}

// TestTensorFields has element strides and the types that flush and round.
func TestTensorFields(t *testing.T) {
	t.Parallel()
	m := emu.TensorMap{Type: "u32", Dims: []uint64{4, 16}, Strides: []uint64{16}, Box: []uint32{4, 6}, ElementStrides: []uint32{1, 3}}
	got, _ := tensorTest{m: m, inst: fmt.Sprintf(loadTensor, "2d", "tile", "0, 2", ""), tx: 32, bytes: 32}.run(t, emutest.Numbered(64), nil)
	for i, v := range emutest.U32s(got) {
		if want := uint32(4*(2+3*(i/4)) + i%4 + 1); v != want {
			t.Errorf("word %d: got %d, want %d", i, v, want)
		}
	}
	flushed := emu.TensorMap{Type: "f32.ftz", Dims: []uint64{4}, Box: []uint32{4}}
	got, _ = tensorTest{m: flushed, inst: fmt.Sprintf(loadTensor, "1d", "tile", "0", ""), tx: 16, bytes: 16}.run(t, emutest.LE32(1, 0x80000001, 0x00800000, 0x3f800000), nil)
	if want := []uint32{0, 0x80000000, 0x00800000, 0x3f800000}; fmt.Sprint(emutest.U32s(got)) != fmt.Sprint(want) {
		t.Errorf("f32.ftz: got %#x, want %#x", emutest.U32s(got), want)
	}
	for kind, want := range map[string][]uint32{ // ties go to the even one, a carry goes into the exponent, NaNs and infinities stay
		"tf32":     {0x3f800000, 0x3f804000, 0x3f802000, 0x40000000, 0x7f800000, 0x7f800001, 0xff800000, 0x80002000},
		"tf32.ftz": {0x3f800000, 0x3f804000, 0x3f802000, 0x40000000, 0x7f800000, 0x7f800001, 0xff800000, 0x80000000},
	} {
		m := emu.TensorMap{Type: kind, Dims: []uint64{8}, Box: []uint32{8}}
		in := emutest.LE32(0x3f801000, 0x3f803000, 0x3f801001, 0x3fffffff, 0x7f7fffff, 0x7f800001, 0xff800000, 0x80001001)
		if got, _ := (tensorTest{m: m, inst: fmt.Sprintf(loadTensor, "1d", "tile", "0", ""), tx: 32, bytes: 32}).run(t, in, nil); fmt.Sprint(emutest.U32s(got)) != fmt.Sprint(want) {
			t.Errorf("%s: got %#x, want %#x", kind, emutest.U32s(got), want)
		}
	}
}

func TestTensorCopyErrors(t *testing.T) {
	t.Parallel()
	tiled := emu.TensorMap{Type: "u32", Dims: []uint64{16, 16}, Strides: []uint64{64}, Box: []uint32{8, 2}}
	images := emu.TensorMap{Type: "u32", Dims: []uint64{8, 4, 4, 2}, Strides: []uint64{32, 128, 512}, Box: []uint32{8}, Im2col: &emu.Im2col{Lower: []int{-1, 0}, Upper: []int{0, 0}, Pixels: 4}}
	load := func(dim, mode, at, tail string) string { return fmt.Sprintf(loadTensor, dim, mode, at, tail) }
	change := func(f func(m *emu.TensorMap)) emu.TensorMap {
		m := tiled
		f(&m)
		return m
	}
	for _, c := range []struct {
		m    emu.TensorMap
		inst string
		want string
	}{
		{tiled, load("2d", "tile::gather4", "0, 0, 1, 2, 3", ""), "needs two dimensions and a box of one row"},
		{tiled, load("3d", "tile::gather4", "0, 0, 1, 2, 3", ""), "'.tile::gather4' needs two dimensions"},
		{tiled, load("2d", "im2col", "0, 0", ""), "needs three dimensions or more"},
		{tiled, load("4d", "im2col", "0, 0, 0, 0", ", {%h0}"), "needs a vector of 2 im2col offsets"},
		{tiled, fmt.Sprintf(storeTensor, "2d", "tile::gather4", "0, 0, 1, 2, 3"), "does not go with the direction"},
		{tiled, load("2d", "tile::scatter4", "0, 0, 1, 2, 3", ""), "does not go with the direction"},
		{images, load("4d", "tile", "0, 0, 0, 0", ""), "the map is im2col, the copy is tiled"},
		{images, "mov.b32 %r0, 0; mov.b16 %h0, 0; " + load("4d", "im2col", "0, 4, 0, 0", ", {%h0, %h0}"), "outside of the bounding box"},
		{images, "mov.b16 %h0, 256; " + load("4d", "im2col", "0, 0, 0, 0", ", {%h0, %h0}"), "im2col offset 256 is not below 256"},
		{images, fmt.Sprintf(storeTensor, "4d", "im2col_no_offs", "0, 0, 0, 0"), "leaves the tensor in dimension 1"},
		{images, "mov.b16 %h0, 0; " + load("4d", "im2col::w", "0, 0, 0, 0", ", {%h0, %h0}"), "the map is im2col, the copy is im2col::w"},
		{change(func(m *emu.TensorMap) { m.Atomicity = "32B" }), "", "does not go with swizzle 0"},
		{change(func(m *emu.TensorMap) { m.Atomicity = "8B" }), "", "unknown swizzle atomicity"},
		{change(func(m *emu.TensorMap) { m.FillNaN = true }), "", "cannot be filled with NaN"},
		{change(func(m *emu.TensorMap) { m.ElementStrides = []uint32{1, 9} }), "", "is not from 1 to 8"},
		{change(func(m *emu.TensorMap) { m.Type = "b4x16_p64" }), "", "are not a multiple of the atom of 16"},
		{change(func(m *emu.TensorMap) { m.Im2col = &emu.Im2col{Lower: []int{0}, Upper: []int{0}} }), "", "do not go with 1 lower and 1 upper corners"},
		{change(func(m *emu.TensorMap) { m.Type = "u5" }), "", "unknown element type"},
	} {
		_, _, err := tensorTest{m: c.m, inst: c.inst, tx: 64, bytes: 1024}.try(emutest.Numbered(512), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}
