package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A web is the values of a sum that are one after the other in the same place of tensor memory.
type web struct {
	values []ir.Value
	users  []ir.Op // products, waits and loops that make the values
	buffer ir.Value
}

// A carried is a value that a loop carries.
type carried struct {
	loop  ir.Op
	index int
}

// webs finds which values are in tensor memory, and in which place.
type webs struct {
	products, waits []ir.Op // in program order
	loops           []carried
	place           map[ir.Value]*web
	kept            map[carried]bool // a loop carries it in tensor memory
	exits           map[ir.Op][]ir.Op
}

func newWebs(fn ir.Op) *webs {
	w := &webs{place: make(map[ir.Value]*web), kept: make(map[carried]bool), exits: make(map[ir.Op][]ir.Op)}
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case isProduct(op):
			w.products = append(w.products, op)
		case op.Is(tileas.DotWait):
			w.waits = append(w.waits, op)
		case op.Is(scf.For):
			for i := range op.NumResults() {
				w.loops = append(w.loops, carried{op, i})
			}
		case op.Is(scf.Continue):
			w.exits[ir.ExitTarget(op)] = append(w.exits[ir.ExitTarget(op)], op)
		}
		return ir.Advance
	})
	return w
}

func (c carried) arg() ir.Value    { return c.loop.Body().Arg(1 + c.index) }
func (c carried) init() ir.Value   { return c.loop.Operand(scf.NumBounds + c.index) }
func (c carried) result() ir.Value { return c.loop.Result(c.index) }

// has reports whether a value is a sum in tensor memory.
func (w *webs) has(v ir.Value) bool { return w.place[v] != nil }

func (w *webs) of(v ir.Value) *web { return w.place[v] }

// find divides the values: first all that loops may carry in tensor memory are supposed to be, then those are taken out again that something else takes or that two take.
func (w *webs) find() error {
	products := make(map[ir.Value]bool)
	for _, p := range w.products {
		products[p.Result(0)] = true
	}
	for _, c := range w.loops {
		if _, tensor := c.arg().Type().(*ir.TensorType); tensor {
			w.kept[c] = true
		}
	}
	for changed := true; changed; {
		changed = false
		w.place = make(map[ir.Value]*web)
		w.spread(products)
		for _, c := range w.loops {
			if w.kept[c] && !w.keeps(c) {
				delete(w.kept, c)
				changed = true
			}
		}
	}
	return nil
}

// spread makes the webs for the loops that are kept.
func (w *webs) spread(products map[ir.Value]bool) {
	w.place = make(map[ir.Value]*web)
	for _, p := range w.products {
		w.add(&web{}, p.Result(0), p)
	}
	for again := true; again; {
		again = false
		join := func(a, b ir.Value, user ir.Op) { // b is where a is
			if w.has(a) && w.place[a] != w.place[b] {
				w.merge(a, b, user)
				again = true
			}
		}
		for _, op := range w.waits {
			for i, v := range op.Operands() {
				join(v, op.Result(i), op)
			}
		}
		for _, c := range w.loops { // in program order, so that the result does not depend on chance
			if !w.kept[c] {
				continue
			}
			for _, e := range w.exits[c.loop] {
				join(e.Operand(c.index), c.arg(), c.loop)
				join(e.Operand(c.index), c.result(), c.loop)
			}
			if w.has(c.arg()) && w.has(c.init()) && w.takers(c.init()) == 1 {
				join(c.init(), c.arg(), c.loop)
			}
		}
		for _, p := range w.products {
			if w.inPlace(p) {
				join(p.Operand(2), p.Result(0), p)
			}
		}
	}
}

func (w *webs) add(to *web, v ir.Value, user ir.Op) {
	to.values, to.users = append(to.values, v), append(to.users, user)
	w.place[v] = to
}

func (w *webs) merge(a, b ir.Value, user ir.Op) {
	to, from := w.place[a], w.place[b]
	if from == nil {
		w.add(to, b, user)
		return
	}
	for i, v := range from.values {
		w.add(to, v, from.users[i])
	}
	to.users = append(to.users, user)
}

// inPlace reports whether a product adds to what is in tensor memory already: nothing else goes on with that sum.
func (w *webs) inPlace(product ir.Op) bool {
	c := product.Operand(2)
	return w.has(c) && w.takers(c) == 1
}

