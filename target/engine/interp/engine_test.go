package interp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Every tile block waits for the one after it, so all must make progress, however few may run at a time.
func TestWaitingBlocks(t *testing.T) {
	t.Parallel()
	const blocks = 200
	e := parse(t, `entry @k(%p: tile<ptr<i32>>) {
%x, %y, %z = get_tile_block_id : tile<i32>
%nx, %ny, %nz = get_num_tile_blocks : tile<i32>
%one = constant <i32: 1> : tile<i32>
%next = addi %x, %one : tile<i32>
%mine = offset %p, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%theirs = offset %p, %next : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%last = cmpi equal %next, %nx, signed : tile<i32> -> tile<i1>
%v = if %last -> (tile<i32>) {
  yield %one : tile<i32>
} else {
  %w = loop : tile<i32> {
    %f, %t = load_ptr_tko acquire device %theirs : tile<ptr<i32>> -> tile<i32>, token
    %zero = constant <i32: 0> : tile<i32>
    %set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
    if %set {
      %g = addi %f, %one : tile<i32>
      break %g : tile<i32>
    }
    continue
  }
  yield %w : tile<i32>
}
%s = store_ptr_tko release device %mine, %v : tile<ptr<i32>>, tile<i32> -> token
return
}`)
	for _, e.Workers = range []int{1, 3} {
		p := bufferOf(launch.I32, make([]uint64, blocks)...)
		if err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{blocks, 1, 1}, Args: []launch.Arg{p}}); err != nil {
			t.Fatal(err)
		}
		if got := elements(p)[0]; got != blocks {
			t.Errorf("%d workers: got %d", e.Workers, got)
		}
	}
}

// Read-modify-write from many tile blocks at the same time.
func TestAtomicity(t *testing.T) {
	t.Parallel()
	e := parse(t, `entry @k(%p: tile<ptr<f16>>) {
%n = constant <i32: [0, 1, 2, 3]> : tile<4xi32>
%p1 = reshape %p : tile<ptr<f16>> -> tile<1xptr<f16>>
%p4 = broadcast %p1 : tile<1xptr<f16>> -> tile<4xptr<f16>>
%q = offset %p4, %n : tile<4xptr<f16>>, tile<4xi32> -> tile<4xptr<f16>>
%one = constant <f16: 1.0> : tile<4xf16>
%o, %t = atomic_rmw_tko relaxed device %q, addf, %one : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token
return
}`)
	e.Workers = 8
	p := bufferOf(launch.F16, 0, 0, 0, 0)
	if err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{16, 16, 4}, Args: []launch.Arg{p}}); err != nil {
		t.Fatal(err)
	}
	if got := elements(p); got[0] != 0x6400 || got[3] != 0x6400 {
		t.Errorf("got %s, want 1024 of each", hex(got))
	}
}

