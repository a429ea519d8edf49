package foldbatches

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

var (
	numFolded  = passes.NewStatistic("num-folded", "MMAs of a batch that became one MMA")
	numCarried = passes.NewStatistic("num-carried", "loop-carried values that became matrices")
)

// Pass is tileaa-fold-batches.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-fold-batches",
	Summary: "make one MMA of a batch whose right operand is the same for all",
	Doc: `The rows of all matrices of the batch become the rows of one matrix, and the right operand is no longer repeated.
Each element is the same sum as before. A loop that only carries the accumulator of such an MMA carries the matrix.`,
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "cse#tileaa", Reason: "what is repeated in the same way is one value"},
	},
	Before: []passes.Edge{
		{Pass: "dce#tileaa", Reason: "nothing reads the repeated operand any more"},
		{Pass: "tileaa-partition-cluster", Reason: "CTAs share the rows of one matrix"},
	},
	Statistics: []*passes.Statistic{numFolded, numCarried},
	Run:        run,
})

func run(r *passes.Run) error {
	var dots []ir.Op
	var loops []ir.Loop
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if of, ok := ir.LoopLike.Of(op); ok {
			if l := of(op); !l.IndVar.IsNil() { // another loop has results of its own
				loops = append(loops, l)
			}
		} else if !repeated(op).IsNil() {
			dots = append(dots, op)
		}
		return ir.Advance
	})
	folded := 0
	for _, dot := range dots {
		if r.May("fold-batch", dot) {
			s := tile.Shape(dot.Result(0).Type())
			remark.BatchFolded.At(r, dot.Loc(), "%d MMAs of %d rows have the same right operand and are one MMA of %d rows", s[0], s[1], s[0]*s[1]).Report()
			fold(dot)
			folded++
		}
	}
	r.Add(numFolded, folded)
	if folded == 0 {
		return nil
	}
	for _, l := range slices.Backward(loops) { // what an inner loop carries is reshaped in the outer one
		for i := range l.NumIterArgs {
			if carryMatrix(l, i) {
				r.Add(numCarried, 1)
			}
		}
	}
	return nil
}

// repeated returns what the right operand of a batch repeats, of shape [1, K, N]; nil if it is not one for all.
func repeated(dot ir.Op) (source ir.Value) {
	if !tile.Is(dot, tile.RowDot) || dot.HasUnitAttr(tile.AttrTwoCTAs) {
		return source
	}
	def := dot.Operand(1).DefiningOp()
	if def.IsNil() || !def.Is(tileaa.Level.Broadcast) {
		return source
	}
	from := def.Operand(0)
	if shape := tile.Shape(from.Type()); len(shape) != 3 || shape[0] != 1 || !slices.Equal(shape[1:], tile.Shape(dot.Operand(1).Type())[1:]) {
		return source
	}
	return from
}

// fold makes one MMA of a batch.
func fold(dot ir.Op) {
	b := ir.BuilderBefore(dot)
	b.SetLocOf(dot)
	weights := repeated(dot)
	st := b.NewState(dot.Def(), dot.Loc())
	st.Attrs = append(dot.InherentAttrs(), dot.DiscardableAttrs().Entries...)
	st.Operands = []ir.Value{reshape(b, dot.Operand(0), rows(dot.Operand(0))), reshape(b, weights, tile.Shape(weights.Type())[1:]), reshape(b, dot.Operand(2), rows(dot.Operand(2)))}
	st.Types = []ir.Type{st.Operands[2].Type()}
	d := b.Insert(st).Result(0)
	dot.ReplaceWith(reshape(b, d, tile.Shape(dot.Result(0).Type())))
}

// rows returns the shape of the matrix that has the rows of all matrices of a batch.
func rows(v ir.Value) []int64 {
	s := tile.Shape(v.Type())
	return []int64{s[0] * s[1], s[2]}
}

// reshape returns a value in another shape, without an operation where it is a constant or has been reshaped from that.
func reshape(b *ir.Builder, v ir.Value, shape []int64) ir.Value {
	for def := v.DefiningOp(); !def.IsNil() && tile.Is(def, tile.RowReshape); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	t := b.Context().Tensor(shape, ir.ElementType(v.Type()), nil)
	if v.Type() == t {
		return v
	}
	if scalar := arith.Splat(ir.ConstantValue(v)); scalar != nil {
		return arith.NewConstant(b, t, arith.OfType(scalar, t))
	}
	return b.Create(tileaa.Level.Reshape, []ir.Value{v}, []ir.Type{t}).Result(0)
}

// carryMatrix lets a loop carry value i as the matrix that it is reshaped to, if nothing else is done with it in the loop:
//
//	%r = for ... iter_args(%c = %x) {                  %x2 = reshape %x
//	  %c2 = reshape %c                                 %r2 = for ... iter_args(%c2 = %x2) {
//	  %d2 = dot %a2, %w2, %c2                   ->       %d2 = dot %a2, %w2, %c2
//	  %d = reshape %d2                                   continue %d2
//	  continue %d                                      }
//	}                                                  %r = reshape %r2
func carryMatrix(l ir.Loop, i int) bool {
	arg, result := l.IterArg(i), l.Result(i)
	if !arg.HasUses() || !tile.Is(arg.FirstUse().Owner(), tile.RowReshape) {
		return false
	}
	t := arg.FirstUse().Owner().Result(0).Type()
	var reshapes []ir.Op
	for u := range arg.Uses() {
		if !tile.Is(u.Owner(), tile.RowReshape) || u.Owner().Result(0).Type() != t {
			return false
		}
		reshapes = append(reshapes, u.Owner())
	}
	var ends []ir.Use // of values that iterations leave
	fits := true
	l.Op.Walk(func(op ir.Op) ir.WalkResult {
		ir.RegionEdges(op, func(e ir.RegionEdge) {
			for n := range e.Len() {
				if in := e.Input(n); op != l.Op && (in == arg || in == result) {
					def := e.Operand(n).DefiningOp()
					fits = fits && !def.IsNil() && tile.Is(def, tile.RowReshape) && def.Operand(0).Type() == t
					ends = append(ends, op.OperandUse(e.Lo+n))
				}
			}
		})
		return ir.Advance
	})
	if !fits {
		return false
	}
	for _, u := range ends {
		if def := u.Value().DefiningOp(); u.Value().Type() != t { // both ways of a for have the same operand
			u.Set(def.Operand(0))
		}
	}
	init := l.Op.OperandUse(l.FirstInit + i)
	before := ir.BuilderBefore(l.Op)
	before.SetLocOf(l.Op)
	init.Set(reshape(before, init.Value(), tile.Shape(t)))
	old := tile.Shape(result.Type())
	arg.SetType(t)
	for _, op := range reshapes {
		op.ReplaceWith(arg)
	}
	result.SetType(t)
	after := ir.BuilderAfter(l.Op)
	after.SetLocOf(l.Op)
	batch := reshape(after, result, old)
	result.ReplaceUsesIf(batch, func(u ir.Use) bool { return u.Owner() != batch.DefiningOp() })
	return true
}
