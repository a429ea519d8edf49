package shareterms

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A kind is an operation whose operands may be combined in any order.
type kind struct {
	def *ir.OpDef
	// inner reports whether an operand of an operation is itself such a sum, as far as its type goes.
	inner func(op ir.Op, operand int) bool
	is    func(op ir.Op) bool
}

var kinds = []kind{
	{arith.AndI, func(ir.Op, int) bool { return true }, func(op ir.Op) bool { return ir.BitWidth(op.Result(0).Type()) == 1 }},
	{arith.AddI, func(ir.Op, int) bool { return true }, func(op ir.Op) bool {
		return ir.BitWidth(op.Result(0).Type()) == 32 && arith.Promises(op) == numeric.Wraps{}
	}},
	{nvvm.PtrAdd, func(_ ir.Op, operand int) bool { return operand == 0 }, func(op ir.Op) bool { return ir.BitWidth(op.Operand(1).Type()) == 64 }},
}

// mostTerms bounds the terms of a sum that is taken apart: pairs are its square.
const mostTerms = 8

// A sum is an operation with its terms. A term is the number of a node.
type sum struct {
	root  ir.Op
	terms []int
	dirty bool
}

// A node is a value, or the combination of two nodes that has none yet.
type node struct {
	value ir.Value
	pair  [2]int
}

// collect returns the sums of a kind that no other sum takes in, in program order.
func (s *sharer) collect(fn ir.Op, k kind) (roots []ir.Op) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(k.def) && k.is(op) && !isInner(op, k) {
			roots = append(roots, op)
		}
		return ir.Advance
	})
	return roots
}

// isInner reports whether the only user of a sum is a sum of the same block.
func isInner(op ir.Op, k kind) bool {
	if !op.Result(0).HasOneUse() {
		return false
	}
	for u := range op.Result(0).Uses() {
		user := u.Owner()
		return user.Is(k.def) && k.is(user) && user.Block() == op.Block() && k.inner(user, u.Index())
	}
	return false
}

