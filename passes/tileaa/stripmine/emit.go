package stripmine

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

// An emitter applies a plan.
type emitter struct {
	*plan
	parts int64
	done  map[ir.Op][]ir.Value // the tokens after the loops that an access is in
	loops []ir.Op
}

// emit applies a plan and returns the loops.
func (p *plan) emit(parts int64) []ir.Op {
	e := &emitter{plan: p, parts: parts, done: make(map[ir.Op][]ir.Value)}
	for _, ph := range p.phases {
		e.phase(ph)
	}
	e.rewire()
	e.erase()
	return e.loops
}

// axisOf returns the axis of an operation in the class that is split.
func (e *emitter) axisOf(op ir.Op) (strip.Axis, int, bool) { return e.numberedAxis(op, e.id) }

// A body is the loop of a phase while it is filled.
type body struct {
	*emitter
	*ir.Builder
	ph     *phase
	number ir.Value
	first  ir.Value
	args   []ir.Value // loop-carried values, and what they become
	next   []ir.Value
	whole  map[ir.Value]ir.Value // what was rematerialized and is not split
	cut    map[ir.Value]ir.Value // parts
	free   map[freePart]ir.Value
	tokens map[ir.Op]ir.Value // after the accesses
	entry  ir.Value
}

type freePart struct {
	v   ir.Value
	dim int
}

func (e *emitter) phase(ph *phase) {
	b := ir.BuilderBefore(ph.before)
	b.SetLocOf(ph.sinks[0])
	c := b.Context()
	i32 := c.Int(32)
	constant := func(n int64) ir.Value {
		return arith.NewInt(b, i32, n)
	}
	zero, last := constant(0), constant(e.parts-1)
	inits, carried := e.inits(b, ph)
	var entry ir.Value
	if len(ph.accesses) > 0 {
		entry = e.entry(b, ph)
		inits = append(inits, entry)
	}
	loop := scf.CreateFor(b, zero, constant(e.parts), constant(1), inits)
	block := loop.Body()
	e.loops = append(e.loops, loop)

	in := &body{emitter: e, Builder: ir.BuilderAtEnd(block), ph: ph, args: block.Args()[1:], entry: entry,
		whole: make(map[ir.Value]ir.Value), cut: make(map[ir.Value]ir.Value), free: make(map[freePart]ir.Value), tokens: make(map[ir.Op]ir.Value)}
	in.SetLocOf(ph.sinks[0])
	in.number = block.Arg(0)
	if carried {
		in.first = arith.NewCmpI(in.Builder, "eq", in.number, zero)
	}
	// A scan from the end needs the last part first, while scf.for only counts upwards.
	if ph.kind == strip.Backward {
		in.number = in.Create(arith.SubI, []ir.Value{last, in.number}, []ir.Type{i32}).Result(0)
	}
	in.fill()
	// The carried token collects the accesses of all parts for what comes after the loop. No access in the loop
	// takes it: different parts need no order.
	if len(ph.accesses) > 0 {
		after := []ir.Value{in.args[len(in.args)-1]}
		for _, x := range ph.accesses {
			if t, ok := in.tokens[x]; ok {
				after = append(after, t)
			}
			e.done[x] = append(e.done[x], loop.Result(loop.NumResults()-1))
		}
		in.next = append(in.next, joined(in.Builder, after))
	}
	in.Create(scf.Continue, in.next, nil)
	e.finish(b, ph, loop)
}

func typesOf(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type()
	}
	return out
}

// ordered returns the operations of a phase that carry something from part to part, in order: sinks that reduce, and
// scans.
func (e *emitter) ordered(ph *phase) (ops []ir.Op) {
	for _, op := range e.ops {
		if a, ok := e.axisIn(op, e.id); ok && a.Kind != strip.Parallel && (ph.pulled[op] || slices.Contains(ph.sinks, op)) {
			ops = append(ops, op)
		}
	}
	return ops
}

