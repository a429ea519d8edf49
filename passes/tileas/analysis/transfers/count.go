package transfers

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tma"
)

// An mbarrier goes through one phase each time that a copy is made, so that whoever waits must know how many were
// made before, modulo 2. The number is a value that all loops and conditions around the copy carry.

// Counts begin with the kernel, or with an iteration of a loop of which nobody knows how it goes on (scf.loop):
// there an mbarrier is rematerialized in each.

// Parity returns how often an operation has been executed before in its frame, modulo 2, as an i32 before it. Loops
// around it, and conditions inside of those, are rematerialized with a result more.
func Parity(op ir.Op) ir.Value {
	i32 := op.Context().Int(32)
	var around []ir.Op // from the outermost loop on
	for p, frame := op.ParentOp(), tma.Frame(op); p != frame; p = p.ParentOp() {
		around = append(around, p)
	}
	slices.Reverse(around)
	around = around[max(0, slices.IndexFunc(around, func(p ir.Op) bool { return p.Is(scf.For) })):]
	if len(around) == 0 || !around[0].Is(scf.For) { // it is executed once at most
		return arith.NewInt(before(op, op), i32, 0)
	}
	parity := arith.NewInt(before(around[0], op), i32, 0)
	var ends []ir.Op // what ends the way of the operation through each
	for i, p := range around {
		inner := op
		if i+1 < len(around) {
			inner = around[i+1]
		}
		if p.Is(scf.For) {
			parity = carryFor(p, parity)
		} else {
			carryIf(p, parity)
		}
		ends = append(ends, inner.Block().Last())
	}
	after := before(op, op).Create(arith.XOrI, []ir.Value{parity, arith.NewInt(before(op, op), i32, 1)}, []ir.Type{i32}).Result(0)
	for _, end := range slices.Backward(ends) {
		end.SetOperand(end.NumOperands()-1, after)
		p := end.ParentOp()
		after = p.Result(p.NumResults() - 1)
	}
	return parity
}

func before(op, by ir.Op) *ir.Builder {
	b := ir.BuilderBefore(op)
	b.Loc = by.Loc()
	return b
}

// carryFor makes a loop carry one value more, which does not change, and returns what it is in an iteration.
func carryFor(op ir.Op, init ir.Value) ir.Value {
	b := before(op, op)
	n := scf.NumBounds
	loop := scf.CreateFor(b, op.Operand(0), op.Operand(1), op.Operand(2), append(slices.Clone(op.Operands()[n:]), init), op.InherentAttrs()...)
	loop.SetDiscardableAttrs(op.DiscardableAttrs())
	from, to := op.Body(), loop.Body()
	for i, a := range from.Args() {
		a.ReplaceAllUsesWith(to.Arg(i))
	}
	value := to.Arg(to.NumArgs() - 1)
	move(from, to, value)
	op.ReplaceWith(loop.Results()[:loop.NumResults()-1]...)
	return value
}

// carryIf makes a condition return one value more, which is the same on both ways.
func carryIf(op ir.Op, value ir.Value) {
	b := before(op, op)
	made := scf.CreateIf(b, op.Operand(0), append(op.ResultTypes(), value.Type()))
	for i := range op.NumRegions() {
		to := made.Region(i).First()
		if from := op.Region(i).First(); !from.IsNil() {
			move(from, to, value)
			continue
		}
		end := ir.BuilderAtEnd(to)
		end.Loc = op.Loc()
		end.Create(scf.Yield, []ir.Value{value}, nil)
	}
	op.ReplaceWith(made.Results()[:made.NumResults()-1]...)
}

// move moves the operations of a block, whose last one hands on a value more then.
func move(from, to ir.Block, value ir.Value) {
	for _, op := range slices.Collect(from.Ops()) {
		op.MoveToEnd(to)
	}
	last := to.Last()
	last.SetOperands(append(slices.Clone(last.Operands()), value))
}
