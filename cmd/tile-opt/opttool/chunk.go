package opttool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/difference"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/eachpass"
	"github.com/tilewright/tilewright/pipeline/check/exact"
	"github.com/tilewright/tilewright/pipeline/check/expect"
	"github.com/tilewright/tilewright/pipeline/compile"
)

// A chunk is one part of the input.
type chunk struct {
	*session
	name string
	file []byte // the entire input
	text []byte
	line int // lines of the input before text

	ctx       *ir.Context
	resources []asm.ResourceGroup
	costs     *costs // that comments speak of, or nil
}

// process processes the chunk and writes the result to out. It reports whether all went as it must.
func (k *chunk) process(out *cli.Output) bool {
	k.ctx = k.newContext()
	if k.config.verifyDiag == "" {
		defer cli.Diagnose(k.ctx, k.stderr)()
		return k.run(out, k.stderr)
	}
	want, err := expect.Parse(k.name, k.text, k.line)
	if err != nil {
		fmt.Fprintln(k.stderr, err)
		return false
	}
	var got []*ir.Diagnostic
	defer k.ctx.Diag.Push(func(d *ir.Diagnostic) { got = append(got, d) })()
	var errs bytes.Buffer
	if kinds := want.Costs(); kinds != nil {
		k.costs = newCosts(kinds)
	}
	ok := k.run(out, &errs)
	problems := want.Compare(k.name, got, k.config.verifyDiag == expect.OnlyExpected)
	if k.costs != nil && ok {
		problems = append(problems, want.CompareCosts(k.name, k.costs.list)...)
	}
	for _, p := range problems {
		fmt.Fprintln(k.stderr, p)
	}
	isError := func(d *ir.Diagnostic) bool { return d.Severity == ir.Error }
	if !ok && !slices.ContainsFunc(got, isError) {
		// What a failed pass says besides its diagnostics is not asked for; but a failure without any is none that
		// the text can expect.
		_, _ = errs.WriteTo(k.stderr)
		return false
	}
	return len(problems) == 0
}

// run reads, verifies, transforms and prints. Errors of the input are diagnostics; others go to errs.
func (k *chunk) run(out *cli.Output, errs io.Writer) bool {
	fail := func(err error) bool {
		cli.Complain(errs, k.tool.Name, err)
		return false
	}
	op, err := k.read(k.ctx)
	if err != nil {
		return false
	}
	if err := ir.Verify(op); err != nil {
		return false
	}
	if k.config.accept != nil && !k.config.accept(op) {
		return false
	}
	if k.config.exact {
		if k.execCase, err = exact.Case(context.Background(), k.execCase, op, 0); err != nil {
			return fail(err)
		}
	}
	if k.config.why != "" {
		if err := k.answer(out); err != nil {
			return fail(err)
		}
		return true
	}
	if k.config.roundtrip {
		if err := k.checkRoundtrip(op); err != nil {
			return fail(err)
		}
	}
	p, target, err := k.choose(op)
	if err != nil {
		return fail(err)
	}
	result := &pipeline.Result{}
	if p != nil && k.config.authors.bisect {
		return k.bisect(out, errs)
	}
	if p != nil {
		if p.explicit {
			if err := pipeline.CheckClaims(op, target); err != nil {
				return fail(err)
			}
			in := pipeline.Inspect(k.tool.Registry, op, target)
			hints, err := pipeline.Check(k.tool.Registry, p.pipeline, in)
			for _, h := range hints {
				k.log.Info().Msg(h)
			}
			if err != nil {
				var unmet *pipeline.Unmet
				if errors.As(err, &unmet) && unmet.Why != nil {
					k.ctx.Diag.Emit(unmet.Why) // with its place in the text
				}
				return fail(err)
			}
			p.input = &in
		}
		if op, result, err = k.attempts(p, target, op, errs); err != nil {
			return k.explain(err, errs)
		}
	}
	return k.print(out, op, p, result, fail)
}

// read parses the chunk's text or the bytecode.
func (k *chunk) read(ctx *ir.Context) (op ir.Op, err error) {
	k.timed("Parser", func() {
		if k.isBytecode(k.file) {
			op, err = k.tool.ReadBytecode(ctx, k.name, k.file)
		} else {
			op, err = asm.Parse(ctx, k.name, k.text, k.syntax(&k.resources))
		}
	})
	if err == nil && k.tool.Wrap != nil && !k.config.noImplicit {
		op = k.tool.Wrap(op)
	}
	if err == nil && k.config.dropNames {
		ir.DropNames(op)
	}
	if err == nil && k.config.exact {
		if err = ir.Verify(op); err == nil {
			err = exact.Module(context.Background(), op)
		}
	}
	var reported *asm.Error
	var diag *ir.Diagnostic
	switch {
	case err == nil || errors.As(err, &reported):
	case errors.As(err, &diag):
		ctx.Diag.Emit(diag)
	default:
		ctx.Diag.EmitError(nil, fmt.Errorf("%s: %w", k.name, err))
	}
	return op, err
}

