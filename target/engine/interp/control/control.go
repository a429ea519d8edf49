package control

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{
		cudatile.If: {Nest: ifOp}, cudatile.For: {Nest: forOp}, cudatile.Loop: {Nest: loopOp},
		scf.If: {Nest: ifOp}, scf.For: {Nest: forOp}, scf.Loop: {Nest: loopOp},
	})
}

func ifOp(d *core.Decoder, op ir.Op) (core.Nested, error) {
	f := core.Frame{Yield: d.SlotsOf(op.Results())}
	cond := d.Slot(op.Operand(0))
	var arms [2]*core.Code // for false and true
	for i := range arms {
		region := op.Region(1 - i)
		if region.Empty() {
			continue
		}
		var err error
		if arms[i], err = d.Block(region.First(), f); err != nil {
			return nil, err
		}
	}
	return func(m *core.Machine) (core.Exit, error) {
		if err := m.Defined(op, cond, nil, "condition"); err != nil {
			return core.ExitNone, err
		}
		arm := arms[m.Vals[cond].Data[0]&1]
		if arm == nil {
			return core.ExitNone, nil
		}
		e, err := m.Exec(arm)
		if e == core.ExitYield {
			e = core.ExitNone
		}
		return e, err
	}, nil
}

// moveInits moves the initial values of a loop to its block arguments. No argument is used before all are set.
func moveInits(m *core.Machine, from, to []int) {
	for i, s := range from {
		if s >= 0 {
			m.Share(to[i], m.Vals[s])
		}
	}
}

// moveResults moves the loop-carried values to the results of a loop.
func moveResults(m *core.Machine, from, to []int) {
	for i, s := range from {
		if s >= 0 {
			m.Share(to[i], m.Vals[s])
			m.Drop(s)
		}
	}
}

// forOp: a for has no break, so every exit but continue ends an operation around it.
func forOp(d *core.Decoder, op ir.Op) (core.Nested, error) {
	lower, upper, step := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Slot(op.Operand(2))
	w := values.WidthOf(values.ElemOf(op.Operand(0)))
	unsigned := op.HasUnitAttr("unsignedCmp") || op.Is(scf.For) && op.HasUnitAttr("unsigned")
	less := func(a, b uint64) bool {
		if unsigned {
			return a < b
		}
		return w.Signed(a) < w.Signed(b)
	}
	inits, results := d.SlotsOf(op.Operands()[3:]), d.SlotsOf(op.Results())
	args := d.NewSlots(op.Body().Args())
	body, err := d.Block(op.Body(), core.Frame{Next: args[1:]})
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) (core.Exit, error) {
		for i, what := range [...]string{"lower bound", "upper bound", "step"} {
			if err := m.Defined(op, [...]int{lower, upper, step}[i], nil, what); err != nil {
				return core.ExitNone, err
			}
		}
		iv, end, inc := m.Vals[lower].Data[0], m.Vals[upper].Data[0], m.Vals[step].Data[0]
		if w.Signed(inc) <= 0 && !(unsigned && inc != 0) {
			return core.ExitNone, op.Errorf("has step %d, which is not positive", w.Signed(inc))
		}
		moveInits(m, inits, args[1:])
		// Bounds and step are read once. They are operands, which an iteration cannot change.
		for less(iv, end) {
			m.Put(args[0], m.Scalar(iv))
			if e, err := m.Exec(body); err != nil || e != core.ExitContinue {
				return e, err
			}
			next := w.Add(iv, inc)
			if !less(iv, next) {
				break // the addition wrapped: all further numbers are beyond the largest
			}
			iv = next
		}
		moveResults(m, args[1:], results)
		return core.ExitNone, nil
	}, nil
}

func loopOp(d *core.Decoder, op ir.Op) (core.Nested, error) {
	inits, results := d.SlotsOf(op.Operands()), d.SlotsOf(op.Results())
	args := d.NewSlots(op.Body().Args())
	body, err := d.Block(op.Body(), core.Frame{Next: args, Leave: results})
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) (core.Exit, error) {
		moveInits(m, inits, args)
		ordered, changed := m.Ordered, m.Changed // of the iteration of the enclosing loop
		for {
			m.Ordered, m.Changed = false, false
			e, err := m.Exec(body)
			ordered, changed = ordered || m.Ordered, changed || m.Changed
			switch {
			case err != nil:
				return e, err
			case e == core.ExitBreak:
				m.Ordered, m.Changed = ordered, changed
				return core.ExitNone, nil
			case e != core.ExitContinue:
				m.Ordered, m.Changed = ordered, changed
				return e, nil
			}
			// An iteration that read memory which others may change may wait for them. Let another tile block or role
			// run.
			if m.Ordered {
				if err := m.Pause(op); err != nil {
					return e, err
				}
				if err := m.Wait(); err != nil {
					return e, fault.StoppedAt(m.Ctx, op, err)
				}
			}
		}
	}, nil
}
