package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// findNest finds the nest of the loop, if the loop around it asks for its fill to go ahead.
func (x *expansion) findNest(limits schedule.Limits, build func(loop ir.Op) (*ddg.Graph, error)) (err error) {
	outer, _ := nest.Around(x.loop)
	if outer.IsNil() || !outer.HasUnitAttr(tileas.AttrFillAhead) {
		return nil
	}
	if x.nest, err = nest.Find(x.g, tileas.ScheduleOf(x.loop), limits.In(outer), build); err != nil {
		return outer.Errorf("has '%s', but the loop inside cannot be filled ahead: %v", tileas.AttrFillAhead, err)
	}
	return nil
}

// rotate expands the loop, and the loop around it such that turns which only copy stand behind the loop of the iteration before (package nest):
//
//	if lower < upper {
//	  buffers; fill(lower)
//	  for i = lower to upper { before(i); the rest of the turns; fill(i + step, or nothing); behind(i) }
//	}
//
// Behind the loop inside no slot is in use, so that each fill begins with the first slot; which groups are committed behind which, waits count as without the rotation, since nothing else between a fill
// and its loop commits any. In the guard, the bounds of the first fill are those of an iteration that exists.
func (x *expansion) rotate() {
	outer := x.nest.Outer // as it was
	outer.SetAttr(tileas.AttrFillAhead, nil)
	b := at(ir.BuilderBefore(outer), outer)
	some := arith.NewCmpI(b, boundsOf(outer).less(), outer.Operand(0), outer.Operand(1))
	guard := scf.CreateIf(b, some, outer.ResultTypes())
	in := at(ir.BuilderAtEnd(guard.Region(0).First()), x.loop)
	x.allocate(in)
	inits := outer.Operands()[scf.NumBounds:]
	first, ofFirst := x.fill(in, outer.Body(), ir.Value{}, func(i int) ir.Value {
		if i == 0 {
			return outer.Operand(0)
		}
		return inits[i-1]
	})
	crossing := x.crossing()
	handed := x.nest.Handed()
	loop := x.around(in, inits, append(x.made(first, crossing), all(ofFirst, handed)...))
	for i, c := range crossing {
		x.filled[c.turn].made[c.value] = loop.Body().Arg(1 + len(inits) + i)
	}
	behind := x.nest.Behind()
	if len(x.nest.Sharers) > 0 { // which begin with copies of their own, on both ways out of the guard
		x.drain(at(ir.BuilderBefore(x.nest.Top().Next()), x.loop))
	}
	b = at(ir.BuilderBefore(behind), x.loop)
	x.drain(b) // on both ways out of the guard of an overlap
	last := loop.Body().Last()
	exists, args := x.nextOf(b, loop, last)
	second, ofSecond := x.fill(b, loop.Body(), exists, func(i int) ir.Value { return args[i] })
	end := at(ir.BuilderBefore(last), last)
	end.Create(scf.Continue, slices.Concat(last.Operands(), x.made(second, crossing), all(ofSecond, handed)), nil)
	for _, v := range args { // what no copy rests on
		eraseBehind(v, loop.Body())
	}
	last.Erase()
	x.nest.HandOver(handed, loop.Body().Args()[1+len(inits)+len(crossing):])
	x.bounds = boundsOf(x.loop)
	x.inPlace() // last, since it takes the body away
	in = at(in, loop)
	x.drain(in)
	in.Create(scf.Yield, loop.Results()[:len(inits)], nil)
	otherwise := at(ir.BuilderAtEnd(guard.Region(1).First()), outer)
	otherwise.Create(scf.Yield, inits, nil)
	outer.ReplaceWith(guard.Results()...)
}

// A crosser is a value of a turn of the fill that the rest of the turns take.
type crosser struct {
	turn  int
	value ir.Value
}

// crossing returns what the fill hands to the rest of the turns besides what it copies: tokens.
func (x *expansion) crossing() (out []crosser) {
	for k := -x.maxLead; k < -x.overlap; k++ {
		for _, v := range x.carried {
			if i := x.g.Node(v); k+x.lead[i] >= 0 && k >= -x.overlap-x.crosses[v] {
				out = append(out, crosser{k, v})
			}
		}
	}
	return out
}

func (x *expansion) made(turns map[int]*turn, crossing []crosser) (out []ir.Value) {
	for _, c := range crossing {
		out = append(out, turns[c.turn].made[c.value])
	}
	return out
}