// inits creates the values that the loop begins with. Accumulators begin with what the MMA adds to. The others are
// never read, since the first part is taken unchanged; carried says whether there are any.
func (e *emitter) inits(b *ir.Builder, ph *phase) (inits []ir.Value, carried bool) {
	for _, op := range e.ordered(ph) {
		a, _ := e.axisIn(op, e.id)
		if a.Kind == strip.Summed {
			inits = append(inits, op.Operand(strip.Into))
			continue
		}
		carried = true
		for i, v := range op.Operands() {
			dim := a.Dim(false, i)
			t := strip.Cut(v.Type(), dim, e.parts)
			if a.Kind != strip.Reduced {
				t = strip.Resize(v.Type().(*ir.TensorType), dim, 1)
			}
			data := make([]byte, tile.ElementBytes(ir.ElementType(t)))
			inits = append(inits, arith.NewConstant(b, t, b.Context().Dense(t, data)))
		}
	}
	return inits, carried
}

// fill makes the parts of what the phase needs, in the order of the block.
func (in *body) fill() {
	carry := 0
	for _, op := range in.ops {
		sink := slices.Contains(in.ph.sinks, op)
		if !sink && !in.ph.pulled[op] {
			continue
		}
		in.SetLocOf(op)
		a, k, cut := in.axisOf(op)
		if !cut {
			in.copyUncut(op)
			continue
		}
		n := op.NumOperands()
		switch a.Kind {
		case strip.Parallel:
			results := in.make(op, a, k)
			in.bind(op, results, in.cut)
			for i, v := range op.Results() { // of a loop, what the class does not split
				if a.Dim(true, i) < 0 && ir.IsTensor(v) {
					in.whole[v] = results[i]
				}
			}
			continue
		case strip.Summed:
			part := &strip.Part{Builder: in.Builder, Axis: a, Number: in.number, Count: in.parts, Operands: in.operands(op, a)}
			n, part.Operands[strip.Into] = 1, in.args[carry]
			// The accumulator goes from part to part, so each element is summed in the order of the original MMA.
			in.next = append(in.next, part.Copy(op).Result(0))
		case strip.Reduced:
			in.next = append(in.next, in.accumulate(op, in.operands(op, a), in.args[carry:carry+n])...)
		default:
			in.bind(op, in.scan(op, a, in.args[carry:carry+n]), in.cut)
		}
		carry += n
	}
}

// make makes the part of an operation.
func (in *body) make(op ir.Op, a strip.Axis, k int) []ir.Value {
	operands := in.operands(op, a)
	if in.carriers[op] != nil {
		return in.loopPart(op, k, operands)
	}
	part := &strip.Part{Builder: in.Builder, Axis: a, Number: in.number, First: in.first, Count: in.parts, Operands: operands}
	if row, _ := strip.Rows.Of(op); row.Part != nil {
		return row.Part(part, op)
	}
	return part.Copy(op).Results()
}

// scan makes a part of an operation that needs those before it.
func (in *body) scan(op ir.Op, a strip.Axis, carry []ir.Value) []ir.Value {
	row, _ := strip.Rows.Of(op)
	part := &strip.Part{Builder: in.Builder, Axis: a, Number: in.number, First: in.first, Count: in.parts, Operands: in.operands(op, a), Carry: carry}
	results := row.Part(part, op)
	in.next = append(in.next, part.Carry...)
	return results
}

// accumulate combines, element by element, the part that is reduced with those before it. The combined part is
// reduced once, after the loop.
func (in *body) accumulate(op ir.Op, parts, acc []ir.Value) []ir.Value {
	row, _ := strip.Rows.Of(op)
	next := row.Combine(in.Builder, op, acc, parts)
	// No identity of the reduction is needed: the first part is taken as it is. A body may be any code, so an
	// identity is often not known.
	for i, v := range parts {
		next[i] = in.Create(arith.Select, []ir.Value{in.first, v, next[i]}, []ir.Type{v.Type()}).Result(0)
	}
	return next
}

func (in *body) bind(op ir.Op, results []ir.Value, to map[ir.Value]ir.Value) {
	for i, v := range op.Results() {
		// Parts of an access that are read twice have one token for both.
		switch have, ok := in.tokens[op]; {
		case !tokens.Is(v):
			to[v] = results[i]
		case ok:
			in.tokens[op] = joined(in.Builder, []ir.Value{have, results[i]})
		default:
			in.tokens[op] = results[i]
		}
	}
}

