package pipelineloops

import (
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// expand replaces the loop by its expansion.
func (x *expansion) expand() {
	again := x.nest == nil && ir.InLoop(x.loop)                                     // in a nest all phases continue, and the outer loop is made anew
	after := x.loop.FindNext(func(op ir.Op) bool { return !op.Is(tileas.DotWait) }) // the waits may be erased
	for _, y := range x.barriers(true) {
		y.allocate(ir.BuilderBefore(y.phases.top).WithLoc(x.loop.Loc()))
	}
	x.fenceOutside()
	if x.nest != nil {
		x.rotate()
	} else {
		x.inPlace()
	}
	if again && x.hasBarriers() {
		x.invalidateBarriers(ir.BuilderBefore(after))
	}
}

// inPlace puts the expansion where the loop is. In a nest the buffers and the first prologue iterations exist already.
func (x *expansion) inPlace() {
	b := ir.BuilderBefore(x.loop).WithLoc(x.loop.Loc())
	trips := x.bounds.TripCount(b)
	if x.nest == nil {
		x.allocate(b)
	}
	x.loop.SetAttr(tileas.AttrSchedule, nil)
	if x.overlap == 0 {
		x.loop.ReplaceWith(x.pipeline(b, trips)...)
		return
	}
	// trips is unsigned, and the constant fits its type.
	enough := arith.NewCmpI(b, "uge", trips, x.bounds.Constant(b, x.overlap))
	guard := scf.CreateIf(b, enough, x.loop.ResultTypes())
	accumulators := x.accumulators()
	then := ir.BuilderAtEnd(guard.Region(0).First()).WithLoc(x.loop.Loc())
	then.Create(scf.Yield, finished(then, x.pipeline(then, trips), accumulators), nil)
	x.loop.ReplaceResults(guard.Results()...)
	otherwise := ir.BuilderAtEnd(guard.Region(1).First()).WithLoc(x.loop.Loc())
	if x.overlap == 1 { // N < 1: no iteration at all, so the results are the initial values
		otherwise.Create(scf.Yield, finished(otherwise, x.loop.Operands()[scf.NumBounds:], accumulators), nil)
		x.loop.Erase()
	} else {
		x.loop.MoveToEnd(otherwise.Block())
		otherwise.SetInsertionPointToEnd(otherwise.Block())
		otherwise.Create(scf.Yield, finished(otherwise, x.loop.Results(), accumulators), nil)
	}
	dropWaits(guard, accumulators)
}

// allocate creates the buffers with all their stages.
func (x *expansion) allocate(b *ir.Builder) {
	for i, buf := range x.g.Buffers {
		r := x.staged[buf.Root]
		if x.given != nil {
			r.buffer = x.given[i]
			continue
		}
		r.buffer = tileas.Alloc(b, buf.Type().WithStages(r.stages), tileas.Alignment(buf.Root.DefiningOp()))
	}
	for _, y := range x.barriers(false) {
		y.allocate(b)
	}
}

// pipeline creates prologue, steady state and epilogue, and returns the results of the loop.
func (x *expansion) pipeline(b *ir.Builder, trips ir.Value) []ir.Value {
	for _, y := range x.barriers(true) { // the words that the outer loops carry
		y.phases.now = x.loop.Operand(scf.NumBounds + y.phases.carried)
	}
	for _, op := range x.single {
		x.staged[op.Result(0)].buffer = b.Clone(op, ir.NewMapping()).Result(0)
	}
	prologue := make(map[int]*iteration)
	// The earliest first: an iteration may use values of the one before.
	for k := -x.maxPrefetch; k < 0; k++ {
		if prologue[k] = x.filled[k]; prologue[k] == nil {
			// The guard tests N >= E, so these iterations exist.
			prologue[k] = x.iterationBefore(b, x.bounds, k, trips, x.overlap, prologue, same)
		}
	}
	results := x.steadyState(b, trips, prologue)
	var after []*iteration
	// A value from before epilogue iteration e is one of an earlier epilogue iteration, or a result of the loop.
	back := func(e int) func(v ir.Value, iterations int) ir.Value {
		return func(v ir.Value, iterations int) ir.Value {
			if iterations <= e {
				return after[e-iterations].made[v]
			}
			return results[x.argument(v, iterations-e)]
		}
	}
	for e := range x.overlap {
		after = append(after, x.epilogueIteration(b, trips, e, results, back(e)))
	}
	if x.nest == nil { // in a nest, rotate drains before the next prologue
		x.drain(b)
	}
	out := make([]ir.Value, x.loop.NumResults())
	for i, y := range x.g.Yields() {
		out[i] = x.loop.Operand(scf.NumBounds + i)
		if j := x.g.Node(y); j >= 0 && x.loop.Result(i).HasUses() && !x.g.Parity(i) {
			out[i] = back(x.overlap)(y, x.prefetch[j]+1)
		}
	}
	for _, y := range x.barriers(true) {
		out[y.phases.carried] = y.phases.now
	}
	return out
}

// drain waits for what is still in flight. Copies past the last iteration copied nothing, but groups may still be
// pending; and the memory of the stages may belong to other buffers from here on.
func (x *expansion) drain(b *ir.Builder) {
	if x.nest != nil && x.g.Drain >= 0 { // the next prologue fills stages that these MMAs may still read
		tileas.NewDotWait(b, 0)
	}
	if x.committed(len(x.groups)) > 0 {
		pending(b, 0)
	}
}

// stageCounts returns the different numbers of stages. The loop carries a stage index for each number, not for each
// buffer: buffers with equally many stages are always at the same one.
func (x *expansion) stageCounts() []int64 {
	several := ir.Filter(slices.Collect(maps.Values(x.staged)), func(r *stagedBuffer) bool { return r.stages > 1 })
	return different(several, func(r *stagedBuffer) int64 { return r.stages })
}

// different returns the different numbers of stages, the least first.
func different[B any](list []B, stages func(B) int64) []int64 {
	return slices.Compact(slices.Sorted(slices.Values(ir.Map(list, stages))))
}

// argument returns the index among the loop-carried values of v from so many iterations ago. Those that cross iterations
// come after stage indices, parities and phases.
func (x *expansion) argument(v ir.Value, iterations int) int {
	n := len(x.stageCounts()) + len(x.rounds()) + len(x.barriers(true))
	for _, c := range x.carried {
		if c == v {
			return n + iterations - 1
		}
		n += x.crosses[c]
	}
	panic("pipelineloops: a value of '" + v.DefiningOp().Name() + "' is not carried") // findCrossings has seen every use
}

// iterationBefore creates an iteration before the first one of the loop, whose counter has the given bounds. The first
// iterations of the loop exist, as many as are proven to.
func (x *expansion) iterationBefore(b *ir.Builder, in scf.Bounds, k int, trips ir.Value, proven int, earlier map[int]*iteration, outside func(ir.Value) ir.Value) *iteration {
	t := x.newIteration(b, k)
	t.outside = outside
	t.counter = func(prefetch int) ir.Value { return in.Counter(b, in.Constant(b, k+prefetch)) }
	t.exists = func(prefetch int) ir.Value {
		if k+prefetch < proven {
			return ir.Value{}
		}
		return arith.NewCmpI(b, in.Less, in.Constant(b, k+prefetch), trips)
	}
	t.back = func(v ir.Value, iterations int) ir.Value { return x.before(v, k-iterations, earlier, outside) }
	t.emit(func(prefetch int) bool { return k+prefetch >= 0 })
	return t
}

// before returns a value of a prologue iteration, or the initial value if no prologue iteration defines it.
func (x *expansion) before(v ir.Value, k int, prologue map[int]*iteration, outside func(ir.Value) ir.Value) ir.Value {
	if t := prologue[k]; t != nil && !t.made[v].IsNil() {
		return t.made[v]
	}
	return outside(x.loop.Operand(scf.NumBounds + slices.Index(x.g.Yields(), v))) // of the argument that v is next
}

// steadyState creates the loop, and returns its results: stage indices, parities, phases, and the values that cross
// iterations.
func (x *expansion) steadyState(b *ir.Builder, trips ir.Value, prologue map[int]*iteration) []ir.Value {
	upper := trips
	if x.overlap > 0 {
		upper = arith.Fold(b, arith.SubI, trips, x.bounds.Constant(b, x.overlap)) // prices of kernels depend on it
	}
	var inits []ir.Value
	stageCounts, rounds, continuing := x.stageCounts(), x.rounds(), x.barriers(true)
	for range len(stageCounts) + len(rounds) {
		inits = append(inits, arith.NewI32(b, 0))
	}
	for _, y := range continuing {
		inits = append(inits, y.phases.now)
	}
	for _, v := range x.carried {
		for n := 1; n <= x.crosses[v]; n++ {
			inits = append(inits, x.before(v, -n, prologue, same))
		}
	}
	loop := scf.CreateLoopLike(b, x.loop, []ir.Value{x.bounds.Constant(b, 0), upper, x.bounds.Constant(b, 1)}, inits)
	front := ir.BuilderBefore(loop).WithLoc(x.loop.Loc())
	body := loop.Body()
	in := ir.BuilderAtEnd(body).WithLoc(x.loop.Loc())

	t := x.newIteration(in, 0)
	t.carried = body.Args()[1:]
	t.counter = func(prefetch int) ir.Value {
		k := body.Arg(0)
		if prefetch != 0 {
			k = in.Create(arith.AddI, []ir.Value{k, x.bounds.Constant(in, prefetch)}, []ir.Type{k.Type()}, x.bounds.NoWrap(in)...).Result(0)
		}
		return x.bounds.Counter(in, k)
	}
	t.exists = func(prefetch int) ir.Value {
		if prefetch <= x.overlap {
			return ir.Value{}
		}
		return t.once(trips, prefetch, func() ir.Value {
			// A bound computed before the loop serves TMA loads: their predicate is uniform in a warp, and ptxas
			// computes it besides the threads' work.
			//
			// Copies by threads compute their predicate among their addresses. There one more register upsets the order
			// of ptxas 13.5 for sm_80: the loop of matmul_bf16_64x64x64 grows from 90 to 97 instructions.
			if x.hasBarriers() {
				return arith.NewCmpI(in, x.bounds.Less, body.Arg(0), lastWith(front, x.bounds, trips, prefetch))
			}
			// Not k + prefetch < trips, since k + prefetch may exceed the largest integer.
			left := arith.New(in, arith.SubI, trips, body.Arg(0))
			return arith.NewCmpI(in, x.bounds.Less, x.bounds.Constant(in, prefetch), left)
		})
	}
	t.back = func(v ir.Value, iterations int) ir.Value { return t.carried[x.argument(v, iterations)] }
	for i, y := range continuing {
		y.phases.now = t.carried[len(stageCounts)+len(rounds)+i]
	}
	t.emit(func(int) bool { return true })

	var next []ir.Value
	for i, stages := range stageCounts {
		next = append(next, tileas.NextStage(in, t.carried[i], stages))
	}
	for _, stages := range rounds {
		index, _ := t.stage(stages)
		next = append(next, tileas.NextParity(in, t.round(stages), index, stages))
	}
	for i, y := range continuing {
		next = append(next, y.phases.now)
		y.phases.now = loop.Result(len(stageCounts) + len(rounds) + i)
	}
	for _, v := range x.carried {
		next = append(next, t.made[v])
		// The newest value first; each older one moves up by one argument.
		for n := 1; n < x.crosses[v]; n++ {
			next = append(next, t.back(v, n))
		}
	}
	in.Create(scf.Continue, next, nil)
	return loop.Results()
}

// epilogueIteration creates an iteration after the loop.
func (x *expansion) epilogueIteration(b *ir.Builder, trips ir.Value, e int, results []ir.Value, back func(ir.Value, int) ir.Value) *iteration {
	t := x.newIteration(b, 1+e)
	t.carried = results
	t.counter = func(prefetch int) ir.Value {
		return x.bounds.Counter(b, arith.New(b, arith.SubI, trips, x.bounds.Constant(b, x.overlap-e-prefetch)))
	}
	t.exists = func(int) ir.Value { return ir.Value{} }
	t.back = back
	t.emit(func(prefetch int) bool { return prefetch < x.overlap-e })
	return t
}

// The steady state counts iterations from 0. The source loop's counter is computed from that number (scf.Bounds).

// lastWith returns the bound of the iterations k for which iteration k + n exists.
func lastWith(b *ir.Builder, c scf.Bounds, trips ir.Value, n int) ir.Value {
	left := arith.New(b, arith.SubI, trips, c.Constant(b, n))
	if !c.IsUnsigned() { // signed: a negative bound admits no iteration
		return left
	}
	return arith.New(b, arith.Select, arith.NewCmpI(b, "ult", c.Constant(b, n), trips), left, c.Constant(b, 0))
}
