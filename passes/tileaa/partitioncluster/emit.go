package partitioncluster

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// An emitter applies a plan. Replicated operations stay in place, and subtiles are computed before them. Values
// of control flow get their new types last, when nothing uses the old ones any more.
type emitter struct {
	*plan
	number, first ir.Value // of the CTA, and whether it is the first
	parts         map[wanted]ir.Value
	replicated    map[ir.Value]ir.Value // what replaces values that CTAs exchange
	wasOf         map[ir.Value]ir.Value // and the other way round
	made          int
}

// emit returns how many operations were partitioned.
func (p *plan) emit() int {
	b := ir.BuilderBefore(p.op.Body().First())
	b.SetLocOf(p.op)
	e := &emitter{plan: p, number: rank(b), parts: make(map[wanted]ir.Value),
		replicated: make(map[ir.Value]ir.Value), wasOf: make(map[ir.Value]ir.Value)}
	e.first = arith.NewCmpI(b, "eq", e.number, arith.NewInt(b, b.Context().Int(32), 0))
	for v, m := range p.mergeOf {
		if f := p.merged[m]; f != replicated {
			e.parts[wanted{v, f}] = v
		}
	}
	// Synchronizations first: they take the tokens of the program's operations, which partitioned copies then
	// inherit.
	e.sync()
	e.sliceArguments()
	for _, op := range p.all {
		e.operation(op)
	}
	e.control()
	e.erase()
	return e.made
}

// sliceArguments takes parts out of replicated block arguments.
func (e *emitter) sliceArguments() {
	for _, v := range e.mergedInOrder() {
		if v.DefiningOp().IsNil() {
			b := ir.BuilderBefore(v.Block().First())
			b.SetLocOf(v.Block().ParentOp())
			e.gatherOf(b, v)
			e.slicesOf(b, v)
		}
	}
}

// mergedInOrder lists the values of control flow in the order of the text. Maps have no order, and the output
// must not depend on theirs.
func (e *emitter) mergedInOrder() (vs []ir.Value) {
	add := func(list []ir.Value) {
		for _, v := range list {
			if e.mergeOf[v] != nil {
				vs = append(vs, v)
			}
		}
	}
	for _, op := range e.plan.control {
		for i := range op.NumRegions() {
			for block := range op.Region(i).Blocks() {
				add(block.Args())
			}
		}
		add(op.Results())
	}
	return vs
}

// operation makes an operation in all of its variants.
func (e *emitter) operation(op ir.Op) {
	var after []ir.Value
	for _, k := range e.variants[op] {
		if k == uncut {
			if t := tokens.After(op); !t.IsNil() {
				after = append(after, t)
			}
			continue
		}
		a := e.axes(op)[k]
		e.made++
		if a.Kind != strip.Parallel {
			e.join(op, a)
			continue
		}
		results := e.part(op, a)
		for i, v := range op.Results() {
			if tokens.Is(v) {
				after = append(after, results[i])
			} else if d := e.axes(op)[k].Dim(true, i); d >= 0 {
				e.parts[wanted{v, form(d)}] = results[i]
			}
		}
	}
	// guard moves the operation into a branch, where it has no next one.
	next := op.Next()
	if e.guarded(op) {
		e.guard(op)
	}
	b := ir.BuilderBefore(op)
	if !next.IsNil() {
		b = ir.BuilderBefore(next)
	}
	b.SetLocOf(op)
	for _, v := range op.Results() {
		e.gatherOf(b, v)
		e.slicesOf(b, v)
	}
	if e.guarded(op) {
		return
	}
	e.order(op, after)
}

// part makes the part of an operation.
func (e *emitter) part(op ir.Op, a strip.Axis) []ir.Value {
	p := e.partOf(op, a)
	if row, _ := strip.Rows.Of(op); row.Part != nil {
		return row.Part(p, op)
	}
	return p.Copy(op).Results()
}

// partOf returns what the part of an operation is made of.
func (e *emitter) partOf(op ir.Op, a strip.Axis) *strip.Part {
	b := ir.BuilderBefore(op)
	b.SetLocOf(op)
	p := &strip.Part{Builder: b, Axis: a, Number: e.number, First: e.first, Count: int64(e.ctas), Operands: op.Operands()}
	for i, v := range p.Operands {
		if d := a.Dim(false, i); d >= 0 {
			p.Operands[i] = e.parts[wanted{e.original(v), form(d)}]
		}
	}
	return p
}

