package opttool

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/bisect"
)

// mostTests bounds the modules that are tried when one is made smaller. Each is executed twice.
const mostTests = 2000

// bisect answers --bisect-exec: what is to blame goes to standard error, the small module to the output.
func (k *chunk) bisect(out *cli.Output, errs io.Writer) bool {
	fail := func(err error) bool {
		cli.Complain(errs, k.tool.Name, err)
		return false
	}
	f, err := bisect.Find(context.Background(), bisect.Options{Case: k.execCase, Races: k.config.races, Start: k.again, MaxTests: mostTests, Log: k.config.authors.listener.Bisect(k.log)})
	switch {
	case err != nil:
		return fail(err)
	case f == nil:
		return fail(fmt.Errorf("no pass changes what case '%s' computes", k.execCase.Name))
	}
	_, _ = io.WriteString(errs, k.blame(f))
	if f.Reduced == nil {
		return fail(fmt.Errorf("there is no smaller module: %w", f.Why))
	}
	if _, err := fmt.Fprintf(out, "// %s\n%s", k.repeats(f), f.Reduced.Text); err != nil {
		return false // the output keeps the error
	}
	return out.EndLine() == nil
}

// again reads the input again and prepares the pipeline for it.
func (k *chunk) again() (ir.Op, *pipeline.Pipeline, *pipeline.Manager, error) {
	ctx := k.newContext()
	defer ctx.Diag.Push(func(*ir.Diagnostic) {})()
	op, err := k.read(ctx)
	if err == nil {
		err = ir.Verify(op)
	}
	if err != nil {
		return ir.Op{}, nil, nil, err
	}
	ctx.Diag.Push(func(*ir.Diagnostic) {}) // also while passes run: that something is said of the input many times helps nobody
	p, target, err := k.choose(op)
	if err != nil {
		return ir.Op{}, nil, nil, err
	}
	if p.explicit && p.input == nil {
		in := pipeline.Inspect(k.tool.Registry, op, target)
		p.input = &in
	}
	return op, p.pipeline, &pipeline.Manager{Target: target, Input: p.input, Plan: p.plan, NoVerify: !k.config.verifyEach}, nil
}

// blame says in words what was found.
func (k *chunk) blame(f *bisect.Finding) string {
	var sb strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&sb, k.tool.Name+": "+format+"\n", args...) }
	say("pass '%s' (run %d of the pipeline, on %s): case '%s' %s", f.Name(), f.Number, f.Op, k.execCase.Name, f.Found.Why)
	switch {
	case f.Rewrite != nil:
		say("rewrite %d of the %d that it makes is the first to do so: %s", f.Rewrite.Number, f.Rewrites, f.Rewrite)
		sb.WriteString(f.Change)
		say("'-d=%s/rewrites=%d' stops before it", f.Name(), f.Rewrite.Number-1)
	case f.Rewrites > 0:
		say("it does so without any of the %d rewrites that may be left out", f.Rewrites)
	default:
		say("it makes no rewrites that may be left out, so all of it is to blame")
	}
	if f.Reduced != nil {
		say("reduced from %d to %d operations in %d tests", f.Reduced.Before, f.Reduced.After, f.Reduced.Tests)
		if f.Left != nil {
			say("there it is rewrite %d, %s", f.Left.Number, f.Left)
		}
	}
	return sb.String()
}

// repeats is the command that runs the pass on the small module alone.
func (k *chunk) repeats(f *bisect.Finding) string {
	root := &pipeline.OpPipeline{Op: f.Nest.Op, Items: []pipeline.Item{*f.Item}}
	const module = "builtin.module"
	if root.Op != module {
		root = &pipeline.OpPipeline{Op: module, Items: []pipeline.Item{{Nest: root}}}
	}
	return fmt.Sprintf("%s --pass-pipeline='%s' --gpu-name=%s", k.tool.Name, &pipeline.Pipeline{Root: root}, f.Target.GPU)
}
