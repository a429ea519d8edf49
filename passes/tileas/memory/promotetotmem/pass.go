package promotetotmem

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

var (
	numAccumulators = passes.NewStatistic("sums", "buffers in TMEM for accumulators")
	numMoves        = passes.NewStatistic("moves", "loads and stores between registers and TMEM")
)

// Pass is tileas-promote-to-tmem.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-promote-to-tmem",
	Formerly: []string{"tileas-use-tensor-memory"},
	Summary:  "promote accumulators to tensor memory (TMEM)",
	Doc:      "Gives each chain of tcgen05 MMAs an accumulator buffer in TMEM. Waits become mbarrier waits, and threads load or store the accumulator only where they use it.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Destroys: []*passes.Property{property.Canonical, tileasprop.SharedAllocated, tileasprop.Synchronised, tileasprop.TMEMAllocated},
	Steps:    []passes.Step{{}},
	After: []passes.Edge{
		{Pass: "tileas-make-async-mma", Reason: "it creates the asynchronous MMAs"},
		{Pass: "tileas-pipeline-loops", Reason: "until then an accumulator in flight is an SSA value, which pipelining can carry"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-tmem", Reason: "it creates buffers in TMEM"},
		{Pass: "tileas-allocate-shared", Reason: "it creates mbarriers"},
	},
	Statistics: []*passes.Statistic{numAccumulators, numMoves},
	Run:        run,
})

func run(r *passes.Run) error {
	x := &rewriter{fn: r.Op, ctx: r.IR(), webs: newWebs(r.Op), counted: make(map[ir.Op]bool)}
	columns := ir.Sum(x.mmas, mma.Columns)
	if len(x.mmas) == 0 {
		return nil
	}
	for _, op := range x.mmas {
		if _, err := instr.AccumulatorBuffer(op.Result(0).Type().(*ir.TensorType)); err != nil {
			return op.Errorf("has no place in TMEM: %v", err)
		}
	}
	for _, op := range r.Op.Collect(tileas.AllocTMEM.Is) { // of an MMA warp
		columns += int(op.Result(0).Type().(*tileas.BufferType).Bytes() / tileas.TMEMColumnBytes)
	}
	x.room = instr.NewOperandRoom(columns)
	x.webs.find()
	x.pipe()
	if err := x.block(r.Op.Body(), arith.NewI32(x.front, 0)); err != nil {
		return err
	}
	for arg := range x.kept { // what loops carry in TMEM has the type of its buffer
		if w := x.place[arg]; w != nil {
			arg.SetType(w.buffer.Type())
			resultOf(arg).SetType(w.buffer.Type())
		}
	}
	r.Add(numAccumulators, x.accumulators)
	r.Add(numMoves, x.moves)
	return nil
}

// A rewriter rewrites the MMAs of a kernel.
type rewriter struct {
	*webs
	fn                  ir.Op
	ctx                 *ir.Context
	front               *ir.Builder // appends to the setup at the start of the kernel
	bars                ir.Value
	ready               ir.Value // mbarriers of the even CTA of a pair, for two-CTA MMAs
	stages              int64
	accumulators, moves int
	counted             map[ir.Op]bool // loops that carry the count
	flight              *flight
	room                *instr.OperandRoom
}

// pipe creates the mbarriers, one for each MMA that may be in flight. Each expects one arrival. Their number is a power of
// two, so that the count may wrap.
//
// Without an MMA warp, threads of both CTAs come to a two-CTA MMA (tileas-form-two-cta-mma). The even CTA starts MMA n
// after the odd CTA has arrived at mbarrier n mod stages of the even one. It arrives for MMA n + stages only after MMA n
// has completed, so no phase gets the arrival of another one. The CTAs synchronize at the start, before any access to the
// other's memory, and at the end. Until both have seen the last MMA complete, it may still read the other's memory and
// signal its mbarriers.
func (x *rewriter) pipe() {
	most := int64(0)
	for _, w := range x.waits {
		n, _ := w.IntAttr(tileas.AttrPending)
		most = max(most, min(n+1, mostStages))
	}
	x.flight = newFlight(x.fn, max(powerOfTwo(int(most)), fewStages))
	x.stages = int64(powerOfTwo(max(int(most), x.flight.peak)))
	x.front = ir.BuilderBefore(tileas.AfterTensorMaps(x.fn.Body())).WithLoc(x.fn.Loc())
	x.bars = tileas.NewMbarriers(x.front, x.stages, 1)
	if slices.ContainsFunc(x.mmas, func(op ir.Op) bool { return op.HasUnitAttr(tile.AttrTwoCTAs) }) {
		x.ready = tileas.NewMbarriers(x.front, x.stages, 1)
		x.front.Create(tileas.ClusterBarrier, nil, nil)
		for _, op := range x.fn.Collect(tileas.Level.Return.Is) {
			ir.BuilderBefore(op).WithLoc(op.Loc()).Create(tileas.ClusterBarrier, nil, nil)
		}
		return
	}
	// The barrier is inserted here, where threads have initialized the mbarriers. tileas-insert-barriers would
	// find it missing only in the loop that uses them first, and put it into each iteration.
	x.front.Create(tileas.Barrier, nil, nil)
}

// powerOfTwo returns the least one that is not below n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }

