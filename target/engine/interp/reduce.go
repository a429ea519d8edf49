package interp

import (
	"github.com/tilewright/tilewright/ir"
)

// An aggregate is a reduce or scan: a body that combines two values of each operand. A body whose operations work element by element runs on
// many pairs at once.
//
// For a body that is not commutative it matters which comes first: it is the value of the elements that come first. The text of the
// specification calls the first argument of a scan the current element, but its formula, f(result[j-1], X[j]), the front ends and what the
// reference compiler emits agree on this order, for reduce as well.
//
// Running the body on vectors matters: a reduction of 1024 elements executes it ten times, and not 1023 times.
type aggregate struct {
	operands, results []int
	accs, elems       []int // block arguments
	yields            []int
	body              *code
	vector            bool

	outer, n, inner int // sizes before, of and after the dimension
}

func (d *decoder) aggregate(op ir.Op) (*aggregate, error) {
	dim, _ := op.IntAttr("dim")
	shape := shapeOf(op.Operand(0))
	a := &aggregate{operands: d.slotsOf(op.Operands()), results: d.slotsOf(op.Results()),
		outer: count(shape[:dim]), n: int(shape[dim]), inner: count(shape[dim+1:])}
	args := d.newSlots(op.Body().Args())
	for i := range a.operands {
		a.accs = append(a.accs, args[2*i])
		a.elems = append(a.elems, args[2*i+1])
		a.yields = append(a.yields, d.tempSlot())
	}
	var err error
	a.body, err = d.block(op.Body(), frame{yield: a.yields})
	a.vector = true
	for i := range op.Body().Ops() {
		a.vector = a.vector && (i.HasTrait(ir.Terminator) || vectors[executedAs(i.Def())] && scalars(i))
	}
	return a, err
}

// scalars reports whether all tiles of an operation are scalars.
func scalars(op ir.Op) bool {
	for _, v := range append(op.Operands(), op.Results()...) {
		if len(shapeOf(v)) > 0 {
			return false
		}
	}
	return true
}

// combine runs the body on pairs, whose references it takes over, and returns the new accumulators.
//
// It takes the references over so that temporary tiles are reused by the next round.
func (a *aggregate) combine(m *machine, elems, accs []*vec) error {
	if !a.vector && len(elems[0].data) > 1 {
		return a.combineEach(m, elems, accs)
	}
	n := len(elems[0].data)
	for i := range elems {
		m.put(a.elems[i], elems[i])
		m.put(a.accs[i], accs[i])
	}
	if _, err := m.exec(a.body); err != nil {
		return err
	}
	for i, s := range a.yields {
		v := m.vals[s]
		if len(v.data) != n { // it does not depend on the arguments
			_, t := m.stretch(v, n)
			t.undef = unionUndef(n, v)
			m.put(s, t)
			v = t
		}
		accs[i] = v
		m.vals[s] = nil
	}
	return nil
}

// combineEach runs the body on each pair for itself.
//
// Bodies with regions, or with tiles of their own, are not element-wise.
func (a *aggregate) combineEach(m *machine, elems, accs []*vec) error {
	e, c := make([]*vec, len(elems)), make([]*vec, len(elems))
	out := make([]*vec, len(elems))
	for i := range out {
		out[i] = m.alloc(len(elems[i].data))
	}
	for k := range elems[0].data {
		for i := range e {
			e[i], c[i] = m.element(elems[i], k), m.element(accs[i], k)
		}
		if err := a.combine(m, e, c); err != nil {
			return err
		}
		for i, v := range c {
			if out[i].data[k] = v.data[0]; v.isUndef(0) {
				out[i].markUndef(k)
			}
			m.release(v)
		}
	}
	for i := range accs {
		m.release(elems[i])
		m.release(accs[i])
	}
	copy(accs, out)
	return nil
}

func (m *machine) element(v *vec, k int) *vec {
	r := m.scalar(v.data[k])
	if v.isUndef(k) {
		r.undef = []bool{true}
	}
	return r
}

// reduce combines neighbours until one is left of each row, keeping their order.
//
// The specification leaves the order of combination open. Neighbours in pairs is the tree that GPUs use in some form,
// and rounds float sums less than a chain would; compiled code may differ from it within the tolerance of a case.
func (d *decoder) reduce(op ir.Op) (nested, error) {
	a, err := d.aggregate(op)
	if err != nil {
		return nil, err
	}
	if a.n&(a.n-1) != 0 {
		return nil, op.Errorf("cannot be interpreted: combines %d elements, which is not a power of two", a.n)
	}
	return func(m *machine) (exit, error) {
		elems, accs := make([]*vec, len(a.operands)), make([]*vec, len(a.operands))
		for i, s := range a.operands {
			accs[i] = m.vals[s]
			m.retain(accs[i])
		}
		for n := a.n; n > 1; n /= 2 {
			shape, step := []int64{int64(a.outer * n / 2), int64(a.inner)}, []int64{int64(2 * a.inner), 1}
			if a.inner == 1 {
				shape, step = shape[:1], step[:1]
			}
			for i, v := range accs {
				elems[i] = m.gather(v, shape, int64(a.inner), step)
				accs[i] = m.gather(v, shape, 0, step)
				m.release(v)
			}
			if err := a.combine(m, elems, accs); err != nil {
				return exitNone, err
			}
		}
		for i, s := range a.results {
			m.put(s, accs[i])
		}
		return exitNone, nil
	}, nil
}

// scan combines each element along the dimension with the accumulator of those before it.
func (d *decoder) scan(op ir.Op) (nested, error) {
	a, err := d.aggregate(op)
	if err != nil {
		return nil, err
	}
	reverse := backwards(op)
	shape := []int64{int64(a.outer), int64(a.inner)}
	step := []int64{int64(a.n * a.inner), 1}
	return func(m *machine) (exit, error) {
		elems, accs := make([]*vec, len(a.operands)), make([]*vec, len(a.operands))
		for i, s := range a.results {
			m.put(s, m.alloc(len(m.vals[a.operands[i]].data)))
		}
		for k := range a.n {
			at := int64(k * a.inner)
			if reverse {
				at = int64((a.n - 1 - k) * a.inner)
			}
			for i, s := range a.operands {
				elems[i] = m.gather(m.vals[s], shape, at, step)
			}
			if k == 0 {
				copy(accs, elems)
			} else if err := a.combine(m, elems, accs); err != nil {
				return exitNone, err
			}
			for i, s := range a.results {
				m.insertPart(m.vals[s], accs[i], shape, at, step)
			}
		}
		for _, v := range accs {
			m.release(v)
		}
		return exitNone, nil
	}, nil
}
