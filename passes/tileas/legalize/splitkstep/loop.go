package splitkstep

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An accumulator is a loop that accumulates MMAs and does nothing else.
type accumulator struct {
	loop    ir.Op
	mma     ir.Op
	kExtent int64
	// cut has the loads of both operands, and the permutations and conversions between them and the MMA, with the
	// dimension of their results that is K.
	cut   map[ir.Op]int
	bytes int64 // of both operands as they are loaded
}

// summing matches a loop; ok is false if it does something besides accumulating MMAs of two tiles that it loads.
func summing(loop ir.Op) (s accumulator, ok bool) {
	s = accumulator{loop: loop, cut: make(map[ir.Op]int)}
	body := loop.Body()
	dots := body.Collect(tileas.Level.Dot.Is)
	if loop.NumResults() != 1 || tileas.ScheduleOf(loop) != nil || len(dots) != 1 {
		return s, false
	}
	s.mma = dots[0]
	acc, last := body.Arg(1), body.Last()
	if s.mma.Operand(2) != acc || !acc.HasOneUse() || !s.mma.Result(0).HasOneUse() || !last.Is(scf.Continue) || last.Operand(0) != s.mma.Result(0) {
		return s, false
	}
	shape := tile.Shape(s.mma.Operand(0).Type())
	rank := len(shape)
	s.kExtent = shape[rank-1]
	for i, v := range s.mma.Operands()[:2] {
		if !s.follow(v, rank-1-i) {
			return s, false
		}
	}
	// All else, as a rule offsets, runs once for each new iteration, so it must be free of effects.
	return s, !body.Has(func(op ir.Op) bool {
		_, known := s.cut[op]
		return !known && op != s.mma && op != last && (op.NumRegions() > 0 || !ir.IsPure(op) || !ir.IsSpeculatable(op) || slices.ContainsFunc(op.Results(), ir.IsTensor))
	})
}

// follow follows an operand back to its load, and tracks which dimension is K.
func (s *accumulator) follow(v ir.Value, dim int) bool {
	op := v.DefiningOp()
	if op.IsNil() || op.Block() != s.mma.Block() || !v.HasOneUse() {
		return false
	}
	s.cut[op] = dim
	switch {
	case op.Is(tileas.Level.TiledLoad):
		s.bytes += tile.Bytes(v.Type())
		_, packed := op.IntAttr(tile.AttrPacked)
		// The token of the load must be unused: the load is executed in several parts.
		return !tile.IsOrdered(op) && !op.Result(1).HasUses() && !packed
	case op.Is(tileas.Level.Permute):
		return s.follow(op.Operand(0), int(tile.Permutation(op)[dim]))
	case op.Is(arith.FToF):
		return s.follow(op.Operand(0), dim)
	}
	return false
}

// emit replaces the loop by one over parts of its K step. The new counter has 64 bits, so that it can number each
// part of each iteration.
func (s accumulator) emit(parts int64) {
	b := ir.BuilderBefore(s.loop).WithLoc(s.loop.Loc())
	i64 := b.Context().Int(64)
	of := scf.BoundsOf(s.loop)
	t, trips := of.Lower.Type(), of.TripCount(b)
	if t != i64 {
		trips = b.Create(arith.ExtUI, []ir.Value{trips}, []ir.Type{i64}).Result(0)
	}
	end := b.Create(arith.MulI, []ir.Value{trips, arith.NewInt(b, i64, parts)}, []ir.Type{i64}, arith.Promise(b.Context(), numeric.Wraps{Signed: true, Unsigned: true})...).Result(0)
	loop := scf.CreateFor(b, arith.NewInt(b, i64, 0), end, arith.NewInt(b, i64, 1), s.loop.Operands()[scf.NumBounds:])
	loop.SetDiscardableAttrs(s.loop.DiscardableAttrs())
	body := loop.Body()
	b.SetInsertionPointToEnd(body)

	// The counter of the original loop, and the offset into its K step.
	log := int64(bits.TrailingZeros64(uint64(parts)))
	i := b.Create(arith.ShRUI, []ir.Value{body.Arg(0), arith.NewInt(b, i64, log)}, []ir.Type{i64}).Result(0)
	if t != i64 {
		i = b.Create(arith.TruncI, []ir.Value{i}, []ir.Type{t}).Result(0)
	}
	part := b.Create(arith.AndI, []ir.Value{body.Arg(0), arith.NewInt(b, i64, parts-1)}, []ir.Type{i64}).Result(0)
	at := b.Create(arith.MulI, []ir.Value{part, arith.NewInt(b, i64, s.kExtent/parts)}, []ir.Type{i64}).Result(0)

	m := ir.NewMapping()
	m.Values[s.loop.Body().Arg(0)] = of.Counter(b, i)
	m.Values[s.loop.Body().Arg(1)] = body.Arg(1)
	for op := range s.loop.Body().Ops() {
		c := b.Clone(op, m)
		if dim, ok := s.cut[op]; ok {
			if n := tile.Shorten(c, dim, parts); op.Is(tileas.Level.TiledLoad) {
				tile.MoveStart(c, dim, at, n)
			}
		}
	}
	s.loop.ReplaceWith(loop.Results()...)
}