// fill makes the turns that only copy, for an iteration of the loop around whose arguments are given. It copies nothing if there is no such iteration.
func (x *expansion) fill(b *ir.Builder, body ir.Block, exists ir.Value, arg func(i int) ir.Value) (map[int]*turn, *nest.Values) {
	values := &nest.Values{Nest: x.nest, Body: body, Builder: b, Argument: arg}
	in := bounds{values.Of(x.bounds.lower), values.Of(x.bounds.upper), values.Of(x.bounds.step), x.bounds.unsigned}
	trips := in.tripCount(b)
	only := func(holds ir.Value) {
		trips = b.Create(arith.Select, []ir.Value{holds, trips, in.constant(b, 0)}, []ir.Type{trips.Type()}).Result(0)
	}
	if !exists.IsNil() {
		only(exists)
	}
	if guard := x.nest.Guard; !guard.IsNil() {
		only(values.Of(guard.Operand(0)))
	}
	turns := make(map[int]*turn)
	for k := -x.maxLead; k < -x.overlap; k++ {
		t := x.turnBefore(b, in, k, trips)
		t.outside = values.Of
		t.back = func(v ir.Value, n int) ir.Value {
			if earlier := turns[k-n]; earlier != nil && !earlier.made[v].IsNil() {
				return earlier.made[v]
			}
			return values.Of(x.init(v))
		}
		t.emit(func(lead int) bool { return k+lead >= 0 })
		turns[k] = t
	}
	return turns, values
}

func all(of *nest.Values, values []ir.Value) (out []ir.Value) {
	for _, v := range values {
		out = append(out, of.Of(v))
	}
	return out
}

// around makes the loop around anew, which carries more, and moves the body of the old one there. The body ends as the old one did.
func (x *expansion) around(b *ir.Builder, inits, more []ir.Value) ir.Op {
	outer := x.nest.Outer
	b = at(b, outer)
	loop := scf.CreateFor(b, outer.Operand(0), outer.Operand(1), outer.Operand(2), append(inits[:len(inits):len(inits)], more...), outer.InherentAttrs()...)
	loop.SetDiscardableAttrs(outer.DiscardableAttrs())
	for i, a := range outer.Body().Args() {
		a.ReplaceAllUsesWith(loop.Body().Arg(i))
	}
	for op := range outer.Body().Ops() {
		op.MoveToEnd(loop.Body())
	}
	x.nest.Outer = loop
	x.filled = make(map[int]*turn)
	for k := -x.maxLead; k < -x.overlap; k++ {
		x.filled[k] = x.newTurn(nil)
	}
	return loop
}

// nextOf returns whether an iteration of the loop around is not the last one, and the arguments of the next; of this one, if there is none.
func (x *expansion) nextOf(b *ir.Builder, loop, last ir.Op) (exists ir.Value, args []ir.Value) {
	of, body := boundsOf(loop), loop.Body()
	t := of.step.Type()
	// The counter is below the bound, so that what is left fits the type as a number without a sign, whatever both are.
	left := b.Create(arith.SubI, []ir.Value{of.upper, body.Arg(0)}, []ir.Type{t}).Result(0)
	exists = arith.NewCmpI(b, "ugt", left, of.step)
	step := b.Create(arith.Select, []ir.Value{exists, of.step, arith.NewInt(b, t, 0)}, []ir.Type{t}).Result(0)
	promise := arith.Promise(b.Context(), numeric.Wraps{Signed: !of.unsigned, Unsigned: of.unsigned})
	args = append(args, b.Create(arith.AddI, []ir.Value{body.Arg(0), step}, []ir.Type{t}, promise...).Result(0))
	for i, a := range body.Args()[1:] {
		v := a
		if i < last.NumOperands() && x.nest.Takes(i) {
			now := x.nest.Early(b, last.Operand(i))
			v = b.Create(arith.Select, []ir.Value{exists, now, a}, []ir.Type{a.Type()}).Result(0)
		}
		args = append(args, v)
	}
	return exists, args
}

// eraseBehind erases what a value that nothing uses is made of in a block.
func eraseBehind(v ir.Value, in ir.Block) {
	def := v.DefiningOp()
	if def.IsNil() || v.HasUses() || def.Block() != in || !ir.IsPure(def) || def.NumResults() != 1 {
		return
	}
	from := def.Operands()
	def.Erase()
	for _, o := range from {
		eraseBehind(o, in)
	}
}
