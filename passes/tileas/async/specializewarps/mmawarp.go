package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// The MMA warp does nothing but issue MMAs. An MMA signals that its stage is free when it completes, so nobody waits for
// an MMA except to use its accumulator. How many are in flight follows from the number of stages.

// sliceMMAs finds what the MMA warp needs: loops and ifs around MMAs.
func (p *plan) sliceMMAs() error {
	if p.chains == nil {
		return nil
	}
	p.mma = newSlice(p.rebuilt, "the number of MMAs depends", true)
	given := p.compute.given // all of them first, since one may begin with what another one gives
	for _, t := range turnsOf(p.handbacks) {
		given[t.arg()], given[t.loop.Result(t.index)], given[t.end] = true, true, true
	}
	for _, c := range p.chains {
		given[c.end.Result(c.result)] = true
	}
	for _, c := range p.chains {
		p.compute.around(c.end)
		if c.given {
			p.compute.value(c.start)
		}
		// Consumers must know whether an MMA was issued: without one they store the zeros themselves (takeAccumulator).
		if !c.given && !c.neverEmpty() {
			p.compute.values(c.conditions())
		}
		for _, op := range c.mmas {
			p.mma.around(op)
		}
	}
	p.sliceHandbacks()
	for _, g := range p.groups {
		if g.mmas {
			p.mma.around(g.buffers[0].alloc)
		}
	}
	return p.mma.err
}

// takeOps finds what only the MMA warp executes: its MMAs, waits for them, and loads that only they read.
func (p *plan) takeOps(mmas map[ir.Op]bool) {
	p.ofMMAs = mmas
	take := func(ops ...ir.Op) {
		for _, op := range ops {
			p.ofMMAs[op] = true
		}
	}
	for _, c := range p.chains {
		take(c.waits...)
	}
	for _, t := range turnsOf(p.handbacks) {
		take(t.wait)
	}
	for _, g := range p.groups {
		if g.mmas && !g.handed() {
			for _, c := range g.buffers {
				take(c.ops()...)
			}
		}
	}
}

// forOthers reports whether an operation is none of the consumers: only the MMA warp executes it, or it is a wait or a
// fence for what other roles fill. A wait for MMAs without an operand is for the MMA before it in its block.
func (p *plan) forOthers(op ir.Op) bool {
	switch {
	case op.Is(tileas.FenceAsync):
		return p.forCopies(op)
	case op.Is(tileas.WaitGroup):
		return p.servesGroups(op)
	case op.Is(tileas.DotWait) && op.NumOperands() == 0:
		op = op.FindPrev(tileas.DotAsync.Is)
	}
	return p.ofMMAs[op]
}

// neverEmpty reports whether some MMA of a chain is proven to execute.
func (c *chain) neverEmpty() bool {
	return slices.ContainsFunc(c.steps(), func(op ir.Op) bool {
		trips, _ := scf.Trips(op)
		return op.Is(tileas.DotAsync) || trips > 0 && slices.ContainsFunc(c.in[op.Body()], tileas.DotAsync.Is)
	})
}

// writeMMAs creates the code of the MMA warp.
func (p *plan) writeMMAs(w *writer) {
	signaled := make(map[ir.Op][]*group) // the groups whose stages an MMA is the last to read or fill
	for _, c := range p.chains {
		// Threads have stored the accumulator in the stage, or loaded the one that was there.
		w.begin(c.steps()[0], c.group, func() { w.open(c.group) })
		for _, op := range c.mmas {
			w.instead[op] = func() { w.issueMMA(op, c.group, w.begun(c, op), signaled[op]) }
			if g := p.stored[op]; g != nil {
				w.begin(op, g, func() { w.open(g) })
				signaled[op] = append(signaled[op], g)
			}
		}
	}
	turns := turnsOf(p.handbacks)
	for _, t := range turns {
		w.begin(t.mma, t.group, func() { w.open(t.group) })
		w.instead[t.mma] = func() { w.issueMMA(t.mma, t.group, w.flag(true), signaled[t.mma]) }
		if a := p.aheadOf(t.loop); a != nil {
			w.instead[t.loop] = func() { w.aheadLoop(t.loop, a) }
		}
	}
	for _, g := range ir.Filter(p.groups, func(g *group) bool { return g.mmas }) {
		at := g.firstReader
		if g.from == tileas.ByTMA {
			at = g.wait
		}
		w.begin(at(), g, func() {
			w.open(g)
			if g.from == tileas.ByCopies { // cp.async writes as threads do, by the generic proxy
				w.b.Create(tileas.FenceAsync, nil, nil)
			}
		})
		switch {
		case g.lastReader.Is(tileas.DotAsync):
			signaled[g.lastReader] = append(signaled[g.lastReader], g)
		case !g.pipe.once:
			w.end(g.lastReader, g, func() { w.handOnAfterMMAs(g) })
		}
	}
	for _, t := range turns {
		signaled[t.mma] = append(signaled[t.mma], t.group)
	}
	for _, c := range p.chains {
		if end := c.last(); end.Is(tileas.DotAsync) && signaled[end] == nil {
			signaled[end] = []*group{c.group}
		} else {
			w.end(end, c.group, func() { w.handOnAfterMMAs(c.group) })
		}
	}
	write := func() {
		w.write(p.mma)
		// A role must not end with MMAs in flight.
		w.drain(append(p.accumulators, p.backs...))
	}
	if p.paired {
		w.inEvenCTA(write)
	} else {
		write()
	}
}

