package promotetotmem

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A web is the values of an accumulator that are one after the other in the same buffer of TMEM.
type web struct {
	values []ir.Value
	users  []ir.Op // MMAs, waits and loops that make the values
	buffer ir.Value
}

// A carried is a value that a loop carries.
type carried struct {
	loop  ir.Op
	index int
}

// webs finds which values are in TMEM, and in which buffer.
type webs struct {
	mmas, waits []ir.Op // in program order
	loops       []carried
	place       map[ir.Value]*web
	kept        map[carried]bool // a loop carries it in TMEM
}

func newWebs(fn ir.Op) *webs {
	w := &webs{place: make(map[ir.Value]*web), kept: make(map[carried]bool)}
	for op := range fn.All() {
		switch {
		case isMMA(op):
			w.mmas = append(w.mmas, op)
		case op.Is(tileas.DotWait):
			w.waits = append(w.waits, op)
		case op.Is(scf.For):
			for i := range op.NumResults() {
				w.loops = append(w.loops, carried{op, i})
			}
		}
	}
	return w
}

func (c carried) arg() ir.Value    { return c.loop.Body().Arg(1 + c.index) }
func (c carried) init() ir.Value   { return c.loop.Operand(scf.NumBounds + c.index) }
func (c carried) result() ir.Value { return c.loop.Result(c.index) }

// has reports whether a value is an accumulator in TMEM.
func (w *webs) has(v ir.Value) bool { return w.place[v] != nil }

// find computes the webs. It starts from the assumption that loops carry all tensors in TMEM, and drops
// loop-carried values that something else uses, or that two MMAs continue, until nothing changes.
func (w *webs) find() {
	for _, c := range w.loops {
		if ir.IsTensor(c.arg()) {
			w.kept[c] = true
		}
	}
	for changed := true; changed; {
		changed = false
		w.spread()
		for _, c := range w.loops {
			if w.kept[c] && !w.keeps(c) {
				delete(w.kept, c)
				changed = true
			}
		}
	}
}

// spread makes the webs under the current assumption.
func (w *webs) spread() {
	w.place = make(map[ir.Value]*web)
	for _, p := range w.mmas {
		w.add(&web{}, p.Result(0), p)
	}
	for again := true; again; {
		again = false
		join := func(a, b ir.Value, user ir.Op) { // b is in the buffer of a
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
		// In program order, so the result does not depend on the order of a map.
		for _, c := range w.loops {
			if !w.kept[c] {
				continue
			}
			for _, e := range ir.Exits(c.loop) {
				join(e.Operand(c.index), c.arg(), c.loop)
				join(e.Operand(c.index), c.result(), c.loop)
			}
			// An initial value that something else still needs cannot be overwritten; the loop gets a copy in a
			// buffer of its own.
			if w.has(c.arg()) && w.has(c.init()) && w.takers(c.init()) == 1 {
				join(c.init(), c.arg(), c.loop)
			}
		}
		for _, p := range w.mmas {
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

// inPlace reports whether an MMA adds to what is in TMEM already: nothing else continues with that accumulator.
func (w *webs) inPlace(mma ir.Op) bool {
	c := mma.Operand(2)
	return w.has(c) && w.takers(c) == 1
}

// takers counts the operations that replace an accumulator in its buffer. If such an operation is in a loop, and
// the accumulator is from before the loop, the second iteration no longer finds it: that counts as several.
func (w *webs) takers(v ir.Value) (n int) {
	for u := range v.Uses() {
		op, taken := u.Owner(), 0
		switch {
		case isMMA(op) && u.Index() == 2, w.exit(u), w.entry(u):
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

// repeats reports whether an operation may run more than once for a value: a loop is around the operation and not
// around the value.
func repeats(op ir.Op, v ir.Value) bool {
	for p := op.ParentOp(); !p.IsNil() && !p.IsAncestorOf(v.Block().ParentOp()); p = p.ParentOp() {
		if p.NumRegions() > 0 && !p.Is(scf.If) {
			return true
		}
	}
	return false
}

// exit reports whether a use passes the value to the next iteration of a loop that keeps it in TMEM.
func (w *webs) exit(u ir.Use) bool {
	return u.Owner().Is(scf.Continue) && w.kept[carried{ir.ExitTarget(u.Owner()), u.Index()}]
}

// entry reports whether a use is the initial value of such a loop.
func (w *webs) entry(u ir.Use) bool {
	return u.Owner().Is(scf.For) && w.kept[carried{u.Owner(), u.Index() - scf.NumBounds}]
}

// inside reports whether a use of an accumulator is in TMEM.
func (w *webs) inside(u ir.Use) bool {
	op := u.Owner()
	switch {
	case isMMA(op) && u.Index() == 2:
		return w.inPlace(op)
	case w.entry(u):
		c := carried{op, u.Index() - scf.NumBounds}
		return w.place[c.arg()] == w.place[u.Value()]
	}
	return op.Is(tileas.DotWait) || w.exit(u)
}

// keeps reports whether a loop can carry a value in TMEM: each iteration leaves it there, and at most one MMA
// continues with it.
func (w *webs) keeps(c carried) bool {
	arg, accumulators := c.arg(), false
	for _, e := range ir.Exits(c.loop) {
		v := e.Operand(c.index)
		if v != arg && (!w.has(v) || w.place[v] != w.place[arg] || w.takers(v) != 1) {
			return false
		}
		accumulators = accumulators || v != arg
	}
	if !accumulators || w.takers(arg) > 1 {
		return false
	}
	// Two values that exchange places would be in one buffer at the same time.
	for i := range c.loop.NumResults() {
		if o := (carried{c.loop, i}); o != c && w.kept[o] && w.place[o.arg()] == w.place[arg] {
			return false
		}
	}
	return !w.read(c) || w.readsFirst(c)
}

// read reports whether threads read what an iteration begins with.
func (w *webs) read(c carried) bool { return !w.reader(c).IsNil() }

// reader returns the first operation of the body in which threads read what an iteration begins with.
func (w *webs) reader(c carried) (first ir.Op) {
	for u := range c.arg().Uses() {
		if !w.inside(u) {
			first = ir.Earliest(first, u.Owner().AncestorIn(c.loop.Body().Region()))
		}
	}
	return first
}

// readsFirst reports whether threads can read what an iteration begins with before any MMA replaces it. Then what
// they compute from it, as attention scales its accumulator, may go back to the same buffer.
func (w *webs) readsFirst(c carried) bool {
	at := w.reader(c)
	return !slices.ContainsFunc(w.mmas, func(p ir.Op) bool {
		return w.place[p.Result(0)] == w.place[c.arg()] && c.loop.IsAncestorOf(p) && !at.IsBeforeInBlock(p.AncestorIn(c.loop.Body().Region()))
	})
}

// first returns an operation that all of a web come after, or are in.
func (w *web) first() ir.Op {
	at := w.users[0]
	for _, u := range w.users[1:] {
		at = ir.Earliest(ir.Siblings(at, u))
	}
	return at
}
