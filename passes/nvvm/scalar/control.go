package scalar

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
)

// If builds a conditional: the results are those of then if cond holds, else otherwise. The block is split before
// the builder's operation, and the builder continues there.
func (b Builder) If(cond ir.Value, then func() []ir.Value, otherwise ...ir.Value) []ir.Value {
	here, rest, resume := b.split()
	body := here.Region().InsertBlock(rest)
	results := arguments(rest, otherwise)
	b.SetInsertionPointToEnd(here)
	cf.CreateCondBr(b.Builder, cond, body, nil, rest, otherwise)
	b.SetInsertionPointToEnd(body)
	cf.CreateBr(b.Builder, rest, then()...)
	resume()
	return results
}

// Choose builds a conditional with two arms, and returns the values of the arm that runs. It splits the block as
// If does, and arms may have conditionals and loops of their own.
func (b Builder) Choose(cond ir.Value, then, otherwise func() []ir.Value) []ir.Value {
	here, rest, resume := b.split()
	yes := here.Region().InsertBlock(rest)
	no := here.Region().InsertBlock(rest)
	b.SetInsertionPointToEnd(here)
	cf.CreateCondBr(b.Builder, cond, yes, nil, no, nil)
	b.SetInsertionPointToEnd(yes)
	values := then()
	cf.CreateBr(b.Builder, rest, values...)
	results := arguments(rest, values)
	b.SetInsertionPointToEnd(no)
	cf.CreateBr(b.Builder, rest, otherwise()...)
	resume()
	return results
}

// While builds a loop: as long as cond holds for the values, body computes the next ones. The results are the
// values for which it does not hold. It splits the block as If does.
func (b Builder) While(init []ir.Value, cond func(args []ir.Value) ir.Value, body func(args []ir.Value) []ir.Value) []ir.Value {
	here, rest, resume := b.split()
	head := here.Region().InsertBlock(rest)
	inner := here.Region().InsertBlock(rest)
	args := arguments(head, init)
	b.SetInsertionPointToEnd(here)
	cf.CreateBr(b.Builder, head, init...)
	b.SetInsertionPointToEnd(head)
	more := cond(args)
	cf.CreateCondBr(b.Builder, more, inner, nil, rest, args)
	b.SetInsertionPointToEnd(inner)
	cf.CreateBr(b.Builder, head, body(args)...)
	results := arguments(rest, init)
	resume()
	return results
}

// split moves what follows the insertion point to a new block, and returns how to continue there. Inside an arm or a
// loop, whose block has no end yet, nothing follows.
func (b Builder) split() (here, rest ir.Block, resume func()) {
	here = b.Block()
	if here != b.op.Block() {
		rest = here.Region().InsertBlock(here.Next())
		return here, rest, func() { b.SetInsertionPointToEnd(rest) }
	}
	return here, here.SplitBefore(b.op), func() { b.SetInsertionPointBefore(b.op) }
}

func arguments(b ir.Block, like []ir.Value) []ir.Value {
	out := make([]ir.Value, len(like))
	for i, v := range like {
		out[i] = b.AddArg(v.Type())
	}
	return out
}
