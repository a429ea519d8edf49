package sched

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// PingPong is the state of a ping-pong between the groups of one role's warps: where it began, and whether this group
// holds the turn.
type PingPong struct {
	Opened, Taken ir.Op
	Id, Groups    int64
}

// Fits reports a pingpong_wait that never gets a turn.
func (t *PingPong) Fits(op ir.Op) error {
	id, _ := op.IntAttr(tileas.AttrID)
	groups, _ := op.IntAttr(tileas.AttrGroups)
	switch {
	case t.Opened.IsNil():
		return op.Errorf("waits forever: nobody has given the first group its turn")
	case t.Id != id || t.Groups != groups:
		return op.Errorf("takes a turn of %d groups from barrier %d on, but '%s' opened one of %d from %d on", groups, id, t.Opened.Name(), t.Groups, t.Id)
	case !t.Taken.IsNil():
		return op.Errorf("waits forever: the turn was taken and not passed on").Note(t.Taken.Loc(), "where it was taken")
	}
	return nil
}

// Meets reports a CTA or role barrier that groups waiting for their turn never reach.
func (t *PingPong) Meets(op ir.Op) error {
	if t.Taken.IsNil() {
		return nil
	}
	return op.Errorf("waits forever: the other groups of warps wait for a turn that this one has taken").Note(t.Taken.Loc(), "where it was taken")
}

// Over reports a ping-pong that is left open.
func (t *PingPong) Over() error {
	if t.Opened.IsNil() {
		return nil
	}
	return t.Opened.Errorf("opens a ping-pong that nobody closes: an arrival is left at a named barrier")
}
