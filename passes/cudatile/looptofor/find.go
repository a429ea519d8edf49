package looptofor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// A counted is a loop that counts.
type counted struct {
	loop ir.Op
	exit ir.Op // the if at the head that leaves
	brk  ir.Op
	cond ir.Value // of exit
	// goesOn is whether the loop goes on when cond is true.
	goesOn    bool
	continues []ir.Op

	slot     int // of the counter among the loop-carried values
	step     ir.Value
	size     uint64 // of a constant step; 0: step is added, or taken when the counter falls
	falls    bool
	unsigned bool
	signed   bool // a comparison of the counter has been seen
	limits   []limit
	guards   []guard
	steps    []ir.Op // what steps the counter, for each continue
	wraps    bool    // it may
	known    *intrange.Ranges
	replaced map[ir.Value]ir.Value // results of loops that are gone, which bounds and steps may be

	parts int               // of the condition
	fixed map[ir.Value]bool // what is known to be invariant, or not
}

// A limit is a bound that the counter must not reach: it goes on while counter < bound, or counter > bound if it falls.
type limit struct {
	bound   ir.Value
	through bool // it goes on at the bound itself, which is no last number
}

// A guard is a condition that holds in all iterations if it holds in the first: a comparison of the counter, or
// an invariant value.
type guard struct {
	value ir.Value // where there is no comparison
	is    bool     // what it must be

	predicate cudatile.ComparisonPredicate
	bound     ir.Value
}

// find says how a loop counts, or why it does not.
func find(loop ir.Op, known *intrange.Ranges, replaced map[ir.Value]ir.Value) (*counted, error) {
	c := &counted{loop: loop, slot: -1, known: known, replaced: replaced, fixed: make(map[ir.Value]bool)}
	if err := c.head(); err != nil {
		return nil, err
	}
	if err := c.ends(); err != nil {
		return nil, err
	}
	if err := c.tests(c.cond, c.goesOn); err != nil {
		return nil, err
	}
	if len(c.limits) == 0 {
		return nil, errors.New("nothing that its condition tests is a bound of a number that it adds to")
	}
	c.wrap()
	return c, nil
}

// head finds the test at the head.
func (c *counted) head() error {
	for op := range c.loop.Body().Ops() {
		if op.Is(cudatile.If) && leavesBy(op, c.loop) {
			c.exit = op
			break
		}
		if op.HasTrait(ir.Terminator) {
			return fmt.Errorf("it does not end by a test in its body itself")
		}
		// What is before the test also runs in the last, incomplete iteration, which a for does not have.
		if !ir.HasNoEffects(op) {
			return fmt.Errorf("'%s' is before the test that ends it", op.Name())
		}
	}
	c.cond = c.exit.Operand(0)
	for i := range 2 {
		b := c.exit.Region(i).First()
		switch {
		case b.IsNil():
		case b.First().Is(cudatile.Break):
			c.brk, c.goesOn = b.First(), i == 1
		case !b.First().Is(cudatile.Yield):
			return fmt.Errorf("'%s' is in one region with the break that ends it", b.First().Name())
		}
	}
	if c.brk.IsNil() || c.exit.NumResults() > 0 {
		return errors.New("its break is not alone in its region")
	}
	return nil
}

// leavesBy reports whether a break of the loop is in an operation.
func leavesBy(op, loop ir.Op) (found bool) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if found = inner.Is(cudatile.Break) && ir.ExitTarget(inner) == loop; found {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// ends collects what ends iterations.
func (c *counted) ends() (err error) {
	c.loop.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(cudatile.Return):
			err = errors.New("'cuda_tile.return' leaves it")
		// A second break would end a for early, which a for cannot express.
		case op.Is(cudatile.Break) && op != c.brk && ir.ExitTarget(op) == c.loop:
			err = errors.New("'cuda_tile.break' leaves it at another place than its head too")
		case op.Is(cudatile.Continue) && ir.ExitTarget(op) == c.loop:
			c.continues = append(c.continues, op)
		case op.HasTrait(ir.Terminator) && !cudatileOp(op):
			err = fmt.Errorf("'%s' may leave it", op.Name())
		}
		if err != nil {
			return ir.Interrupt
		}
		return ir.Advance
	})
	if err == nil && len(c.continues) == 0 {
		err = errors.New("no iteration of it goes on to another one")
	}
	return err
}

func cudatileOp(op ir.Op) bool { return op.Dialect() == ops.Dialect }

// same looks through what only says something of a value.
func same(v ir.Value) ir.Value {
	for def := v.DefiningOp(); !def.IsNil() && def.Is(cudatile.Assume); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	return v
}

// invariant reports whether a value is the same in all iterations and available before the loop. It comes from
// there, or is computed from such values without effects.
func (c *counted) invariant(v ir.Value) bool {
	if !c.within(v.Block()) {
		return true
	}
	if is, known := c.fixed[v]; known { // values share operands: each is looked at once
		return is
	}
	op := v.DefiningOp()
	is := !op.IsNil() && op.NumRegions() == 0 && ir.IsPure(op) && ir.IsSpeculatable(op) && !slices.ContainsFunc(op.Operands(), func(x ir.Value) bool { return !c.invariant(x) })
	c.fixed[v] = is
	return is
}

func (c *counted) within(b ir.Block) bool {
	r := c.loop.Region(0)
	return b.Region() == r || r.IsAncestorOf(b.Region())
}

// mostTests bounds the parts of a conjunction.
const mostTests = 64

