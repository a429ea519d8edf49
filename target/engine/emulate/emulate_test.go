package emulate_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// kernel writes base + 8*tile block + thread to each element of out, through dynamic shared memory.
const kernel = `.version 7.8
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 scratch[];
.visible .entry number(
	.param .u64 out,
	.param .u32 base,
	.param .u8 unused
)
.reqntid 8, 1, 1
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [base];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	shl.b32 %r4, %r3, 3;
	add.u32 %r4, %r4, %r2;
	add.u32 %r5, %r4, %r1;
	mov.u32 %r6, scratch;
	shl.b32 %r7, %r2, 2;
	add.u32 %r6, %r6, %r7;
	st.shared.b32 [%r6], %r5;
	bar.sync 0;
	ld.shared.b32 %r5, [%r6];
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.b32 [%rd3], %r5;
	ret;
}
`

func engine(t *testing.T, text string) *emulate.Engine {
	t.Helper()
	e, err := emulate.New("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e.DynamicShared = 32
	return e
}

func buffer(elements int) launch.Arg {
	return launch.Arg{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{elements}, Data: make([]byte, 4*elements)}}
}

func scalar(d launch.DType, bits uint64) launch.Arg {
	return launch.Arg{Scalar: launch.Scalar{DType: d, Bits: bits}}
}

func TestRun(t *testing.T) {
	t.Parallel()
	e := engine(t, kernel)
	for _, e.Adversarial = range []bool{false, true} {
		out := buffer(24)
		req := &launch.Request{Entry: "number", Grid: [3]uint32{3, 1, 1}, Args: []launch.Arg{out, scalar(launch.I32, 100), scalar(launch.I8, 0xff)}}
		if err := e.Run(context.Background(), req); err != nil {
			t.Fatal(err)
		}
		for i := range 24 {
			if got := out.Buffer.DType.Load(out.Buffer.Data, i); got != uint64(100+i) {
				t.Errorf("element %d is %d, want %d", i, got, 100+i)
			}
		}
	}
	if e.Stats.CTAs != 6 || e.Stats.ThreadInstructions != 8*e.Stats.WarpInstructions || e.Stats.WarpInstructions == 0 {
		t.Errorf("the launches counted %+v", e.Stats)
	}
}

// TestErrors checks launches that do not fit the kernel, and faults of the kernel, which name the instruction and its
// place.
func TestErrors(t *testing.T) {
	t.Parallel()
	fits := []launch.Arg{buffer(8), scalar(launch.I32, 0), scalar(launch.I8, 0)}
	with := func(i int, a launch.Arg) []launch.Arg {
		args := append([]launch.Arg(nil), fits...)
		args[i] = a
		return args
	}
	for _, tt := range []struct {
		name  string
		edit  func(string) string
		entry string
		grid  uint32
		args  []launch.Arg
		want  []string
	}{
		{"no entry", nil, "letter", 1, fits, []string{"PTX module has no entry 'letter'"}},
		{"empty grid", nil, "number", 0, fits, []string{"grid[0]: got 0"}},
		{"few arguments", nil, "number", 1, fits[:2], []string{"entry 'number' has 3 parameters, but got 2 arguments"}},
		{"wide argument", nil, "number", 1, with(1, scalar(launch.I64, 1)), []string{"argument 1: is i64:1, 8 bytes, but the parameter has 4"}},
		{"buffer for a number", nil, "number", 1, with(1, buffer(1)), []string{"argument 1: is i32[1], 8 bytes, but the parameter has 4"}},
		{"number for a buffer", nil, "number", 1, with(0, scalar(launch.I32, 1)), []string{"argument 0: is i32:1, 4 bytes, but the parameter has 8"}},
		{"out of bounds", nil, "number", 2, fits, []string{"k.ptx:30: 'st.global.b32 [%rd3], %r5;'", "0 bytes past the end of 'argument 0' (32 bytes)", "cta 1,0,0 thread 0,0,0"}},
		{"misaligned", edit("mul.wide.u32 %rd2, %r4, 4", "mul.wide.u32 %rd2, %r4, 2"), "number", 1, fits, []string{"k.ptx:30: 'st.global.b32", "misaligned global write of 4 bytes", "thread 1,0,0"}},
		{"no such address", nil, "number", 1, with(0, scalar(launch.I64, 64)), []string{"k.ptx:30: 'st.global.b32", "address 0x40"}},
		{"uninitialised register", edit("add.u32 %r5, %r4, %r1", "add.u32 %r5, %r7, %r1"), "number", 1, fits, []string{"k.ptx:21: 'add.u32", "register '%r7' is read before it is written"}},
		{"divergent barrier", edit("bar.sync 0;", "setp.lt.u32 %p1, %r2, 4;\n\t@%p1 bar.sync 0;"), "number", 1, fits, []string{"bar.sync 0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := kernel
			if tt.edit != nil {
				text = tt.edit(text)
			}
			e, err := emulate.New("k.ptx", []byte(text))
			if err == nil {
				e.DynamicShared = 32
				err = e.Run(context.Background(), &launch.Request{Entry: tt.entry, Grid: [3]uint32{tt.grid, 1, 1}, Args: tt.args})
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in: %v", want, err)
				}
			}
		})
	}
}

func edit(old, with string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, with, 1) }
}

// TestFailedLaunch checks that a launch that stops leaves the buffers as they were.
func TestFailedLaunch(t *testing.T) {
	t.Parallel()
	out := buffer(4)
	want := bytes.Clone(out.Buffer.Data)
	err := engine(t, kernel).Run(context.Background(), &launch.Request{Entry: "number", Grid: [3]uint32{1, 1, 1},
		Args: []launch.Arg{out, scalar(launch.I32, 100), scalar(launch.I8, 0)}})
	var fault *emu.Fault
	if !errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
	if !bytes.Equal(out.Buffer.Data, want) {
		t.Errorf("the buffer holds %x", out.Buffer.Data)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	e := engine(t, edit("ret;", "again: bra again;")(kernel))
	req := &launch.Request{Entry: "number", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{buffer(8), scalar(launch.I32, 0), scalar(launch.I8, 0)}}
	e.MaxSteps = 1000
	if err := e.Run(context.Background(), req); !errors.Is(err, emu.ErrSteps) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := engine(t, edit("ret;", "again: bra again;")(kernel)).Run(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		".version 7.8\n.target sm_90\nfoo\n":      "k.ptx:3",
		edit("add.u32", "frobnicate.u32")(kernel): "k.ptx:20:2: unknown instruction",
	} {
		if _, err := emulate.New("k.ptx", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
}
