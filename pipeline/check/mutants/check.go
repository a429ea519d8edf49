package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An Outcome is how far a mutant came. Each but the last is a right answer to a mutant that is wrong.
type Outcome string

// The outcomes, in the order of the way.
const (
	Unreadable Outcome = "unreadable" // the text does not parse
	Invalid    Outcome = "invalid"    // the verifier rejects it
	Lacking    Outcome = "lacking"    // it lost a property that the passes that follow count on
	Refused    Outcome = "refused"    // a pass reports an error
	Unjudged   Outcome = "unjudged"   // there is PTX, but nothing to compare it with
	Undefined  Outcome = "undefined"  // there is PTX, but the interpreter reports undefined behaviour
	Agreed     Outcome = "agreed"     // interpreter and emulator agree
)

// A Kind is what is wrong.
type Kind string

// The kinds of findings.
const (
	Panic    Kind = "panic"
	Hang     Kind = "hang"
	Nowhere  Kind = "error without a place"
	BadPTX   Kind = "PTX that the emulator does not read"
	Fault    Kind = "fault in the emulator"
	Mismatch Kind = "other result"
)

// A Finding is what a mutant must not get.
type Finding struct {
	Kind    Kind
	Where   string // the pass, or what else was at work
	Message string
	Stack   []byte // of a panic
	Text    []byte // of the mutant
}

func (f *Finding) Error() string { return fmt.Sprintf("%s (%s): %s", f.Kind, f.Where, f.Message) }

// The bounds of a mutant, which kernels that are not mutants stay far below.
const (
	interpSteps = 1 << 15
	// emuSteps bounds the instructions of the emulator. A mutant that counts to a large number runs a few operations
	// in each iteration, in eight warps. Each becomes some instructions, and the loop adds its own.
	emuSteps = 1 << 23
	// patience is for all that is done with one mutant. A pass cannot be interrupted, so one that takes longer is
	// abandoned.
	patience = 60 * time.Second
)

// Check takes the text of a mutant of a dump through the rest of the pipeline and compares what it does.
func (k *Kernel) Check(ctx context.Context, d Dump, text []byte) (Outcome, *Finding) {
	type answer struct {
		outcome Outcome
		finding *Finding
	}
	c := &check{Kernel: k, dump: d, text: text}
	done := make(chan answer, 1)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- answer{"", c.panicked(v, debug.Stack())}
			}
		}()
		o, f := c.run(ctx)
		done <- answer{o, f}
	}()
	select {
	case a := <-done:
		return a.outcome, a.finding
	case <-time.After(patience + time.Second):
		return "", &Finding{Kind: Hang, Where: "?", Message: fmt.Sprintf("does not end within %v", patience), Text: text}
	}
}

// A check is the way of one mutant.
type check struct {
	*Kernel
	dump  Dump
	text  []byte
	at    string // what is at work
	diags []*ir.Diagnostic
}

func (c *check) finding(kind Kind, format string, args ...any) *Finding {
	return &Finding{Kind: kind, Where: c.at, Message: fmt.Sprintf(format, args...), Text: c.text}
}

func (c *check) panicked(v any, stack []byte) *Finding {
	f := c.finding(Panic, "%v", v)
	f.Stack = stack
	return f
}

func (c *check) run(ctx context.Context) (Outcome, *Finding) {
	c.at = "reader"
	module, outcome, f := c.read()
	if outcome != "" || f != nil {
		return outcome, f
	}
	want := c.Launch.Clone()
	undefined := errNotExecuted
	if c.dump.Level.Rank() < property.NVVM.Rank() && judged(module) {
		c.at = "interpreter"
		e := interp.New(module)
		e.MaxSteps, e.Races, e.OpenOrder = interpSteps, true, true
		undefined = e.Run(ctx, want)
	}
	ptx, kernel, outcome, f := c.compile(ctx, module)
	if outcome != "" || f != nil {
		return outcome, f
	}
	c.at = "emulator"
	e, err := emulate.New("mutant", ptx)
	if err != nil {
		if strings.Contains(err.Error(), "not known to the emulator") { // a function of the user's
			return Unjudged, nil
		}
		return "", c.finding(BadPTX, "%v", err)
	}
	if kernel != nil {
		compile.Describe(e, kernel)
	}
	e.MaxSteps = emuSteps
	e.Adversarial, e.Seed = true, uint64(len(c.text)) // a course of its own for each mutant, the same each time
	got := c.Launch.Clone()
	err = e.Run(ctx, got)
	switch {
	case errors.Is(undefined, errNotExecuted):
		return Unjudged, nil
	case undefined != nil:
		return Undefined, nil
	case err != nil:
		return "", c.finding(Fault, "%v", err)
	}
	return c.compare(got, want)
}

