package nvvmtoptx

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
)

func init() {
	add(map[*ir.OpDef]rule{
		cf.Br:       (*emitter).br,
		cf.CondBr:   (*emitter).condBr,
		nvvm.Return: func(e *emitter, _ ir.Op) error { e.body.Ret(); return nil },
	})
}

// A stub is the code of an edge, apart from the blocks, which moves values that only this edge passes.
//
// For cond_br %c, ^a(%x), ^b(%y), with ^b next in the text:
//
//	   @%p1 bra  $stub1;
//	   mov  %b_arg, %y;
//	$b: ...
//	                          at the end of the kernel:
//	$stub1: mov  %a_arg, %x;
//	        bra  $a;
//
// That is the edge split by a block of its own, which SSA would do for critical edges; here only edges that pass
// values have it. Without the split, a move for one successor would overwrite a block argument that the other
// still reads. That is the lost-copy problem (Briggs et al., Practical Improvements to the Construction and
// Destruction of Static Single Assignment Form, 1998).
type stub struct {
	label ptx.Label
	from  ir.Op
	succ  int
}

// edge returns the values that an edge passes.
func edge(op ir.Op, succ int) []ir.Value {
	branch, _ := ir.BranchOp.Of(op)
	lo, hi := branch(op, succ)
	return op.Operands()[lo:hi]
}

func (e *emitter) br(op ir.Op) error {
	e.moves(op, 0)
	if to := op.Successor(0); e.written[to] && repeatable(to) {
		return e.repeat(op.Block(), to)
	}
	e.jump(op.Block(), op.Successor(0))
	return nil
}

// mostRepeated is how many operations the head of a loop may have that is written again at the end of the loop.
const mostRepeated = 2

// repeatable reports whether a block only decides where to go on.
func repeatable(head ir.Block) bool {
	n := 0
	for op := range head.Ops() {
		if op.Is(cf.CondBr) {
			return op.Successor(0) != head && op.Successor(1) != head
		}
		if n++; n > mostRepeated || !op.Is(arith.CmpI) && !op.Is(arith.Constant) && combinations[op.Def()] == 0 {
			return false
		}
	}
	return false
}

// repeat writes the head of a loop again at its end, so that an iteration has one branch and not two:
//
//	$head: setp %p1, ...; @!%p1 bra $exit;            $head: setp %p1, ...; @!%p1 bra $exit;
//	$body: ...; bra $head;                            $body: ...; setp %p1, ...; @%p1 bra $body; bra $exit;
//
// The registers are those of the head. Whatever reads one comes behind the head or behind this copy.
func (e *emitter) repeat(here, head ir.Block) error {
	branch := head.Last()
	for op := head.First(); op != branch; op = op.Next() {
		e.location(op)
		if err := rules[op.Def()](e, op); err != nil {
			return err
		}
	}
	e.location(branch)
	cond := e.reg(branch.Operand(0))
	leave := 1
	if e.written[branch.Successor(0)] {
		e.body.Bra(e.target(branch, 0)).If(cond)
	} else {
		leave = 0
		e.body.Bra(e.target(branch, 1)).Unless(cond)
	}
	// What leaves the loop from the head moves the same registers.
	if i := slices.IndexFunc(e.stubs, func(s stub) bool { return s.from == branch && s.succ == leave }); i >= 0 {
		e.body.Bra(e.stubs[i].label)
		return nil
	}
	e.moves(branch, leave)
	e.jump(here, branch.Successor(leave))
	return nil
}

// jump continues in a block, by falling through where it comes next.
func (e *emitter) jump(from, to ir.Block) {
	if from.Next() != to {
		e.body.Bra(e.labels[to])
	}
}

// condBr branches away for one successor and goes on with the other; a successor that gets values and is branched to
// gets a stub.
func (e *emitter) condBr(op ir.Op) error {
	here := op.Block()
	yes, no := op.Successor(0), op.Successor(1)
	cond := e.reg(op.Operand(0))
	// One way falls through. It should be the next block in the text. Otherwise it should be one to which values
	// are passed, since its moves may then be here instead of after a branch of their own.
	if here.Next() == yes && e.skips(op) {
		e.moves(op, 1)
		e.body.Bra(e.labels[no]).Unless(cond)
		return nil
	}
	if here.Next() == yes || len(edge(op, 1)) == 0 && len(edge(op, 0)) > 0 {
		e.body.Bra(e.target(op, 1)).Unless(cond)
		e.moves(op, 0)
		e.jump(here, yes)
		return nil
	}
	e.body.Bra(e.target(op, 0)).If(cond)
	e.moves(op, 1)
	e.jump(here, no)
	return nil
}

