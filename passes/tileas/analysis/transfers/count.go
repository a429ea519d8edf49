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
		_, _ = scf.Carry(p, []ir.Value{parity}, func(_ ir.Op, b ir.Block, at []ir.Value) error {
			b.Last().SetOperands(append(b.Last().Operands(), at[0])) // which does not change as yet
			parity = at[0]
			return nil
		})
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