var errNotExecuted = errors.New("not executed")

// read parses and verifies the text.
func (c *check) read() (module ir.Op, outcome Outcome, f *Finding) {
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(d *ir.Diagnostic) { c.diags = append(c.diags, d) })
	module, err := tileir.Read(ctx, "mutant", c.text)
	var invalid *ir.VerifyError
	switch {
	case errors.As(err, &invalid):
		return module, Invalid, c.placed(invalid.Diags)
	case err != nil && bytecode.Is(c.text) && strings.Contains(err.Error(), "offset "):
		return module, Unreadable, nil // a fuzzer writes bytecode too, in which an offset is the place
	case err != nil:
		return module, Unreadable, c.placed(c.diags)
	}
	c.at = "properties"
	is := pipeline.Inspect(passes.Default, module, c.target())
	for _, p := range c.dump.Have {
		if d := is.Lacks[p]; d != nil {
			return module, Lacking, c.placed([]*ir.Diagnostic{d})
		}
	}
	return module, "", nil
}

// placed returns a finding unless an error says where it is.
func (c *check) placed(diags []*ir.Diagnostic) *Finding {
	var said bytes.Buffer
	for _, d := range diags {
		if d.Severity == ir.Error && d.Loc != nil && ir.FileLocOf(d.Loc) != nil {
			return nil
		}
		said.WriteString(d.Error() + "\n")
	}
	return c.finding(Nowhere, "%s", &said)
}

// compile runs what follows the dump.
func (c *check) compile(ctx context.Context, module ir.Op) (ptx []byte, kernel *nvvmtoptx.Kernel, outcome Outcome, f *Finding) {
	plan, err := c.plan(module)
	if err != nil {
		return nil, nil, "", c.finding(Nowhere, "%v", err)
	}
	plan.Steps = plan.Steps[c.dump.Next:]
	c.diags = nil
	result, err := run(ctx, plan, module, watcher{c})
	if err != nil {
		var failed *pipeline.Failure
		switch {
		case errors.As(err, &failed) && failed.Kind == pipeline.Crashed:
			c.at = failed.Pass.Name
			return nil, nil, "", c.panicked(err, failed.Stack)
		case ctx.Err() != nil:
			return nil, nil, "", c.finding(Hang, "%v", err)
		}
		return nil, nil, Refused, c.placed(c.diags)
	}
	l, described := result.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch)
	text, emitted := result.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text)
	if !described || !emitted {
		return nil, nil, "", c.finding(BadPTX, "the pipeline left no PTX, or no description of the launch")
	}
	for _, k := range l.Kernels {
		if k.Name == c.Launch.Entry {
			kernel = k
		}
	}
	return text, kernel, "", nil
}

// A watcher notes which pass runs.
type watcher struct{ c *check }

func (w watcher) BeforePass(ev *pipeline.Event) { w.c.at = ev.Item.Pass.Name }
func (w watcher) AfterPass(*pipeline.Event)     {}
func (w watcher) Serial() bool                  { return true }

func (c *check) compare(got, want *launch.Request) (Outcome, *Finding) {
	for i, a := range want.Args {
		if a.Buffer == nil {
			continue
		}
		d, err := launch.Compare(got.Args[i].Buffer, a.Buffer, c.Tolerance[i])
		if err != nil {
			return "", c.finding(Mismatch, "argument %d: %v", i, err)
		}
		if !d.OK() {
			return "", c.finding(Mismatch, "argument %d (%s): %d of %d elements differ, first element %d: %s", i, a, d.Mismatches, d.Elements, d.First, d.FirstPair)
		}
	}
	return Agreed, nil
}
