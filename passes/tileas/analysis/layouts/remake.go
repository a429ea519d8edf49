package layouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// maxChain is how many cheap operations in a row are rematerialized. Each use gets its own, so without a limit a chain
// with many uses at each link would grow quadratically.
const maxChain = 4

// IsCheap reports whether v is rematerialized in each layout that a use needs: a constant, splat or range, possibly
// reshaped.
func IsCheap(v ir.Value) bool { return isCheap(v, maxChain) }

func isCheap(v ir.Value, links int) bool {
	def := v.DefiningOp()
	return !def.IsNil() && links > 0 && def.NumResults() == 1 && transfer.Cheap.Has(def) &&
		!slices.ContainsFunc(def.Operands(), func(o ir.Value) bool { return ir.IsTensor(o) && !isCheap(o, links-1) })
}

// Remake rematerializes a cheap value in layout l at the builder. It fails if an operation of the chain cannot have
// the layout.
//
// The chain is cloned link by link, operands first, each in the layout that its user needs. Uses share nothing, since
// that would tie their layouts together again. CSE at level nvvm merges what came out equal.
func Remake(b *ir.Builder, v ir.Value, l linear.Layout) (ir.Value, error) {
	def := v.DefiningOp()
	operands := def.Operands()
	for i, o := range operands {
		if !ir.IsTensor(o) {
			continue
		}
		s, err := resulting(def, l)
		if err == nil {
			operands[i], err = Remake(b, o, s.Operands[i])
		}
		if err != nil {
			return ir.Value{}, err
		}
	}
	made := b.Clone(def, ir.NewMapping())
	made.SetOperands(operands)
	made.Result(0).SetType(tileas.WithLayout(v.Type().(*ir.TensorType), l))
	return made.Result(0), nil
}

// resulting returns the layouts with which an operation has its result in layout l. With another one it would need the
// conversion that rematerialization shall avoid.
func resulting(op ir.Op, l linear.Layout) (s transfer.Signature, err error) {
	t, ok := transfer.Transfers.Of(op)
	if !ok {
		return s, transfer.ErrUndecided
	}
	if s, err = t.From(op, transfer.Place{Result: true}, l); err == nil && !s.Results[0].Equal(l) {
		err = transfer.ErrUndecided
	}
	return s, err
}

// Repeat returns what it costs to compute a value again in layout l: the instructions of the integer arithmetic that
// makes it of cheap values. Never says that it depends on something else, or divides.
//
// Row numbers of a gather are such, and masks: a range plus where the tile begins.
func Repeat(v ir.Value, l linear.Layout) int { return repeat(v, l, maxChain) }

func repeat(v ir.Value, l linear.Layout, links int) int {
	def := v.DefiningOp()
	if IsCheap(v) {
		return 0
	}
	if def.IsNil() || links == 0 || def.NumResults() != 1 {
		return Never
	}
	cost := 0
	if !transfer.Cheap.Has(def) {
		_, integer := ir.ElementType(v.Type()).(*ir.IntegerType)
		if !arith.Elementwise.Has(def) || !integer || !ir.IsSpeculatable(def) || arith.Divides(def) {
			return Never
		}
		cost = Words(l, max(32, Bits(v.Type())))
	}
	s, err := resulting(def, l)
	if err != nil {
		return Never
	}
	for i, o := range def.Operands() {
		if ir.IsTensor(o) {
			if cost += repeat(o, s.Operands[i], links-1); cost >= Never {
				return Never
			}
		}
	}
	return cost
}
