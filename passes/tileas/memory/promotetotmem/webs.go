package promotetotmem

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A web is the values of an accumulator that are one after the other in the same buffer of TMEM.
type web struct {
	values []ir.Value // results of MMAs and waits, and what loops carry
	buffer ir.Value
}

// webs finds which values are in TMEM, and in which buffer.
//
// What a loop carries is known by the argument of its body, which stays when the loop gets more results.
type webs struct {
	mmas, waits []ir.Op // in program order
	carried     []ir.Value
	place       map[ir.Value]*web
	kept        map[ir.Value]bool // a loop carries it in TMEM
}

func newWebs(fn ir.Op) *webs {
	w := &webs{place: make(map[ir.Value]*web), kept: make(map[ir.Value]bool)}
	for op := range fn.All() {
		switch {
		case isMMA(op):
			w.mmas = append(w.mmas, op)
		case op.Is(tileas.DotWait):
			w.waits = append(w.waits, op)
		case op.Is(scf.For):
			w.carried = append(w.carried, op.Body().Args()...) // of which the counter is never kept
		}
	}
	return w
}

func loopOf(arg ir.Value) ir.Op      { return arg.Block().ParentOp() }
func indexOf(arg ir.Value) int       { return arg.Index() - 1 }
func initOf(arg ir.Value) ir.Value   { return loopOf(arg).Operand(scf.NumBounds + indexOf(arg)) }
func resultOf(arg ir.Value) ir.Value { return loopOf(arg).Result(indexOf(arg)) }

// has reports whether a value is an accumulator in TMEM.
func (w *webs) has(v ir.Value) bool { return w.place[v] != nil }

// find computes the webs. It starts from the assumption that loops carry all tensors in TMEM, and drops
// loop-carried values that something else uses, or that two MMAs continue, until nothing changes.
func (w *webs) find() {
	for _, c := range w.carried {
		if ir.IsTensor(c) {
			w.kept[c] = true
		}
	}
	for changed := true; changed; {
		changed = false
		w.spread()
		for _, c := range w.carried {
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
		w.add(&web{}, p.Result(0))
	}
	for again := true; again; {
		again = false
		join := func(a, b ir.Value) { // b is in the buffer of a
			if w.has(a) && w.place[a] != w.place[b] {
				all := []ir.Value{b}
				if from := w.place[b]; from != nil {
					all = from.values
				}
				w.add(w.place[a], all...)
				again = true
			}
		}
		for _, op := range w.waits {
			for i, v := range op.Operands() {
				join(v, op.Result(i))
			}
		}
		// In program order, so the result does not depend on the order of a map.
		for _, c := range w.carried {
			if !w.kept[c] {
				continue
			}
			for _, e := range ir.Exits(loopOf(c)) {
				join(e.Operand(indexOf(c)), c)
				join(e.Operand(indexOf(c)), resultOf(c))
			}
			// An initial value that something else still needs cannot be overwritten; the loop gets a copy in a
			// buffer of its own.
			if w.has(c) && w.has(initOf(c)) && w.takers(initOf(c)) == 1 {
				join(initOf(c), c)
			}
		}
		for _, p := range w.mmas {
			if w.inPlace(p) {
				join(p.Operand(2), p.Result(0))
			}
		}
	}
}

func (w *webs) add(to *web, values ...ir.Value) {
	to.values = append(to.values, values...)
	for _, v := range values {
		w.place[v] = to
	}
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
		_, kept := w.next(u)
		switch {
		case isMMA(op) && u.Index() == 2, kept:
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

// next returns what a loop carries in TMEM of which a use is the initial value, or that in the next iteration.
func (w *webs) next(u ir.Use) (arg ir.Value, ok bool) {
	to, _ := u.HandedOn()
	i := slices.IndexFunc(to, func(v ir.Value) bool { return w.kept[v] })
	if i < 0 {
		return arg, false
	}
	return to[i], true
}

// inside reports whether a use of an accumulator is in TMEM.
func (w *webs) inside(u ir.Use) bool {
	op := u.Owner()
	if isMMA(op) && u.Index() == 2 {
		return w.inPlace(op)
	}
	c, kept := w.next(u)
	if kept && op.Is(scf.For) {
		return w.place[c] == w.place[u.Value()]
	}
	return op.Is(tileas.DotWait) || kept
}

// keeps reports whether a loop can carry a value in TMEM: each iteration leaves it there, and at most one MMA
// continues with it.
func (w *webs) keeps(arg ir.Value) bool {
	accumulators := false
	for _, e := range ir.Exits(loopOf(arg)) {
		v := e.Operand(indexOf(arg))
		if v != arg && (!w.has(v) || w.place[v] != w.place[arg] || w.takers(v) != 1) {
			return false
		}
		accumulators = accumulators || v != arg
	}
	if !accumulators || w.takers(arg) > 1 {
		return false
	}
	// Two values that exchange places would be in one buffer at the same time.
	for _, o := range arg.Block().Args() {
		if o != arg && w.kept[o] && w.place[o] == w.place[arg] {
			return false
		}
	}
	return w.reader(arg).IsNil() || w.readsFirst(arg)
}

// reader returns the first operation of the body in which threads read what an iteration begins with; a zero Op if none.
func (w *webs) reader(arg ir.Value) (first ir.Op) {
	for u := range arg.Uses() {
		if !w.inside(u) {
			first = ir.Earliest(first, u.Owner().AncestorIn(arg.Block().Region()))
		}
	}
	return first
}

// readsFirst reports whether threads can read what an iteration begins with before any MMA replaces it. Then what
// they compute from it, as attention scales its accumulator, may go back to the same buffer.
func (w *webs) readsFirst(arg ir.Value) bool {
	at := w.reader(arg)
	return !slices.ContainsFunc(w.mmas, func(p ir.Op) bool {
		return w.place[p.Result(0)] == w.place[arg] && loopOf(arg).IsAncestorOf(p) && !at.IsBeforeInBlock(p.AncestorIn(arg.Block().Region()))
	})
}

// first returns an operation that all of a web come after, or are in.
func (w *web) first() ir.Op {
	at := maker(w.values[0])
	for _, v := range w.values[1:] {
		at = ir.Earliest(ir.Siblings(at, maker(v)))
	}
	return at
}

// maker returns the MMA or wait with a result, or the loop that carries it.
func maker(v ir.Value) ir.Op {
	if v.IsBlockArg() {
		return v.Block().ParentOp()
	}
	return v.DefiningOp()
}
