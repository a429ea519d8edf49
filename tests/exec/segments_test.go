package exec

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// onEngines runs a launch of the entry k of a module on both engines, each with a copy of the request, as compiled
// code behaves.
func onEngines(t *testing.T, text string, req *launch.Request, check func(t *testing.T, engine string, req *launch.Request, err error)) {
	t.Helper()
	for _, name := range []string{"interp", "ptx"} {
		module := kerneltest.ReadQuiet(t, "k.mlir", []byte(text))
		var e launch.Engine
		if name == "interp" {
			x := interp.New(module)
			x.AsCompiled()
			e = x
		} else {
			result, err := compile.To(context.Background(), module, compile.Options{GPU: "sm_90", OptLevel: 3, LineInfo: true})
			if err != nil {
				t.Fatal(err)
			}
			x, err := result.Emulator("k.ptx", "k")
			if err != nil {
				t.Fatal(err)
			}
			e = x
		}
		mine := req.Clone()
		mine.Entry, mine.Grid = "k", [3]uint32{1, 1, 1}
		err := e.Run(context.Background(), mine)
		t.Run(name, func(t *testing.T) { check(t, name, mine, err) })
	}
}

func words(xs ...uint32) []byte {
	var out []byte
	for _, x := range xs {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

func address(a uint64) launch.Arg {
	return launch.Arg{Scalar: launch.Scalar{DType: launch.Ptr, Bits: a}}
}

// double writes twice the four numbers at %x to %y.
const double = `cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %xs = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xb = broadcast %xs : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %xp = offset %xb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t = load_ptr_tko weak %xp : tile<4xptr<i32>> -> tile<4xi32>, token
    %two = addi %v, %v : tile<4xi32>
    %ys = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %yb = broadcast %ys : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %yp = offset %yb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %s = store_ptr_tko weak %yp, %two token = %t : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }
}
`

// TestSegments runs kernels on memory at addresses of the caller's: views with an offset, one memory as two
// arguments, pointers in memory.
func TestSegments(t *testing.T) {
	t.Parallel()
	const base = 0x7f12_3456_7010
	t.Run("views of one array", func(t *testing.T) {
		req := &launch.Request{Args: []launch.Arg{address(base + 4), address(base + 16)}, Segments: []*launch.Segment{
			{Name: "a", Addr: base, Data: words(0, 1, 2, 3, 4, 0, 0, 0)},
			{Name: "other", Addr: base + 0x1000, Data: words(9), ReadOnly: true}}}
		onEngines(t, double, req, func(t *testing.T, _ string, req *launch.Request, err error) {
			if got, want := string(req.Segments[0].Data), string(words(0, 1, 2, 3, 2, 4, 6, 8)); err != nil || got != want {
				t.Errorf("got %x, %v", got, err)
			}
			if !req.Segments[0].Written() || req.Segments[1].Written() {
				t.Errorf("written: %v, %v", req.Segments[0].Written(), req.Segments[1].Written())
			}
		})
	})
	t.Run("the same array twice", func(t *testing.T) {
		b := &launch.Buffer{DType: launch.I32, Shape: []int{4}, Data: words(1, 2, 3, 4)}
		onEngines(t, double, &launch.Request{Args: []launch.Arg{{Buffer: b}, {Buffer: b}}}, func(t *testing.T, _ string, req *launch.Request, err error) {
			if got, want := string(req.Args[0].Buffer.Data), string(words(2, 4, 6, 8)); err != nil || got != want || req.Args[0].Buffer != req.Args[1].Buffer {
				t.Errorf("got %x, %v", got, err)
			}
		})
	})
	t.Run("a buffer from an offset on", func(t *testing.T) {
		b := &launch.Buffer{DType: launch.I32, Shape: []int{8}, Data: words(0, 1, 2, 3, 4, 0, 0, 0)}
		onEngines(t, double, &launch.Request{Args: []launch.Arg{{Buffer: b, Offset: 4}, {Buffer: b, Offset: 16}}}, func(t *testing.T, _ string, req *launch.Request, err error) {
			if got, want := string(req.Args[0].Buffer.Data), string(words(0, 1, 2, 3, 2, 4, 6, 8)); err != nil || got != want {
				t.Errorf("got %x, %v", got, err)
			}
		})
	})
	t.Run("pointers in memory", func(t *testing.T) {
		text := strings.Replace(double, "%i = iota", `%pp = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i64>>
    %ai, %at = load_ptr_tko weak %pp : tile<ptr<i64>> -> tile<i64>, token
    %a = int_to_ptr %ai : tile<i64> -> tile<ptr<i32>>
    %i = iota`, 1)
		text = strings.Replace(text, "%xs = reshape %x", "%xs = reshape %a", 1)
		table := binary.LittleEndian.AppendUint64(nil, base+0x100)
		req := &launch.Request{Args: []launch.Arg{address(base), address(base + 0x200)}, Segments: []*launch.Segment{
			{Addr: base + 0x200, Data: make([]byte, 16)}, {Addr: base, Data: table, ReadOnly: true}, {Addr: base + 0x100, Data: words(5, 6, 7, 8)}}}
		onEngines(t, text, req, func(t *testing.T, _ string, req *launch.Request, err error) {
			if got, want := string(req.Segments[0].Data), string(words(10, 12, 14, 16)); err != nil || got != want {
				t.Errorf("got %x, %v", got, err)
			}
		})
	})
}

// TestSegmentFaults checks what is said of accesses outside of all segments: of what kind, how far from which memory,
// from which line of the source.
func TestSegmentFaults(t *testing.T) {
	t.Parallel()
	const base = 0x7f12_3456_7000
	segments := []*launch.Segment{{Name: "in", Addr: base, Data: words(1, 2, 3, 4)}, {Name: "out", Addr: base + 0x40, Data: words(0, 0, 0, 0)},
		{Name: "fixed", Addr: base + 0x1000, Data: words(0, 0, 0, 0), ReadOnly: true}}
	for _, tt := range []struct {
		name string
		x, y uint64
		kind launch.FaultKind
		line int
		want map[string]string
	}{
		{"behind", base + 4, base + 0x40, launch.OutOfBounds, 7, map[string]string{"interp": "16 bytes after the start of in, which has 16", "ptx": "0 bytes past the end of 'in' (16 bytes)"}},
		{"between", base + 0x30, base + 0x40, launch.OutOfBounds, 7, map[string]string{"interp": "16 bytes before the start of out, which has 16", "ptx": "16 bytes before 'out' (16 bytes)"}},
		{"far", 0x5000_0000_0000, base + 0x40, launch.OutOfBounds, 7, map[string]string{"interp": "outside every buffer", "ptx": "outside of every allocation"}},
		{"read-only", base, base + 0x1000, launch.ReadOnly, 12, map[string]string{"interp": "is in fixed, which is constant", "ptx": "write to constant memory"}},
		{"misaligned", base + 2, base + 0x40, launch.Misaligned, 7, map[string]string{"interp": "is not aligned", "ptx": "misaligned global read"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onEngines(t, double, &launch.Request{Args: []launch.Arg{address(tt.x), address(tt.y)}, Segments: segments}, func(t *testing.T, engine string, _ *launch.Request, err error) {
				var f *launch.Fault
				if !errors.As(err, &f) || f.Kind != tt.kind || len(f.Where) != 1 || f.Where[0].Line != tt.line || f.Where[0].File != "k.mlir" {
					t.Fatalf("got %+v, %v", f, err)
				}
				if !strings.Contains(err.Error(), tt.want[engine]) {
					t.Errorf("no %q in: %v", tt.want[engine], err)
				}
				if f.Address == nil || f.Op == "" || f.Detail == "" || !slices.Contains([]uint64{tt.x, tt.x + 12, tt.y}, *f.Address) {
					t.Errorf("the access is not told: %v", f)
				}
				if engine == "interp" && f.Kind == launch.OutOfBounds && len(f.Element) != 1 {
					t.Errorf("element %v", f.Element)
				}
			})
		})
	}
}

// TestFaultsNameCallers checks that an error in a function that was inlined names the callers up to the user's own line.
func TestFaultsNameCallers(t *testing.T) {
	t.Parallel()
	text := strings.Replace(double, "tile<4xi32>, token\n", `tile<4xi32>, token loc(callsite("stub.py":610:4 at callsite("lib.py":20:8 at "user.py":3:12)))`+"\n", 1)
	req := &launch.Request{Args: []launch.Arg{address(0x5000_0000_0000), address(0x5000_0000_0000)}, Segments: []*launch.Segment{{Addr: 0x5000_1000_0000, Data: words(0)}}}
	onEngines(t, text, req, func(t *testing.T, _ string, _ *launch.Request, err error) {
		var f *launch.Fault
		if !errors.As(err, &f) {
			t.Fatal(err)
		}
		var lines []string
		for _, p := range f.Where {
			lines = append(lines, p.String())
		}
		if got, want := strings.Join(lines, " "), "stub.py:610:4 lib.py:20:8 user.py:3:12"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if !strings.Contains(err.Error(), "\n    called from user.py:3:12") {
			t.Errorf("got %v", err)
		}
	})
}
