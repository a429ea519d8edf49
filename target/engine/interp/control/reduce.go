package control

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{cudatile.Reduce: {Nest: reduce}, cudatile.Scan: {Nest: scan}})
	for _, l := range core.Levels {
		core.Define(core.Table{l.Reduce: {Nest: reduce}, l.Scan: {Nest: scan}})
	}
}

// An aggregate is a reduce or scan: a body that combines two values of each operand. A body of element-wise operations
// runs on many pairs at once.
//
// If the body does not commute, its first argument is the value of the elements that come first. The specification
// calls the first argument of a scan the current element. Its formula f(result[j-1], X[j]), the front ends and the
// reference compiler's code agree on the order here, for reduce too.
type aggregate struct {
	operands, results []int
	accs, elems       []int // block arguments
	yields            []int
	body              *core.Code
	vector            bool
	pairs             func(out, pairs []uint64) // what the body does to neighbours, or nil

	outer, n, inner int // sizes before, along and after the dimension
}

func newAggregate(d *core.Decoder, op ir.Op) (*aggregate, error) {
	dim, _ := op.IntAttr("dim")
	shape := values.ShapeOf(op.Operand(0))
	a := &aggregate{operands: d.SlotsOf(op.Operands()), results: d.SlotsOf(op.Results()),
		outer: values.Count(shape[:dim]), n: int(shape[dim]), inner: values.Count(shape[dim+1:])}
	args := d.NewSlots(op.Body().Args())
	for i := range a.operands {
		a.accs = append(a.accs, args[2*i])
		a.elems = append(a.elems, args[2*i+1])
		a.yields = append(a.yields, d.TempSlot())
	}
	var err error
	a.body, err = d.Block(op.Body(), core.Frame{Yield: a.yields})
	a.vector = true
	for i := range op.Body().Ops() {
		a.vector = a.vector && (i.HasTrait(ir.Terminator) || core.RowOf(i.Def()).Vector && scalars(i))
	}
	a.pairs = pairsOf(op.Body())
	return a, err
}

// pairsOf returns what combines pairs of neighbours as a body does, which is one operation on its arguments in their
// order. Else it returns nil.
func pairsOf(body ir.Block) func(out, pairs []uint64) {
	for op := range body.Ops() {
		row := core.RowOf(op.Def())
		if row.Pairs == nil || len(body.Args()) != 2 || op.Operand(0) != body.Arg(0) || op.Operand(1) != body.Arg(1) {
			return nil
		}
		end := op.Next()
		if !end.HasTrait(ir.Terminator) || end.NumOperands() != 1 || end.Operand(0) != op.Result(0) {
			return nil
		}
		return row.Pairs(op)
	}
	return nil
}

// scalars reports whether all tiles of an operation are scalars.
func scalars(op ir.Op) bool {
	for _, v := range append(op.Operands(), op.Results()...) {
		if len(values.ShapeOf(v)) > 0 {
			return false
		}
	}
	return true
}

// combine runs the body on pairs and returns the new accumulators. It takes over the references of its operands, so
// that the next round reuses their memory.
func (a *aggregate) combine(m *core.Machine, elems, accs []*values.Vec) error {
	if !a.vector && len(elems[0].Data) > 1 {
		return a.combineEach(m, elems, accs)
	}
	n := len(elems[0].Data)
	for i := range elems {
		m.Put(a.elems[i], elems[i])
		m.Put(a.accs[i], accs[i])
	}
	if _, err := m.Exec(a.body); err != nil {
		return err
	}
	for i, s := range a.yields {
		v := m.Vals[s]
		if len(v.Data) != n { // it does not depend on the arguments
			_, t := m.Stretch(v, n)
			t.Undef = values.UnionUndef(n, v)
			m.Put(s, t)
			v = t
		}
		accs[i] = v
		m.Vals[s] = nil
	}
	return nil
}

// combineEach runs the body on one pair at a time: bodies with regions, or with tiles of their own, are not
// element-wise.
func (a *aggregate) combineEach(m *core.Machine, elems, accs []*values.Vec) error {
	e, c := make([]*values.Vec, len(elems)), make([]*values.Vec, len(elems))
	out := make([]*values.Vec, len(elems))
	for i := range out {
		out[i] = m.Alloc(len(elems[i].Data))
	}
	for k := range elems[0].Data {
		for i := range e {
			e[i], c[i] = m.Element(elems[i], k), m.Element(accs[i], k)
		}
		if err := a.combine(m, e, c); err != nil {
			return err
		}
		for i, v := range c {
			if out[i].Data[k] = v.Data[0]; v.IsUndef(0) {
				out[i].MarkUndef(k)
			}
			m.Release(v)
		}
	}
	for i := range accs {
		m.Release(elems[i])
		m.Release(accs[i])
	}
	copy(accs, out)
	return nil
}

