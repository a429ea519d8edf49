package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// expand puts the new loop in the place of the old one.
func (x *expansion) expand() {
	old, behind := x.outside(), x.behindWaits()
	again := inLoop(x.loop)
	x.makeLasting()
	x.fenceOutside()
	if x.nest != nil {
		x.rotate()
	} else {
		x.inPlace()
	}
	if again && x.tallies() {
		x.endTallies(ir.BuilderBefore(behind))
	}
	for _, op := range old {
		eraseUnused(op)
	}
}

// inPlace puts the new loop where the old one is, with its buffers in front of it unless they are there already, and without the turns that have been filled.
func (x *expansion) inPlace() {
	b := at(ir.BuilderBefore(x.loop), x.loop)
	trips := x.bounds.tripCount(b)
	if x.nest == nil {
		x.allocate(b)
	}
	x.loop.SetAttr(tileas.AttrSchedule, nil)
	if x.overlap == 0 {
		x.loop.ReplaceWith(x.pipeline(b, trips)...)
		return
	}
	// trips is a number without a sign, which the constant fits.
	enough := arith.NewCmpI(b, "uge", trips, x.bounds.constant(b, x.overlap))
	guard := scf.CreateIf(b, enough, x.loop.ResultTypes())
	sums := x.sums()
	then := at(ir.BuilderAtEnd(guard.Region(0).First()), x.loop)
	then.Create(scf.Yield, finished(then, x.pipeline(then, trips), sums), nil)
	for i, r := range x.loop.Results() {
		r.ReplaceAllUsesWith(guard.Result(i))
	}
	otherwise := at(ir.BuilderAtEnd(guard.Region(1).First()), x.loop)
	if x.overlap == 1 { // there is no iteration at all
		otherwise.Create(scf.Yield, finished(otherwise, x.loop.Operands()[scf.NumBounds:], sums), nil)
		x.loop.Erase()
	} else {
		x.loop.MoveToEnd(otherwise.Block())
		otherwise.SetInsertionPointToEnd(otherwise.Block())
		otherwise.Create(scf.Yield, finished(otherwise, x.loop.Results(), sums), nil)
	}
	dropWaits(guard, sums)
}

// allocate makes the buffers, of all slots.
func (x *expansion) allocate(b *ir.Builder) {
	for i, buf := range x.g.Buffers {
		r := x.rings[buf.Root]
		if x.given != nil {
			r.buffer = x.given[i]
			continue
		}
		alloc := b.Create(tileas.AllocShared, nil, []ir.Type{buf.Type().WithSlots(r.slots)})
		if align := buf.Root.DefiningOp().Attr(tileas.AttrAlign); align != nil {
			alloc.SetAttr(tileas.AttrAlign, align)
		}
		r.buffer = alloc.Result(0)
	}
	x.allocateTallies(b)
}

// slots returns the buffers, of all slots.
func (x *expansion) slots() (out []ir.Value) {
	for _, buf := range x.g.Buffers {
		out = append(out, x.rings[buf.Root].buffer)
	}
	return out
}

// at gives what a builder makes the location of an operation.
func at(b *ir.Builder, op ir.Op) *ir.Builder {
	b.Loc = op.Loc()
	return b
}

// pipeline makes the turns and returns the results of the loop.
func (x *expansion) pipeline(b *ir.Builder, trips ir.Value) []ir.Value {
	x.begin()
	for _, op := range x.single {
		x.rings[op.Result(0)].buffer = b.Clone(op, ir.NewMapping()).Result(0)
	}
	prologue := make(map[int]*turn)
	for k := -x.maxLead; k < 0; k++ {
		if prologue[k] = x.filled[k]; prologue[k] == nil {
			prologue[k] = x.ahead(b, k, trips, prologue)
		}
	}
	results := x.kernel(b, trips, prologue)
	rest := results[len(x.rungs())+len(x.rounds())+len(x.lasting()):]
	var behind []*turn
	back := func(e int) func(v ir.Value, turns int) ir.Value {
		return func(v ir.Value, turns int) ir.Value {
			if turns <= e {
				return behind[e-turns].made[v]
			}
			return rest[x.argument(v, turns-e)]
		}
	}
	for e := range x.overlap {
		behind = append(behind, x.behind(b, trips, e, results, back(e)))
	}
	if x.nest == nil { // with one, the fill behind waits
		x.drain(b)
	}
	out := make([]ir.Value, x.loop.NumResults())
	for i, y := range x.g.Yields() {
		out[i] = x.loop.Operand(scf.NumBounds + i)
		if j := x.g.Node(y); j >= 0 && x.loop.Result(i).HasUses() && !x.g.Parity(i) {
			out[i] = back(x.overlap)(y, x.lead[j]+1)
		}
	}
	for _, y := range x.lasting() {
		out[y.phases.carried] = y.phases.now
	}
	return out
}

