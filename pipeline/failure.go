package pipeline

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A FailureKind says how a pass failed.
type FailureKind uint8

// The kinds of failure.
const (
	Rejected FailureKind = iota // the pass returned an error
	Invalid                     // the verifier rejects what the pass left
	Crashed                     // the pass panicked
	Broken                      // what the pass left lacks a property that the pass establishes or keeps
)

// String names the kind, for logs.
func (k FailureKind) String() string {
	return [...]string{"rejected its input", "left invalid IR", "panicked", "left IR that lacks a property"}[k]
}

// isOurs reports whether the failure is a fault of the compiler, whatever the input was.
func (k FailureKind) isOurs() bool { return k != Rejected }

// A Failure is the error of a pipeline in which a pass failed. The reasons were emitted as diagnostics.
type Failure struct {
	Kind FailureKind
	Pass *passes.Pass
	// Level is that of the IR that the pass ran on; nil: it is not known.
	Level *passes.Property
	// Op describes the operation that the pass ran on, and Symbol is the name that it defines, if it does.
	Op     string
	Symbol string
	Loc    ir.Location
	Err    error
	// Stack is that of a panic.
	Stack []byte
	// Property is what the IR lacks after a pass that is Broken; Established tells a property that the pass says it
	// establishes from one that it should have kept.
	Property    *passes.Property
	Established bool
	// OptLevel is the level of optimization that the pipeline ran for.
	OptLevel int
	// Reproducer is the file that repeats the failure; "" when none was written.
	Reproducer string
	// Elsewhere is why the reproducer is not where it was asked to be.
	Elsewhere error

	write func() // the reproducer, where it was not written at once
}

// Keep writes a reproducer of a failure that turned out to be one of the compiler, if there is none and a Reproducer
// was given. A pass that returns an error may do so because of its input, so that none is written at once.
func (f *Failure) Keep() {
	if f.write != nil {
		f.write()
		f.write = nil
	}
}

func newFailure(kind FailureKind, p *passes.Pass, op ir.Op, err error, stack []byte) *Failure {
	f := &Failure{Kind: kind, Pass: p, Err: err, Stack: stack, Op: "an operation that it erased"}
	if !op.Erased() {
		f.Op, f.Symbol, f.Loc = describe(op), op.SymbolName(), op.Loc()
	}
	return f
}

func (f *Failure) Error() string {
	s := f.What() + ": " + f.Err.Error()
	if f.Reproducer != "" {
		s += fmt.Sprintf(" (reproducer: %s)", f.Reproducer)
	}
	return s
}

// Repeats says which command repeats the failure, for the program that can; "" when none does.
func (f *Failure) Repeats(program string) string {
	if f.Reproducer == "" {
		return ""
	}
	why := ""
	if f.Elsewhere != nil {
		why = fmt.Sprintf(" (the reproducer was put there because of: %v)", f.Elsewhere)
	}
	return fmt.Sprintf("'%s --run-reproducer %s' repeats this%s", program, f.Reproducer, why)
}

// What says what happened without the reasons: which pass did what to which operation.
func (f *Failure) What() string {
	switch f.Kind {
	case Invalid:
		return fmt.Sprintf("pass '%s' left invalid IR in %s", f.Pass.Name, f.Op)
	case Crashed:
		return fmt.Sprintf("pass '%s' crashed on %s", f.Pass.Name, f.Op)
	case Broken:
		verb := "keep"
		if f.Established {
			verb = "establish"
		}
		return fmt.Sprintf("pass '%s' does not %s '%s' (the IR %s) in %s", f.Pass.Name, verb, f.Property, f.Property.Doc, f.Op)
	}
	return fmt.Sprintf("pass '%s' failed on %s", f.Pass.Name, f.Op)
}

// Unwrap returns what the pass returned.
func (f *Failure) Unwrap() error { return f.Err }

// diagnostics returns the reasons as diagnostics.
func (f *Failure) diagnostics() []*ir.Diagnostic {
	if f.Kind == Crashed {
		return []*ir.Diagnostic{ir.Errorf(f.Loc, "pass '%s' crashed on %s: %v", f.Pass.Name, f.Op, f.Err)}
	}
	return flatten(f.Loc, f.Err)
}

func flatten(loc ir.Location, err error) []*ir.Diagnostic {
	var joined interface{ Unwrap() []error }
	var verify *ir.VerifyError
	var d *ir.Diagnostic
	switch {
	case errors.As(err, &joined):
		var out []*ir.Diagnostic
		for _, e := range joined.Unwrap() {
			out = append(out, flatten(loc, e)...)
		}
		return out
	case errors.As(err, &verify):
		return verify.Diags
	case errors.As(err, &d):
		return []*ir.Diagnostic{d}
	}
	return []*ir.Diagnostic{ir.Errorf(loc, "%v", err)}
}

// describe returns the name of an operation, and of the symbol that it defines.
func describe(op ir.Op) string {
	s := "'" + op.Name() + "' operation"
	if name := op.SymbolName(); name != "" {
		s += ": @" + name
	}
	return s
}