// order makes what comes after an access come after all that it became.
func (e *emitter) order(op ir.Op, after []ir.Value) {
	t := tokens.After(op)
	if t.IsNil() || !t.HasUses() || len(after) == 0 || len(after) == 1 && after[0] == t {
		return
	}
	var uses []ir.Use
	for u := range t.Uses() {
		uses = append(uses, u)
	}
	to := after[0]
	if len(after) > 1 {
		b := ir.BuilderBefore(op.Next())
		b.SetLocOf(op)
		to = b.Create(tileaa.Level.JoinTokens, after, []ir.Type{t.Type()}).Result(0)
	}
	for _, u := range uses {
		u.Owner().SetOperand(u.Index(), to)
	}
}

// slicesOf takes the parts that are needed out of a replicated value.
func (e *emitter) slicesOf(b *ir.Builder, v ir.Value) {
	for d, size := range tile.Shape(v.Type()) {
		w := wanted{v, form(d)}
		if !e.slices[w] {
			continue
		}
		at := make([]ir.Value, 0, d+2)
		at = append(at, e.now(v))
		for i := range tile.Shape(v.Type()) {
			if i == d {
				at = append(at, e.number)
			} else {
				at = append(at, arith.NewInt(b, e.number.Type(), 0))
			}
		}
		t := strip.Resize(v.Type().(*ir.TensorType), d, size/int64(e.ctas))
		// The subtile's number is the rank, since Extract counts subtiles and not elements.
		e.parts[w] = b.Create(tileaa.Level.Extract, at, []ir.Type{t}).Result(0)
		e.made++
	}
}

// guard makes only the first CTA execute an operation.
func (e *emitter) guard(op ir.Op) {
	b := ir.BuilderBefore(op)
	b.SetLocOf(op)
	var types []ir.Type
	var yielded, passed []ir.Value
	for _, v := range op.Results() {
		switch {
		// The other CTAs skip the access, so for them its token is what it comes after.
		case tokens.Is(v):
			before := tokens.Of(op)
			if before.IsNil() {
				before = b.Create(tileaa.Level.MakeToken, nil, []ir.Type{v.Type()}).Result(0)
			}
			passed = append(passed, before)
		// Any value does for the others: fromFirst replaces it.
		case e.shared[op]:
			passed = append(passed, e.zero(b, v.Type()))
		default:
			continue
		}
		types, yielded = append(types, v.Type()), append(yielded, v)
	}
	branch := scf.CreateIf(b, e.first, types)
	then, other := ir.BuilderAtEnd(branch.Region(0).First()), ir.BuilderAtEnd(branch.Region(1).First())
	then.SetLocOf(op)
	other.SetLocOf(op)
	for i, v := range yielded {
		if tokens.Is(v) {
			v.ReplaceAllUsesWith(branch.Result(i))
			continue
		}
		all := e.fromFirst(b, branch.Result(i))
		e.replace(v, all)
	}
	op.MoveToEnd(branch.Region(0).First())
	then.Create(scf.Yield, yielded, nil)
	other.Create(scf.Yield, passed, nil)
}

// control gives control flow the parts that it carries.
func (e *emitter) control() {
	for _, op := range e.plan.control {
		for i, v := range op.Operands() {
			into := e.into[flowOperand{op, i}]
			if len(into) == 0 || tokens.Is(v) {
				continue
			}
			if f := e.merged[e.mergeOf[into[0]]]; f != replicated {
				op.SetOperand(i, e.parts[wanted{e.original(v), f}])
			}
		}
	}
	for v, m := range e.mergeOf {
		if f := e.merged[m]; f != replicated {
			v.SetType(strip.Cut(v.Type(), int(f), int64(e.ctas)))
		}
	}
}

// erase erases operations that were only needed as subtiles.
func (e *emitter) erase() {
	for _, op := range slices.Backward(e.all) {
		if slices.Contains(e.plan.control, op) || slices.Contains(e.variants[op], uncut) || len(e.variants[op]) == 0 && !ir.IsTriviallyDead(op) {
			continue
		}
		if !op.HasUses() {
			op.Erase()
		}
	}
	if !e.first.HasUses() {
		e.first.DefiningOp().Erase()
	}
}
