package interp

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Turns of groups of warps. A role is one here, so that its groups cannot be seen to take turns; what is checked is what would keep them from going round.

func init() {
	define(map[*ir.OpDef]rule{tileas.TakeTurn: (*decoder).takeTurn, tileas.PassTurn: (*decoder).passTurn})
}

// turns are those of the threads that run now: which are open, and whether the own one was taken.
type turns struct {
	opened, taken ir.Op
	id, groups    int64
}

func (d *decoder) takeTurn(op ir.Op) (func(*machine) error, error) {
	ends := op.HasUnitAttr(tileas.AttrClose)
	return func(m *machine) error {
		t := &m.pingpong
		switch err := t.fits(op); {
		case err != nil:
			return err
		case ends:
			*t = turns{}
		default:
			t.taken = op
		}
		return nil
	}, nil
}

func (d *decoder) passTurn(op ir.Op) (func(*machine) error, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	groups, _ := op.IntAttr(tileas.AttrGroups)
	opens := op.HasUnitAttr(tileas.AttrOpen)
	return func(m *machine) error {
		t := &m.pingpong
		switch {
		case opens && !t.opened.IsNil():
			return op.Errorf("begins turns that have begun").Note(t.opened.Loc(), "where they began")
		case opens:
			*t = turns{opened: op, id: id, groups: groups}
			return nil
		case t.taken.IsNil():
			return op.Errorf("passes a turn that was not taken: the group behind gets one too many")
		case t.id != id || t.groups != groups:
			return op.Errorf("passes a turn of %d groups from barrier %d on, but '%s' began turns of %d from %d on", groups, id, t.opened.Name(), t.groups, t.id)
		}
		t.taken = ir.Op{}
		return nil
	}, nil
}

// fits reports an operation that takes what nobody gives.
func (t *turns) fits(op ir.Op) error {
	id, _ := op.IntAttr(tileas.AttrID)
	groups, _ := op.IntAttr(tileas.AttrGroups)
	switch {
	case t.opened.IsNil():
		return op.Errorf("waits for ever: nobody has given the first group its turn")
	case t.id != id || t.groups != groups:
		return op.Errorf("takes a turn of %d groups from barrier %d on, but '%s' began turns of %d from %d on", groups, id, t.opened.Name(), t.groups, t.id)
	case !t.taken.IsNil():
		return op.Errorf("waits for ever: the turn was taken and not passed on").Note(t.taken.Loc(), "where it was taken")
	}
	return nil
}

// meets reports a barrier that groups which wait for their turn never come to.
func (t *turns) meets(op ir.Op) error {
	if t.taken.IsNil() {
		return nil
	}
	return op.Errorf("waits for ever: the other groups of warps wait for a turn that this one has taken").Note(t.taken.Loc(), "where it was taken")
}

// over reports turns that are left open.
func (t *turns) over() error {
	if t.opened.IsNil() {
		return nil
	}
	return t.opened.Errorf("begins turns that nobody ends: an arrival is left at a named barrier")
}
