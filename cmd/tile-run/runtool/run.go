package runtool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/syncreport"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/engine/npy"
	estimates "github.com/tilewright/tilewright/target/timing"
)

// The verdicts on a run.
const (
	verdictOK       = "ok"
	verdictMismatch = "mismatch"
	verdictError    = "error"
	verdictSync     = "synchronization" // right results, but for this schedule
)

// An outcome is what came of running a task on an engine, or of comparing two engines.
type outcome struct {
	Case    string          `json:"case"`
	Engine  string          `json:"engine"`
	GPU     string          `json:"gpu,omitempty"`
	Verdict string          `json:"verdict"`
	Error   string          `json:"error,omitempty"`
	Seconds float64         `json:"seconds"` // of the launch alone
	Outputs []launch.Output `json:"outputs"`
	Stats   *emu.Stats      `json:"emulator,omitempty"`
	Timing  *timing         `json:"timing,omitempty"`
	Profile *emu.Report     `json:"profile,omitempty"`
	// Sync is what --sync-check found.
	Sync *syncreport.Report `json:"sync,omitempty"`
	// Estimate is how long the launch may take on the GPU; noEstimate says why there is none.
	Estimate   *estimates.Estimate `json:"timing_estimate,omitempty"`
	noEstimate string

	// Diagnostics say why the program was rejected, and Fault what the kernel did wrong.
	Diagnostics []string `json:"diagnostics,omitempty"`
	Fault       *fault   `json:"fault,omitempty"`

	explained string // Error, for people to read: with lines of the user's source

	report *launch.Report
	target bool // there are several, so that it is named
}

// A fault is a launch.Fault as JSON.
type fault struct {
	Kind    launch.FaultKind `json:"kind"`
	Block   [3]uint32        `json:"block"`
	Element []int64          `json:"element,omitempty"`
	Where   []launch.Place   `json:"where,omitempty"`
}

func (o *outcome) fail(err error) *outcome {
	o.Verdict, o.Error, o.Outputs = verdictError, err.Error(), []launch.Output{}
	o.explained = launch.Explain(err, new(source.Reader).Text)
	var r *rejection
	if errors.As(err, &r) {
		o.Diagnostics = r.why
	}
	var f *launch.Fault
	if errors.As(err, &f) {
		o.Fault = &fault{f.Kind, f.Block, f.Element, f.Where}
	}
	return o
}

func (o *outcome) judge(r *launch.Report) {
	o.report, o.Outputs, o.Verdict = r, r.Outputs, verdictOK
	if !r.OK() {
		o.Verdict = verdictMismatch
	}
}

// run runs a task on all engines and targets that were asked for. It returns what the first one left too, nil if none
// could run it.
func (c *config) run(ctx context.Context, t *task) (outcomes []*outcome, first *launch.Request) {
	for _, e := range c.runs {
		o := &outcome{Case: t.name, Engine: e.name, GPU: e.gpu, target: len(c.gpus) > 1}
		if emulate.IsPTX(t.program.data) {
			o.GPU = "" // it is compiled already
		}
		outcomes = append(outcomes, o)
		req := t.request()
		if err := c.runOn(ctx, t, e, req, o); err != nil {
			o.fail(cli.Why(ctx, err))
			continue
		}
		if first == nil {
			first = req
			continue
		}
		if c.diff == nil {
			continue
		}
		d := &outcome{Case: t.name, Engine: e.name + " against " + c.runs[0].name, GPU: o.GPU, target: o.target}
		outcomes = append(outcomes, d)
		if report, err := launch.Check(d.title(), req, t.against(first)); err != nil {
			d.fail(err)
		} else {
			d.judge(report)
		}
	}
	return outcomes, first
}

// title names a run in messages.
func (o *outcome) title() string {
	if o.target {
		return o.Case + " [" + o.engine() + "]"
	}
	return o.Case + " [" + o.Engine + "]"
}

