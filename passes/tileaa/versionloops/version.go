package versionloops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tma"
)

// A cost is what the loads of an iteration do, of all threads together.
type cost struct{ accesses, bounds int64 }

// costOf adds up what the loads of a body do: how many accesses they make, and how many elements those test.
func costOf(body ir.Block) (c cost) {
	for op := range body.Ops() {
		if op.NumResults() == 0 || tile.IsHalf(ir.ElementType(op.Result(0).Type())) {
			continue
		}
		switch {
		case op.Is(tileaa.Level.TiledLoad):
			a := tile.AccessOf(op)
			n := elements(op) / int64(a.VectorElements())
			c.accesses += n
			for d := range a.Sizes {
				if a.Checked(d) {
					c.bounds += n
				}
			}
		case op.Is(tileaa.Level.Load):
			_, run := tile.Run(op)
			c.accesses += elements(op) / int64(run)
			if !op.OperandNamed("mask").IsNil() {
				c.bounds += elements(op) / int64(run)
			}
		}
	}
	return c
}

// beside says what an iteration takes more than one of another loop; "" for nothing.
func (c cost) beside(other cost) string {
	var more []string
	if c.accesses != other.accesses {
		more = append(more, fmt.Sprintf("makes %d accesses instead of %d", c.accesses, other.accesses))
	}
	if c.bounds != other.bounds {
		more = append(more, fmt.Sprintf("tests %d bounds instead of %d", c.bounds, other.bounds))
	}
	if more == nil {
		return ""
	}
	return ". An iteration of the slowest " + strings.Join(more, ", and ")
}

// elements returns how many elements a load loads.
func elements(load ir.Op) int64 {
	if t, ok := load.Result(0).Type().(*ir.TensorType); ok {
		return t.NumElements()
	}
	return 1
}

// knowledge is what is known in a version of a loop.
type knowledge struct {
	inside  bool // bounds hold, of what upgrades have in inside, and comparisons have their first result
	aligned bool // addresses and strides are multiples of 16 bytes
	divided bool // so are sizes, along the dimension of wide accesses
	allTMA  bool // all loads are TMA loads, for which addresses and strides are enough
}

// String says which iterations the version is for.
func (k knowledge) String() string {
	switch {
	case k.inside && k.aligned:
		return "aligned tiles inside of bounds"
	case k.inside:
		return "tiles inside of bounds"
	case k.allTMA:
		return "aligned tiles"
	}
	return "aligned tiles at bounds"
}

// otherwise is what the original loop is for, after its versions.
const otherwise = "all other iterations"

// A version is what becomes of a loop.
type version struct {
	loop            ir.Op
	tma             *tma.Forecast // nil: no load is a TMA load
	allTMA          bool          // all loads are TMA loads if addresses are aligned, so nothing else is profitable
	upgrades        []upgrade
	bounds, aligned int // how many loads lack what
	comparisons     []comparison
	gathers         gathers
	asks            *int // how many analyses of the kernel there may still be
	made            []made
	edges           bool // some of them can be wide where bounds are tested
	budget          int64
	tests, copies   int
	slow, fast      cost
}

// make replaces the loop by its versions.
//
//	end, start = where the interior ends; the same, if one of the versions of the interior runs, else lower
//	if inside and aligned                       { loop from lower to end }     without bounds, wide
//	if start < upper, aligned and divided       { loop from start to upper }   wide
//	if inside and not aligned                   { loop from lower to end }     without bounds
//	if start < upper, not aligned and divided   { loop from start to upper }   the original loop
//
// If two of them run, the first one comes before. Otherwise the fast ones come first, since ptxas gives what all
// of them share the registers of the first. With the third before the second, the first had 6 more moves in its
// loop (matmul_f16_ragged_128x128x64 on sm_80).
//
// Versions without a test, and those beyond the budget, are left out; false: all are left out.
func (v *version) make(fn ir.Op) bool {
	loop := v.loop
	b := ir.BuilderBefore(loop)
	b.Loc = loop.Loc()
	t := &tester{v: v, b: b, known: make(map[test]bool)}
	for _, u := range v.upgrades {
		shape := tile.Shape(u.access.Tile)
		for _, d := range u.inside {
			t.inside(u.access.Offsets[d], u.access.Sizes[d], shape[d])
		}
	}
	for i := range v.comparisons {
		t.compared(&v.comparisons[i])
	}
	inside, end := t.take(), t.interior()
	for _, u := range v.upgrades {
		if u.vector > 0 {
			t.aligned(u.access, u.vector)
		}
	}
	for _, x := range v.gathers.places {
		t.place(x)
	}
	aligned := t.take()
	if v.allTMA && !aligned.IsNil() {
		v.tests, v.slow = t.count, costOf(loop.Body())
		v.splitTMA(t, inside, aligned, end)
		v.fast = costOf(v.made[0].loop.Body())
		return true
	}
	for _, u := range v.upgrades {
		if u.vector > 0 && !u.never {
			v.edges = true
			t.divided(u.access, u.vector)
		}
	}
	for _, x := range v.gathers.sizes {
		t.place(x)
	}
	divided := t.take()
	v.tests, v.slow = t.count, costOf(loop.Body())
	// Without a test for the interior, and without wide edges or a test that they need, every version would be
	// the original loop.
	if v.edges = v.edges || v.gathers.edges; inside.IsNil() && (!v.edges || aligned.IsNil() && divided.IsNil()) {
		return false
	}
	v.split(t, inside, aligned, divided, end)
	v.gathers.widen(fn, v.made)
	v.fast = costOf(v.made[0].loop.Body())
	return true
}

