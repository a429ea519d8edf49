// Command measure estimates the published rows from the kernels that rows.py wrote to a folder. It writes the table of
// docs/measurements/timing.md between its marks, and docs/images/timing.svg. It runs in the root of the repository.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tilewright/tilewright/cmd/tile/times"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	folder = "tests/published"
	page   = "docs/measurements/timing.md"
	image  = "docs/images/timing.svg"
)

// A row is a published time.
type row struct {
	Row          string   `json:"row"`
	Family       string   `json:"family"`
	Microseconds float64  `json:"microseconds"`
	Kernel       []string `json:"kernel"` // launches, one after the other
	Device       string   `json:"device"`
	Clock        float64  `json:"clock_mhz"`
	TimedBy      string   `json:"timed_by"`
	Compiler     string   `json:"compiler"` // of Tile IR: "ours" or "tileiras"
	Fitted       bool     `json:"fitted"`
	Source       string   `json:"source"`
	Nearest      string   `json:"nearest"` // what was timed, where the kernel of the source is not there

	before, ptx, after float64
}

type table struct {
	Sources map[string]string `json:"sources"`
	Rows    []*row            `json:"rows"`
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("usage: measure FOLDER [PART OF A NAME OR DEVICE | --hardware]")
	}
	if len(args) == 2 && args[1] == "--hardware" {
		return measureHardware(ctx, args[0])
	}
	data, err := os.ReadFile(filepath.Join(folder, "rows.json"))
	if err != nil {
		return err
	}
	var t table
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	if len(args) == 2 {
		t.Rows = slices.DeleteFunc(t.Rows, func(r *row) bool { return !strings.Contains(r.Row+r.Device, args[1]) })
	}
	restore := unfitted()
	err = each(t.Rows, func(r *row) (err error) {
		r.before, err = estimate(ctx, args[0], r, "machine")
		return err
	})
	restore()
	if err != nil {
		return err
	}
	err = each(t.Rows, func(r *row) (err error) {
		if r.ptx, err = estimate(ctx, args[0], r, "ptx"); err != nil {
			return err
		}
		r.after, err = estimate(ctx, args[0], r, "machine")
		fmt.Fprintf(os.Stderr, "%-50s %8.1f %8.1f %8.1f %8.1f %6.2f\n", r.Row, r.Microseconds, r.before, r.ptx, r.after, r.after/r.Microseconds)
		return err
	})
	if err != nil {
		return err
	}
	var b strings.Builder
	t.write(&b)
	if len(args) == 2 {
		_, err := io.WriteString(os.Stdout, b.String())
		return err
	}
	if err := between(page, "published rows", b.String()); err != nil {
		return err
	}
	return os.WriteFile(image, []byte(t.plot()), 0o666)
}

// each estimates rows, some at the same time: an estimate waits for the assembler too.
func each[R fmt.Stringer](rows []R, do func(R) error) error {
	var all errgroup.Group
	all.SetLimit(2 * runtime.GOMAXPROCS(0))
	for _, r := range rows {
		all.Go(func() error {
			if err := do(r); err != nil {
				return fmt.Errorf("%s: %w", r, err)
			}
			return nil
		})
	}
	return all.Wait()
}

func (r *row) String() string { return r.Row }

// unfitted sets the constants that were fitted to what they were before, and returns what sets them back.
func unfitted() (restore func()) {
	h, err := sm.Lookup("sm_90")
	if err != nil {
		panic(err)
	}
	m := h.Memory()
	l2 := m.L2Bytes
	m.L2Bytes = sm.UnfittedL2Bytes
	return func() { m.L2Bytes = l2 }
}

// A launch is launch.json.
type launch struct {
	Kernel string   `json:"kernel"`
	Flags  []string `json:"flags"`
}

// estimate adds up the launches of a row, of PTX or machine code.
func estimate(ctx context.Context, dir string, r *row, code string) (us float64, err error) {
	for _, name := range r.Kernel {
		data, err := os.ReadFile(filepath.Join(dir, name, "launch.json"))
		if err != nil {
			return 0, err
		}
		var l launch
		if err := json.Unmarshal(data, &l); err != nil {
			return 0, err
		}
		file := filepath.Join(dir, name, l.Kernel)
		args := append([]string{"--device=" + r.Device, "--timed-by=" + r.TimedBy, "--code=" + code}, l.Flags...)
		if r.Clock > 0 {
			args = append(args, fmt.Sprintf("--clock=%g", r.Clock))
		}
		if r.Compiler == "tileiras" {
			if file, err = theirs(ctx, file); err != nil {
				return 0, err
			}
			args = append(args, "--allow-uninitialized")
		}
		e, err := times.Of(ctx, append(args, file))
		if err != nil {
			return 0, err
		}
		us += e.Microseconds + e.LaunchMicroseconds
	}
	return us, nil
}

