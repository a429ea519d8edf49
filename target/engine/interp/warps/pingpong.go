package warps

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// A role runs as one here, so its groups of warps never really alternate. What is checked is what would stop them on a
// device: a turn that is not taken, not passed, or never opened.

func init() {
	core.Define(core.Table{tileas.PingPongWait: {Run: pingpongWait}, tileas.PingPongSignal: {Run: pingpongSignal}})
}

func pingpongWait(d *core.Decoder, op ir.Op) (core.Action, error) {
	ends := op.HasUnitAttr(tileas.AttrClose)
	return func(m *core.Machine) error {
		t := &m.Pingpong
		switch err := t.Fits(op); {
		case err != nil:
			return err
		case ends:
			*t = sched.PingPong{}
		default:
			t.Taken = op
		}
		return nil
	}, nil
}

func pingpongSignal(d *core.Decoder, op ir.Op) (core.Action, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	groups, _ := op.IntAttr(tileas.AttrGroups)
	opens := op.HasUnitAttr(tileas.AttrOpen)
	return func(m *core.Machine) error {
		t := &m.Pingpong
		switch {
		case opens && !t.Opened.IsNil():
			return op.Errorf("opens a ping-pong that is open already").Note(t.Opened.Loc(), "where they began")
		case opens:
			*t = sched.PingPong{Opened: op, Id: id, Groups: groups}
			return nil
		case t.Taken.IsNil():
			return op.Errorf("passes a turn that was not taken: the next group gets one too many")
		case t.Id != id || t.Groups != groups:
			return op.Errorf("passes a turn of %d groups from barrier %d on, but '%s' opened one of %d from %d on", groups, id, t.Opened.Name(), t.Groups, t.Id)
		}
		t.Taken = ir.Op{}
		return nil
	}, nil
}
