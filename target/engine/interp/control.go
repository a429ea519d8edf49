package interp

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// A nested executes an operation with regions.
//
// What a body ends with is an exit: yield ends an if or a body of a reduction, continue an iteration, break a
// loop, return the entry. It is handed outwards until an operation takes it.
type nested = func(m *machine) (exit, error)

func (d *decoder) ifOp(op ir.Op) (nested, error) {
	f := frame{yield: d.slotsOf(op.Results())}
	cond := d.slot(op.Operand(0))
	var arms [2]*code // for false and true
	for i := range arms {
		region := op.Region(1 - i)
		if region.Empty() {
			continue
		}
		var err error
		if arms[i], err = d.block(region.First(), f); err != nil {
			return nil, err
		}
	}
	return func(m *machine) (exit, error) {
		if err := m.defined(op, cond, nil, "condition"); err != nil {
			return exitNone, err
		}
		arm := arms[m.vals[cond].data[0]&1]
		if arm == nil {
			return exitNone, nil
		}
		e, err := m.exec(arm)
		if e == exitYield {
			e = exitNone
		}
		return e, err
	}, nil
}

// moveInits moves the initial values of a loop to its block arguments. No argument is used before all are set.
func (m *machine) moveInits(from, to []int) {
	for i, s := range from {
		if s >= 0 {
			m.share(to[i], m.vals[s])
		}
	}
}

// moveResults moves the loop-carried values to the results of a loop.
func (m *machine) moveResults(from, to []int) {
	for i, s := range from {
		if s >= 0 {
			m.share(to[i], m.vals[s])
			m.drop(s)
		}
	}
}

// for has no break, so that any exit but continue leaves an operation farther out.
func (d *decoder) forOp(op ir.Op) (nested, error) {
	lower, upper, step := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.slot(op.Operand(2))
	w := widthOf(elemOf(op.Operand(0)))
	unsigned := op.HasUnitAttr("unsignedCmp") || op.Is(scf.For) && op.HasUnitAttr("unsigned")
	less := func(a, b uint64) bool {
		if unsigned {
			return a < b
		}
		return w.Signed(a) < w.Signed(b)
	}
	inits, results := d.slotsOf(op.Operands()[3:]), d.slotsOf(op.Results())
	args := d.newSlots(op.Body().Args())
	body, err := d.block(op.Body(), frame{next: args[1:]})
	if err != nil {
		return nil, err
	}
	return func(m *machine) (exit, error) {
		for i, what := range [...]string{"lower bound", "upper bound", "step"} {
			if err := m.defined(op, [...]int{lower, upper, step}[i], nil, what); err != nil {
				return exitNone, err
			}
		}
		iv, end, inc := m.vals[lower].data[0], m.vals[upper].data[0], m.vals[step].data[0]
		if w.Signed(inc) <= 0 && !(unsigned && inc != 0) {
			return exitNone, op.Errorf("has step %d, which is not positive", w.Signed(inc))
		}
		m.moveInits(inits, args[1:])
		// Bounds and step are read once: they are operands, not variables.
		for less(iv, end) {
			m.put(args[0], m.scalar(iv))
			if e, err := m.exec(body); err != nil || e != exitContinue {
				return e, err
			}
			next := w.Add(iv, inc)
			if !less(iv, next) {
				break // beyond the largest value: every further one would be too
			}
			iv = next
		}
		m.moveResults(args[1:], results)
		return exitNone, nil
	}, nil
}

func (d *decoder) loopOp(op ir.Op) (nested, error) {
	inits, results := d.slotsOf(op.Operands()), d.slotsOf(op.Results())
	args := d.newSlots(op.Body().Args())
	body, err := d.block(op.Body(), frame{next: args, leave: results})
	if err != nil {
		return nil, err
	}
	return func(m *machine) (exit, error) {
		m.moveInits(inits, args)
		ordered, changed := m.ordered, m.changed // in the iteration of the loop around
		for {
			m.ordered, m.changed = false, false
			e, err := m.exec(body)
			ordered, changed = ordered || m.ordered, changed || m.changed
			switch {
			case err != nil:
				return e, err
			case e == exitBreak:
				m.ordered, m.changed = ordered, changed
				return exitNone, nil
			case e != exitContinue:
				m.ordered, m.changed = ordered, changed
				return e, nil
			}
			// An iteration that reads memory in which nothing was written by others gets nowhere: another tile block
			// may have to run first.
			if m.ordered {
				if err := m.pause(op); err != nil { // or another role
					return e, err
				}
				if err := m.wait(); err != nil {
					return e, m.stoppedAt(op, err)
				}
			}
		}
	}, nil
}
