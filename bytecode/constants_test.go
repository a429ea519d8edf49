package bytecode

import (
	"bytes"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

func TestUnpack(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(ops.Dialect)
	tf32, f4 := c.Float(numeric.TF32), c.Float(numeric.F4E2M1FN)
	tests := []struct {
		name   string
		elem   ir.Type
		n      int
		stored []byte
		data   []byte
		packed []byte // nil: stored
		err    string
	}{
		{"i32", c.Int(32), 2, []byte{1, 0, 0, 0, 2, 0, 0, 0}, []byte{1, 0, 0, 0, 2, 0, 0, 0}, nil, ""},
		{"splat", c.Int(16), 1024, []byte{1, 2}, []byte{1, 2}, nil, ""},
		{"equal elements", c.Int(16), 2, []byte{1, 2, 1, 2}, []byte{1, 2}, []byte{1, 2}, ""},
		{"wrong size", c.Int(16), 4, []byte{1, 2, 3, 4}, nil, nil, "expected 2 or 8 bytes, but got 4"},
		{"empty", c.Int(16), 4, nil, nil, nil, "expected 2 or 8 bytes, but got 0"},
		{"tf32 has 19 bits in 3 bytes", tf32, 2, []byte{0, 0xfc, 1, 1, 0, 4}, []byte{0, 0, 0x80, 0x3f, 0, 0x20, 0, 0x80}, nil, ""},
		{"tf32 splat", tf32, 64, []byte{0, 0xfc, 1}, []byte{0, 0, 0x80, 0x3f}, nil, ""},
		{"tf32 in 4 bytes", tf32, 1, []byte{0, 0, 0x80, 0x3f}, nil, nil, "expected 3 or 3 bytes, but got 4"},
		{"tf32 with 20 bits", tf32, 1, []byte{0, 0, 8}, nil, nil, "element 0x80000 does not fit 19 bits"},
		{"f4 takes a byte", f4, 2, []byte{2, 15}, []byte{2, 15}, nil, ""},
		{"f4 packed", f4, 2, []byte{0x21}, nil, nil, "element 0x21 does not fit 4 bits"},
		{"i4", c.Int(4), 2, []byte{1, 1}, nil, nil, "elements of type i4 cannot be stored"},
		{"pointers", cudatile.Ptr(c, c.F32(), nil), 1, []byte{1}, nil, nil, "elements of type !cuda_tile.ptr<f32> cannot be stored"},
		{"i1", c.Int(1), 10, []byte{0x05, 0x02}, []byte{1, 0, 1, 0, 0, 0, 0, 0, 0, 1}, nil, ""},
		{"i1 within a byte", c.Int(1), 4, []byte{0x05}, []byte{1, 0, 1, 0}, nil, ""},
		{"i1 equal within a byte", c.Int(1), 4, []byte{0x0f}, []byte{1}, []byte{0xff}, ""},
		{"i1 one byte for many", c.Int(1), 64, []byte{0x01}, []byte{1}, []byte{0xff}, ""},
		{"i1 one byte for many, lowest bit", c.Int(1), 64, []byte{0xfe}, []byte{0}, []byte{0}, ""},
		{"i1 wrong size", c.Int(1), 64, []byte{1, 2}, nil, nil, "expected 1 or 8 bytes, but got 2"},
	}
	for _, tt := range tests {
		got, err := unpack(tt.stored, tt.elem, tt.n)
		if err != tt.err || !bytes.Equal(got, tt.data) {
			t.Errorf("%s: got % x (%s), want % x (%s)", tt.name, got, err, tt.data, tt.err)
			continue
		}
		if tt.err != "" {
			continue
		}
		want := tt.packed
		if want == nil {
			want = tt.stored
		}
		if a := c.Dense(cudatile.Tile(c, []int64{int64(tt.n)}, tt.elem), got); !bytes.Equal(pack(a, tt.elem), want) {
			t.Errorf("%s: packed % x, want % x", tt.name, pack(a, tt.elem), want)
		}
	}
}

// TestPattern: the bits of a float may be written as a number without a sign. Its last bit is dropped, as the reference
// does.
func TestPattern(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		bytes []byte
		want  uint64
		err   string
	}{
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xf0, 0xff, 0x01}, 0x7ff0 << 48, ""}, // inf
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xf0, 0xff, 0x03}, 0x7ff0 << 48, ""}, // -inf as 65 bits
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f}, 0xfff0 << 48, ""},             // -inf
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xf0, 0xff, 0x04}, 0, "offset 0: varint does not fit 64 bits"},
	} {
		c := cursor{data: tt.bytes, end: len(tt.bytes)}
		var got uint64
		text := ""
		if err := catch(func() { got = uint64(c.pattern()) }); err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("% x: %#x, %q; want %#x, %q", tt.bytes, got, text, tt.want, tt.err)
		}
	}
}

func TestVarint(t *testing.T) {
	t.Parallel()
	tests := []struct {
		bytes []byte
		want  uint64
		err   string
	}{
		{[]byte{0}, 0, ""},
		{[]byte{0x7f}, 127, ""},
		{[]byte{0xae, 0x01}, 174, ""},
		{[]byte{0xe5, 0x02}, 357, ""},
		{[]byte{0x80, 0x00}, 0, ""}, // longer than it must be
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 1<<64 - 1, ""},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, 0, "offset 0: varint does not fit 64 bits"},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 0, "offset 0: varint does not fit 64 bits"},
		{[]byte{0x80}, 0, "offset 0: unexpected end of data in a varint"},
		{nil, 0, "offset 0: unexpected end of data in a varint"},
	}
	for _, tt := range tests {
		c := cursor{data: tt.bytes, end: len(tt.bytes)}
		var got uint64
		text := ""
		if err := catch(func() { got = c.varint() }); err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("% x: got %d (%s), want %d (%s)", tt.bytes, got, text, tt.want, tt.err)
		}
	}
	for _, v := range []int64{0, 1, -1, 63, -64, 1 << 62, -1 << 63} {
		var b buffer
		b.signed(v)
		c := cursor{data: b.b, end: len(b.b)}
		if got := c.signed(); got != v || c.left() != 0 {
			t.Errorf("signed %d: got %d", v, got)
		}
	}
}