func (k *chunk) syntax(resources *[]asm.ResourceGroup) asm.ParseOptions {
	var opts asm.ParseOptions
	if k.tool.Syntax != nil {
		opts = k.tool.Syntax(k.ctx)
	}
	if k.config.noImplicit {
		opts.ImplicitModule = nil
	}
	opts.LineOffset, opts.Whole = k.line, k.file
	opts.Resources = resources
	return opts
}

// choose returns the pipeline to run on op, or nil.
func (k *chunk) choose(op ir.Op) (*prepared, *passes.Target, error) {
	switch {
	case k.config.runRepro:
		recipe, ok := pipeline.RecipeFrom(k.resources)
		if !ok {
			return nil, nil, fmt.Errorf("'%s' is no reproducer: it has no resource 'mlir_reproducer'", k.name)
		}
		pl, err := pipeline.Parse(k.tool.Registry, recipe.Pipeline)
		if err != nil {
			return nil, nil, fmt.Errorf("the reproducer's pipeline: %w", err)
		}
		k.config.verifyEach = recipe.VerifyEach
		k.config.noThreads = recipe.DisableThreading
		return k.finish(&prepared{pipeline: pl}), &recipe.Target, nil
	case k.config.lowerTo != "":
		target, err := k.target(op)
		if err != nil {
			return nil, nil, err
		}
		p, err := k.planned(target, op, nil)
		return p, target, err
	}
	if k.config.pipeline == "" && k.singles == nil {
		return nil, nil, nil
	}
	target, err := k.target(op)
	if err != nil {
		return nil, nil, err
	}
	p, err := k.explicitly(op, target)
	return p, target, err
}

// attempts runs the pipeline, and returns what it leaves. A default pipeline that fails gives way to ones that optimize
// less (compile.Attempts), unless flags look for what is wrong, or change what runs.
func (k *chunk) attempts(p *prepared, target *passes.Target, op ir.Op, errs io.Writer) (ir.Op, *pipeline.Result, error) {
	var result *pipeline.Result
	attempt := func(most compile.Bound) (err error) {
		if most != nil {
			if op, err = k.read(k.ctx); err != nil {
				return err
			}
			if p, err = k.planned(target, op, most); err != nil {
				return err
			}
		}
		result, err = k.transform(p, target, op, errs)
		return err
	}
	c := k.config
	looks := c.flags.Changed("verify-each") || c.verifyDiag != "" || c.bisect >= 0 || k.execCase != nil || len(c.authors.settings) > 0
	if p.plan == nil || looks || len(c.disabled) > 0 || len(c.authors.splices) > 0 {
		err := attempt(nil)
		return op, result, err
	}
	fallbacks, err := compile.Attempts(context.Background(), k.ctx, k.kernels.And(c.options()), attempt)
	if c.stats && err == nil {
		fmt.Fprintln(k.stderr, compile.Count(fallbacks))
	}
	return op, result, err
}

// transform runs the pipeline.
func (k *chunk) transform(p *prepared, target *passes.Target, op ir.Op, errs io.Writer) (*pipeline.Result, error) {
	c := k.config
	kernels := k.kernels
	if p.plan != nil {
		kernels = p.plan.Goal.Kernels // with what a dump says
	}
	m := &pipeline.Manager{Target: target, Input: p.input, Plan: p.plan, Kernels: kernels, Record: k.records(p, op), NoVerify: !c.verifyEach, Log: k.log, Decisions: c.remarks,
		Reproducer: &pipeline.Reproducer{Path: c.repro, Input: func() (ir.Op, error) { return k.read(k.newContext()) }}}
	if p.again {
		m.Reproducer.Path = "" // the file that was asked for is of the first attempt
	}
	if c.noThreads {
		m.Workers = 1
	}
	if c.bisect >= 0 {
		m.Gate = pipeline.NewBisect(p.pipeline, c.bisect, k.stderr).Allow
	}
	if k.timing != nil {
		m.Instruments = append(m.Instruments, k.timing)
	}
	dumps := k.dumps()
	if dumps != nil {
		m.Instruments = append(m.Instruments, dumps)
	}
	if k.costs != nil {
		m.Instruments = append(m.Instruments, k.costs)
	}
	w, err := k.watch(m, p.pipeline)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var exec *eachpass.Check
	if k.execCase != nil {
		if exec, err = eachpass.Start(ctx, k.execCase, op, target, c.races, cancel); err != nil {
			return nil, err
		}
		m.Instruments = append(m.Instruments, exec)
	}
	result, err := m.Run(ctx, p.pipeline, op)
	if exec != nil && exec.Err() != nil {
		err = exec.Err()
	}
	if k.costs != nil && err == nil {
		err = k.costs.assembled(result)
	}
	if werr := w.done(result); err == nil {
		err = werr
	}
	if dumps != nil && dumps.Err() != nil && err == nil {
		err = fmt.Errorf("cannot write a dump: %w", dumps.Err())
	}
	if err != nil {
		return nil, err
	}
	if p.explicit {
		for _, u := range result.Unmatched {
			fmt.Fprintf(errs, "%s: warning: %s\n", k.tool.Name, u)
		}
	}
	if c.stats {
		if c.statsDisplay == "list" {
			err = pipeline.WriteStatisticsList(k.stderr, result.Statistics)
		} else {
			err = pipeline.WriteStatistics(k.stderr, p.pipeline, result.Statistics)
		}
	}
	return result, err
}

