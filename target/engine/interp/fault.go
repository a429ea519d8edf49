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
		for _, l := range ir.CallChain(d.Loc) {
			f.Where = append(f.Where, launch.Place{File: l.File, Line: int(l.Line), Column: int(l.Column), Function: l.Function})
		}
	}
	return f
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