// takers counts what goes on with a sum and leaves another one in its place. A loop that the sum is made in front of does so in each of its iterations, of which the second no longer finds it: that counts as several.
func (w *webs) takers(v ir.Value) (n int) {
	for u := range v.Uses() {
		op, taken := u.Owner(), 0
		switch {
		case isProduct(op) && u.Index() == 2, w.exit(u), w.entry(u):
			taken = 1
		case op.Is(tileas.DotWait):
			taken = w.takers(op.Result(u.Index()))
		}
		if taken > 0 && repeats(op, v) {
			taken = several
		}
		n += taken
	}
	return n
}

const several = 2

// repeats reports whether an operation may be executed more than once for a value: a loop is around it that is not around the value.
func repeats(op ir.Op, v ir.Value) bool {
	for p := op.ParentOp(); !p.IsNil() && !p.IsAncestorOf(v.Block().ParentOp()); p = p.ParentOp() {
		if p.NumRegions() > 0 && !p.Is(scf.If) {
			return true
		}
	}
	return false
}

// exit reports whether a use hands the value to the next iteration of a loop that keeps it.
func (w *webs) exit(u ir.Use) bool {
	return u.Owner().Is(scf.Continue) && w.kept[carried{ir.ExitTarget(u.Owner()), u.Index()}]
}

// entry reports whether a use is what such a loop begins with.
func (w *webs) entry(u ir.Use) bool {
	return u.Owner().Is(scf.For) && w.kept[carried{u.Owner(), u.Index() - scf.NumBounds}]
}

// inside reports whether what takes a sum takes it in tensor memory.
func (w *webs) inside(u ir.Use) bool {
	op := u.Owner()
	switch {
	case isProduct(op) && u.Index() == 2:
		return w.inPlace(op)
	case w.entry(u):
		c := carried{op, u.Index() - scf.NumBounds}
		return w.place[c.arg()] == w.place[u.Value()]
	}
	return op.Is(tileas.DotWait) || w.exit(u)
}

// keeps reports whether a loop can carry a value in tensor memory: each iteration leaves it there, and one product at most goes on with it.
func (w *webs) keeps(c carried) bool {
	arg, sums := c.arg(), false
	for _, e := range w.exits[c.loop] {
		v := e.Operand(c.index)
		if v != arg && (!w.has(v) || w.place[v] != w.place[arg] || w.takers(v) != 1) {
			return false
		}
		sums = sums || v != arg
	}
	if !sums || w.takers(arg) > 1 {
		return false
	}
	for i := range c.loop.NumResults() { // values that change places are both there at the same time
		if o := (carried{c.loop, i}); o != c && w.kept[o] && w.place[o.arg()] == w.place[arg] {
			return false
		}
	}
	return !w.read(c) || w.readsFirst(c)
}

// read reports whether threads take what an iteration begins with.
func (w *webs) read(c carried) bool {
	for u := range c.arg().Uses() {
		if !w.inside(u) {
			return true
		}
	}
	return false
}

// reader returns the first operation of the body in or at which threads take what an iteration begins with.
func (w *webs) reader(c carried) (first ir.Op) {
	for u := range c.arg().Uses() {
		if w.inside(u) {
			continue
		}
		if op := inBlock(u.Owner(), c.loop.Body()); first.IsNil() || op.IsBeforeInBlock(first) {
			first = op
		}
	}
	return first
}

// readsFirst reports whether threads can take what an iteration begins with in front of everything that leaves another sum in its place. What they make of it then, as attention that scales its sum, may go back there.
func (w *webs) readsFirst(c carried) bool {
	at := w.reader(c)
	for _, p := range w.products {
		if w.place[p.Result(0)] == w.place[c.arg()] && c.loop.IsAncestorOf(p) && !at.IsBeforeInBlock(inBlock(p, c.loop.Body())) {
			return false
		}
	}
	return true
}

// inBlock returns the operation of a block that another one is, or is in.
func inBlock(op ir.Op, b ir.Block) ir.Op {
	for op.Block() != b {
		op = op.ParentOp()
	}
	return op
}

// first returns the operation that everything of a web stands behind, or in.
func (w *web) first() ir.Op {
	at := w.users[0]
	for _, u := range w.users[1:] {
		a, b := at, u
		for a.Block() != b.Block() {
			if depth(a) > depth(b) {
				a = a.ParentOp()
			} else {
				b = b.ParentOp()
			}
		}
		if at = a; b.IsBeforeInBlock(a) {
			at = b
		}
	}
	return at
}

func depth(op ir.Op) (n int) {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		n++
	}
	return n
}