// split makes the versions from the conditions; a zero Value is a condition that nothing needs to be tested for.
func (v *version) split(t *tester, inside, aligned, divided, end ir.Value) {
	loop, b := v.loop, t.b
	lower, upper := loop.Operand(0), loop.Operand(1)
	wide := v.aligned > 0
	v.mark()
	carried := slices.Clone(loop.Operands()[scf.NumBounds:])
	room := int(min(maxCopies, v.budget)) - 1 // for versions besides the original
	start, rest := lower, ir.Value{}
	all := t.both(aligned, divided)
	// The budget is spent in the order of gain: the interior with wide accesses, the wide edges, the interior
	// without wide accesses.
	both, bare := v.edges && !all.IsNil() && room > 0, ir.Value{}
	if !inside.IsNil() {
		both = both && room > 1
		ran := t.both(inside, aligned)
		carried = v.copy(b, ran, knowledge{inside: true, aligned: wide, divided: divided.IsNil()}, lower, end, carried)
		if !aligned.IsNil() && room > 2 {
			bare, ran = t.both(inside, t.not(aligned)), inside
		}
		// The rest begins at the end of the interior if one of its versions ran, else at the lower bound.
		start = b.Create(arith.Select, []ir.Value{ran, end, lower}, []ir.Type{lower.Type()}).Result(0)
		rest = v.before(b, start, upper)
	}
	if both {
		carried = v.copy(b, t.both(rest, all), knowledge{aligned: true, divided: true}, start, upper, carried)
		rest = t.both(rest, t.not(all))
	}
	if !bare.IsNil() {
		carried = v.copy(b, bare, knowledge{inside: true}, lower, end, carried)
	}
	v.last(b, rest, start, carried)
}

// splitTMA makes the versions of a loop whose loads are all TMA loads if addresses are aligned: that case has one
// version, whatever bounds are.
//
//	if aligned                             { loop from lower to upper }   by TMA
//	if inside and not aligned              { loop from lower to end }     without bounds
//	if start < upper and not aligned       { the original loop }
func (v *version) splitTMA(t *tester, inside, aligned, end ir.Value) {
	loop, b := v.loop, t.b
	lower, upper := loop.Operand(0), loop.Operand(1)
	v.mark()
	carried := v.copy(b, aligned, knowledge{aligned: true, allTMA: true}, lower, upper, slices.Clone(loop.Operands()[scf.NumBounds:]))
	start, rest := lower, t.not(aligned)
	if !inside.IsNil() && min(maxCopies, v.budget) > 2 {
		// The interior without alignment: a copy in addition to the aligned one and the original.
		bare := t.both(inside, rest)
		carried = v.copy(b, bare, knowledge{inside: true}, lower, end, carried)
		start = b.Create(arith.Select, []ir.Value{bare, end, lower}, []ir.Type{lower.Type()}).Result(0)
		rest = t.both(rest, v.before(b, start, upper))
	}
	v.last(b, rest, start, carried)
}

// mark notes on the loop what is known of it, before its bounds change.
func (v *version) mark() {
	c := v.loop.Context()
	v.loop.SetAttr(contract.LoopVersion, c.String(otherwise))
	v.loop.SetAttr(contract.LoopRest, c.Unit())
	if n, known := scf.Trips(v.loop); known {
		v.loop.SetAttr(contract.LoopTrips, c.IntAttr(c.Int(64), n))
	}
}

// before returns whether the counter is before the upper bound.
func (v *version) before(b *ir.Builder, counter, upper ir.Value) ir.Value {
	return arith.NewCmpI(b, scf.Less(v.loop), counter, upper)
}

// last makes the original loop run the remaining iterations, if there are any.
func (v *version) last(b *ir.Builder, rest, start ir.Value, carried []ir.Value) {
	loop := v.loop
	last := chain(b, rest, carried, func(in *ir.Builder) []ir.Value {
		loop.MoveToEnd(in.Block())
		return loop.Results()
	})
	yields := last.Region(0).First().Terminator()
	for i, r := range loop.Results() {
		// The original loop is inside of the condition now, so its uses outside get the condition's results.
		r.ReplaceUsesIf(last.Result(i), func(u ir.Use) bool { return u.Owner() != yields })
	}
	loop.SetOperand(0, start)
	for i, x := range carried {
		loop.SetOperand(scf.NumBounds+i, x)
	}
}

// maxCopies is how many versions a loop has at most.
const maxCopies = 4

// copy makes a version of the loop, for the counters from lower to upper, if a condition holds.
func (v *version) copy(b *ir.Builder, cond ir.Value, known knowledge, lower, upper ir.Value, carried []ir.Value) []ir.Value {
	v.copies++
	return chain(b, cond, carried, func(in *ir.Builder) []ir.Value {
		loop := in.Clone(v.loop, ir.NewMapping())
		loop.SetAttr(contract.LoopVersion, loop.Context().String(known.String()))
		if v.copies == 1 {
			loop.SetAttr(contract.LoopRest, nil)
		}
		loop.SetOperand(0, lower)
		loop.SetOperand(1, upper)
		for i, x := range carried {
			loop.SetOperand(scf.NumBounds+i, x)
		}
		next := loop.Body().First()
		copies := make(map[ir.Op]ir.Op)
		for op := range v.loop.Body().Ops() {
			copies[op], next = next, next.Next()
		}
		for _, u := range v.upgrades {
			u.apply(copies[u.access.Op], known)
		}
		if known.inside {
			v.decide(loop, copies)
		}
		v.made = append(v.made, made{loop, known})
		return loop.Results()
	}).Results()
}
