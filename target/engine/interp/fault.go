package interp

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A problem is what an operation did wrong: a diagnostic with what callers act on.
type problem struct {
	*ir.Diagnostic
	kind    launch.FaultKind
	element []int64 // nil: none
}

func (p *problem) Unwrap() error { return p.Diagnostic }

// failf returns the error of an operation that did something wrong of a kind.
func failf(op ir.Op, kind launch.FaultKind, format string, args ...any) *problem {
	return &problem{op.Errorf(format, args...), kind, nil}
}

// at says which element of a tile the error is about.
func (p *problem) at(shape []int64, i int) *problem {
	p.element = positionOf(shape, i)
	return p
}

// wrong is a mistake that is not yet known to be that of an operation.
type wrong struct {
	kind launch.FaultKind
	text string
}

func (w *wrong) Error() string { return w.text }

func wrongf(kind launch.FaultKind, format string, args ...any) error {
	return &wrong{kind, fmt.Sprintf(format, args...)}
}

// failAt is what went wrong with an element of the tile of an operation. An error that names the operation and the element already stays as it is.
func failAt(op ir.Op, shape []int64, i int, err error) error {
	var p *problem
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
	return failf(op, kind, "%s: %v", place(shape, i), err).at(shape, i)
}

// faultOf makes the error of a tile block one that says which, of what kind, and from where in the user's program it was reached.
func faultOf(id [3]uint32, err error) error {
	f := &launch.Fault{Block: id, Err: fmt.Errorf("tile block (%d, %d, %d): %w", id[0], id[1], id[2], err)}
	var p *problem
	var d *ir.Diagnostic
	if errors.As(err, &p) {
		f.Kind, f.Element = p.kind, p.element
	}
	if errors.As(err, &d) {
		f.Where = wherePlaces(d.Loc)
	}
	return f
}

// A stopped tile block did nothing wrong: the launch was to end.
type stopped struct {
	op ir.Op // that it would have executed next
	error
}

func (s *stopped) Unwrap() error { return s.error }

// stoppedAt adds to an error of the context where the tile block stands.
func (m *machine) stoppedAt(op ir.Op, err error) error {
	if m.ctx.Err() == nil || !errors.Is(err, m.ctx.Err()) {
		return err
	}
	return &stopped{op, err}
}

// standingOf says where a tile block stood whose fault is that it was stopped.
func standingOf(f *launch.Fault) launch.Standing {
	s := launch.Standing{Who: fmt.Sprintf("tile block (%d, %d, %d)", f.Block[0], f.Block[1], f.Block[2])}
	var at *stopped
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

// positionOf returns those of element i of a tile.
func positionOf(shape []int64, i int) []int64 {
	at := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = int64(i) % shape[d]
		i /= int(shape[d])
	}
	return at
}
