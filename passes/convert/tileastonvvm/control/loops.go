package control

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// A loopFrame is where continue and break of the innermost loop go.
//
// continue and break may be inside nested ifs, and mean the innermost loop. There is no other unstructured control,
// so a stack of frames replaces labels.
type loopFrame struct {
	head, exit ir.Block
	iv, step   ir.Value // of a counting loop
	// ends is the predicate that holds for one counter and the next, unless the next one is beyond the largest
	// number; empty: it never is.
	ends string
	// promise says how the addition does not wrap. nvvm-reduce-strength then widens and strength-reduces multiples of
	// the counter.
	promise numeric.Wraps
}

// loops are those around the code that is being written, the innermost last.
var loops core.Local[[]loopFrame]

// The blocks of a for:
//
//	  br ^head(%lower, %inits)
//	^head(%i, %args):  %more = %i < %upper ; cond_br %more, ^body, ^exit(%args)
//	^body:             ...  %next = %i + %step ; br ^head(%next, %yields)
//	^exit(%results):
func forOp(l *core.Lowering, op ir.Op) error {
	describe, _ := ir.LoopLike.Of(op)
	loop := describe(op)
	head, body, exit := l.Blocks.AddBlock(), l.Blocks.AddBlock(), l.Blocks.AddBlock()
	var inits, args []ir.Value
	for i := range loop.NumIterArgs {
		inits = append(inits, loop.Init(i))
		args = append(args, loop.IterArg(i))
	}
	// The test is before the body, since a loop may run zero times. What the loop carries are arguments
	// of head; exit has arguments of its own, because break leaves with other values than the test does.
	cf.CreateBr(l.Builder, head, append([]ir.Value{l.Value(loop.Lower)}, l.Flat(inits)...)...)
	l.AddArgs(head, append([]ir.Value{loop.IndVar}, args...))
	l.AddArgs(exit, op.Results())

	l.SetInsertionPointToEnd(head)
	predicate := "slt"
	if loop.Unsigned {
		predicate = "ult"
	}
	iv := l.Value(loop.IndVar)
	more := l.Compare(predicate, iv, l.Value(loop.Upper))
	cf.CreateCondBr(l.Builder, more, body, nil, exit, l.Flat(args))
	f := loopFrame{head: head, exit: exit, iv: iv, step: l.Value(loop.Step)}
	switch {
	case mayPass(l, &loop):
		f.ends = predicate
	case loop.Unsigned:
		f.promise.Unsigned = true
	default:
		f.promise.Signed = true
	}
	return loopBody(l, op, body, f)
}

// mayPass reports whether the counter of a loop can be so near to the largest number that a step leads beyond it. A
// loop with a step of 1 ends at that number at the latest.
//
// The condition "less than the upper bound" is tested before each iteration, so the counter in the body is below
// the bound. Only the last addition may leave the range of its type. With a step of 1 the sum is at most the
// bound itself, which has a number.
func mayPass(l *core.Lowering, loop *ir.Loop) bool {
	// Almost every loop has this step, and the analysis of ranges is not free.
	if step, ok := constfold.Splat(ir.ConstantValue(loop.Step)); ok && step == 1 {
		return false
	}
	ranges := l.Integers()
	iv, step := ranges.Of(loop.IndVar), ranges.Of(loop.Step)
	if loop.Unsigned {
		// The sum of the greatest counter and the greatest step, without computing it, since it may not have a number.
		return step.UMax > iv.W.Mask()-iv.UMax
	}
	return step.SMax > iv.W.Signed(iv.W.MaxSigned())-max(iv.SMax, 0)
}

func loopOp(l *core.Lowering, op ir.Op) error {
	// Without a counter the body is its own head: nothing is tested before it, and only its breaks leave.
	head, exit := l.Blocks.AddBlock(), l.Blocks.AddBlock()
	cf.CreateBr(l.Builder, head, l.Flat(op.Operands())...)
	l.AddArgs(head, op.Body().Args())
	l.AddArgs(exit, op.Results())
	return loopBody(l, op, head, loopFrame{head: head, exit: exit})
}

func loopBody(l *core.Lowering, op ir.Op, body ir.Block, f loopFrame) error {
	around := loops.Of(l)
	*around = append(*around, f)
	l.SetInsertionPointToEnd(body)
	if err := l.Ops(op.Body()); err != nil {
		return err
	}
	*around = (*around)[:len(*around)-1]
	f.exit.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(f.exit)
	return nil
}

func innermost(l *core.Lowering) loopFrame {
	around := *loops.Of(l)
	return around[len(around)-1]
}

func continueOp(l *core.Lowering, op ir.Op) error {
	f := innermost(l)
	args := l.Flat(op.Operands())
	if !f.iv.IsNil() {
		// The counter is advanced where the body ends and not in a block of its own, so that a loop with several
		// continues needs no edge more for each.
		next := l.Create(arith.AddI, []ir.Value{f.iv, f.step}, []ir.Type{f.iv.Type()}, arith.Promise(l.Context(), f.promise)...).Result(0)
		// The counter is the first argument of head, where forOp put it; exit has none for it.
		args = append([]ir.Value{next}, args...)
		if f.ends != "" {
			// A counter that wraps is below the upper bound again, and the loop would never end. Few loops have the
			// test: mayPass is false where the ranges prove it.
			cf.CreateCondBr(l.Builder, l.Compare(f.ends, f.iv, next), f.head, args, f.exit, args[1:])
			return nil
		}
	}
	cf.CreateBr(l.Builder, f.head, args...)
	return nil
}

func breakOp(l *core.Lowering, op ir.Op) error {
	cf.CreateBr(l.Builder, innermost(l).exit, l.Flat(op.Operands())...)
	return nil
}

func returnOp(l *core.Lowering, _ ir.Op) error {
	if err := l.Cleanup(); err != nil {
		return err
	}
	l.Create(nvvm.Return, nil, nil)
	return nil
}
