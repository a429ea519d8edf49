package control

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// The blocks, in the order of the text:
//
//	  cond_br %c, ^then, ^else(or ^exit)
//	^then:   ...  br ^exit(%yields)
//	^else:   ...  br ^exit(%yields)
//	^exit(%results):
func ifOp(l *core.Lowering, op ir.Op) error {
	// A scalar is the same in all threads of the scope, so the branch is uniform. All threads reach a barrier or
	// a warp-wide instruction inside, or none.
	cond := l.Value(op.Operand(0))
	then, other, exit := l.Blocks.AddBlock(), ir.Block{}, l.Blocks.AddBlock()
	l.AddArgs(exit, op.Results())
	if op.Region(1).Empty() {
		cf.CreateCondBr(l.Builder, cond, then, nil, exit, nil)
	} else {
		other = l.Blocks.InsertBlock(exit)
		cf.CreateCondBr(l.Builder, cond, then, nil, other, nil)
	}
	for i, blk := range []ir.Block{then, other} {
		if blk.IsNil() {
			continue
		}
		l.SetInsertionPointToEnd(blk)
		body := op.Region(i).First()
		if err := l.Ops(body); err != nil {
			return err
		}
		// Any other terminator has been lowered to a branch that leaves the if.
		if term := body.Last(); term.IsNil() || term.Is(scf.Yield) {
			cf.CreateBr(l.Builder, exit, l.Flat(operandsOf(term))...)
		}
	}
	// Blocks stay in the order in which control comes to them first: the emitter falls through to the next one
	// instead of branching.
	exit.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(exit)
	return nil
}

func operandsOf(op ir.Op) []ir.Value {
	if op.IsNil() {
		return nil
	}
	return op.Operands()
}
