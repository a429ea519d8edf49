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

// An operand is an operand of the MMA, with the load that it comes from.
type operand struct {
	load  ir.Op
	steps []ir.Op // from the load to the MMA: permutations and conversions of the element type
	dim   int     // K in the loaded tile
}

// An accumulator is a loop that accumulates MMAs and does nothing else.
type accumulator struct {
	loop     ir.Op
	mma      ir.Op
	operands [2]operand
	kExtent  int64
}

// summing matches a loop; ok is false if it does something besides accumulating MMAs of two tiles that it loads.
func summing(loop ir.Op) (s accumulator, ok bool) {
	s.loop = loop
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
	known := map[ir.Op]bool{s.mma: true, last: true}
	for i := range s.operands {
		if s.operands[i], ok = operandOf(s.mma, s.mma.Operand(i), rank-1-i); !ok {
			return s, false
		}
		known[s.operands[i].load] = true
		for _, op := range s.operands[i].steps {
			known[op] = true
		}
	}
	// All else, as a rule offsets, runs once for each new iteration, so it must be free of effects.
	return s, !body.Has(func(op ir.Op) bool {
		return !known[op] && (op.NumRegions() > 0 || !ir.IsPure(op) || !ir.IsSpeculatable(op) || slices.ContainsFunc(op.Results(), ir.IsTensor))
	})
}

// operandOf follows an operand back to its load, and tracks which dimension is K.
func operandOf(mma ir.Op, v ir.Value, dim int) (f operand, ok bool) {
	for {
		op := v.DefiningOp()
		if op.IsNil() || op.Block() != mma.Block() || !v.HasOneUse() {
			return f, false
		}
		switch {
		case op.Is(tileas.Level.TiledLoad):
			f.load, f.dim = op, dim
			_, packed := op.IntAttr(tile.AttrPacked)
			// The token of the load must be unused: the load is executed in several parts.
			return f, !tile.IsOrdered(op) && !op.Result(1).HasUses() && !packed
		case op.Is(tileas.Level.Permute):
			dim = int(op.AttrAt(0).(*ir.DenseArrayAttr).Values[dim])
		case op.Is(arith.FToF):
		default:
			return f, false
		}
		f.steps = append([]ir.Op{op}, f.steps...)
		v = op.Operand(0)
	}
}

// bytes is the size of both operands as they are loaded.
func (s accumulator) bytes() int64 {
	return ir.Sum(s.operands[:], func(f operand) int64 { return tile.Bytes(f.load.Result(0).Type()) })
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
		s.clone(b, op, m, parts, at)
	}
	s.loop.ReplaceWith(loop.Results()...)
}

// clone copies an operation of the body for the part of the K step at an offset.
func (s accumulator) clone(b *ir.Builder, op ir.Op, m *ir.Mapping, parts int64, at ir.Value) {
	c := b.Clone(op, m)
	for _, f := range s.operands {
		switch {
		case op == f.load:
			shape := append([]int64(nil), tile.Shape(op.Result(0).Type())...)
			shape[f.dim] /= parts
			tile.MoveStart(c, f.dim, at, shape[f.dim])
			c.Result(0).SetType(resized(op.Result(0).Type(), shape))
		case slices.Contains(f.steps, op):
			shape := append([]int64(nil), tile.Shape(c.Operand(0).Type())...)
			if op.Is(tileas.Level.Permute) {
				for d, from := range op.AttrAt(0).(*ir.DenseArrayAttr).Values {
					shape[d] = tile.Shape(c.Operand(0).Type())[from]
				}
			}
			c.Result(0).SetType(resized(op.Result(0).Type(), shape))
		}
	}
}

func resized(t ir.Type, shape []int64) ir.Type {
	old := t.(*ir.TensorType)
	return old.Context().Tensor(shape, old.Elem, nil)
}
