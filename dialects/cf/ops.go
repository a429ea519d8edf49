package cf

import (
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the cf dialect.
var Dialect = &ir.Dialect{Name: "cf", Doc: "Branches between blocks."}

var i1 = ir.TypeConstraint{Desc: "i1", Check: func(t ir.Type) bool {
	it, ok := t.(*ir.IntegerType)
	return ok && it.Width == 1
}}

// The operations. That their successors get what they need, the verifier checks for every operation with the
// capability BranchOp.
var (
	// Br continues in its successor.
	Br = Dialect.Op(ir.OpDef{
		Name: "br", Summary: "Unconditional branch.",
		Operands:   []ir.Field{{Name: "dest_operands", Type: ir.AnyType, Arity: ir.Variadic}},
		Successors: 1, Traits: ir.Terminator | ir.Pure,
		Parse: func(p ir.AsmParser, st *ir.OpState) {
			parseDest(p, st)
			st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
		},
		Print: func(p ir.AsmPrinter, op ir.Op) {
			p.Str(" ")
			printDest(p, op, 0)
			p.OptAttrDict(op, false)
		},
		Caps: []ir.CapImpl{ir.BranchOp.Is(func(op ir.Op, _ int) (int, int) { return 0, op.NumOperands() })},
	})
	// CondBr continues in its first successor when the condition holds, else in its second.
	CondBr = Dialect.Op(ir.OpDef{
		Name: "cond_br", Summary: "Conditional branch.",
		Operands: []ir.Field{{Name: "condition", Type: i1}, {Name: "true_operands", Type: ir.AnyType, Arity: ir.Variadic},
			{Name: "false_operands", Type: ir.AnyType, Arity: ir.Variadic}},
		Successors: 2, Traits: ir.Terminator | ir.Pure | ir.AttrSizedOperandSegments,
		Parse: parseCondBr, Print: printCondBr,
		Caps: []ir.CapImpl{ir.BranchOp.Is(func(op ir.Op, succ int) (int, int) { return op.OperandRange(1 + succ) })},
	})
)

// CreateBr and CreateCondBr build the branches.
func CreateBr(b *ir.Builder, dest ir.Block, args ...ir.Value) ir.Op {
	st := b.NewState(Br, b.Loc)
	st.Operands, st.Succs = args, []ir.Block{dest}
	return b.Insert(st)
}

// CreateCondBr builds a conditional branch.
func CreateCondBr(b *ir.Builder, cond ir.Value, yes ir.Block, yesArgs []ir.Value, no ir.Block, noArgs []ir.Value) ir.Op {
	st := b.NewState(CondBr, b.Loc)
	st.OperandGroups([]ir.Value{cond}, yesArgs, noArgs)
	st.Succs = []ir.Block{yes, no}
	return b.Insert(st)
}

func parseDest(p ir.AsmParser, st *ir.OpState) (n int) {
	st.Succs = append(st.Succs, p.Successor())
	if !p.Opt("(") {
		return 0
	}
	refs := p.Operands()
	p.Expect(":")
	pos := p.Pos()
	types := p.TypeList()
	p.Expect(")")
	if p.Failed() {
		return 0
	}
	values := p.ResolveAll(refs, types, pos)
	st.Operands = append(st.Operands, values...)
	return len(values)
}

func parseCondBr(p ir.AsmParser, st *ir.OpState) {
	cond := p.Operand()
	if v := p.Resolve(cond, p.Context().Int(1)); !p.Failed() {
		st.Operands = append(st.Operands, v)
	}
	p.Expect(",")
	yes := parseDest(p, st)
	p.Expect(",")
	no := parseDest(p, st)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	st.SetAttr(ir.OperandSegmentSizes, p.Context().DenseI32(1, int64(yes), int64(no)))
}

func printDest(p ir.AsmPrinter, op ir.Op, succ int) {
	p.Successor(op.Successor(succ))
	branch, _ := ir.BranchOp.Of(op)
	lo, hi := branch(op, succ)
	if lo == hi {
		return
	}
	p.Str("(")
	args := op.Operands()[lo:hi]
	p.Operands(args)
	p.Str(" : ")
	for i, v := range args {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(v.Type())
	}
	p.Str(")")
}

func printCondBr(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	p.Str(", ")
	printDest(p, op, 0)
	p.Str(", ")
	printDest(p, op, 1)
	p.OptAttrDict(op, false, ir.OperandSegmentSizes)
}
