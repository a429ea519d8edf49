package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A pair is a load and a write after it whose parts must not change places as far as the compiler knows.
type pair struct{ load, write ir.Op }

// maxTests is how many pairs are tested: each takes some thirty instructions.
const maxTests = 16

// version makes two versions of a chain: one without order between the pairs, which runs if they access disjoint
// memory, and the original. It reports whether it could. The addresses of both accesses must be known before the
// chain begins. They must be of different objects: accesses to one object are likely to overlap.
func (p *plan) version() bool {
	first, last := p.ops[0], p.ops[len(p.ops)-1]
	for _, pr := range p.pairs {
		if p.oneVersion[pr.load] || p.aliases().ObjectsOf(pr.load)&p.aliases().ObjectsOf(pr.write) != 0 {
			return false
		}
	}
	if len(p.pairs) == 0 || len(p.pairs) > maxTests || last.HasTrait(ir.Terminator) {
		return false
	}
	inside := between(first, last)
	outputs, ok := leaving(inside)
	if !ok {
		return false
	}
	// The operands of the addresses may be computed among the operations of the chain, such as sizes that nobody
	// needs earlier.
	hoist(inside, first)
	for _, pr := range p.pairs {
		if !known(pr.load, first) || !known(pr.write, first) {
			return false
		}
	}
	b := ir.BuilderBefore(first)
	var cond ir.Value
	for _, pr := range p.pairs {
		// Tests are combined without branches: a few scalar instructions, and one branch.
		if apart := disjoint(b, pr.load, pr.write); cond.IsNil() {
			cond = apart
		} else {
			cond = b.Create(arith.AndI, []ir.Value{cond, apart}, []ir.Type{cond.Type()}).Result(0)
		}
	}
	p.branch(b, cond, between(first, last), outputs)
	return true
}

// between returns the operations of a block from one to another.
func between(first, last ir.Op) (ops []ir.Op) {
	for op := first; ; op = op.Next() {
		ops = append(ops, op)
		if op == last {
			return ops
		}
	}
}

// leaving returns the results of operations that others use; false when there is one too large to be kept.
func leaving(ops []ir.Op) (out []ir.Value, ok bool) {
	in := make(map[ir.Op]bool, len(ops))
	for _, op := range ops {
		in[op] = true
	}
	for _, op := range ops {
		for _, v := range op.Results() {
			for u := range v.Uses() {
				if user := u.Owner().AncestorIn(op.Block().Region()); !in[user] {
					if ir.IsTensor(v) && words(v) > maxKept {
						return nil, false
					}
					out = append(out, v)
					break
				}
			}
		}
	}
	return out, true
}

// hoist moves operations that depend on no other operation of the list before all of them. What follows an
// operation with regions stays: control may leave there, so it need not be executed at all.
func hoist(ops []ir.Op, first ir.Op) {
	stays := make(map[ir.Op]bool, len(ops))
	for _, op := range ops {
		stays[op] = true
	}
	for _, op := range ops {
		if op.NumRegions() > 0 && !op.HasTrait(ir.Pure) {
			return
		}
		if op == first || op.NumRegions() > 0 || !op.HasTrait(ir.Pure) || slices.ContainsFunc(op.Operands(), func(v ir.Value) bool { return stays[v.DefiningOp()] }) {
			continue
		}
		op.MoveBefore(first)
		delete(stays, op)
	}
}

// known reports whether the range of addresses of an access can be computed before an operation.
func known(access, before ir.Op) bool {
	if access.Def().OperandField("offsets") < 0 {
		return false
	}
	a := tile.AccessOf(access)
	for _, v := range slices.Concat([]ir.Value{a.Base}, a.Offsets, a.Sizes, a.Strides) {
		if def := v.DefiningOp(); !def.IsNil() && def.Block() == before.Block() && !def.IsBeforeInBlock(before) {
			return false
		}
	}
	return true
}

