package dataflow

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// maxGrowth is how often the fact of a value may grow before it is widened or given up. Small cycles are exact, such as
// the stages of a circular buffer (up to 8 or so). 64 gave the same PTX for 173 kernels and four targets, and takes
// longer: all that depends on a counter is looked at again each time.
const maxGrowth = 16

// A Forward is a problem with a fact for each value that follows from the facts of what it is computed from.
type Forward[F any] struct {
	// Join returns the fact that holds where either does, Equal whether two facts are the same.
	Join  func(a, b F) F
	Equal func(a, b F) bool
	// Unknown returns the pessimistic fact of a value, all that can be said about it from itself alone.
	Unknown func(v ir.Value) F
	// Trivial reports whether that is all, whatever the value is computed from, as that a float is no integer; nil: it
	// never is. Such values have no facts in the solution, and cost next to nothing. The type of the value decides.
	Trivial func(v ir.Value) bool
	// Transfer sets the facts of the results of op, each of which is Unknown before. It is not asked about results that
	// come out of op's regions (ir.RegionBranch). All operands have a fact; the slices are used again after the call.
	Transfer func(op ir.Op, operands, results []F)
	// Argument returns the fact of an argument of a region of op that op computes itself, as an induction variable;
	// nil: Unknown.
	Argument func(op ir.Op, arg ir.Value, operands []F) F
	// TakesEdge and TakesSuccessor report whether control may take a way, given the facts of the operands of e.From
	// or op; nil: it may.
	TakesEdge      func(e ir.RegionEdge, operands []F) bool
	TakesSuccessor func(op ir.Op, succ int, operands []F) bool
	// Use returns what is known of an operand of op where op stands, which may be more than the fact of its value;
	// nil: just that.
	Use func(op ir.Op, v ir.Value, f F) F
	// Widen speeds up a value that keeps growing: it returns a fact that covers both; nil: Unknown.
	Widen func(v ir.Value, old, grown F) F
}

// Facts is the solution of a sparse problem.
type Facts[F any] struct {
	arena   *ir.Arena
	facts   []F     // by value number
	grown   []uint8 // how often; 0: none yet
	live    []bool  // by operation number: may be executed
	unknown func(ir.Value) F
}

// Of returns the fact of a value. One that is never computed, is trivial, or stands outside the root, has none: ok is
// false.
func (s *Facts[F]) Of(v ir.Value) (fact F, ok bool) {
	if v.Arena() != s.arena || v.ID() >= len(s.grown) || s.grown[v.ID()] == 0 {
		return fact, false
	}
	return s.facts[v.ID()], true
}

// Executed reports whether op may be executed, as far as the solution can tell.
func (s *Facts[F]) Executed(op ir.Op) bool {
	return op.Arena() == s.arena && op.ID() < len(s.live) && s.live[op.ID()]
}

func newFacts[F any](root ir.Op, unknown func(ir.Value) F) *Facts[F] {
	a := root.InnerArena()
	return &Facts[F]{arena: a, unknown: unknown, facts: make([]F, a.NumValues()), grown: make([]uint8, a.NumValues())}
}

type forward[F any] struct {
	*Forward[F]
	*Facts[F]
	root    ir.Op
	work    []ir.Op // from next on
	next    int
	on      []bool // by operation number: is on work
	trivial []int8 // by type number: whether values of it are trivial; 0 if nobody has asked
	// operands and results are the room for the facts of those of the operation that is visited.
	operands, results []F
}

// Run solves the problem for everything inside root.
func (p *Forward[F]) Run(root ir.Op) *Facts[F] {
	s := &forward[F]{Forward: p, Facts: newFacts(root, p.Unknown), root: root}
	if _, ok := ir.RegionBranch.Of(root); ok && !root.HasTrait(ir.IsolatedFromAbove) {
		s.push(root)
	} else {
		s.enterUnknown(root)
	}
	for s.next < len(s.work) {
		op := s.work[s.next]
		if s.next++; s.next == len(s.work) {
			s.work, s.next = s.work[:0], 0
		}
		s.on[op.ID()] = false
		s.visit(op)
	}
	return s.Facts
}

func (s *forward[F]) push(op ir.Op) {
	id := op.ID()
	if id >= len(s.on) {
		n := max(id+1-len(s.on), len(s.on), 64)
		s.on = append(s.on, make([]bool, n)...)
		s.live = append(s.live, make([]bool, n)...)
	}
	s.live[id] = true
	if !s.on[id] {
		s.on[id] = true
		s.work = append(s.work, op)
	}
}

// reach makes op executable.
func (s *forward[F]) reach(op ir.Op) {
	if !op.IsNil() && op != s.root && !s.Executed(op) {
		s.push(op)
	}
}