// reduce combines neighbours until one is left of each row, keeping their order.
//
// The specification leaves the order open. GPUs use a tree of neighbours in some form, and it rounds float sums less
// than a chain would. Compiled code may differ from it within the tolerance of a case.
func reduce(d *core.Decoder, op ir.Op) (core.Nested, error) {
	a, err := newAggregate(d, op)
	if err != nil {
		return nil, err
	}
	if a.n&(a.n-1) != 0 {
		return nil, op.Errorf("cannot be interpreted: combines %d elements, which is not a power of two", a.n)
	}
	return func(m *core.Machine) (core.Exit, error) {
		elems, accs := make([]*values.Vec, len(a.operands)), make([]*values.Vec, len(a.operands))
		for i, s := range a.operands {
			accs[i] = m.Vals[s]
			m.Retain(accs[i])
		}
		for n := a.n; n > 1; n /= 2 {
			if v := accs[0]; a.pairs != nil && a.inner == 1 && v.Undef == nil && !m.Watched() {
				near := min(n, nearPairs)
				accs[0] = m.Alloc(len(v.Data) / near)
				a.combineNear(m, accs[0].Data, v.Data, near)
				m.Release(v)
				n /= near / 2
				continue
			}
			shape, step := []int64{int64(a.outer * n / 2), int64(a.inner)}, []int64{int64(2 * a.inner), 1}
			for i, v := range accs {
				if a.inner == 1 {
					accs[i], elems[i] = m.Split(v)
				} else {
					elems[i] = m.Gather(v, shape, int64(a.inner), step)
					accs[i] = m.Gather(v, shape, 0, step)
				}
				m.Release(v)
			}
			if err := a.combine(m, elems, accs); err != nil {
				return core.ExitNone, err
			}
		}
		for i, s := range a.results {
			m.Put(s, accs[i])
		}
		return core.ExitNone, nil
	}, nil
}

// nearPairs is how many elements are combined at a time: less than the nearest cache has room for.
const nearPairs = 1 << 10

// combineNear combines each n neighbours, a power of two up to nearPairs, pair by pair.
func (a *aggregate) combineNear(m *core.Machine, out, elems []uint64, n int) {
	if n == 2 {
		a.pairs(out, elems)
		return
	}
	temp := m.Alloc(nearPairs / 2)
	for rows := min(nearPairs/n, len(out)); len(out) > 0; out, elems = out[rows:], elems[rows*n:] {
		rows = min(rows, len(out))
		level := temp.Data[:rows*n/2]
		a.pairs(level, elems[:rows*n])
		for ; len(level) > 2*rows; level = level[:len(level)/2] {
			a.pairs(level[:len(level)/2], level) // each result is where pairs were that have been read
		}
		a.pairs(out[:rows], level)
	}
	m.Release(temp)
}

// scan combines each element along the dimension with the accumulator of those before it.
func scan(d *core.Decoder, op ir.Op) (core.Nested, error) {
	a, err := newAggregate(d, op)
	if err != nil {
		return nil, err
	}
	reverse := backwards(op)
	shape := []int64{int64(a.outer), int64(a.inner)}
	step := []int64{int64(a.n * a.inner), 1}
	return func(m *core.Machine) (core.Exit, error) {
		elems, accs := make([]*values.Vec, len(a.operands)), make([]*values.Vec, len(a.operands))
		for i, s := range a.results {
			m.Put(s, m.Alloc(len(m.Vals[a.operands[i]].Data)))
		}
		for k := range a.n {
			at := int64(k * a.inner)
			if reverse {
				at = int64((a.n - 1 - k) * a.inner)
			}
			for i, s := range a.operands {
				elems[i] = m.Gather(m.Vals[s], shape, at, step)
			}
			if k == 0 {
				copy(accs, elems)
			} else if err := a.combine(m, elems, accs); err != nil {
				return core.ExitNone, err
			}
			for i, s := range a.results {
				m.InsertPart(m.Vals[s], accs[i], shape, at, step)
			}
		}
		for _, v := range accs {
			m.Release(v)
		}
		return core.ExitNone, nil
	}, nil
}

// backwards reports whether a scan begins at the end.
func backwards(op ir.Op) bool {
	if op.Is(cudatile.Scan) {
		n, _ := op.IntAttr("reverse")
		return n != 0
	}
	return op.HasUnitAttr(tile.AttrReverse)
}
