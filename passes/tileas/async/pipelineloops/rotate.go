package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// rotate expands the loop, and rotates the outer loop so that the prologue for its next iteration stands right after
// the inner loop (package nest):
//
//	if lower < upper {
//	  buffers; fill(lower)
//	  for i = lower to upper { before(i); the rest of the iterations; fill(i + step, or nothing); after(i) }
//	}
//
// After the inner loop no stage is in use, so each fill begins with stage 0. The waits count groups as without the
// rotation, since nothing between a fill and its loop commits a group. Inside the guard an iteration exists, so the
// bounds of the first fill are valid.
func (x *expansion) rotate() {
	outer := x.nest.Outer // unchanged
	outer.SetAttr(tileas.AttrFillAhead, nil)
	b := ir.BuilderBefore(outer).WithLoc(outer.Loc())
	some := arith.NewCmpI(b, scf.Less(outer), outer.Operand(0), outer.Operand(1))
	guard := scf.CreateIf(b, some, outer.ResultTypes())
	in := ir.BuilderAtEnd(guard.Region(0).First()).WithLoc(x.loop.Loc())
	x.allocate(in)
	inits := outer.Operands()[scf.NumBounds:]
	first, ofFirst := x.fill(in, outer.Body(), ir.Value{}, func(i int) ir.Value {
		if i == 0 {
			return outer.Operand(0)
		}
		return inits[i-1]
	})
	crossing := x.crossing()
	handed := ofFirst.Handed()
	outer.ReplaceResults(guard.Results()...)
	outer.MoveToEnd(in.Block())
	_, _ = scf.Carry(outer, append(made(first, crossing), ir.Map(handed, ofFirst.Of)...), func(made ir.Op, _ ir.Block, _ []ir.Value) error {
		x.nest.Outer = made
		return nil
	})
	loop := x.nest.Outer
	x.filled = make(map[int]*iteration)
	for k := -x.maxPrefetch; k < -x.overlap; k++ {
		x.filled[k] = x.newIteration(nil, k)
	}
	for i, c := range crossing {
		x.filled[c.iteration].made[c.value] = loop.Body().Arg(1 + len(inits) + i)
	}
	after := x.nest.After()
	if len(x.nest.Sharers) > 0 { // the sharers' own copies come next, on both branches of the guard
		x.drain(ir.BuilderBefore(x.nest.Top().Next()).WithLoc(x.loop.Loc()))
	}
	b = ir.BuilderBefore(after).WithLoc(x.loop.Loc())
	x.drain(b) // before the fill, on both branches of the overlap's guard
	last := loop.Body().Last()
	exists, args := x.nextOf(b, loop, last)
	second, ofSecond := x.fill(b, loop.Body(), exists, func(i int) ir.Value { return args[i] })
	last.SetOperands(slices.Concat(last.Operands(), made(second, crossing), ir.Map(handed, ofSecond.Of)))
	ir.EraseUnused(args...) // values of the next iteration that no copy uses
	x.nest.HandOver(handed, loop.Body().Args()[1+len(inits)+len(crossing):])
	x.bounds = scf.BoundsOf(x.loop)
	x.inPlace() // last, since it erases the body
	x.drain(in.WithLoc(loop.Loc()))
	in.Create(scf.Yield, loop.Results()[:len(inits)], nil)
	ir.BuilderAtEnd(guard.Region(1).First()).WithLoc(loop.Loc()).Create(scf.Yield, inits, nil)
}

// A handedValue is a value of a fill iteration that later iterations use.
type handedValue struct {
	iteration int
	value     ir.Value
}

// crossing returns the values that a fill hands to later iterations besides the copied data: tokens.
func (x *expansion) crossing() (out []handedValue) {
	for k := -x.maxPrefetch; k < -x.overlap; k++ {
		for _, v := range x.carried {
			if i := x.g.Node(v); k+x.prefetch[i] >= 0 && k >= -x.overlap-x.crosses[v] {
				out = append(out, handedValue{k, v})
			}
		}
	}
	return out
}

func made(iterations map[int]*iteration, crossing []handedValue) []ir.Value {
	return ir.Map(crossing, func(c handedValue) ir.Value { return iterations[c.iteration].made[c.value] })
}

// fill creates the prologue iterations that only copy, for an iteration of the outer loop with the given arguments. If
// there is no such iteration, it copies nothing: its trip count is 0.
func (x *expansion) fill(b *ir.Builder, body ir.Block, exists ir.Value, arg func(i int) ir.Value) (map[int]*iteration, *nest.Values) {
	values := &nest.Values{Nest: x.nest, Body: body, Builder: b, Argument: arg}
	in := x.bounds
	in.Lower, in.Upper, in.Step = values.Of(in.Lower), values.Of(in.Upper), values.Of(in.Step)
	trips := in.TripCount(b)
	only := func(holds ir.Value) {
		trips = arith.New(b, arith.Select, holds, trips, in.Constant(b, 0))
	}
	if !exists.IsNil() {
		only(exists)
	}
	if guard := x.nest.Guard; !guard.IsNil() {
		only(values.Of(guard.Operand(0)))
	}
	iterations := make(map[int]*iteration)
	for k := -x.maxPrefetch; k < -x.overlap; k++ {
		iterations[k] = x.iterationBefore(b, in, k, trips, 0, iterations, values.Of)
	}
	return iterations, values
}

// nextOf returns whether the outer loop has a next iteration, and its arguments; those of this iteration if it has
// not. So nothing is computed for an iteration that does not exist.
func (x *expansion) nextOf(b *ir.Builder, loop, last ir.Op) (exists ir.Value, args []ir.Value) {
	of, body := scf.BoundsOf(loop), loop.Body()
	exists, counter := of.Ahead(b, body.Arg(0), of.Step)
	args = append(args, counter)
	for i, a := range body.Args()[1:] {
		v := a
		if i < last.NumOperands() && x.nest.Takes(i) {
			now := x.nest.Early(b, last.Operand(i))
			v = arith.New(b, arith.Select, exists, now, a)
		}
		args = append(args, v)
	}
	return exists, args
}
