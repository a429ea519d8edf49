package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Problem is the mistake of an operation: a diagnostic, with its kind and element for callers that act on them.
type Problem struct {
	*ir.Diagnostic
	kind    launch.FaultKind
	element []int64 // nil: none
	touch
}

// A touch is the memory that a mistake is about.
type touch struct {
	address *uint64
	other   *launch.Party
}

func (p *Problem) Unwrap() error { return p.Diagnostic }

// Errorf returns the error of an operation whose mistake is of a kind.
func Errorf(op ir.Op, kind launch.FaultKind, format string, args ...any) *Problem {
	return &Problem{Diagnostic: op.Errorf(format, args...), kind: kind}
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
	touch
}

func (w *wrong) Error() string { return w.text }

// Wrongf returns the error of a mistake whose operation the caller does not know.
func Wrongf(kind launch.FaultKind, format string, args ...any) error {
	return &wrong{kind: kind, text: fmt.Sprintf(format, args...)}
}

// WrongAt is Wrongf for a mistake of an access at an address.
func WrongAt(kind launch.FaultKind, address uint64, format string, args ...any) error {
	return &wrong{kind, fmt.Sprintf(format, args...), touch{address: &address}}
}

// Racing is WrongAt for a race with an operation, of another tile block unless block is nil.
func Racing(address uint64, other ir.Op, block *[3]uint32, format string, args ...any) error {
	party := &launch.Party{Op: other.Name(), Block: block, Where: Places(other.Loc())}
	return &wrong{launch.Race, fmt.Sprintf(format, args...), touch{&address, party}}
}

// At returns err as the mistake of an operation at element i of its tile. An error that has both already is returned
// unchanged.
func At(op ir.Op, shape []int64, i int, err error) error {
	var p *Problem
	if errors.As(err, &p) && p.element != nil {
		return p
	}
	var w *wrong
	kind, at := launch.FaultKind(""), touch{}
	switch {
	case errors.As(err, &w):
		kind, at = w.kind, w.touch
	case p != nil:
		kind, at = p.kind, p.touch
	}
	out := Errorf(op, kind, "%s: %v", values.Place(shape, i), err).At(shape, i)
	out.touch = at
	return out
}

// OfBlock returns err as the error of a tile block: which one, of which kind, and the places in the user's program that
// lead to the operation.
func OfBlock(id [3]uint32, err error) error {
	f := &launch.Fault{Block: id, Err: fmt.Errorf("tile block (%d, %d, %d): %w", id[0], id[1], id[2], err)}
	var p *Problem
	var d *ir.Diagnostic
	if errors.As(err, &p) {
		f.Kind, f.Element, f.Address, f.Other = p.kind, p.element, p.address, p.other
	}
	if errors.As(err, &d) {
		f.Where = Places(d.Loc)
		if name, text, ok := strings.Cut(d.Message, "' op "); ok && strings.HasPrefix(name, "'") {
			f.Op, f.Detail = name[1:], text
		}
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
		s.Where = Places(at.op.Loc())
	}
	return s
}

// Places returns the place of a location in the source, and its callers.
func Places(loc ir.Location) (out []launch.Place) {
	for _, l := range ir.CallChain(loc) {
		out = append(out, launch.Place{File: l.File, Line: int(l.Line), Column: int(l.Column), Function: l.Function})
	}
	return out
}