// theirs is the PTX that tileiras makes of a module.
func theirs(ctx context.Context, module string) (string, error) {
	out := strings.TrimSuffix(module, filepath.Ext(module)) + ".cubin"
	if log, err := exec.CommandContext(ctx, "tileiras", "--gpu-name=sm_90", "--lineinfo", module, "-o", out).CombinedOutput(); err != nil {
		return "", fmt.Errorf("tileiras: %w: %s", err, log)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return "", err
	}
	ptx, err := cubin.PTX(data)
	if err != nil {
		return "", err
	}
	file := strings.TrimSuffix(out, ".cubin") + ".ptx"
	return file, os.WriteFile(file, debug.ReplaceAll(ptx, nil), 0o666)
}

// debug is what PTX out of a cubin has for debuggers, which ptxas does not take back.
var debug = regexp.MustCompile(`(?m)^\s*\.(loc|file)\b.*\n|^\s*\.section\b[^{]*\{[^}]*\}`)

func off(estimate, published float64) float64 { return 100 * (estimate/published - 1) }

// mape is the mean absolute percentage error of some rows.
func mape(rows []*row, of func(*row) float64, choose func(*row) bool) (percent float64, n int) {
	for _, r := range rows {
		if choose(r) {
			percent += math.Abs(off(of(r), r.Microseconds))
			n++
		}
	}
	return percent / float64(max(1, n)), n
}

// tau is Kendall's: pairs of rows in the same order less those in the other, over all pairs.
func tau(rows []*row, of func(*row) float64, choose func(*row) bool) (t float64, pairs int) {
	for i, a := range rows {
		for _, b := range rows[:i] {
			if !choose(a) || !choose(b) {
				continue
			}
			pairs++
			switch x := (of(a) - of(b)) * (a.Microseconds - b.Microseconds); {
			case x > 0:
				t++
			case x < 0:
				t--
			}
		}
	}
	return t / float64(max(1, pairs)), pairs
}

func before(r *row) float64 { return r.before }
func ptx(r *row) float64    { return r.ptx }
func after(r *row) float64  { return r.after }

func (t *table) families() (list []string) {
	for _, r := range t.Rows {
		if !slices.Contains(list, r.Family) {
			list = append(list, r.Family)
		}
	}
	return list
}

func (t *table) write(b *strings.Builder) {
	fmt.Fprintf(b, "| row | device | published us | estimate before | of PTX | after | error | |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range t.Rows {
		what := "judged"
		if r.Fitted {
			what = "fitted"
		}
		if r.Nearest != "" {
			what += "; nearest: " + r.Nearest
		}
		device := r.Device
		if r.Clock > 0 {
			device += fmt.Sprintf(" at %.0f MHz", r.Clock)
		}
		fmt.Fprintf(b, "| %s | %s | %.1f | %.1f | %.1f | %.1f | %+.0f%% | %s |\n", r.Row, device, r.Microseconds, r.before, r.ptx, r.after, off(r.after, r.Microseconds), what)
	}
	fmt.Fprintf(b, "\n| rows | how many | error before | of PTX | after | tau before | of PTX | after | pairs |\n|---|---|---|---|---|---|---|---|---|\n")
	line := func(name string, choose func(*row) bool) {
		e0, n := mape(t.Rows, before, choose)
		ep, _ := mape(t.Rows, ptx, choose)
		e1, _ := mape(t.Rows, after, choose)
		t0, _ := tau(t.Rows, before, choose)
		tp, _ := tau(t.Rows, ptx, choose)
		t1, pairs := tau(t.Rows, after, choose)
		if n > 0 {
			fmt.Fprintf(b, "| %s | %d | %.0f%% | %.0f%% | %.0f%% | %.2f | %.2f | %.2f | %d |\n", name, n, e0, ep, e1, t0, tp, t1, pairs)
		}
	}
	for _, f := range t.families() {
		line(f, func(r *row) bool { return r.Family == f })
	}
	line("fitted", func(r *row) bool { return r.Fitted })
	line("judged, the kernel of the source", func(r *row) bool { return !r.Fitted && r.Nearest == "" })
	line("judged, the nearest kernel", func(r *row) bool { return !r.Fitted && r.Nearest != "" })
	line("all", func(*row) bool { return true })
	fmt.Fprintf(b, "\nSources:\n\n")
	var names []string
	for name := range t.Sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(b, "- %s.\n", t.Sources[name])
	}
}

// between replaces what stands between the marks of a name in a page.
func between(file, name, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	open, shut := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	head, rest, ok1 := strings.Cut(string(data), open)
	_, tail, ok2 := strings.Cut(rest, shut)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s has no marks '%s' and '%s'", file, strings.TrimSpace(open), shut)
	}
	return os.WriteFile(file, []byte(head+open+text+shut+tail), 0o666)
}
