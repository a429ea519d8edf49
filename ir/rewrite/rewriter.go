package rewrite

import "github.com/tilewright/tilewright/ir"

// A Listener is told of changes. Each function may be nil.
type Listener struct {
	// Inserted is called when an operation has been created or moved into place, Modified when one has changed.
	Inserted, Modified func(ir.Op)
	// Erasing is called before an operation is erased, once for it and everything in its regions.
	Erasing func(ir.Op)
}

// A Rewriter is a builder that can also change what exists, and that reports every change to its listener.
type Rewriter struct {
	*ir.Builder
	listener Listener
	changes  int
}

// NewRewriter returns a rewriter that creates operations with b. It takes over b's OnCreate.
func NewRewriter(b *ir.Builder, l Listener) *Rewriter {
	rw := &Rewriter{Builder: b, listener: l}
	b.OnCreate = rw.inserted
	return rw
}

func (rw *Rewriter) inserted(op ir.Op) {
	rw.changes++
	if rw.listener.Inserted != nil {
		rw.listener.Inserted(op)
	}
}

func (rw *Rewriter) modified(op ir.Op) {
	rw.changes++
	if rw.listener.Modified != nil {
		rw.listener.Modified(op)
	}
}

// Replace makes the users of op's results use vs, one for each result, and erases op.
func (rw *Rewriter) Replace(op ir.Op, vs ...ir.Value) {
	if len(vs) != op.NumResults() {
		panic("rewrite: " + op.Name() + " replaced with a different number of values")
	}
	for i, v := range vs {
		rw.ReplaceUses(op.Result(i), v)
	}
	rw.Erase(op)
}

// ReplaceWithNew creates an operation in the place of op, with its location, and replaces op with the results.
func (rw *Rewriter) ReplaceWithNew(op ir.Op, def *ir.OpDef, operands []ir.Value, results []ir.Type, attrs ...ir.NamedAttr) ir.Op {
	rw.SetInsertionPointBefore(op)
	rw.SetLocOf(op)
	n := rw.Create(def, operands, results, attrs...)
	rw.Replace(op, n.Results()...)
	return n
}

// ReplaceUses makes all users of from use to.
func (rw *Rewriter) ReplaceUses(from, to ir.Value) {
	if from == to {
		return
	}
	// The next one is taken first: Set takes u out of the list that is walked.
	for u := from.FirstUse(); !u.IsNil(); {
		next := u.Next()
		u.Set(to)
		rw.modified(u.Owner())
		u = next
	}
}

// ReplaceUsesIf makes those operands use to that use from and for which cond holds.
func (rw *Rewriter) ReplaceUsesIf(from, to ir.Value, cond func(ir.Use) bool) {
	if from == to {
		return
	}
	for u := range from.Uses() {
		if cond(u) {
			u.Set(to)
			rw.modified(u.Owner())
		}
	}
}

// Erase erases op, whose results have no uses.
func (rw *Rewriter) Erase(op ir.Op) {
	rw.changes++
	if rw.listener.Erasing != nil {
		rw.listener.Erasing(op)
	}
	op.Erase()
}

// Update changes op in place: change does it by op's own methods.
func (rw *Rewriter) Update(op ir.Op, change func()) {
	change()
	rw.modified(op)
}

// SetOperand makes operand i of op the value v.
func (rw *Rewriter) SetOperand(op ir.Op, i int, v ir.Value) {
	if old := op.Operand(i).DefiningOp(); !old.IsNil() {
		defer rw.modified(old) // it may have lost its last use
	}
	op.SetOperand(i, v)
	rw.modified(op)
}

// MoveBefore moves op before other.
func (rw *Rewriter) MoveBefore(op, other ir.Op) {
	op.MoveBefore(other)
	rw.inserted(op)
}

// InlineBefore moves the operations of block before op, with args in the place of the block's arguments, and erases
// the block. The block must have no predecessors.
func (rw *Rewriter) InlineBefore(block ir.Block, op ir.Op, args ...ir.Value) {
	if len(args) != block.NumArgs() {
		panic("rewrite: a block is inlined with a different number of values than it has arguments")
	}
	for i, v := range args {
		rw.ReplaceUses(block.Arg(i), v)
	}
	for inner := range block.Ops() {
		inner.MoveBefore(op)
		rw.inserted(inner)
	}
	rw.changes++
	block.Erase()
}

// EraseBlock erases a block and everything in it; nothing outside uses its values.
func (rw *Rewriter) EraseBlock(block ir.Block) {
	rw.changes++
	for op := range block.Ops() {
		if rw.listener.Erasing != nil {
			rw.listener.Erasing(op)
		}
	}
	block.Erase()
}