// copyUncut rematerializes an operation that is not split.
func (in *body) copyUncut(op ir.Op) {
	m := ir.NewMapping()
	for _, v := range op.Operands() {
		switch w, ok := in.whole[v]; {
		case ok:
			m.Values[v] = w
		case tokens.Is(v):
			m.Values[v] = in.token(op, v)
		}
	}
	in.bind(op, in.Clone(op, m).Results(), in.whole)
}

// operands returns the operands of the part of an operation.
func (in *body) operands(op ir.Op, a strip.Axis) []ir.Value {
	out := op.Operands()
	for i, v := range out {
		dim := a.Dim(false, i)
		switch {
		case tokens.Is(v) && in.loop.IsNil():
			out[i] = in.token(op, v)
		case dim >= 0:
			out[i] = in.part(v, dim)
		default:
			out[i] = in.uncut(v)
		}
	}
	return out
}

// part returns the part of a tensor.
func (in *body) part(v ir.Value, dim int) ir.Value {
	if w, ok := in.cut[v]; ok {
		return w
	}
	key := freePart{v, dim}
	if w, ok := in.free[key]; ok {
		return w
	}
	if in.extracted[v] {
		in.free[key] = in.extract(v, dim)
		return in.free[key]
	}
	op := v.DefiningOp()
	var axis strip.Axis
	for _, a := range in.axesOf(op) {
		if a.Dim(true, v.Index()) == dim {
			axis = a
		}
	}
	p := &strip.Part{Builder: in.Builder, Axis: axis, Number: in.number, Count: in.parts, Operands: op.Operands()}
	for i, x := range p.Operands {
		if d := axis.Dim(false, i); d >= 0 {
			p.Operands[i] = in.part(x, d)
		} else {
			p.Operands[i] = in.uncut(x)
		}
	}
	row, _ := strip.Rows.Of(op)
	var results []ir.Value
	if row.Part != nil {
		results = row.Part(p, op)
	} else {
		results = p.Copy(op).Results()
	}
	in.free[key] = results[v.Index()]
	return results[v.Index()]
}

// token returns what a part of an access is ordered after: the parts of those in the same phase, else what comes
// before the loop. Different parts need no order.
func (in *body) token(op ir.Op, v ir.Value) ir.Value {
	var inside []ir.Value
	in.resolve(v, ir.Op{}, func(x ir.Op) bool {
		t, ok := in.tokens[x]
		if ok && !slices.Contains(inside, t) {
			inside = append(inside, t)
		}
		return ok
	}, func(ir.Value) {})
	// Different parts need no order, so what comes before the loop is enough.
	if len(inside) == 0 {
		return in.entry
	}
	return joined(in.Builder, inside)
}

// finish makes what follows the loop from the results of the phase.
func (e *emitter) finish(b *ir.Builder, ph *phase, loop ir.Op) {
	i := 0
	for _, op := range e.ordered(ph) {
		n := op.NumOperands()
		switch a, _ := e.axisIn(op, e.id); a.Kind {
		case strip.Summed:
			n = 1
			op.Result(0).ReplaceAllUsesWith(loop.Result(i))
		case strip.Reduced:
			// One reduction of the combined part is left, in place of the reduction of the entire tensor.
			m := ir.NewMapping()
			b.SetLocOf(op)
			last := b.Clone(op, m)
			last.SetOperands(loop.Results()[i : i+n])
			for k, v := range op.Results() {
				v.ReplaceAllUsesWith(last.Result(k))
			}
		}
		i += n
	}
	for _, op := range ph.moved {
		op.MoveBefore(ph.before)
	}
}

// entry returns the token that all accesses of a phase come after.
func (e *emitter) entry(b *ir.Builder, ph *phase) ir.Value {
	own := make(map[ir.Op]bool)
	for _, x := range ph.accesses {
		own[x] = true
	}
	var before []ir.Value
	for _, x := range ph.accesses {
		if !tokens.Access(x) {
			continue
		}
		e.resolve(tokens.Of(x), ph.before, func(y ir.Op) bool { return own[y] }, func(v ir.Value) {
			if !slices.Contains(before, v) {
				before = append(before, v)
			}
		})
	}
	return joined(b, before)
}