// disjoint computes whether two accesses are to different memory.
func disjoint(b *ir.Builder, x, y ir.Op) ir.Value {
	i1 := b.Context().Int(1)
	below := func(end, begin ir.Value) ir.Value {
		return arith.NewCmpI(b, "ule", end, begin)
	}
	xb, xe := addresses(b, tile.AccessOf(x))
	yb, ye := addresses(b, tile.AccessOf(y))
	return b.Create(arith.OrI, []ir.Value{below(xe, yb), below(ye, xb)}, []ir.Type{i1}).Result(0)
}

// addresses computes where the elements of a tile begin and end. At the far end of each dimension, elements
// outside of bounds are left out. So a tile that ends inside a memory object does not reach into the next one.
func addresses(b *ir.Builder, a tile.Access) (begin, end ir.Value) {
	i64 := b.Context().Int(64)
	number := func(n int64) ir.Value { return integer(b, n) }
	calc := func(def *ir.OpDef, x, y ir.Value) ir.Value {
		return b.Create(def, []ir.Value{x, y}, []ir.Type{i64}).Result(0)
	}
	origin, low, high, zero := number(0), number(0), number(0), number(0)
	for d, n := range tile.Shape(a.Tile) {
		origin = calc(arith.AddI, origin, calc(arith.MulI, a.Offsets[d], a.Strides[d]))
		last := number(n - 1)
		if a.Checked(d) {
			last = calc(arith.MinSI, last, calc(arith.SubI, calc(arith.SubI, a.Sizes[d], number(1)), a.Offsets[d]))
		}
		span := calc(arith.MulI, last, a.Strides[d])
		low, high = calc(arith.AddI, low, calc(arith.MinSI, span, zero)), calc(arith.AddI, high, calc(arith.MaxSI, span, zero))
	}
	bytes := number(int64(tile.ElementBytes(ir.ElementType(a.Tile))))
	base := b.Create(tileaa.Level.PtrToInt, []ir.Value{a.Base}, []ir.Type{i64}).Result(0)
	at := func(elements ir.Value) ir.Value {
		return calc(arith.AddI, base, calc(arith.MulI, calc(arith.AddI, origin, elements), bytes))
	}
	return at(low), calc(arith.AddI, at(high), bytes)
}

// branch moves operations into one branch of a condition, with the pairs unordered, and copies them into the other.
func (p *plan) branch(b *ir.Builder, cond ir.Value, ops []ir.Op, outputs []ir.Value) {
	choice := scf.CreateIf(b, cond, typesOf(outputs))
	then, other := choice.Region(0).First(), choice.Region(1).First()

	m := ir.NewMapping()
	in := ir.BuilderAtEnd(other)
	// The copies are the version with order. The originals lose their order below and are what later passes
	// optimize.
	for _, op := range ops {
		copied := in.Clone(op, m)
		p.oneVersion[copied] = true
	}
	var copies []ir.Value
	for _, v := range outputs {
		copies = append(copies, m.Lookup(v))
	}
	in.Create(scf.Yield, copies, nil)

	for i, v := range outputs {
		// Uses inside keep the original values, all others get the result of the condition.
		v.ReplaceUsesIf(choice.Result(i), func(u ir.Use) bool { return !slices.Contains(ops, u.Owner().AncestorIn(choice.Block().Region())) })
	}
	for _, op := range ops {
		op.MoveToEnd(then)
	}
	ir.BuilderAtEnd(then).Create(scf.Yield, outputs, nil)
	for _, pr := range p.pairs {
		unorder(pr)
	}
}

// unorder makes the write of a pair come after all that it came after but the load. The order of what the load comes
// after stays.
func unorder(pr pair) {
	var kept []ir.Value
	seen := make(map[ir.Value]bool)
	var follow func(v ir.Value)
	follow = func(v ir.Value) {
		if v.IsNil() || seen[v] {
			return
		}
		seen[v] = true
		if v.DefiningOp() == pr.load {
			follow(tokens.Of(pr.load))
		} else if from, ok := tokens.Joined(v); ok {
			for _, x := range from {
				follow(x)
			}
		} else {
			kept = append(kept, v)
		}
	}
	follow(tokens.Of(pr.write))
	tokens.Set(pr.write, joined(ir.BuilderBefore(pr.write), kept))
}