// drain waits for what is still under way: it copies nothing, but into slots whose memory others may want.
func (x *expansion) drain(b *ir.Builder) {
	if x.nest != nil && x.g.Drain >= 0 { // the next copies to the slots are not the loop's
		b.Create(tileas.DotWait, nil, nil, pendingAttr(b, 0))
	}
	if x.committed(len(x.groups)) > 0 {
		pending(b, 0)
	}
}

// rungs returns the different numbers of slots, each of which has a counter.
func (x *expansion) rungs() (out []int64) {
	for _, r := range x.rings {
		if r.slots > 1 && !slices.Contains(out, r.slots) {
			out = append(out, r.slots)
		}
	}
	slices.Sort(out)
	return out
}

// argument returns which of the values that cross turns, in the order of the kernel's, is v so many turns ago.
func (x *expansion) argument(v ir.Value, turns int) int {
	n := 0
	for _, c := range x.carried {
		if c == v {
			return n + turns - 1
		}
		n += x.crosses[c]
	}
	panic("pipelineloops: a value of '" + v.DefiningOp().Name() + "' is not carried") // findCrossings has seen every use
}

// ahead makes a turn in front of the loop.
func (x *expansion) ahead(b *ir.Builder, k int, trips ir.Value, earlier map[int]*turn) *turn {
	t := x.turnBefore(b, x.bounds, k, trips)
	tested := t.exists
	t.exists = func(lead int) ir.Value {
		if k+lead < x.overlap {
			return ir.Value{} // the guard has seen to it
		}
		return tested(lead)
	}
	t.back = func(v ir.Value, turns int) ir.Value { return x.before(v, k-turns, earlier) }
	t.emit(func(lead int) bool { return k+lead >= 0 })
	return t
}

// turnBefore returns a turn before the first one of the loop, which counts within bounds.
func (x *expansion) turnBefore(b *ir.Builder, in bounds, k int, trips ir.Value) *turn {
	t := x.newTurn(b)
	t.first, t.static, t.number = k, true, k
	t.counter = func(lead int) ir.Value { return in.counter(b, in.constant(b, k+lead)) }
	t.exists = func(lead int) ir.Value { return arith.NewCmpI(b, in.less(), in.constant(b, k+lead), trips) }
	t.slot = func(slots int64) (ir.Value, int64) { return constant32(b, 0), (int64(k)%slots + slots) % slots }
	return t
}

// before returns what a value was in a turn in front of the loop, or what it was before the first iteration.
func (x *expansion) before(v ir.Value, k int, prologue map[int]*turn) ir.Value {
	if t := prologue[k]; t != nil && !t.made[v].IsNil() {
		return t.made[v]
	}
	return x.init(v)
}