// tests finds what must hold for the loop to go on, given that a value must be so.
func (c *counted) tests(v ir.Value, is bool) error {
	if c.parts++; c.parts > mostTests {
		return errors.New("its condition has too many parts")
	}
	if c.invariant(v) {
		c.guards = append(c.guards, guard{value: v, is: is})
		return nil
	}
	op := v.DefiningOp()
	switch {
	case op.IsNil():
		return errors.New("it ends by a value that it carries, and not by a comparison of a counter")
	case op.Is(cudatile.CmpI):
		return c.compares(op, is)
	// The conjunction of two conditions to continue, by De Morgan also as a disjunction of two conditions to
	// break.
	case op.Is(cudatile.AndI) && is, op.Is(cudatile.OrI) && !is:
		if err := c.tests(op.Operand(0), is); err != nil {
			return err
		}
		return c.tests(op.Operand(1), is)
	case op.Is(cudatile.XorI):
		for i := range 2 {
			if n, ok := cudatile.SplatBits(op.Operand(1 - i)); ok {
				return c.tests(op.Operand(i), is != (n&1 == 1))
			}
		}
	case op.Is(cudatile.Select):
		return c.chosen(op.Operand(0), op.Operand(1), op.Operand(2), is)
	case op.Is(cudatile.If) && ir.HasNoEffects(op) && !op.Region(1).Empty():
		then, other := op.Region(0).First().Last(), op.Region(1).First().Last()
		if then.Is(cudatile.Yield) && other.Is(cudatile.Yield) {
			return c.chosen(op.Operand(0), then.Operand(v.Index()), other.Operand(v.Index()), is)
		}
	}
	return fmt.Errorf("its condition rests on '%s'", op.Name())
}

// chosen matches a conjunction or its opposite, written as a choice: c ? x : c and c ? x : false, or c ? c : y
// and c ? true : y.
func (c *counted) chosen(cond, yes, no ir.Value, is bool) error {
	never := func(v ir.Value, bit uint64) bool {
		n, ok := cudatile.SplatBits(v)
		return ok && n&1 == bit || v == cond
	}
	switch {
	case is && never(no, 0):
		no = yes
	case !is && never(yes, 1):
	default:
		return errors.New("its condition is a choice between two")
	}
	if err := c.tests(cond, is); err != nil {
		return err
	}
	return c.tests(no, is)
}

// compares takes a comparison that must have the result is.
func (c *counted) compares(op ir.Op, is bool) error {
	lhs, rhs, p := same(op.Operand(0)), op.Operand(1), cudatile.PredicateOf(op)
	if !c.carried(lhs) {
		lhs, rhs, p = same(op.Operand(1)), op.Operand(0), p.Exchanged()
	}
	if !is {
		p = p.Opposite()
	}
	switch {
	case !c.carried(lhs) || !c.invariant(rhs):
		return fmt.Errorf("its condition compares what is neither a value that it carries nor one that does not change ('%s')", op.Name())
	case width(lhs) < 8: // 1 as a step is negative in a single bit
		return errors.New("what it compares is no number")
	}
	unsigned := cudatile.SignednessOf(op) == cudatile.Unsigned
	switch {
	case c.slot < 0:
		if err := c.counts(lhs.Index()); err != nil {
			return err
		}
	case c.slot != lhs.Index():
		return errors.New("its condition compares two values that change")
	}
	// A counter that steps by one cannot step over the bound, so inequality is an order.
	if p == cudatile.NotEqual && c.meets(rhs) {
		if p, unsigned = cudatile.LessThan, c.unsigned; c.falls {
			p = cudatile.GreaterThan
		}
	}
	equality := p == cudatile.Equal || p == cudatile.NotEqual
	if !equality && c.signed && c.unsigned != unsigned {
		return errors.New("its counter is compared with and without a sign")
	}
	if !equality {
		c.signed, c.unsigned = true, unsigned
	}
	return c.bounded(p, rhs)
}

func (c *counted) carried(v ir.Value) bool { return v.IsBlockArg() && v.Block() == c.loop.Body() }

// bounded takes a comparison of the counter with a bound.
func (c *counted) bounded(p cudatile.ComparisonPredicate, bound ir.Value) error {
	if c.falls { // as seen by the complements
		p = p.Exchanged()
	}
	switch p {
	case cudatile.LessThan:
		c.limits = append(c.limits, limit{bound: bound})
	case cudatile.LessThanOrEqual:
		// The for's bound is one more, which must exist.
		if c.last(bound) {
			return errors.New("its bound, which the counter must pass, may be the last number there is")
		}
		c.limits = append(c.limits, limit{bound, true})
	case cudatile.GreaterThan, cudatile.GreaterThanOrEqual:
		if c.falls {
			p = p.Exchanged()
		}
		c.guards = append(c.guards, guard{predicate: p, bound: bound})
	default:
		return errors.New("its counter is compared for equality, which it may step over")
	}
	return nil
}

// meets reports whether the counter steps by one and begins on this side of a bound, as signed numbers, so that
// it reaches the bound itself.
func (c *counted) meets(bound ir.Value) bool {
	from, to := rangeOf(c.known, c.loop.Operand(c.slot)), rangeOf(c.known, bound)
	if c.size != 1 || c.unsigned || !from.IsInt() || !to.IsInt() {
		return false
	}
	if c.falls {
		return from.SMin >= to.SMax
	}
	return from.SMax <= to.SMin
}

// last reports whether a bound may be the number after which the counter wraps around.
func (c *counted) last(bound ir.Value) bool {
	r := rangeOf(c.known, bound)
	all := intrange.Full(r.W)
	switch {
	case !r.IsInt():
		return true
	case c.unsigned && c.falls:
		return r.UMin == 0
	case c.unsigned:
		return r.UMax == all.UMax
	case c.falls:
		return r.SMin == all.SMin
	}
	return r.SMax == all.SMax
}