// issueMMA issues an MMA whose accumulator is in the stage of a group, and hands on the stages that it is the last to
// read or fill. It signals the first one itself. The flag add says whether the MMA adds to its accumulator or overwrites
// it. It is the enable-input-d operand of tcgen05.mma (PTX ISA): false means D = A × B, so no thread writes zeros.
func (w *writer) issueMMA(op ir.Op, g *group, add ir.Value, signaled []*group) {
	stage, a := w.held[g].buffers, w.m.Lookup(op.Operand(0))
	if alone := w.stored[op]; alone != nil {
		a = w.held[alone].buffers[0]
	} else if len(stage) > 1 { // threads have stored A beside the accumulator
		a = stage[1]
	}
	operands := [][]ir.Value{{a}, {w.m.Lookup(op.Operand(1))}, stage[:1], {add}, {w.held[signaled[0]].signal}, nil, nil, nil}
	w.b.CreateGroups(tileas.TMEMDot, operands, nil, op.InherentAttrs()...)
	w.handOn(signaled[0])
	for _, g := range signaled[1:] {
		w.handOnAfterMMAs(g)
	}
}

// handOnAfterMMAs hands on the stage of a group when the MMAs before are complete.
func (w *writer) handOnAfterMMAs(g *group) {
	w.b.Create(tileas.MMACommit, []ir.Value{w.held[g].signal}, nil, w.b.Context().UnitIf(w.paired, tile.AttrTwoCTAs)...)
	w.handOn(g)
}

// takeAccumulators makes the consumers load the accumulators of the MMA warp, and release their stages.
func (p *plan) takeAccumulators(w *writer) {
	for _, c := range p.chains {
		if c.given {
			w.begin(c.steps()[0], c.group, func() {
				w.hand(c.start, c.group)
				w.handOn(c.group)
			})
		}
		w.end(c.end, c.group, func() { w.takeAccumulator(c) })
	}
}

// takeAccumulator waits for the MMAs of a chain, loads their accumulator, and releases its stage. If no MMA was issued,
// threads first store the initial value there. A select in registers instead would hold the accumulator twice.
func (w *writer) takeAccumulator(c *chain) {
	place := w.open(c.group).buffers[0]
	if !c.given && !c.neverEmpty() {
		w.when(w.not(w.executes(c, c.steps())), c.end, func() { w.store(w.zeros(c), place) })
	}
	w.load(c.end.Result(c.result), place)
	if !c.given && !c.pipe.once {
		w.handOn(c.group)
	}
}

// load makes a value be that in a place in TMEM, and store stores one there.
func (w *writer) load(v, place ir.Value) {
	w.m.Values[v] = w.b.Create(tileas.TMEMLoad, []ir.Value{place}, []ir.Type{v.Type()}).Result(0)
}

func (w *writer) store(made, place ir.Value) {
	w.b.Create(tileas.TMEMStore, []ir.Value{made, place}, nil)
}

// zeros makes the zeros from which a chain starts again: they may stand in a branch.
func (w *writer) zeros(c *chain) ir.Value {
	def, m := c.start.DefiningOp(), ir.NewMapping()
	for _, v := range def.Operands() { // a splat has a constant
		w.b.Clone(v.DefiningOp(), m)
	}
	return w.b.Clone(def, m).Result(0)
}
