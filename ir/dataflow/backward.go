package dataflow

import "github.com/tilewright/tilewright/ir"

// A Backward is a problem with a fact for each value that follows from the facts of what is computed from it.
type Backward[F any] struct {
	// Join returns the fact that holds where both do, Equal whether two facts are the same.
	Join  func(a, b F) F
	Equal func(a, b F) bool
	// Unknown returns the pessimistic fact of a value: that of one which goes where it cannot be followed.
	Unknown func(v ir.Value) F
	// Transfer calls set with a fact for each operand for which op has one; results holds the facts of op's results, for which ok is false
	// while there is none. Operands that become block arguments or results elsewhere (a yield, the initial value of a loop) get the facts
	// of those as well.
	Transfer func(op ir.Op, results func(i int) (fact F, ok bool), set func(operand int, fact F))
}

type backward[F any] struct {
	*Backward[F]
	*Facts[F]
	work []ir.Op
	on   []bool
	// sources are the operations that pass a value to a block argument or result elsewhere.
	sources map[ir.Value][]ir.Use
}

// Run solves the problem for everything inside root. A value nobody uses has no fact.
func (p *Backward[F]) Run(root ir.Op) *Facts[F] {
	s := &backward[F]{Backward: p, Facts: newFacts(root, p.Unknown), sources: make(map[ir.Value][]ir.Use)}
	root.Walk(func(op ir.Op) ir.WalkResult {
		isolated := op.HasTrait(ir.IsolatedFromAbove)
		if op != root {
			s.flows(op)
			s.push(op)
			if isolated {
				return ir.SkipBelow
			}
		} else if !isolated {
			s.flows(op)
		}
		return ir.Advance
	})
	for len(s.work) > 0 {
		op := s.work[len(s.work)-1] // the last ones first, since facts come from there
		s.work = s.work[:len(s.work)-1]
		s.on[op.ID()] = false
		s.visit(op)
	}
	return s.Facts
}

// flows notes which operands of op become which values elsewhere.
func (s *backward[F]) flows(op ir.Op) {
	if ir.RegionEdges(op, func(e ir.RegionEdge) {
		for i := range e.Len() {
			in := e.Input(i)
			s.sources[in] = append(s.sources[in], e.From.OperandUse(e.Lo+i))
		}
	}) {
		return
	}
	for i := range op.NumSuccessors() {
		if span, ok := ir.BranchOp.Of(op); ok {
			lo, hi := span(op, i)
			for k := range hi - lo {
				arg := op.Successor(i).Arg(k)
				s.sources[arg] = append(s.sources[arg], op.OperandUse(lo+k))
			}
		}
	}
}

func (s *backward[F]) push(op ir.Op) {
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

func (s *backward[F]) visit(op ir.Op) {
	s.Transfer(op,
		func(i int) (F, bool) { return s.Of(op.Result(i)) },
		func(i int, f F) { s.grow(op.Operand(i), f) })
}

// grow joins a fact into that of v, and into those of the operands that v gets its value from.
func (s *backward[F]) grow(v ir.Value, f F) {
	type item struct {
		v ir.Value
		f F
	}
	list := []item{{v, f}}
	for len(list) > 0 {
		it := list[len(list)-1]
		list = list[:len(list)-1]
		if it.v.IsNil() || it.v.Arena() != s.arena {
			continue
		}
		id := s.room(it.v)
		if s.grown[id] > 0 {
			old := s.facts[id]
			it.f = s.Join(old, it.f)
			if s.Equal(old, it.f) {
				continue
			}
			if s.grown[id] >= maxGrowth {
				if it.f = s.Unknown(it.v); s.Equal(old, it.f) {
					continue
				}
			}
		}
		s.facts[id] = it.f
		s.grown[id] = min(s.grown[id]+1, maxGrowth+1)
		if def := it.v.DefiningOp(); !def.IsNil() && s.Executed(def) {
			s.push(def)
		}
		for _, u := range s.sources[it.v] {
			list = append(list, item{u.Value(), it.f})
		}
	}
}