func TestLaunchErrors(t *testing.T) {
	t.Parallel()
	e := parse(t, "entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {\nloop {\ncontinue\n}\nreturn\n}\nentry @m() {\nreturn\n}")
	buffer := bufferOf(launch.I32, 0)
	for _, tt := range []struct {
		entry string
		args  []launch.Arg
		want  string
	}{
		{"x", nil, "module has no entry 'x'"},
		{"k", nil, "entry 'k' has 2 parameters, but got 0 arguments"},
		{"k", []launch.Arg{i32(1), i32(1)}, "argument 0: is i32:1, but the parameter of 'k' is !cuda_tile.tile<ptr<i32>>"},
		{"k", []launch.Arg{buffer, {Scalar: launch.Scalar{DType: launch.I64}}}, "argument 1: is i64:0, but the parameter of 'k' is !cuda_tile.tile<i32>"},
		{"m", nil, ""},
	} {
		err := e.Run(t.Context(), &launch.Request{Entry: tt.entry, Grid: [3]uint32{1, 1, 1}, Args: tt.args})
		if tt.want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		expectError(t, err, tt.want)
	}
	expectError(t, e.Run(t.Context(), &launch.Request{Entry: "m"}), "grid[0]: got 0")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stop"))
	if err := e.Run(ctx, &launch.Request{Entry: "k", Grid: [3]uint32{4, 1, 1}, Args: []launch.Arg{buffer, i32(1)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMaxSteps(t *testing.T) {
	t.Parallel()
	e := parse(t, "entry @k() {\n%a = constant <i32: 1> : tile<i32>\nloop {\n%b = addi %a, %a : tile<i32>\ncontinue\n}\nreturn\n}")
	e.MaxSteps = 100
	expectError(t, runKernel(t, e), "tile block (0, 0, 0): k.mlir:5:6: error: 'cuda_tile.addi' op is operation 101, more than the limit for a tile block")
}

func TestPrint(t *testing.T) {
	t.Parallel()
	e := parse(t, `entry @k(%p: tile<ptr<i32>>) {
%a = constant <i32: [[1, -2], [3, 4]]> : tile<2x2xi32>
%b = constant <f32: 1.5> : tile<f32>
%c = constant <f32: 0xFF800000> : tile<f32>
%f = constant <i1: false> : tile<i1>
%u, %k = load_ptr_tko weak %p, %f : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
%h = constant <i1: [false, true]> : tile<2xi1>
%s = print_tko "%d %x %u; ", %h, %h, %h : tile<2xi1>, tile<2xi1>, tile<2xi1> -> token
%t = print_tko "a %d, b %+08.3f, 100%%; c %e, u %x, %x, %d\0A", %a, %b, %c, %u, %a, %b : tile<2x2xi32>, tile<f32>, tile<f32>, tile<i32>, tile<2x2xi32>, tile<f32> -> token
return
}`)
	arg := bufferOf(launch.I32, 0)
	if err := runKernel(t, e, arg); err != nil {
		t.Fatal(err) // there is no output
	}
	var out bytes.Buffer
	e.Output = &out
	if err := runKernel(t, e, arg); err != nil {
		t.Fatal(err)
	}
	want := "[0, 1] [0, 1] [0, 1]; a [[1, -2], [3, 4]], b +001.500, 100%; c -inf, u ?, [[1, fffffffe], [3, 4]], 1.500000\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	e.Output = failing{}
	expectError(t, runKernel(t, e, arg), "'cuda_tile.print_tko' op cannot print: disk full")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"", "[]"}, {"x%", "[x%]"}, {"%5", "[%5]"}, {"%lld%%%c", "[{d} % {c}]"}, {"%-5.2f!", "[{f -5.2} !]"}, {"%99999d", "[{d 99999}]"},
	} {
		var got []string
		for _, p := range values.ParseFormat(tt.in) {
			switch {
			case p.Verb == 0:
				got = append(got, p.Text)
			case p.Flag != "":
				got = append(got, fmt.Sprintf("{%c %s}", p.Verb, p.Flag))
			default:
				got = append(got, fmt.Sprintf("{%c}", p.Verb))
			}
		}
		if s := "[" + strings.Join(got, " ") + "]"; s != tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, s, tt.want)
		}
	}
	if got := (values.Piece{Verb: 'd', Flag: "99999"}).Format(parse(t, "entry @k() {\nreturn\n}").module.Context().Int(32), 1); got != "%99999d" {
		t.Errorf("got %q", got)
	}
}

func TestTrace(t *testing.T) {
	t.Parallel()
	e := parse(t, `entry @k() {
%x, %y, %z = get_tile_block_id : tile<i32>
%i = iota : tile<2xi32>
%t = make_token : token
%f = constant <f32: [1.0, 2.0]> : tile<2xf32>
return
}`)
	var got []string
	e.TraceBlock = [3]uint32{1, 0, 0}
	e.Trace = func(ev core.Event) {
		line := fmt.Sprintf("%d %s", ev.Step, ev.Op.Name())
		for _, tile := range ev.Tiles {
			_, isFloat := tile.Format()
			line += fmt.Sprintf(" %s=%v/%t", tile.Value.Name(), tile.Bits, isFloat)
		}
		got = append(got, line)
	}
	if err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{3, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	want := "1 cuda_tile.get_tile_block_id x=[1]/false y=[0]/false z=[0]/false\n2 cuda_tile.iota i=[0 1]/false\n3 cuda_tile.make_token\n" +
		"4 cuda_tile.constant f=[1065353216 1073741824]/true"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// What the interpreter lacks fails where it is reached, by name.
func TestMissing(t *testing.T) {
	t.Parallel()
	e := parse(t, "entry @k() {\n\"cuda_tile.preview$call\"() <{callee = @f, const_args = []}> : () -> ()\nreturn\n}")
	expectError(t, runKernel(t, e), "'cuda_tile.preview$call' op needs functions of the preview, which no specification describes, which the interpreter does not have")
}

// A loop without operations is stopped too.
func TestEmptyLoop(t *testing.T) {
	t.Parallel()
	e := parse(t, "entry @k() {\nloop {\ncontinue\n}\nreturn\n}")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := e.Run(ctx, &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
