package fuzz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/emulate"
	"github.com/tilewright/tilewright/target/interp"
	"github.com/tilewright/tilewright/target/launch"
)

// Options say what to compile for, and how long a kernel may run.
type Options struct {
	GPU      string // as in "sm_90"
	OptLevel int
	// Change, if it is set, changes the PTX before it runs: a test plants an error this way.
	Change func(ptx []byte) []byte
}

// The bounds of a run, which a kernel that was not shrunk stays far below.
const (
	interpSteps = 1 << 20
	emuSteps    = 1 << 24
)

// A Kind is what is wrong.
type Kind string

// The kinds of findings.
const (
	Rejected  Kind = "rejected"  // the module does not parse or verify
	Undefined Kind = "undefined" // the interpreter reports an error
	Compile   Kind = "compile"   // a pass fails
	Run       Kind = "run"       // the emulator reports an error
	Mismatch  Kind = "mismatch"  // the engines disagree
)

// A Finding is a kernel with which something is wrong.
type Finding struct {
	Kind    Kind
	Message string
	Text    []byte
	Launch  *launch.Request // with the initial buffers
}

// accidents are what messages about the same thing may differ in: numbers, names of values, types.
var accidents = regexp.MustCompile(`'(tensor|tile|!)[^']*'|%[\w#]+|-?\b(0x)?[0-9a-f]*[0-9][0-9a-f.]*\b`)

// Signature is the same for findings that are most likely the same.
func (f *Finding) Signature() string {
	if f.Kind == Mismatch {
		return string(f.Kind)
	}
	return string(f.Kind) + ": " + accidents.ReplaceAllString(f.Message, "N")
}

// Check compiles and runs a kernel, and returns what is wrong with it, or nil. The error is that ctx ended.
func Check(ctx context.Context, text []byte, req *launch.Request, opts Options) (*Finding, error) {
	fail := func(kind Kind, format string, args ...any) (*Finding, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return &Finding{kind, fmt.Sprintf(format, args...), text, req}, nil
	}
	var said bytes.Buffer
	module, err := read(text, &said)
	if err != nil {
		return fail(Rejected, "%s", first(said.String(), err))
	}
	want := req.Clone()
	e := interp.New(module)
	e.MaxSteps, e.Races = interpSteps, true
	if err := e.Run(ctx, want); err != nil {
		return fail(Undefined, "%v", err)
	}
	result, err := compile.To(ctx, module, compile.Options{GPU: opts.GPU, OptLevel: opts.OptLevel})
	if err != nil {
		return fail(Compile, "%s", first(said.String(), reason(err)))
	}
	ptx := result.PTX
	if opts.Change != nil {
		ptx = opts.Change(ptx)
	}
	emulator, err := emulate.New("ptx", ptx)
	if err != nil {
		return fail(Run, "%v", err)
	}
	if k := result.Kernel(req.Entry); k != nil {
		emulator.DynamicShared = uint32(k.DynamicShared)
	}
	emulator.MaxSteps = emuSteps
	got := req.Clone()
	if err := emulator.Run(ctx, got); err != nil {
		return fail(Run, "%v", err)
	}
	for i, a := range want.Args {
		if a.Buffer == nil {
			continue
		}
		d, err := launch.Compare(got.Args[i].Buffer, a.Buffer, launch.Tolerance{SignedZero: true})
		if err != nil {
			return nil, err
		}
		if !d.OK() {
			return fail(Mismatch, "argument %d: %d of %d elements differ, first element %d: %s", i, d.Mismatches, d.Elements, d.First, d.FirstPair)
		}
	}
	return nil, ctx.Err()
}

// read reads a kernel. What is wrong with it, then or later, is said in full.
func read(text []byte, said *bytes.Buffer) (ir.Op, error) {
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(said))
	return tileir.Read(c, "kernel", text)
}

// reason is what a pass says about its failure.
func reason(err error) error {
	var f *pipeline.Failure
	if errors.As(err, &f) {
		return fmt.Errorf("pass '%s' failed on %s", f.Pass.Name, f.Op)
	}
	return err
}

// first is the first line of diagnostics, or else the error.
func first(said string, err error) string {
	line, _, _ := bytes.Cut([]byte(said), []byte("\n"))
	if len(line) == 0 {
		return err.Error()
	}
	return fmt.Sprintf("%v: %s", err, line)
}