// against returns the expectation that a launch gives what another one gave. It has the tolerances of the task; other
// buffers must be equal.
func (t *task) against(other *launch.Request) []launch.Expect {
	var out []launch.Expect
	for i, a := range other.Args {
		if a.Buffer == nil {
			continue
		}
		e := launch.Expect{Arg: i, Want: a.Buffer}
		for _, x := range t.expect {
			if x.Arg == i && !x.Segment {
				e.Tolerance = x.Tolerance
			}
		}
		out = append(out, e)
	}
	for i, s := range other.Segments {
		e := launch.Expect{Arg: i, Segment: true, Want: s.Buffer()}
		for _, x := range t.expect {
			if x.Segment && x.Arg == i {
				e.Tolerance = x.Tolerance
			}
		}
		out = append(out, e)
	}
	return out
}

func (c *config) runOn(ctx context.Context, t *task, e runner, req *launch.Request, o *outcome) error {
	var module ir.Op // nil for PTX
	if !emulate.IsPTX(t.program.data) {
		var err error
		if module, err = t.program.read(); err != nil {
			return err
		}
		if err := checkSignature(module, req); err != nil {
			return err
		}
	}
	built, err := e.build(ctx, c, t.program, module, req.Entry, e.gpu)
	if err != nil {
		return err
	}
	if _, ok := built.(*interp.Engine); !ok {
		if err := req.OneDevice(); err != nil {
			return err
		}
	}
	if err := c.checkBlocks(req.Grid); err != nil {
		return err
	}
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	start := time.Now()
	err = built.Run(ctx, req)
	o.Seconds = time.Since(start).Seconds()
	switch b := built.(type) {
	case *emulate.Engine:
		o.Stats = &b.Stats
		if b.Sync != nil {
			o.Sync = syncreport.New(t.program.name, req.Entry, b.Sync, err)
		}
		if err == nil {
			err = c.takeProfile(ctx, o, b, req.Entry)
		}
	case *cuda.Engine:
		o.Timing = timingOf(b, t)
		err = errors.Join(err, b.Close())
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		if u := (*launch.Unfinished)(nil); errors.As(err, &u) {
			u.Err = fmt.Errorf("the launch took longer than %v", c.timeout)
			return u
		}
		return fmt.Errorf("the launch took longer than %v", c.timeout)
	case err != nil:
		return err
	}
	report, err := launch.Check(o.title(), req, t.expect)
	if err != nil {
		return err
	}
	o.judge(report)
	if o.Sync != nil && o.Sync.Verdict != syncreport.OK && o.Verdict == verdictOK {
		o.Verdict = verdictSync
	}
	return t.write(req, c, e)
}

// checkBlocks rejects CTAs to look at that the grid does not have.
func (c *config) checkBlocks(grid [3]uint32) error {
	for flag, id := range map[string]*[3]uint32{"trace-block": &c.traced, "profile-block": c.profiled} {
		for i := range grid {
			if id != nil && id[i] >= grid[i] {
				return fmt.Errorf("--%s=%d,%d,%d is outside of the grid of %d x %d x %d tile blocks", flag, id[0], id[1], id[2], grid[0], grid[1], grid[2])
			}
		}
	}
	return nil
}

// write writes the buffers that were asked for.
func (t *task) write(req *launch.Request, c *config, e runner) error {
	for _, out := range t.outputs {
		if err := npy.WriteFile(out.File, req.Args[out.Arg].Buffer.Array()); err != nil {
			return err
		}
	}
	if t.dir == "" {
		return nil
	}
	dir := t.dir
	if len(c.engines) > 1 {
		dir = filepath.Join(dir, e.name)
	}
	if len(c.gpus) > 1 {
		dir = filepath.Join(dir, e.gpu)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, x := range t.expect {
		name, b := fmt.Sprintf("arg%d.npy", x.Arg), (*launch.Buffer)(nil)
		if x.Segment {
			name, b = fmt.Sprintf("segment%d.npy", x.Arg), req.Segments[x.Arg].Buffer()
		} else {
			b = req.Args[x.Arg].Buffer
		}
		file := filepath.Join(dir, name)
		if err := npy.WriteFile(file, b.Array()); err != nil {
			return err
		}
	}
	return nil
}
