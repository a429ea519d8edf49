package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// structured says how operations with control-flow regions are executed. When leave is set, control left the operation for one further out, as by a
// break in an if, and the exit says how.
var structured map[*ir.OpDef]func(m *machine, op ir.Op) (e exit, leave bool, err error)

func init() {
	structured = map[*ir.OpDef]func(*machine, ir.Op) (exit, bool, error){
		cudatile.If: (*machine).ifOp, cudatile.For: (*machine).forOp, cudatile.Loop: (*machine).loopOp,
	}
}

func (m *machine) setResults(op ir.Op, values []value) {
	for i, v := range values {
		m.set(op.Result(i), v)
	}
}

func (m *machine) ifOp(op ir.Op) (exit, bool, error) {
	region := op.Region(1)
	if m.operand(op, 0).data[0] != 0 {
		region = op.Region(0)
	}
	if region.Empty() {
		return exit{}, false, nil
	}
	e, err := m.block(region.First())
	if err != nil || !e.op.Is(cudatile.Yield) {
		return e, true, err
	}
	m.setResults(op, e.values)
	return exit{}, false, nil
}

func (m *machine) forOp(op ir.Op) (exit, bool, error) {
	lower, upper, step := m.operand(op, 0), m.operand(op, 1), m.operand(op, 2)
	w := lower.width()
	unsigned := op.HasUnitAttr("unsignedCmp")
	less := func(a, b uint64) bool {
		if unsigned {
			return a < b
		}
		return w.Signed(a) < w.Signed(b)
	}
	if !less(0, step.data[0]) {
		return exit{}, false, fail(op, "has step %d, which is not positive", w.Signed(step.data[0]))
	}
	carried := make([]value, op.NumOperands()-3)
	for i := range carried {
		carried[i] = m.get(op.Operand(3 + i))
	}
	body := op.Body()
	for iv := lower.data[0]; less(iv, upper.data[0]); {
		m.set(body.Arg(0), value{tile: scalar(lower.elem, iv)})
		for i, v := range carried {
			m.set(body.Arg(1+i), v)
		}
		e, err := m.block(body)
		if err != nil || !e.op.Is(cudatile.Continue) {
			return e, true, err
		}
		carried = e.values
		next := w.Add(iv, step.data[0])
		if !less(iv, next) {
			break // beyond the largest value: every further one would be too
		}
		iv = next
	}
	m.setResults(op, carried)
	return exit{}, false, nil
}

func (m *machine) loopOp(op ir.Op) (exit, bool, error) {
	carried := make([]value, op.NumOperands())
	for i := range carried {
		carried[i] = m.get(op.Operand(i))
	}
	body := op.Body()
	for {
		for i, v := range carried {
			m.set(body.Arg(i), v)
		}
		e, err := m.block(body)
		if err != nil {
			return e, true, err
		}
		switch {
		case e.op.Is(cudatile.Continue):
			carried = e.values
		case e.op.Is(cudatile.Break):
			m.setResults(op, e.values)
			return exit{}, false, nil
		default:
			return e, true, nil
		}
	}
}