// kernel makes the loop, and returns its results: the slot counters, and the values that cross turns.
func (x *expansion) kernel(b *ir.Builder, trips ir.Value, prologue map[int]*turn) []ir.Value {
	upper := trips
	if x.overlap > 0 {
		upper = b.Create(arith.SubI, []ir.Value{trips, x.bounds.constant(b, x.overlap)}, []ir.Type{trips.Type()}).Result(0)
	}
	var inits []ir.Value
	rungs, rounds, lasting := x.rungs(), x.rounds(), x.lasting()
	for range len(rungs) + len(rounds) {
		inits = append(inits, constant32(b, 0))
	}
	for _, y := range lasting {
		inits = append(inits, y.phases.now)
	}
	for _, v := range x.carried {
		for n := 1; n <= x.crosses[v]; n++ {
			inits = append(inits, x.before(v, -n, prologue))
		}
	}
	// last is computed in front: in how many turns there is an iteration at a lead. The condition of tensor copies is one of the warp, which ptxas computes beside what threads do; copies of threads have it among what they compute of
	// addresses, in an order that a number more in registers upset (13.5 for sm_80: 90 to 97 instructions in the loop of matmul_bf16_64x64x64).
	var front *ir.Builder
	lasts := make(map[int]ir.Value)
	last := func(lead int) ir.Value {
		if v, ok := lasts[lead]; ok {
			return v
		}
		lasts[lead] = x.bounds.without(front, trips, lead)
		return lasts[lead]
	}
	loop := scf.CreateFor(b, x.bounds.constant(b, 0), upper, x.bounds.constant(b, 1), inits, x.loop.InherentAttrs()...)
	front = at(ir.BuilderBefore(loop), x.loop)
	loop.SetDiscardableAttrs(x.loop.DiscardableAttrs())
	body := loop.Body()
	in := at(ir.BuilderAtEnd(body), x.loop)
	arg := func(i int) ir.Value { return body.Arg(1 + i) }

	t := x.newTurn(in)
	t.counter = func(lead int) ir.Value {
		k := body.Arg(0)
		if lead != 0 {
			k = in.Create(arith.AddI, []ir.Value{k, x.bounds.constant(in, lead)}, []ir.Type{k.Type()}, x.bounds.noWrap(in)...).Result(0)
		}
		return x.bounds.counter(in, k)
	}
	t.exists = func(lead int) ir.Value {
		if lead <= x.overlap {
			return ir.Value{}
		}
		return t.once(trips, lead, func() ir.Value {
			if x.tallies() {
				return arith.NewCmpI(in, x.bounds.less(), body.Arg(0), last(lead))
			}
			// As lead < trips - k, since k + lead may pass the largest number.
			left := in.Create(arith.SubI, []ir.Value{trips, body.Arg(0)}, []ir.Type{trips.Type()}).Result(0)
			return arith.NewCmpI(in, x.bounds.less(), x.bounds.constant(in, lead), left)
		})
	}
	t.slot = func(slots int64) (ir.Value, int64) { return x.place(slots, arg), 0 }
	t.round = func(slots int64) ir.Value { return arg(len(rungs) + slices.Index(rounds, slots)) }
	t.back = func(v ir.Value, turns int) ir.Value {
		return arg(len(rungs) + len(rounds) + len(lasting) + x.argument(v, turns))
	}
	for i, y := range lasting {
		y.phases.now = arg(len(rungs) + len(rounds) + i)
	}
	t.emit(func(int) bool { return true })

	var next []ir.Value
	for i, slots := range rungs {
		next = append(next, advance(in, arg(i), slots))
	}
	for _, slots := range rounds {
		next = append(next, nextRound(in, t.round(slots), x.place(slots, arg), slots))
	}
	for i, y := range lasting {
		next = append(next, y.phases.now)
		y.phases.now = loop.Result(len(rungs) + len(rounds) + i)
	}
	for _, v := range x.carried {
		next = append(next, t.made[v])
		for n := 1; n < x.crosses[v]; n++ {
			next = append(next, t.back(v, n))
		}
	}
	in.Create(scf.Continue, next, nil)
	return loop.Results()
}

// behind makes a turn behind the loop.
func (x *expansion) behind(b *ir.Builder, trips ir.Value, e int, results []ir.Value, back func(ir.Value, int) ir.Value) *turn {
	t := x.newTurn(b)
	t.number = 1 + e
	t.counter = func(lead int) ir.Value {
		return x.bounds.counter(b, b.Create(arith.SubI, []ir.Value{trips, x.bounds.constant(b, x.overlap-e-lead)}, []ir.Type{trips.Type()}).Result(0))
	}
	t.exists = func(int) ir.Value { return ir.Value{} }
	t.slot = func(n int64) (ir.Value, int64) {
		return x.place(n, func(i int) ir.Value { return results[i] }), int64(e)
	}
	t.round = func(n int64) ir.Value { return results[len(x.rungs())+slices.Index(x.rounds(), n)] }
	t.back = back
	t.emit(func(lead int) bool { return lead < x.overlap-e })
	return t
}

// place returns the place in a ring of so many slots, of those that a loop carries.
func (x *expansion) place(slots int64, carried func(i int) ir.Value) ir.Value {
	if slots == 1 { // of which there is no place to tell
		return ir.Value{}
	}
	return carried(slices.Index(x.rungs(), slots))
}

// advance returns the next place in a ring.
func advance(b *ir.Builder, slot ir.Value, slots int64) ir.Value {
	next := b.Create(arith.AddI, []ir.Value{slot, constant32(b, 1)}, []ir.Type{slot.Type()}).Result(0)
	last := arith.NewCmpI(b, "eq", slot, constant32(b, slots-1))
	return b.Create(arith.Select, []ir.Value{last, constant32(b, 0), next}, []ir.Type{slot.Type()}).Result(0)
}