// termsOf appends the terms of a sum.
func termsOf(op ir.Op, k kind, out []ir.Value) []ir.Value {
	for i, v := range op.Operands() {
		if def := v.DefiningOp(); k.inner(op, i) && !def.IsNil() && def.Is(k.def) && k.is(def) && isInner(def, k) {
			out = termsOf(def, k, out)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// share combines pairs of terms that several sums have. A pair of an address has its pointer: ptxas makes one instruction
// of a product and what it is added to, and would make three of two offsets that are added first.
func (s *sharer) share(k kind, roots []ir.Op) {
	nodes, number := []node{}, make(map[ir.Value]int)
	var sums []*sum
	for _, op := range roots {
		terms := termsOf(op, k, nil)
		if len(terms) > mostTerms {
			continue
		}
		one := &sum{root: op}
		for _, v := range terms {
			n, ok := number[v]
			if !ok {
				n = len(nodes)
				number[v] = n
				nodes = append(nodes, node{value: v})
			}
			one.terms = append(one.terms, n)
		}
		sums = append(sums, one)
	}
	for {
		pair, ok := commonest(k, sums, nodes)
		if !ok || !s.may("share", sums[0].root) {
			break
		}
		n := len(nodes)
		nodes = append(nodes, node{pair: pair})
		s.shared++
		var users []ir.Op
		for _, one := range sums {
			i, j := slices.Index(one.terms, pair[0]), slices.Index(one.terms, pair[1])
			if i < 0 || j < 0 {
				continue
			}
			one.terms = slices.Delete(one.terms, max(i, j), max(i, j)+1)
			one.terms[min(i, j)] = n
			one.dirty = true
			users = append(users, one.root)
		}
		nodes[n].value = s.combine(k, nodes[pair[0]].value, nodes[pair[1]].value, users)
	}
	for _, one := range sums {
		if one.dirty {
			total := rebuild(k, one, nodes)
			if n, ok := number[one.root.Result(0)]; ok { // a term of others
				nodes[n].value = total
			}
			erase(k, one.root)
		}
	}
}

// commonest returns the pair of terms that most sums have, the first of several; ok is false if no two have one, or
// only sums that are that pair.
func commonest(k kind, sums []*sum, nodes []node) (best [2]int, ok bool) {
	type tally struct{ count, longer int }
	counts := make(map[[2]int]*tally)
	var order [][2]int
	for _, one := range sums {
		for i, a := range one.terms {
			for _, b := range one.terms[i+1:] {
				if a == b || isConstant(nodes[a].value) || isConstant(nodes[b].value) || k.def == nvvm.PtrAdd && !isPointer(nodes[a].value) {
					continue
				}
				key := [2]int{min(a, b), max(a, b)}
				t := counts[key]
				if t == nil {
					t = &tally{}
					counts[key] = t
					order = append(order, key)
				}
				if t.count++; len(one.terms) > 2 {
					t.longer++
				}
			}
		}
	}
	most := 1
	for _, key := range order {
		// A sum of three integers is one instruction (IADD3), so that a pair of two such sums saves nothing, unless it is
		// computed anyway.
		if t := counts[key]; t.count > most && t.longer > 0 && (k.def != arith.AddI || t.longer < t.count) {
			best, most, ok = key, t.count, true
		}
	}
	return best, ok
}

func isConstant(v ir.Value) bool { return ir.ConstantValue(v) != nil }

// combine creates the combination of two values where it dominates all that use it: in front of the first of them if
// they share a block, else behind the later definition.
func (s *sharer) combine(k kind, a, b ir.Value, users []ir.Op) ir.Value {
	at := users[0]
	for _, op := range users[1:] {
		if op.Block() != at.Block() {
			return s.behind(k, a, b)
		}
		if op.IsBeforeInBlock(at) {
			at = op
		}
	}
	builder := ir.BuilderBefore(at)
	builder.SetLocOf(at)
	return create(builder, k, a, b)
}

func (s *sharer) behind(k kind, a, b ir.Value) ir.Value {
	later := a
	switch x, y := a.DefiningOp(), b.DefiningOp(); {
	case a.Block() != b.Block():
		if s.dom.BlockDominates(a.Block(), b.Block()) {
			later = b
		}
	case x.IsNil(), !y.IsNil() && x.IsBeforeInBlock(y):
		later = b
	}
	builder := ir.BuilderBefore(later.Block().First())
	if def := later.DefiningOp(); !def.IsNil() {
		builder = ir.BuilderAfter(def)
		builder.SetLocOf(def)
	}
	return create(builder, k, a, b)
}

// create combines two values: the pointer of an address comes first, and two offsets are an integer.
func create(b *ir.Builder, k kind, x, y ir.Value) ir.Value {
	if isPointer(y) {
		x, y = y, x
	}
	def := k.def
	if def == nvvm.PtrAdd && !isPointer(x) {
		def = arith.AddI
	}
	return b.Create(def, []ir.Value{x, y}, []ir.Type{x.Type()}).Result(0)
}

func isPointer(v ir.Value) bool { _, ok := v.Type().(*nvvm.PtrType); return ok }

// rebuild computes a sum of its terms in their new grouping.
func rebuild(k kind, one *sum, nodes []node) ir.Value {
	b := ir.BuilderBefore(one.root)
	b.SetLocOf(one.root)
	values := make([]ir.Value, len(one.terms))
	for i, n := range one.terms {
		values[i] = nodes[n].value
	}
	total := values[0]
	for _, v := range values[1:] {
		total = create(b, k, total, v)
	}
	one.root.Result(0).ReplaceAllUsesWith(total)
	return total
}

// erase erases a sum that nothing uses any more, with the sums that it took in.
func erase(k kind, root ir.Op) {
	for work := []ir.Op{root}; len(work) > 0; work = work[1:] {
		op := work[0]
		if op.Erased() || !op.Is(k.def) || !ir.IsTriviallyDead(op) {
			continue
		}
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); !def.IsNil() {
				work = append(work, def)
			}
		}
		op.Erase()
	}
}
