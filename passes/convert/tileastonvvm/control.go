package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A loopFrame is where continue and break of the innermost loop go.
//
// continue and break may stand inside ifs at any depth, and mean the innermost loop: that is all of
// non-structured control there is, so a stack of frames replaces labels.
type loopFrame struct {
	head, exit ir.Block
	iv, step   ir.Value // of a counting loop
	// ends is the predicate that holds for one counter and the next, unless the next one is beyond the largest number; empty: it never is.
	ends string
	// promise is what may be promised of the addition then, which lets a product of the counter be widened and stepped (nvvm-reduce-strength).
	promise numeric.Wraps
}

// The blocks, in the order of the text:
//
//	  cond_br %c, ^then, ^else(or ^exit)
//	^then:   ...  br ^exit(%yields)
//	^else:   ...  br ^exit(%yields)
//	^exit(%results):
func (l *lowering) ifOp(op ir.Op) error {
	// A scalar is the same in all threads of the scope, so the branch is uniform: a barrier or a warp-wide instruction inside is reached by all of them or by none.
	cond := l.Value(op.Operand(0))
	then, other, exit := l.region.AddBlock(), ir.Block{}, l.region.AddBlock()
	l.AddArgs(exit, op.Results())
	if op.Region(1).Empty() {
		cf.CreateCondBr(l.Builder, cond, then, nil, exit, nil)
	} else {
		other = l.region.InsertBlock(exit)
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
	// Blocks stay in the order in which control comes to them first: the emitter falls through to the next one instead of branching.
	exit.MoveToEnd(l.region)
	l.SetInsertionPointToEnd(exit)
	return nil
}

func operandsOf(op ir.Op) []ir.Value {
	if op.IsNil() {
		return nil
	}
	return op.Operands()
}

// The blocks of a for:
//
//	  br ^head(%lower, %inits)
//	^head(%i, %args):  %more = %i < %upper ; cond_br %more, ^body, ^exit(%args)
//	^body:             ...  %next = %i + %step ; br ^head(%next, %yields)
//	^exit(%results):
func (l *lowering) forOp(op ir.Op) error {
	describe, _ := ir.LoopLike.Of(op)
	loop := describe(op)
	head, body, exit := l.region.AddBlock(), l.region.AddBlock(), l.region.AddBlock()
	var inits, args []ir.Value
	for i := range loop.NumIterArgs {
		inits = append(inits, loop.Init(i))
		args = append(args, loop.IterArg(i))
	}
	// The test stands in front of the body, since a loop may run no times at all. What the loop carries are arguments of head; exit has arguments of its own, because break leaves with
	// other values than the test does.
	cf.CreateBr(l.Builder, head, append([]ir.Value{l.Value(loop.Lower)}, l.Flat(inits)...)...)
	l.AddArgs(head, append([]ir.Value{loop.IndVar}, args...))
	l.AddArgs(exit, op.Results())

	l.SetInsertionPointToEnd(head)
	predicate := "slt"
	if loop.Unsigned {
		predicate = "ult"
	}
	iv := l.Value(loop.IndVar)
	more := l.compare(predicate, iv, l.Value(loop.Upper))
	cf.CreateCondBr(l.Builder, more, body, nil, exit, l.Flat(args))
	f := loopFrame{head: head, exit: exit, iv: iv, step: l.Value(loop.Step)}
	switch {
	case l.mayPass(&loop):
		f.ends = predicate
	case loop.Unsigned:
		f.promise.Unsigned = true
	default:
		f.promise.Signed = true
	}
	return l.loopBody(op, body, f)
}

// mayPass reports whether the counter of a loop can be so near to the largest number that a step leads beyond it. A loop with a step of 1 ends at
// that number at the latest.
//
// "less than the upper bound" is tested before each iteration, so the counter in the body is below the bound;
// only the last addition may leave the range of its type. With a step of 1 the sum is at most the bound itself,
// which has a number.
func (l *lowering) mayPass(loop *ir.Loop) bool {
	// Almost every loop has this step, and the analysis of ranges is not free.
	if step, ok := constfold.Splat(ir.ConstantValue(loop.Step)); ok && step == 1 {
		return false
	}
	ranges := l.integers()
	iv, step := ranges.Of(loop.IndVar), ranges.Of(loop.Step)
	if loop.Unsigned {
		// The sum of the greatest counter and the greatest step, without computing it, since it may not have a number.
		return step.UMax > iv.W.Mask()-iv.UMax
	}
	return step.SMax > iv.W.Signed(iv.W.MaxSigned())-max(iv.SMax, 0)
}

func (l *lowering) loopOp(op ir.Op) error {
	// Without a counter the body is its own head: nothing is tested before it, and only its breaks leave.
	head, exit := l.region.AddBlock(), l.region.AddBlock()
	cf.CreateBr(l.Builder, head, l.Flat(op.Operands())...)
	l.AddArgs(head, op.Body().Args())
	l.AddArgs(exit, op.Results())
	return l.loopBody(op, head, loopFrame{head: head, exit: exit})
}

func (l *lowering) loopBody(op ir.Op, body ir.Block, f loopFrame) error {
	l.loops = append(l.loops, f)
	l.SetInsertionPointToEnd(body)
	if err := l.Ops(op.Body()); err != nil {
		return err
	}
	l.loops = l.loops[:len(l.loops)-1]
	f.exit.MoveToEnd(l.region)
	l.SetInsertionPointToEnd(f.exit)
	return nil
}

func (l *lowering) continueOp(op ir.Op) error {
	f := l.loops[len(l.loops)-1]
	args := l.Flat(op.Operands())
	if !f.iv.IsNil() {
		// The counter is advanced where the body ends and not in a block of its own, so that a loop with several continues needs no edge more for each.
		next := l.Create(arith.AddI, []ir.Value{f.iv, f.step}, []ir.Type{f.iv.Type()}, arith.Promise(l.Context(), f.promise)...).Result(0)
		// The counter is the first argument of head, where forOp put it; exit has none for it.
		args = append([]ir.Value{next}, args...)
		if f.ends != "" {
			// A counter that wraps is below the upper bound again, and the loop would never end. Hardly any loop pays for the test, as mayPass is false where the
			// ranges tell.
			cf.CreateCondBr(l.Builder, l.compare(f.ends, f.iv, next), f.head, args, f.exit, args[1:])
			return nil
		}
	}
	cf.CreateBr(l.Builder, f.head, args...)
	return nil
}

func (l *lowering) breakOp(op ir.Op) error {
	cf.CreateBr(l.Builder, l.loops[len(l.loops)-1].exit, l.Flat(op.Operands())...)
	return nil
}

func (l *lowering) returnOp(ir.Op) error {
	// Each return frees, since a kernel may end in several places; what malloc gave lives as long as the context otherwise (CUDA programming guide, dynamic
	// global memory allocation).
	if err := l.releaseGlobal(); err != nil {
		return err
	}
	if err := l.giveMaps(); err != nil {
		return err
	}
	l.Create(nvvm.Return, nil, nil)
	return nil
}

func (l *lowering) compare(predicate string, a, b ir.Value) ir.Value {
	return arith.NewCmpI(l.Builder, predicate, a, b)
}
