package layouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
)

// maxChain is how many cheap operations in a row are made again. Each use has its own, so that without a limit a chain with many uses at each link would grow as the square of
// its length.
const maxChain = 4

// IsCheap reports whether v is made again in each layout that is wanted: a constant, splat or range, or those reshaped.
func IsCheap(v ir.Value) bool { return isCheap(v, maxChain) }

func isCheap(v ir.Value, links int) bool {
	def := v.DefiningOp()
	if def.IsNil() || links == 0 || def.NumResults() != 1 {
		return false
	}
	if _, ok := transfer.Cheap.Of(def); !ok {
		return false
	}
	for _, o := range def.Operands() {
		if transfer.IsTensor(o) && !isCheap(o, links-1) {
			return false
		}
	}
	return true
}

// Remake makes a cheap value in layout l where the builder stands. It fails when an operation of the chain cannot have the layout.
//
// The chain is cloned link by link, operands first, each in the layout that its user asks of it; nothing is
// shared with another use, since that would tie the layouts of two uses together again. cse of level nvvm joins
// what came out equal.
func Remake(b *ir.Builder, v ir.Value, l linear.Layout) (ir.Value, error) {
	def := v.DefiningOp()
	operands := def.Operands()
	for i, o := range operands {
		if !transfer.IsTensor(o) {
			continue
		}
		t, ok := transfer.Transfers.Of(def)
		if !ok {
			return ir.Value{}, transfer.ErrUndecided
		}
		s, err := t.From(def, transfer.Place{Result: true}, l)
		if err != nil {
			return ir.Value{}, err
		}
		// It would come out in another layout, and need the conversion that making it again is to avoid.
		if !s.Results[0].Equal(l) {
			return ir.Value{}, transfer.ErrUndecided
		}
		if operands[i], err = Remake(b, o, s.Operands[i]); err != nil {
			return ir.Value{}, err
		}
	}
	loc := b.Loc
	// What is made again is still what the program says there, for diagnostics and for line tables.
	b.Loc = def.Loc()
	made := b.Clone(def, ir.NewMapping())
	b.Loc = loc
	for i, o := range operands {
		made.SetOperand(i, o)
	}
	made.Result(0).SetType(tileas.WithLayout(v.Type().(*ir.TensorType), l))
	return made.Result(0), nil
}