// joined returns a token that comes after all of some, or after nothing.
func joined(b *ir.Builder, vs []ir.Value) ir.Value {
	t := []ir.Type{tileaa.Level.Token(b.Context())}
	switch len(vs) {
	case 0:
		return b.Create(tileaa.Level.MakeToken, nil, t).Result(0)
	case 1:
		return vs[0]
	}
	return b.Create(tileaa.Level.JoinTokens, vs, t).Result(0)
}

// resolve follows a token to what it consists of once accesses are in loops: tokens after the loops that are before
// an operation (a zero Op: all), and others. Where inside says that an access is accounted for, it is not followed.
func (e *emitter) resolve(v ir.Value, at ir.Op, inside func(ir.Op) bool, add func(ir.Value)) {
	seen := make(map[ir.Value]bool)
	var follow func(v ir.Value)
	before := func(op ir.Op) {
		for _, x := range op.Operands() {
			if tokens.Is(x) {
				follow(x)
			}
		}
	}
	follow = func(v ir.Value) {
		// Joins share tokens, so following every path would take exponential time.
		if v.IsNil() || seen[v] {
			return
		}
		seen[v] = true
		def := v.DefiningOp()
		if def.IsNil() || def.Block() != e.block {
			add(v)
			return
		}
		if from, ok := tokens.Joined(v); ok {
			if len(from) == 0 {
				return
			}
			for _, x := range from {
				follow(x)
			}
			return
		}
		if inside(def) {
			return
			// No loop of this access is before the place, so the order is that of what the access itself comes after.
		}
		if loops, ok := e.done[def]; ok {
			found := false
			for _, t := range loops {
				if at.IsNil() || t.DefiningOp().IsBeforeInBlock(at) {
					add(t)
					found = true
				}
			}
			if !found {
				before(def)
			}
			return
		}
		if e.replaced(def) { // it happens later, or never
			before(def)
			return
		}
		add(v)
	}
	follow(v)
}

// replaced reports whether the loops replace an operation.
func (e *emitter) replaced(op ir.Op) bool {
	if !e.member[op] {
		return false
	}
	_, cut := e.axisIn(op, e.id)
	return cut
}

// rewire gives the operations that stay tokens of what is left.
func (e *emitter) rewire() {
	none := func(ir.Op) bool { return false }
	for op := range e.block.Ops() {
		if e.replaced(op) || tokenOnly(op) {
			continue
		}
		op.Walk(func(inner ir.Op) ir.WalkResult {
			for i, v := range inner.Operands() {
				if def := v.DefiningOp(); !tokens.Is(v) || def.IsNil() || def.Block() != e.block || !e.reaches(v) {
					continue
				}
				var to []ir.Value
				e.resolve(v, op, none, func(x ir.Value) {
					if !slices.Contains(to, x) {
						to = append(to, x)
					}
				})
				inner.SetOperand(i, joined(ir.BuilderBefore(op), to))
			}
			return ir.Advance
		})
	}
}

// tokenOnly reports whether an operation joins tokens.
func tokenOnly(op ir.Op) bool {
	if op.NumResults() != 1 || !tokens.Is(op.Result(0)) {
		return false
	}
	_, ok := tokens.Joined(op.Result(0))
	return ok
}

// reaches reports whether a token comes from an access that is replaced.
func (e *emitter) reaches(v ir.Value) bool {
	def := v.DefiningOp()
	if def.IsNil() || def.Block() != e.block {
		return false
	}
	if from, ok := tokens.Joined(v); ok {
		return slices.ContainsFunc(from, e.reaches)
	}
	return e.replaced(def) || len(e.done[def]) > 0
}

// erase erases what the loops replace, and what only that used.
func (e *emitter) erase() {
	sinks := make(map[ir.Op]bool)
	for _, ph := range e.phases {
		for _, op := range ph.sinks {
			sinks[op] = true
		}
	}
	// From the end, so that an operation is visited after its users are gone.
	for op := e.block.Last(); !op.IsNil(); {
		prev := op.Prev()
		gone := e.replaced(op) || len(e.done[op]) > 0
		if !op.HasUses() && (sinks[op] || gone && e.lazy(op) || ir.IsTriviallyDead(op)) {
			op.Erase()
		}
		op = prev
	}
}
