package compile_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/sm"
)

const kernel = `entry @k(%p: tile<ptr<f32>>) {
  %c = constant <f32: 1.0> : tile<f32>
  %u = store_ptr_tko weak %p, %c : tile<ptr<f32>>, tile<f32> -> token
  return
}
`

func read(t *testing.T, text string) ir.Op {
	t.Helper()
	module, err := tileir.Read(tileir.NewContext(), "k.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// TestLevels compiles to each level, and from the text of each level to PTX, which must not differ.
func TestLevels(t *testing.T) {
	t.Parallel()
	var want []byte
	for _, level := range property.Levels[:len(property.Levels)-1] {
		opts := compile.Options{GPU: "sm_90", OptLevel: 3, To: level}
		result, err := compile.To(context.Background(), read(t, kernel), opts)
		if err != nil {
			t.Fatal(err)
		}
		if result.PTX != nil || result.Launch != nil || result.Kernel("k") != nil {
			t.Errorf("%s: there is PTX", level)
		}
		text, err := compile.Text(result.Module, false)
		if err != nil {
			t.Fatal(err)
		}
		opts.To = nil
		if result, err = compile.To(context.Background(), read(t, string(text)), opts); err != nil {
			t.Fatalf("from %s: %v", level, err)
		}
		if k := result.Kernel("k"); k == nil || len(k.Params) != 1 || result.Kernel("l") != nil {
			t.Errorf("from %s: the launch is %+v", level, result.Launch)
		}
		if want == nil {
			want = result.PTX
		}
		if !bytes.Contains(result.PTX, []byte(".visible .entry k(")) || !bytes.Equal(result.PTX, want) {
			t.Errorf("from %s:\n%s\nwant\n%s", level, result.PTX, want)
		}
	}
}

// cancelling is an instrument that cancels the compilation as soon as it begins.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) BeforePass(*pipeline.Event) { c.cancel() }
func (c cancelling) AfterPass(*pipeline.Event)  {}

func TestErrors(t *testing.T) {
	t.Parallel()
	var unknown *sm.UnknownError
	if _, err := compile.To(context.Background(), read(t, kernel), compile.Options{GPU: "sm_75"}); !errors.As(err, &unknown) {
		t.Errorf("unknown architecture: %v", err)
	}
	if result, err := compile.To(context.Background(), read(t, kernel), compile.Options{}); err != nil || !strings.Contains(string(result.PTX), ".target "+passes.DefaultGPU+"\n") {
		t.Errorf("default architecture: %v", err)
	}
	named := read(t, "module attributes {nv_tileaa.compute_capability = 100 : i32} {\ncuda_tile.module @m {\n"+kernel+"}\n}\n")
	if result, err := compile.To(context.Background(), named, compile.Options{}); err != nil || !strings.Contains(string(result.PTX), ".target sm_100\n") {
		t.Errorf("architecture of the module: %v", err)
	}
	for _, back := range []*passes.Property{property.CudaTile, property.TileAA} {
		result, err := compile.To(context.Background(), read(t, kernel), compile.Options{GPU: "sm_90", To: property.TileAS})
		if err != nil {
			t.Fatal(err)
		}
		_, err = compile.To(context.Background(), result.Module, compile.Options{GPU: "sm_90", To: back})
		if want := "input is at level tileas already, after " + back.Level(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	opts := compile.Options{GPU: "sm_90", OptLevel: 3, Instruments: []pipeline.Instrument{cancelling{cancel}}}
	if _, err := compile.To(ctx, read(t, kernel), opts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLineInfo(t *testing.T) {
	t.Parallel()
	for _, lines := range []bool{false, true} {
		result, err := compile.To(context.Background(), read(t, kernel), compile.Options{GPU: "sm_90", OptLevel: 3, LineInfo: lines})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(result.PTX), ".loc 1 3 8"); got != lines {
			t.Errorf("line information: %t, want %t\n%s", got, lines, result.PTX)
		}
	}
}
