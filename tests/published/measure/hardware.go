package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/cmd/tile/times"
)

// hardware are times that we took: tests/published/h200.json. What the compiler of that commit makes is estimated.
type hardware struct {
	Source   string      `json:"source"`
	Device   string      `json:"device"`
	Compiler string      `json:"compiler"` // the commit
	Rows     []*decision `json:"rows"`
}

// A decision is a kernel, or a variant of it with other decisions of the compiler.
type decision struct {
	Kernel       string   `json:"kernel"`
	Variant      string   `json:"variant"`
	Plan         []string `json:"plan"`  // passes with options
	Flags        []string `json:"flags"` // of tile-opt
	Microseconds float64  `json:"microseconds"`
	Before       float64  `json:"before"`   // the estimate before any constant was fitted to these rows
	Tileiras     float64  `json:"tileiras"` // the time of its code; not estimated
	Fitted       bool     `json:"fitted"`

	after float64
}

func (r *decision) String() string { return strings.TrimSpace(r.Kernel + " " + r.Variant) }

const hardwareFile = folder + "/h200.json"

// measureHardware writes the table of these rows, from kernels that rows.py wrote to a folder.
func measureHardware(ctx context.Context, dir string) error {
	data, err := os.ReadFile(hardwareFile)
	if err != nil {
		return err
	}
	var h hardware
	if err := json.Unmarshal(data, &h); err != nil {
		return err
	}
	tool := sync.OnceValues(func() (string, error) { return compilerOf(ctx, h.Compiler, dir) })
	err = each(h.Rows, func(r *decision) error {
		err := r.estimate(ctx, dir, h.Device, tool)
		fmt.Fprintf(os.Stderr, "%-60s %8.1f %8.1f %8.1f\n", r, r.Microseconds, r.Before, r.after)
		return err
	})
	if err != nil {
		return err
	}
	return between(page, "hardware rows", h.text())
}

// compilerOf builds tile-opt of a commit.
func compilerOf(ctx context.Context, commit, dir string) (string, error) {
	tree, err := filepath.Abs(filepath.Join(dir, "compiler"))
	if err != nil {
		return "", err
	}
	out := tree + ".tile-opt"
	for _, args := range [][]string{{"git", "worktree", "add", "--quiet", "--force", "--detach", tree, commit}, {"go", "-C", tree, "build", "-o", out, "./cmd/tile-opt"}, {"git", "worktree", "remove", "--force", tree}} {
		if log, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, log)
		}
	}
	return out, nil
}

// estimate estimates a row. PTX that is there already is taken.
func (r *decision) estimate(ctx context.Context, dir, device string, tool func() (string, error)) error {
	name := r.Kernel
	if r.Variant != "" {
		name += "." + r.Variant
	}
	ptx := filepath.Join(dir, "h200", name+".ptx")
	if _, err := os.Stat(ptx); err != nil {
		if err := os.MkdirAll(filepath.Dir(ptx), 0o777); err != nil {
			return err
		}
		program, err := tool()
		if err != nil {
			return err
		}
		plan := strings.TrimSuffix(ptx, ".ptx") + ".plan"
		if err := os.WriteFile(plan, []byte("kernel @* {\n  "+strings.Join(r.Plan, "\n  ")+"\n}\n"), 0o666); err != nil {
			return err
		}
		args := append([]string{"--lower-to=ptx", "--gpu-name=sm_90", "--tensor-maps=device", "--plan=" + plan, filepath.Join(dir, r.Kernel, "k.tileirbc"), "-o", ptx}, r.Flags...)
		if log, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, log)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, r.Kernel, "launch.json"))
	if err != nil {
		return err
	}
	var l launch
	if err := json.Unmarshal(data, &l); err != nil {
		return err
	}
	e, err := times.Of(ctx, append(append([]string{"--device=" + device, "--timed-by=events"}, l.Flags...), ptx))
	if err != nil {
		return err
	}
	r.after = e.Microseconds + e.LaunchMicroseconds
	return nil
}

// near is by how much times of variants must differ for their order to count.
const near = 0.01

// order is Kendall's tau over pairs of variants of the same kernel.
func (h *hardware) order(of func(*decision) float64, choose func(*decision) bool) (tau float64, pairs int) {
	for i, a := range h.Rows {
		for _, b := range h.Rows[:i] {
			if a.Kernel != b.Kernel || a.Variant == "" || b.Variant == "" || !choose(a) || math.Abs(a.Microseconds/b.Microseconds-1) < near {
				continue
			}
			pairs++
			switch x := (of(a) - of(b)) * (a.Microseconds - b.Microseconds); {
			case x > 0:
				tau++
			case x < 0:
				tau--
			}
		}
	}
	return tau / float64(max(1, pairs)), pairs
}

// family is what a kernel computes.
func (r *decision) family() string {
	for part, family := range map[string]string{"attention": "attention", "fmha": "attention", "matmul": "GEMM", "bmm": "GEMM"} {
		if strings.Contains(r.Kernel, part) {
			return family
		}
	}
	return "other"
}

func (h *hardware) text() string {
	var b strings.Builder
	estimateBefore, estimateAfter := func(r *decision) float64 { return r.Before }, func(r *decision) float64 { return r.after }
	fmt.Fprintf(&b, "| row | measured us | estimate before | after | error | |\n|---|---|---|---|---|---|\n")
	for _, r := range h.Rows {
		what := "judged"
		if r.Fitted {
			what = "fitted"
		}
		fmt.Fprintf(&b, "| %s | %.1f | %.1f | %.1f | %+.0f%% | %s |\n", strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(r.Kernel, "cutile_"), "_", " ")+" "+strings.ReplaceAll(r.Variant, "_", " ")),
			r.Microseconds, r.Before, r.after, off(r.after, r.Microseconds), what)
	}
	fmt.Fprintf(&b, "\n| rows | how many | error before | after | tau of variants before | after | pairs |\n|---|---|---|---|---|---|---|\n")
	line := func(name string, choose func(*decision) bool) {
		var before, after, n float64
		for _, r := range h.Rows {
			if choose(r) {
				before += math.Abs(off(r.Before, r.Microseconds))
				after += math.Abs(off(r.after, r.Microseconds))
				n++
			}
		}
		t0, _ := h.order(estimateBefore, choose)
		t1, pairs := h.order(estimateAfter, choose)
		fmt.Fprintf(&b, "| %s | %.0f | %.0f%% | %.0f%% | %.2f | %.2f | %d |\n", name, n, before/max(1, n), after/max(1, n), t0, t1, pairs)
	}
	for _, f := range []string{"attention", "GEMM", "other"} {
		if f == "attention" {
			line("fitted: attention of D128", func(r *decision) bool { return r.Fitted })
		}
		line("judged: "+f, func(r *decision) bool { return !r.Fitted && r.family() == f })
	}
	line("all", func(*decision) bool { return true })
	fmt.Fprintf(&b, "\nSource: %s; the compiler was\n%s.\n", h.Source, h.Compiler)
	return b.String()
}