// grow joins a fact into that of v and has the users of v looked at again if it changes.
func (s *forward[F]) grow(v ir.Value, f F) {
	if s.isTrivial(v) {
		return
	}
	id := v.ID()
	if s.grown[id] > 0 {
		old := s.facts[id]
		if f = s.Join(old, f); s.Equal(old, f) {
			return
		}
		if s.grown[id] >= maxGrowth {
			if s.grown[id] == maxGrowth && s.Widen != nil {
				f = s.Widen(v, old, f)
			} else {
				f = s.Unknown(v)
			}
			if s.Equal(old, f) {
				return
			}
		}
	}
	s.facts[id] = f
	s.grown[id] = min(s.grown[id]+1, maxGrowth+1)
	for u := range v.Uses() {
		if s.Executed(u.Owner()) {
			s.push(u.Owner())
		}
	}
}

// get returns the fact of an operand; false while there is none yet.
func (s *forward[F]) get(v ir.Value) (F, bool) {
	if f, ok := s.Of(v); ok {
		return f, true
	}
	if v.IsNil() || s.isTrivial(v) || !s.inside(v) {
		return s.Unknown(v), true
	}
	var none F
	return none, false
}

// onlyTrivial reports whether nothing but trivial values come out of op, and control goes on after it.
func (s *forward[F]) onlyTrivial(op ir.Op) bool {
	if s.Trivial == nil || op.NumRegions() > 0 || op.HasTrait(ir.Terminator) {
		return false
	}
	for i := range op.NumResults() {
		if !s.isTrivial(op.Result(i)) {
			return false
		}
	}
	return true
}

func (s *forward[F]) isTrivial(v ir.Value) bool {
	if s.Trivial == nil {
		return false
	}
	t := v.TypeNumber()
	if t >= len(s.trivial) {
		s.trivial = append(s.trivial, make([]int8, t+1-len(s.trivial))...)
	}
	if s.trivial[t] == 0 {
		s.trivial[t] = -1
		if s.Trivial(v) {
			s.trivial[t] = 1
		}
	}
	return s.trivial[t] > 0
}

func (s *forward[F]) inside(v ir.Value) bool {
	return v.Arena() == s.arena && (s.root.HasTrait(ir.IsolatedFromAbove) || s.root.IsAncestorOf(v.Block().ParentOp()))
}

func (s *forward[F]) enterUnknown(op ir.Op) {
	for i := range op.NumRegions() {
		if r := op.Region(i); !r.Empty() {
			for _, arg := range r.First().Args() {
				s.grow(arg, s.Unknown(arg))
			}
			s.reach(r.First().First())
		}
	}
}

func (s *forward[F]) visit(op ir.Op) {
	if s.onlyTrivial(op) {
		s.reach(op.Next())
		return
	}
	s.operands = slices.Grow(s.operands[:0], op.NumOperands())[:op.NumOperands()]
	operands := s.operands
	for i := range operands {
		f, ok := s.get(op.Operand(i))
		if !ok {
			return // it is looked at again when the operand has a fact
		}
		if s.Use != nil {
			f = s.Use(op, op.Operand(i), f)
		}
		operands[i] = f
	}
	if ir.RegionEdges(op, func(e ir.RegionEdge) { s.edge(e, operands) }) {
		return
	}
	for i := range op.NumSuccessors() {
		s.successor(op, i, operands)
	}
	s.results = s.results[:0]
	for i := range op.NumResults() {
		s.results = append(s.results, s.Unknown(op.Result(i)))
	}
	if s.Transfer != nil && len(s.results) > 0 {
		s.Transfer(op, operands, s.results)
	}
	for i, f := range s.results {
		s.grow(op.Result(i), f)
	}
	if !op.HasTrait(ir.IsolatedFromAbove) {
		s.enterUnknown(op)
	}
	s.reach(op.Next())
}

// edge follows a way between an operation and its regions.
func (s *forward[F]) edge(e ir.RegionEdge, operands []F) {
	if s.TakesEdge != nil && !s.TakesEdge(e, operands) {
		return
	}
	n := e.NumInputs()
	for i := range n {
		switch k := i - e.FirstInput; {
		case k >= 0 && k < e.Len():
			s.grow(e.Input(k), operands[e.Lo+k])
		case e.Region == ir.RegionExit:
			s.grow(e.To.Result(i), s.Unknown(e.To.Result(i)))
		case s.Argument != nil && e.From == e.To:
			arg := e.To.Region(e.Region).First().Arg(i)
			s.grow(arg, s.Argument(e.To, arg, operands))
		case s.Argument == nil:
			arg := e.To.Region(e.Region).First().Arg(i)
			s.grow(arg, s.Unknown(arg))
		}
	}
	if e.Region == ir.RegionExit {
		if e.To != s.root {
			s.reach(e.To.Next())
		}
	} else if r := e.To.Region(e.Region); !r.Empty() {
		s.reach(r.First().First())
	}
}

// successor follows a branch to another block.
func (s *forward[F]) successor(op ir.Op, i int, operands []F) {
	if s.TakesSuccessor != nil && !s.TakesSuccessor(op, i, operands) {
		return
	}
	b := op.Successor(i)
	lo, hi := 0, 0
	if span, ok := ir.BranchOp.Of(op); ok {
		lo, hi = span(op, i)
	}
	for k, arg := range b.Args() {
		if lo+k < hi {
			s.grow(arg, operands[lo+k])
		} else {
			s.grow(arg, s.Unknown(arg))
		}
	}
	s.reach(b.First())
}