// skips reports whether a branch does nothing but skip one block, which passes the same arguments on. They can be moved
// before the branch, which then needs no stub: no value is there yet that the moves could overwrite.
//
//	mov  %arg, %x;
//	@!%p1 bra  $rest;
//	...; mov  %arg, %y;
//	$rest:
func (e *emitter) skips(branch ir.Op) bool {
	yes, no := branch.Successor(0), branch.Successor(1)
	last := yes.Last()
	return len(edge(branch, 0)) == 0 && !e.written[no] && last.Is(cf.Br) && last.Successor(0) == no && onePred(yes)
}

func onePred(b ir.Block) bool {
	n := 0
	for range b.Preds() {
		n++
	}
	return n == 1
}

// target returns the label to branch to for an edge.
func (e *emitter) target(op ir.Op, succ int) ptx.Label {
	// Values that only this edge passes must not be moved when control goes the other way.
	if len(edge(op, succ)) == 0 {
		return e.labels[op.Successor(succ)]
	}
	l := e.body.NewLabel()
	e.stubs = append(e.stubs, stub{l, op, succ})
	return l
}

func (e *emitter) stub(s stub) error {
	// Registers with constants of other blocks may not have been written on the way to here.
	e.constants = make(map[ir.Attribute]ptx.Reg)
	e.location(s.from)
	e.moves(s.from, s.succ)
	e.body.Bra(e.labels[s.from.Successor(s.succ)])
	return nil
}

// A move is one of several assignments that happen at once.
type move struct {
	to   ptx.Reg
	from ptx.Operand
}

// moves assigns what an edge passes to the arguments of the block that it leads to.
func (e *emitter) moves(op ir.Op, succ int) {
	to := op.Successor(succ)
	var list []move
	for i, v := range edge(op, succ) {
		arg := to.Arg(i)
		// The loop around may keep a value alive that nobody reads.
		if !arg.HasUses() {
			continue
		}
		m := move{to: e.def(arg)}
		if a := constant(v); a != nil {
			m.from = bitsOperand(a)
		} else {
			m.from = ptx.R(e.def(v))
		}
		if m.from.Register() != m.to {
			list = append(list, m)
		}
	}
	e.parallel(list)
}

// parallel writes parallel assignments as a sequence (Boissinot et al., Revisiting Out-of-SSA Translation, CGO
// 2009). A register is written once nothing reads it any more. If every remaining one is still read, they form
// cycles, and one register is saved to break its cycle.
//
// For example (a, b, c) <- (b, a, a) has the cycle a <-> b, and c waits for nothing:
//
//	c <- a ; t <- a ; a <- b ; b <- t
//
// A target is written once, since it is the argument of one block. So each connected part of the graph of moves
// has at most one cycle and one saved register. Linear in the number of moves but for the search for readers of a
// saved register.
func (e *emitter) parallel(list []move) {
	readers := make(map[ptx.Reg]int)
	byTarget := make(map[ptx.Reg]int, len(list))
	for i, m := range list {
		byTarget[m.to] = i
		if r := m.from.Register(); r != 0 {
			readers[r]++
		}
	}
	done := make([]bool, len(list))
	var ready []int
	for i, m := range list {
		if readers[m.to] == 0 {
			ready = append(ready, i)
		}
	}
	next := 0 // of the moves that may be on a cycle
	for left := len(list); left > 0; {
		if len(ready) == 0 {
			for done[next] {
				next++
			}
			// Save what this move would overwrite, for the one move that still reads it.
			saved := list[next].to
			copied := e.regs.New(saved.Class())
			e.body.Mov(copied, ptx.R(saved))
			for i := range list {
				if !done[i] && list[i].from.Register() == saved {
					list[i].from = ptx.R(copied)
				}
			}
			readers[saved] = 0
			ready = append(ready, next)
		}
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		e.body.Mov(list[i].to, list[i].from)
		done[i] = true
		left--
		r := list[i].from.Register()
		if r == 0 {
			continue
		}
		if readers[r]--; readers[r] == 0 {
			if j, ok := byTarget[r]; ok && !done[j] {
				ready = append(ready, j)
			}
		}
	}
}
