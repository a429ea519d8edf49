package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// A peeled loop has its first iteration before it:
//
//	if there is an iteration { first ; for the others { next } ; last } else { inits }
//
// Here first creates that iteration, next another one, and last what follows the loop. The first two return what an
// iteration hands on; next and last take it. What last returns are the results.
type peeled struct {
	first      func() []ir.Value
	next, last func(handed []ir.Value) []ir.Value
}

// peel rebuilds a loop with its first iteration before it, and returns the results. They are the initial values if
// there is no iteration.
func (w *writer) peel(op ir.Op, inits []ir.Value, parts peeled) []ir.Value {
	bounds, counter := ir.Map(op.Operands()[:scf.NumBounds], w.m.Lookup), op.Body().Arg(0)
	guard := scf.CreateIf(w.b, w.runs(op), ir.TypesOf(inits))
	w.in(guard.Region(1).First(), op, func() { w.b.Create(scf.Yield, inits, nil) })
	w.in(guard.Region(0).First(), op, func() {
		w.m.Values[counter] = bounds[0]
		handed := parts.first()
		w.b.Loc = op.Loc()
		second := w.b.Create(arith.AddI, []ir.Value{bounds[0], bounds[2]}, []ir.Type{bounds[0].Type()}).Result(0)
		loop := scf.CreateForLike(w.b, op, second, bounds[1], bounds[2], handed)
		w.in(loop.Body(), op, func() {
			w.m.Values[counter] = loop.Body().Arg(0)
			handed := parts.next(loop.Body().Args()[1:])
			w.b.Loc = op.Body().Last().Loc()
			w.b.Create(scf.Continue, handed, nil)
		})
		w.b.Loc = op.Loc()
		results := parts.last(loop.Results())
		w.b.Loc = op.Loc()
		w.b.Create(scf.Yield, results, nil)
	})
	return guard.Results()
}
