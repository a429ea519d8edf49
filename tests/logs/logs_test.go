package logs

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-lsp/lsptool"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tile-view/viewtool"
	"github.com/tilewright/tilewright/cmd/tile/tiletool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
)

const kernel = `cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %unused = addi %n, %n : tile<i32>
    %t, %a = load_view_tko weak %w[%n] : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %e = exp %t : tile<32xf32>
    %b = store_view_tko weak %e, %w[%n] token=%a : tile<32xf32>, partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
`

// refused is what a pass rejects.
const refused = `cuda_tile.module @m {
  entry @k(%p: !cuda_tile.ptr<f16>) {
    return
  }
}
`

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A watcher keeps what is written, and calls seen once that holds a text.
type watcher struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	seen func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.want) {
		w.seen()
	}
	return len(p), nil
}

// TestEveryTool: --log is a flag of every tool, traces something at debug, and rejects what is no level.
func TestEveryTool(t *testing.T) {
	t.Parallel()
	path := file(t, kernel)
	const messages = "Content-Length: 58\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` +
		"Content-Length: 44\r\n\r\n" + `{"jsonrpc":"2.0","id":2,"method":"shutdown"}` + "Content-Length: 33\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`
	for _, tt := range []struct {
		name string
		args []string
		want string
		main func(ctx context.Context, args []string, stderr io.Writer) int
	}{
		{"tile-opt", []string{"--cse", path}, "DBG pass ran", func(_ context.Context, args []string, stderr io.Writer) int {
			return opttool.TileOpt().Main(args, strings.NewReader(""), io.Discard, stderr)
		}},
		{"tilec", []string{"--emit=ptx", path}, "DBG pass ran", func(ctx context.Context, args []string, stderr io.Writer) int {
			return compiletool.Main(ctx, "tilec", args, strings.NewReader(""), io.Discard, stderr)
		}},
		{"tile-run", []string{"--entry=k", "--grid=1", "--arg=f32[64]", "--arg=i32:0", "--engine=ptx", path}, "DBG pass ran", func(ctx context.Context, args []string, stderr io.Writer) int {
			return runtool.Main(ctx, args, strings.NewReader(""), io.Discard, stderr)
		}},
		{"tile-translate", []string{"--mlir-to-cudatilebc", path}, "DBG translated", func(_ context.Context, args []string, stderr io.Writer) int {
			return translatetool.Main(args, strings.NewReader(""), io.Discard, stderr)
		}},
		{"tile-reduce", []string{"--test=true", path}, "DBG tested", func(ctx context.Context, args []string, stderr io.Writer) int {
			return reducetool.Main(ctx, args, strings.NewReader(""), io.Discard, stderr)
		}},
		{"tile-view", []string{path}, "DBG page made", func(ctx context.Context, args []string, stderr io.Writer) int {
			return viewtool.Main(ctx, args, io.Discard, stderr)
		}},
		{"tile-lsp", nil, "DBG handled", func(ctx context.Context, args []string, stderr io.Writer) int {
			return lsptool.Main(ctx, args, strings.NewReader(messages), io.Discard, stderr)
		}},
		{"tile", []string{"doctor"}, "DBG asked", func(ctx context.Context, args []string, stderr io.Writer) int {
			return tiletool.Main(ctx, args, strings.NewReader(""), io.Discard, stderr)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w := &watcher{want: tt.want, seen: cancel} // tile-view serves until then
			if tt.name != "tile-view" {
				w.seen = func() {}
			}
			if status := tt.main(ctx, append([]string{"--log=debug"}, tt.args...), w); status != 0 || !strings.Contains(w.text.String(), tt.want) {
				t.Errorf("status %d, expected '%s' in\n%s", status, tt.want, &w.text)
			}
			w = &watcher{seen: func() {}}
			if status := tt.main(ctx, append([]string{"--log=loud"}, tt.args...), w); status != 2 || !strings.Contains(w.text.String(), "--log must be error, info, debug or trace, but is 'loud'") {
				t.Errorf("status %d\n%s", status, &w.text)
			}
		})
	}
}

// lower lowers a kernel to PTX and returns the lines that are logged.
func lower(t *testing.T, text string, args ...string) []string {
	t.Helper()
	var errs bytes.Buffer
	opttool.TileOpt().Main(append(args, "--lower-to=ptx", file(t, text)), strings.NewReader(""), io.Discard, &errs)
	var lines []string
	for line := range strings.Lines(errs.String()) {
		if len(line) > 4 && line[3] == ' ' && strings.ToUpper(line[:3]) == line[:3] {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestLevels: each level says what the one above says, and more.
func TestLevels(t *testing.T) {
	t.Parallel()
	count := func(lines []string, level string) (n int) {
		for _, line := range lines {
			if strings.HasPrefix(line, level+" ") {
				n++
			}
		}
		return n
	}
	levels := []string{"ERR", "INF", "DBG", "TRC"}
	for i, level := range []string{"error", "info", "debug", "trace"} {
		lines := append(lower(t, kernel, "--log="+level), lower(t, refused, "--log="+level)...)
		for k, name := range levels {
			if got := count(lines, name) > 0; got != (k <= i) {
				t.Errorf("--log=%s: %s: %v\n%s", level, name, got, strings.Join(lines, ""))
			}
		}
	}
}

// TestDebugOnly: every pass of the default pipeline can be listened to, and then nothing else is heard.
func TestDebugOnly(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range passes.Default.Passes() {
		names = append(names, p.Name)
	}
	heard := lower(t, kernel, "--log=debug")
	all := lower(t, kernel, "--debug-only="+strings.Join(names, ","))
	ran := make(map[string]bool)
	for _, line := range heard {
		if _, name, ok := strings.Cut(line, " pass="); ok {
			name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			ran[name] = true
		}
	}
	if len(ran) < 20 {
		t.Fatalf("only %d passes ran", len(ran))
	}
	for name := range ran {
		found := false
		for _, line := range all {
			found = found || strings.Contains(line+" ", " pass="+name+" ") || strings.Contains(line, " pass="+name+"\n")
		}
		if !found {
			t.Errorf("--debug-only=%s says nothing", name)
		}
	}
	lines := lower(t, kernel, "--debug-only=canonicalize")
	rewrites := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "TRC rewrote ") {
			rewrites++
		}
		if !strings.Contains(line, " pass=canonicalize") && !strings.HasPrefix(line, "INF pipeline ran") {
			t.Errorf("not of the pass: %s", line)
		}
	}
	if rewrites == 0 {
		t.Error("no rewrite of the pass")
	}
}
