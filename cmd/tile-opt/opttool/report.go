package opttool

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/internal/tooling/report"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline"
)

// reported writes the page of --report after a run, which went well or did not: then its own messages have said why
// there may be none.
func (k *chunk) reported(ok bool) bool {
	err := k.writeReport(context.Background())
	if err != nil && ok {
		fmt.Fprintf(k.stderr, "%s: error: %v\n", k.tool.Name, err)
	}
	return err == nil
}

// writeReport writes the page of --report: of the pipeline that the command line names, or else of the default one
// down to PTX.
func (k *chunk) writeReport(ctx context.Context) error {
	k.ctx = k.newContext() // the other one is full of what was said
	defer k.ctx.Diag.Push(func(*ir.Diagnostic) {})()
	data := k.text
	if k.isBytecode(k.file) {
		data = k.file
	}
	in := &report.Input{Name: k.name, Data: data, Target: k.target, Run: k.runReported, Read: func() (ir.Op, error) {
		op, err := k.read(k.ctx)
		if err == nil {
			err = ir.Verify(op)
		}
		return op, err
	}}
	return k.config.report.Write(ctx, in, k.tool.Name, k.config.args, "")
}

func (k *chunk) runReported(ctx context.Context, op ir.Op, target *passes.Target, watch []pipeline.Instrument) (*report.Outcome, error) {
	nvvmtoptx.LineInfo.Set(target, true)
	p, err := k.reportedPipeline(op, target)
	if err != nil {
		return nil, err
	}
	if p.explicit && p.input == nil {
		in := pipeline.Inspect(k.tool.Registry, op, target)
		p.input = &in
	}
	m := &pipeline.Manager{Target: target, Input: p.input, Plan: p.plan, NoVerify: !k.config.verifyEach, Instruments: watch, Decisions: true}
	out := &report.Outcome{Plan: p.plan}
	result, err := m.Run(ctx, p.pipeline, op)
	if err != nil {
		return out, err
	}
	out.Statistics = result.Statistics
	if text, ok := result.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text); ok {
		out.PTX = text
	}
	if launch, ok := result.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch); ok {
		out.Arch = launch.Target
	}
	return out, nil
}

func (k *chunk) reportedPipeline(op ir.Op, target *passes.Target) (*prepared, error) {
	if k.config.lowerTo == "" {
		p, _, err := k.choose(op)
		if p != nil || err != nil {
			return p, err
		}
	}
	whole := *k.config
	if whole.lowerTo == "" {
		whole.lowerTo = "ptx"
	}
	s := *k.session
	s.config = &whole
	return s.planned(target, op, nil)
}
