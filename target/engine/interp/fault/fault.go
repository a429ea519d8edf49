package fault

import (
	"context"
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Problem is the mistake of an operation: a diagnostic, with its kind and element for callers that act on them.
type Problem struct {
	*ir.Diagnostic
	kind    launch.FaultKind
	element []int64 // nil: none
}

func (p *Problem) Unwrap() error { return p.Diagnostic }

// Errorf returns the error of an operation whose mistake is of a kind.
func Errorf(op ir.Op, kind launch.FaultKind, format string, args ...any) *Problem {
	return &Problem{op.Errorf(format, args...), kind, nil}
}

// At says which element of a tile the error is about.
func (p *Problem) At(shape []int64, i int) *Problem {
	p.element = values.PositionOf(shape, i)
	return p
}

// wrong is a mistake whose operation is not known yet.
type wrong struct {
	kind launch.FaultKind
	text string
}

func (w *wrong) Error() string { return w.text }

// Wrongf returns the error of a mistake whose operation the caller does not know.
func Wrongf(kind launch.FaultKind, format string, args ...any) error {
	return &wrong{kind, fmt.Sprintf(format, args...)}
}

// At returns err as the mistake of an operation at element i of its tile. An error that has both already is returned
// unchanged.
func At(op ir.Op, shape []int64, i int, err error) error {
	var p *Problem
	if errors.As(err, &p) && p.element != nil {
		return p
	}
	var w *wrong
	kind := launch.FaultKind("")
	switch {
	case errors.As(err, &w):
		kind = w.kind
	case p != nil:
		kind = p.kind
	}
	return Errorf(op, kind, "%s: %v", values.Place(shape, i), err).At(shape, i)
}

// OfBlock returns err as the error of a tile block: which one, of which kind, and the places in the user's program that
// lead to the operation.
func OfBlock(id [3]uint32, err error) error {
	f := &launch.Fault{Block: id, Err: fmt.Errorf("tile block (%d, %d, %d): %w", id[0], id[1], id[2], err)}
	var p *Problem
	var d *ir.Diagnostic
	if errors.As(err, &p) {
		f.Kind, f.Element = p.kind, p.element
	}
	if errors.As(err, &d) {
		f.Where = wherePlaces(d.Loc)
	}
	return f
}

// Stopped is the error of a tile block that made no mistake: the launch was to end.
type Stopped struct {
	op ir.Op // the next one to execute
	error
}

func (s *Stopped) Unwrap() error { return s.error }

// StoppedAt adds the place of the tile block to an error of the context.
func StoppedAt(ctx context.Context, op ir.Op, err error) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return &Stopped{op, err}
}

// StandingOf returns where a stopped tile block was.
func StandingOf(f *launch.Fault) launch.Standing {
	s := launch.Standing{Who: fmt.Sprintf("tile block (%d, %d, %d)", f.Block[0], f.Block[1], f.Block[2])}
	var at *Stopped
	if errors.As(f.Err, &at) {
		s.What = fmt.Sprintf("at '%s'", at.op.Name())
		s.Where = wherePlaces(at.op.Loc())
	}
	return s
}

// wherePlaces returns the place of a location in the source, and its callers.
func wherePlaces(loc ir.Location) (out []launch.Place) {
	for _, l := range ir.CallChain(loc) {
		out = append(out, launch.Place{File: l.File, Line: int(l.Line), Column: int(l.Column), Function: l.Function})
	}
	return out
}