// records reports whether the IR is to say how far it got: when it may be printed half way, or said so before.
func (k *chunk) records(p *prepared, op ir.Op) bool {
	said := false
	pipeline.EachState(op, func(ir.Op, contract.State) { said = true })
	return said || p.plan != nil && p.artifact == "" || k.dumps() != nil
}

// dumps returns the instrument that prints IR, when flags ask for it.
func (k *chunk) dumps() *pipeline.PrintIR {
	return k.config.dumps.PrintIR(k.stderr, k.printOp)
}

func (k *chunk) printOp(w io.Writer, op ir.Op) error {
	c := k.config
	return asm.Print(w, op, asm.PrintOptions{Generic: c.generic, DebugInfo: c.debugInfo || pipeline.NeedsLocations(op), PrettyDebugInfo: c.prettyDebugInfo,
		LocalScope: c.localScope, ElideLargeElements: c.elide, Comment: c.authors.comment()})
}

// explain writes what the diagnostics of a failure do not say: which pass it was.
func (k *chunk) explain(err error, errs io.Writer) bool {
	var f *pipeline.Failure
	if !errors.As(err, &f) {
		cli.Complain(errs, k.tool.Name, err)
		return false
	}
	fmt.Fprintf(errs, "%s: %s\n", k.tool.Name, f.What())
	if f.Stack != nil {
		fmt.Fprintf(errs, "%s\n", f.Stack)
	}
	if again := f.Repeats(k.tool.Name); again != "" {
		fmt.Fprintf(errs, "%s: %s\n", k.tool.Name, again)
	}
	return false
}

// print writes the result of the chunk.
func (k *chunk) print(out *cli.Output, op ir.Op, p *prepared, result *pipeline.Result, fail func(error) bool) bool {
	name := k.config.artifact
	if name == "" && p != nil {
		name = p.artifact
	}
	if _, ok := result.Artifacts[passes.Listing]; ok && name == "" {
		name = passes.Listing
	}
	if name != "" {
		a, ok := result.Artifacts[name]
		if !ok {
			var names []string
			for n := range result.Artifacts {
				names = append(names, n)
			}
			slices.Sort(names)
			return fail(fmt.Errorf("no pass left an artifact '%s'; there is %s", name, quoteList(names)))
		}
		data, err := a.Bytes()
		if err != nil {
			return fail(fmt.Errorf("artifact '%s': %w", name, err))
		}
		_, err = out.Write(data)
		return err == nil // the output keeps the error
	}
	var err error
	k.timed("Output", func() { err = k.printOp(out, op) })
	if err == nil {
		err = out.EndLine()
	}
	if err != nil && out.Err() == nil {
		return fail(err)
	}
	return err == nil
}

// printedText names the text that checkRoundtrip reads, in locations and diagnostics.
const printedText = "<printed IR>"

// checkRoundtrip prints op with locations, reads the text, verifies what comes of it, and compares the two modules.
func (k *chunk) checkRoundtrip(op ir.Op) error {
	var text bytes.Buffer
	if err := asm.Print(&text, op, asm.PrintOptions{Generic: k.config.generic, DebugInfo: true}); err != nil {
		return err
	}
	syntax := k.syntax(nil)
	syntax.LineOffset, syntax.Whole = 0, nil
	again, err := asm.Parse(k.ctx, printedText, text.Bytes(), syntax)
	if err != nil {
		return errors.New("the printed IR does not parse")
	}
	if err := ir.Verify(again); err != nil {
		return errors.New("the printed IR does not verify")
	}
	madeUp := func(l ir.Location) bool { at, ok := l.(*ir.FileLoc); return ok && at.File == printedText }
	if d := difference.Between(op, again, difference.Options{MadeUp: madeUp}); d != nil {
		k.ctx.Diag.Emit(d.Op.Errorf("reads back as another operation: %s", d.What))
		return errors.New("the printed IR reads back as another module")
	}
	return nil
}