// stageOf returns the stage of MMA n in a pipe of as many stages as there are mbarriers.
func (x *rewriter) stageOf(b *ir.Builder, pipe, n ir.Value) ir.Value {
	return tileas.NewStage(b, pipe, func() ir.Value {
		return b.Create(arith.AndI, []ir.Value{n, arith.NewI32(b, x.stages-1)}, []ir.Type{n.Type()}).Result(0)
	}, 0)
}

// mma starts the MMA of a dot_async before which n were started, and returns the new count.
func (x *rewriter) mma(op ir.Op, n ir.Value) (ir.Value, error) {
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	buffer, accumulator := x.buffer(op.Result(0)), op.Operand(2)
	// As many MMAs as mbarriers are in flight: the oldest must complete before its mbarrier is used again.
	if x.flight.held[op] {
		x.await(b, n, x.stages-1)
	}
	add := true
	switch {
	// The accumulator is in the buffer already: another MMA of the block left it there, and nothing else uses it.
	case accumulator == buffer, x.inPlace(op):
	// The instruction can ignore the accumulator (enable-input-d, PTX ISA, tcgen05.mma), so zeros need no store.
	case instr.IsZero(accumulator):
		add = false
	case x.multiply(b, accumulator, buffer):
	default:
		x.stored(b, accumulator, buffer)
	}
	scales, err := x.scales(b, op, n)
	if err != nil {
		return n, err
	}
	a, err := x.operand(b, op, n)
	if err != nil {
		return n, err
	}
	var ready, phase []ir.Value // the mbarrier for MMA n at which the odd CTA arrives, and the parity of its phase
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		ready, phase = []ir.Value{x.stageOf(b, x.ready, n)}, []ir.Value{x.parity(b, n)}
	}
	operands := [][]ir.Value{{a}, {op.Operand(1)}, {buffer}, {arith.NewBool(b, add)}, {x.stageOf(b, x.bars, n)}, scales, ready, phase}
	b.CreateGroups(tileas.TMEMDot, operands, nil, op.InherentAttrs()...)
	next := b.Create(arith.AddI, []ir.Value{n, arith.NewI32(b, 1)}, []ir.Type{n.Type()}).Result(0)
	// What threads use must pass a wait first, or they would read an accumulator in flight.
	for u := range op.Result(0).Uses() {
		if !x.inside(u) {
			return n, u.Owner().Errorf("takes the accumulator of an MMA that no wait has left finished").Note(op.Loc(), "the MMA")
		}
	}
	op.Result(0).ReplaceAllUsesWith(buffer)
	op.Erase()
	return next, nil
}

// wait waits for all MMAs but the latest ones, and loads accumulators that something else than MMAs uses.
func (x *rewriter) wait(op ir.Op, n ir.Value) {
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	pending, _ := op.IntAttr(tileas.AttrPending)
	x.await(b, n, pending)
	for i, r := range op.Results() {
		if !x.has(r) { // nothing was in flight
			r.ReplaceAllUsesWith(op.Operand(i))
			continue
		}
		x.load(b, r)
		r.ReplaceAllUsesWith(x.buffer(r))
	}
	op.Erase()
}

// await waits until only the latest of n MMAs are in flight. It does nothing if more are allowed than there are
// stages.
func (x *rewriter) await(b *ir.Builder, n ir.Value, pending int64) {
	if pending >= x.stages {
		return
	}
	last := b.Create(arith.SubI, []ir.Value{n, arith.NewI32(b, pending+1)}, []ir.Type{n.Type()}).Result(0)
	parity := x.parity(b, last)
	b.Create(tileas.TMEMWait, []ir.Value{x.stageOf(b, x.bars, last), parity}, nil, tileas.Number(x.ctx, tileas.AttrPending, pending))
}

// parity returns the parity of the phase that MMA n completes.
// Shifts divide by the number of stages, a power of two.
func (x *rewriter) parity(b *ir.Builder, n ir.Value) ir.Value {
	for s := x.stages; s > 1; s /= 2 {
		n = b.Create(arith.ShRUI, []ir.Value{n, arith.NewI32(b, 1)}, []ir.Type{n.Type()}).Result(0)
	}
	return b.Create(arith.AndI, []ir.Value{n, arith.NewI32(b, 1)}, []ir.Type{n.Type()}).Result(0)
}

// load loads a finished accumulator for uses that are not MMAs.
func (x *rewriter) load(b *ir.Builder, v ir.Value) {
	outside := slices.DeleteFunc(slices.Collect(v.Uses()), x.inside)
	if len(outside) == 0 {
		return
	}
	loaded := b.Create(tileas.TMEMLoad, []ir.Value{x.buffer(v)}, []ir.Type{v.Type()}).Result(0)
	x.moves++
	for _, u := range outside {
		u.Owner().SetOperand(u.Index(), loaded)
	}
}

// buffer returns the buffer of an accumulator, and allocates it before everything that uses it.
func (x *rewriter) buffer(v ir.Value) ir.Value {
	w := x.place[v]
	if w.buffer.IsNil() {
		t, _ := instr.AccumulatorBuffer(w.values[0].Type().(*ir.TensorType)) // run has tried it for all MMAs
		b := ir.BuilderBefore(w.first()).WithLoc(maker(w.values[0]).Loc())
		w.buffer = b.Create(tileas.AllocTMEM, nil, []ir.Type{t}).Result(0)
		x.accumulators++
	}
	return w.buffer
}

// isMMA reports whether an operation is an asynchronous MMA with its accumulator in TMEM.
func isMMA(op ir.Op) bool { return op.Is(tileas.DotAsync) && instr.InTMEM(op) }
