package runtool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/report"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/ptxas"
)

// writeReports writes the pages of --report: what became of the kernel of a task on each target, whatever engine ran
// it.
func (c *config) writeReports(ctx context.Context, t *task) error {
	if c.report.Path == "" {
		return nil
	}
	if emulate.IsPTX(t.program.data) {
		return fmt.Errorf("--report shows how a kernel is compiled, but '%s' is PTX", t.program.name)
	}
	for _, gpu := range c.gpus {
		if c.reported++; c.reported > 1 && !c.report.Many() {
			return fmt.Errorf("--report names one page, but there are several kernels or targets: name a folder")
		}
		opts := compile.Options{GPU: c.asked(gpu), OptLevel: c.optLevel, AnyOptLevel: !c.flags.Changed("opt-level"), TensorMaps: c.tensorMaps}
		in := report.Kernel(t.program.name, t.program.data, opts)
		c.launched(ctx, t, gpu, in)
		if err := c.report.Write(ctx, in, name, c.given, ""); err != nil {
			return err
		}
	}
	return nil
}

// launched runs the kernel for its page: in the emulator for the profile, and in the interpreter for the values of
// the CTA that the profile is about.
func (c *config) launched(ctx context.Context, t *task, gpu string, in *report.Input) {
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	p := *t.program
	p.prints, p.errs = io.Discard, io.Discard // the launch that was asked for says it
	block := [3]uint32{}
	if c.profiled != nil {
		block = *c.profiled
	}
	if profile, at, err := c.profileFor(ctx, t, &p, gpu); err != nil {
		in.Missing = append(in.Missing, fmt.Sprintf("the profile: %v", err))
	} else {
		in.Profile, block = profile, at
	}
	values, err := c.valuesOf(ctx, t, &p, block)
	if err != nil {
		in.Missing = append(in.Missing, fmt.Sprintf("the values of tile block %d,%d,%d: %v", block[0], block[1], block[2], err))
	}
	if values != nil && len(values.Lines) > 0 {
		in.Values = values
	}
}

// profileFor is the profile of a task and the CTA that it is about.
func (c *config) profileFor(ctx context.Context, t *task, p *program, gpu string) (*report.Profile, [3]uint32, error) {
	module, err := p.read()
	if err != nil {
		return nil, [3]uint32{}, err
	}
	req := t.request()
	built, err := buildEmulator(ctx, c, p, module, req.Entry, gpu)
	if err != nil {
		return nil, [3]uint32{}, err
	}
	e := built.(*emulate.Engine)
	e.Profile = &emu.Profile{Block: c.profiled, Trace: new(emu.Trace)}
	if err := e.Run(ctx, req); err != nil {
		return nil, [3]uint32{}, err
	}
	arch, err := c.timed(e.Target())
	if err != nil {
		return nil, [3]uint32{}, err
	}
	estimate, err := e.Estimate(ctx, req.Entry, arch, ptxas.Machine(ctx, e.Source(), e.Target(), req.Entry))
	if err != nil {
		return nil, [3]uint32{}, err
	}
	return report.NewProfile(estimate), estimate.TileBlock, nil
}

// Bounds of the values on a page.
const (
	maxValues     = 4000
	maxValueBytes = 400
)

// valuesOf are the values of all operations of a CTA, as the interpreter computes them.
func (c *config) valuesOf(ctx context.Context, t *task, p *program, block [3]uint32) (*report.Values, error) {
	module, err := p.read()
	if err != nil {
		return nil, err
	}
	req := t.request()
	for i := range block {
		block[i] = min(block[i], max(1, req.Grid[i])-1) // a cluster of thread blocks may be one CTA
	}
	out := &report.Values{Title: fmt.Sprintf("values of tile block %d,%d,%d, in the order in which the operations ran; of each tile the first elements", block[0], block[1], block[2])}
	e := interp.New(module)
	e.AsCompiled()
	e.MaxSteps, e.Output = c.maxSteps, io.Discard
	var buf bytes.Buffer
	trace, err := newTracer(&buf, module, req.Entry, []string{traceAll})
	if err != nil {
		return nil, err
	}
	e.TraceBlock = block
	e.Trace = func(x interp.Event) {
		if len(out.Lines) >= maxValues {
			return
		}
		buf.Reset()
		trace.event(x)
		for line := range strings.Lines(buf.String()) {
			if line = strings.TrimRight(line, "\n"); len(line) > maxValueBytes {
				line = strings.ToValidUTF8(line[:maxValueBytes], "") + "..."
			}
			out.Lines = append(out.Lines, line)
		}
	}
	if err = e.Run(ctx, req); len(out.Lines) >= maxValues {
		out.Title += fmt.Sprintf("; these are the first %d", maxValues)
	}
	return out, err
}
