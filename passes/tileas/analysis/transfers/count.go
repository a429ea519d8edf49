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

func before(op, by ir.Op) *ir.Builder { return ir.BuilderBefore(op).WithLoc(by.Loc()) }

// carryFor makes a loop carry one value more, which does not change, and returns what it is in an iteration.
func carryFor(op ir.Op, init ir.Value) ir.Value {
	loop := ir.Extend(op, []ir.Value{init}, []ir.Type{init.Type()})
	value := loop.Body().AddArg(init.Type())
	handOn(loop.Body(), value)
	op.Erase()
	return value
}

// carryIf makes a condition return one value more, which is the same on both ways.
func carryIf(op ir.Op, value ir.Value) {
	made := ir.Extend(op, nil, []ir.Type{value.Type()})
	handOn(made.Region(0).First(), value)
	handOn(scf.Else(made), value)
	op.Erase()
}

// handOn lets the last operation of a block hand on a value more.
func handOn(b ir.Block, value ir.Value) { b.Last().SetOperands(append(b.Last().Operands(), value)) }
