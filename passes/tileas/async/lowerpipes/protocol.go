package lowerpipes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// lower replaces an operation on a pipe by operations on mbarriers.
func (r *role) lower(op ir.Op) {
	switch {
	case op.Is(tileas.PipeAcquire):
		r.acquire(op, r.next(op))
	case op.Is(tileas.PipeWait):
		r.wait(op, r.next(op))
	case op.Is(tileas.PipeCommit):
		e := r.next(op)
		if !e.typ.From.Async() {
			// Each thread arrives when its copies have landed, if these fill the pipe.
			r.arrive(e, r.filled(e, e.full), arrivals(e.typ.From, e.fillers), r.b.Context().UnitIf(e.typ.From == tileas.ByCopies, tileas.AttrCopies)...)
		}
	case op.Is(tileas.PipeRelease):
		e := r.next(op)
		if !e.typ.To.Async() {
			r.arrive(e, r.stage(e, e.empty), e.readers)
		}
	case op.Is(tileas.PipeDrain):
		r.drain(op)
	case op.Is(tileas.Level.ClusterSync):
		r.b.Create(tileas.ClusterBarrier, []ir.Value{r.met.stage(r.b, r.meets, 0), r.met.parity}, nil)
		r.met.advance(r.b)
		op.Result(0).ReplaceAllUsesWith(op.Operand(0))
	}
	op.Erase()
}

// next returns the end that opens or closes a stage, after it has advanced from the last one.
func (r *role) next(op ir.Op) *end {
	e := r.end(op)
	done := &e.closed
	if op.Is(tileas.PipeAcquire) || op.Is(tileas.PipeWait) {
		done = &e.opened
	}
	if *done {
		r.advance(e.at)
	}
	*done = true
	return e
}

// stage returns the stage of a buffer or of mbarriers at the position of an end.
func (r *role) stage(e *end, all ir.Value) ir.Value { return e.at.stage(r.b, all, 0) }

// filled returns the stage to fill. The position of a role that fills is that of the arrival to wait for.
func (r *role) filled(e *end, all ir.Value) ir.Value {
	return e.at.stage(r.b, all, e.typ.Stages()-e.lag)
}

// acquire waits for the arrivals that free a stage. TMA's loads are announced together: that is the one arrival of the
// phase, besides their bytes.
func (r *role) acquire(op ir.Op, e *end) {
	if !e.once() {
		r.awaitFree(e, e.at)
	}
	var signal ir.Value
	if e.typ.From.Async() {
		signal = r.filled(e, e.full)
	}
	if e.typ.From == tileas.ByTMA {
		r.b.Create(tileas.MbarrierExpect, []ir.Value{signal}, nil, append(e.both(r.b), tileas.Number(r.b.Context(), tileas.AttrBytes, e.ctas()*e.typ.StageBytes()))...)
	}
	r.yield(op, e, r.filled, signal)
}

func (r *role) wait(op ir.Op, e *end) {
	var signal ir.Value
	if e.typ.To.Async() && !e.once() {
		signal = r.stage(e, e.empty)
	}
	r.yield(op, e, r.stage, signal) // before the wait, so that addresses are known when it ends
	r.await(e, r.stage(e, e.full), e.at.parity)
}

// yield replaces the results of an operation that opens a stage.
func (r *role) yield(op ir.Op, e *end, stage func(*end, ir.Value) ir.Value, signal ir.Value) {
	for i, buffer := range e.create.Operands() {
		op.Result(i).ReplaceAllUsesWith(stage(e, buffer))
	}
	if !signal.IsNil() {
		op.Result(e.create.NumOperands()).ReplaceAllUsesWith(signal)
	}
}

// await waits for a phase. Accesses to TMEM are ordered by fences of their own.
func (r *role) await(e *end, mbarrier, parity ir.Value, attrs ...ir.NamedAttr) {
	r.b.Create(tileas.MbarrierWait, []ir.Value{mbarrier, parity}, nil, append(r.tmem(e), attrs...)...)
}

// awaitFree waits until the stage at a position is free. Threads of both CTAs say so of a stage that two CTAs share.
func (r *role) awaitFree(e *end, at *position) {
	var attrs []ir.NamedAttr
	if !e.typ.To.Async() {
		attrs = e.both(r.b)
	}
	r.await(e, at.stage(r.b, e.empty, 0), at.parity, attrs...)
}

// arrive makes the arrivals of an end.
func (r *role) arrive(e *end, mbarrier ir.Value, n int64, attrs ...ir.NamedAttr) {
	attrs = slices.Concat(attrs, []ir.NamedAttr{tileas.Number(r.b.Context(), tileas.AttrArrivals, n)}, r.tmem(e), e.both(r.b))
	r.b.Create(tileas.MbarrierArrive, []ir.Value{mbarrier}, nil, attrs...)
}

func (r *role) tmem(e *end) []ir.NamedAttr {
	return r.b.Context().UnitIf(e.typ.Buffers[0].Space == tileas.TMEMSpace, tileas.AttrTMEM)
}

// drain waits for the MMAs that fill the stages that were committed last, or hand back the one that was released last.
// The wait for the last pipe is for all MMAs of the role. If MMAs read the pipe, the end that fills waits for each stage
// once more. TMA loads land in any order, so that each stage has a wait.
func (r *role) drain(op ir.Op) {
	for i, v := range op.Operands() {
		p := r.of[v]
		e := r.sides[side{p, !p.typ.Back}]
		if e == nil { // the role has no MMA for it
			continue
		}
		r.advance(e.at)
		switch {
		case op.HasUnitAttr(tileas.AttrLanded):
			r.awaitLoads(e)
		case e.fills && e.typ.To == tileas.ByMMAs:
			at := *e.at
			for range e.typ.Stages() {
				r.awaitFree(e, &at)
				at.advance(r.b)
			}
		case i < op.NumOperands()-1:
			mbarrier, parity := r.last(e)
			r.await(e, mbarrier, parity)
		default:
			mbarrier, parity := r.last(e)
			r.b.Create(tileas.TMEMWait, []ir.Value{mbarrier, parity}, nil, tileas.Number(r.b.Context(), tileas.AttrPending, 0))
		}
	}
}

// last returns the mbarrier and the parity of the phase that the last MMA for a pipe completes.
func (r *role) last(e *end) (mbarrier, parity ir.Value) {
	if !e.fills { // of the one stage, whose parity has flipped since
		return e.empty, arith.New(r.b, arith.XOrI, e.at.parity, arith.NewI32(r.b, 1))
	}
	at := e.at.before(r.b)
	return at.stage(r.b, e.full, 0), at.parity
}

// awaitLoads waits until all stages that have been filled are full. From the position on, stages were filled last in the
// round before, and wrapped ones in this round, whose phases have the other parity. In the first round the former
// waits pass.
func (r *role) awaitLoads(e *end) {
	other := arith.New(r.b, arith.XOrI, e.at.parity, arith.NewI32(r.b, 1))
	for k := range e.typ.Stages() {
		parity := e.at.parity
		if k > 0 {
			wrapped := arith.NewCmpI(r.b, "sge", e.at.place, arith.NewI32(r.b, e.typ.Stages()-k))
			parity = arith.New(r.b, arith.Select, wrapped, other, parity)
		}
		r.await(e, e.at.stage(r.b, e.full, k), parity)
	}
}
