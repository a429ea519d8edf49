package ir

// An Op is an operation. The zero Op is "none".
type Op struct {
	a  *Arena
	id uint32
}

// IsNil reports whether op is no operation.
func (op Op) IsNil() bool { return op.id == 0 }

func (op Op) rec() *opRec {
	r := op.a.ops.at(op.id)
	if r.def == 0 {
		panic(staleOp(op.id))
	}
	return r
}

// ID returns a number unique among the operations of the arena, small and dense: an index for side tables.
func (op Op) ID() int { return int(op.id) }

// Arena returns the arena that the operation lives in; its regions may live in another (see InnerArena).
func (op Op) Arena() *Arena { return op.a }

// Context returns the context of the operation.
func (op Op) Context() *Context { return op.a.ctx }

// Erased reports whether the operation was erased, so that the handle must not be used.
func (op Op) Erased() bool { return op.a.ops.at(op.id).def == 0 }

// Def returns the row of the operation.
func (op Op) Def() *OpDef { return op.a.ctx.defOf(op.rec().def) }

// Name returns the full name, as in "cuda_tile.addf".
func (op Op) Name() string { return op.Def().FullName() }

// Dialect returns the dialect of the operation; nil when it is not registered.
func (op Op) Dialect() *Dialect { return op.Def().Dialect }

// Is reports whether the operation is of the given row.
func (op Op) Is(def *OpDef) bool { return op.rec().def == def.num }

// HasTrait reports whether the row has all the given traits.
func (op Op) HasTrait(t Traits) bool { return op.Def().Traits.Has(t) }

// Loc returns the location.
func (op Op) Loc() Location { return op.a.ctx.location(op.rec().loc) }

// SetLoc changes the location.
func (op Op) SetLoc(l Location) {
	op.rec().loc = l.abase().id
	op.touch()
}

// Block returns the block that the operation stands in; a zero Block when detached.
func (op Op) Block() Block { return Block{op.a, op.rec().block} }

// ParentRegion returns the region of the block that the operation stands in, or a zero Region.
func (op Op) ParentRegion() (r Region) {
	if b := op.rec().block; b != 0 {
		r = Region{op.a, op.a.blocks.at(b).region}
	}
	return r
}

// ParentOp returns the operation that contains op; a zero Op for a top-level one.
func (op Op) ParentOp() Op {
	if r := op.ParentRegion(); !r.IsNil() {
		return r.Op()
	}
	return Op{}
}

// ParentOf returns the nearest ancestor of the given row, or a zero Op.
func (op Op) ParentOf(def *OpDef) Op {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if p.Is(def) {
			return p
		}
	}
	return Op{}
}

// IsAncestorOf reports whether inner is op or nested in it.
func (op Op) IsAncestorOf(inner Op) bool {
	for ; !inner.IsNil(); inner = inner.ParentOp() {
		if inner == op {
			return true
		}
	}
	return false
}

// Next and Prev return the neighbours in the block, or a zero Op.
func (op Op) Next() Op { return Op{op.a, op.rec().next} }
func (op Op) Prev() Op { return Op{op.a, op.rec().prev} }

// NumOperands returns how many operands the operation has.
func (op Op) NumOperands() int { return int(op.rec().nOperands) }

// Operand returns operand i.
func (op Op) Operand(i int) Value {
	r := op.a.ops.at(op.id) // that of an erased operation has no operands
	if uint(i) >= uint(r.nOperands) {
		panic(noOperand(op))
	}
	return Value{op.a, op.a.operands.at(r.operands + uint32(i)).value}
}

func (op Op) operandID(i int) uint32 {
	r := op.rec()
	if uint(i) >= uint(r.nOperands) {
		panic(noOperand(op))
	}
	return r.operands + uint32(i)
}

// OperandUse returns operand i as a use.
func (op Op) OperandUse(i int) Use { return Use{op.a, op.operandID(i)} }

// Lists of operands, results and arguments are mostly short and looked at once. The functions that return them are
// inlined and make room for so many, so that it is on the stack of a caller that does not keep the list.
const (
	someOperands = 4
	someResults  = 2
)

// roomFor returns a list of n elements, in the room that there is if they fit.
func roomFor[T any](room []T, n int) []T {
	if n > cap(room) {
		return make([]T, n)
	}
	return room[:n:n]
}

// Operands returns the operands.
func (op Op) Operands() []Value { return op.operandsIn(make([]Value, 0, someOperands)) }

func (op Op) operandsIn(room []Value) []Value {
	r := op.rec()
	out := roomFor(room, int(r.nOperands))
	for i := range out {
		out[i] = Value{op.a, op.a.operands.at(r.operands + uint32(i)).value}
	}
	return out
}

// SetOperand makes operand i the value v, which must live in the operation's arena; a zero Value leaves the operand
// unset, which the verifier rejects.
func (op Op) SetOperand(i int, v Value) {
	op.checkArena(v)
	op.a.setUse(op.operandID(i), v.id)
}

// SetOperands replaces all operands. The caller keeps operandSegmentSizes right.
func (op Op) SetOperands(vs []Value) {
	r := op.rec()
	op.a.changes++
	for i := range r.nOperands {
		op.a.unlinkUse(r.operands + i)
	}
	if uint32(len(vs)) > r.nOperands {
		r.operands = op.a.operands.alloc(uint32(len(vs)))
	}
	r.nOperands = uint32(len(vs))
	for i, v := range vs {
		op.checkArena(v)
		u := r.operands + uint32(i)
		op.a.operands.at(u).owner = op.id
		op.a.linkUse(u, v.id)
	}
}

func (op Op) checkArena(v Value) {
	if v.a != op.a && v.id != 0 {
		panic("ir: operand of " + op.Name() + " is defined outside the isolated operation around it")
	}
}

// NumResults returns how many results the operation has.
func (op Op) NumResults() int { return int(op.rec().nResults) }

// Result returns result i.
func (op Op) Result(i int) Value {
	r := op.rec()
	if uint(i) >= uint(r.nResults) {
		panic(noResult(op))
	}
	return Value{op.a, r.results + uint32(i)}
}

// Results returns the results.
func (op Op) Results() []Value { return op.resultsIn(make([]Value, 0, someResults)) }

func (op Op) resultsIn(room []Value) []Value {
	r := op.rec()
	out := roomFor(room, int(r.nResults))
	for i := range out {
		out[i] = Value{op.a, r.results + uint32(i)}
	}
	return out
}

// ResultTypes returns the types of the results.
func (op Op) ResultTypes() []Type { return op.resultTypesIn(make([]Type, 0, someResults)) }

func (op Op) resultTypesIn(room []Type) []Type {
	out := roomFor(room, op.NumResults())
	for i := range out {
		out[i] = op.Result(i).Type()
	}
	return out
}

// HasUses reports whether any result is used.
func (op Op) HasUses() bool {
	for i := range op.NumResults() {
		if op.Result(i).HasUses() {
			return true
		}
	}
	return false
}

// NumRegions returns how many regions the operation has.
func (op Op) NumRegions() int { return int(op.rec().nRegions) }

// Region returns region i.
func (op Op) Region(i int) Region {
	r := op.rec()
	if i < 0 || i >= int(r.nRegions) {
		panic("ir: region number out of range in " + op.Name())
	}
	if op.Def().Traits.Has(IsolatedFromAbove) {
		child := op.a.children[r.regions-1]
		return Region{child, child.roots[i]}
	}
	return Region{op.a, *op.a.words.at(r.regions + uint32(i))}
}

// InnerArena returns the arena that the operation's regions live in.
func (op Op) InnerArena() *Arena {
	if op.Def().Traits.Has(IsolatedFromAbove) {
		if r := op.rec(); r.regions != 0 {
			return op.a.children[r.regions-1]
		}
	}
	return op.a
}

// Body returns the entry block of region 0, or a zero Block.
func (op Op) Body() Block {
	if op.NumRegions() == 0 {
		return Block{}
	}
	return op.Region(0).First()
}

// NumSuccessors returns how many successor blocks the operation names.
func (op Op) NumSuccessors() int { return int(op.rec().nSuccs) }

// Successor returns successor i.
func (op Op) Successor(i int) Block {
	r := op.rec()
	if i < 0 || i >= int(r.nSuccs) {
		panic("ir: successor number out of range in " + op.Name())
	}
	return Block{op.a, op.a.succs.at(r.succs + uint32(i)).block}
}

// SetSuccessor changes successor i; a zero Block leaves it unset, which the verifier rejects.
func (op Op) SetSuccessor(i int, b Block) {
	r := op.rec()
	if i < 0 || i >= int(r.nSuccs) {
		panic("ir: successor number out of range in " + op.Name())
	}
	op.checkSuccessor(b)
	s := r.succs + uint32(i)
	op.a.changes++
	op.a.unlinkSucc(s)
	op.a.linkSucc(s, b.id)
}

func (op Op) checkSuccessor(b Block) {
	if b.a != op.a && b.id != 0 {
		panic("ir: successor of " + op.Name() + " is outside the isolated operation around it")
	}
}

func (a *Arena) linkSucc(s, block uint32) {
	r := a.succs.at(s)
	if block == 0 {
		return
	}
	b := a.blocks.at(block)
	r.block, r.prev, r.next = block, 0, b.firstPred
	if r.next != 0 {
		a.succs.at(r.next).prev = s
	}
	b.firstPred = s
}

func (a *Arena) unlinkSucc(s uint32) {
	r := a.succs.at(s)
	if r.block == 0 {
		return
	}
	if r.prev != 0 {
		a.succs.at(r.prev).next = r.next
	} else {
		a.blocks.at(r.block).firstPred = r.next
	}
	if r.next != 0 {
		a.succs.at(r.next).prev = r.prev
	}
	r.block, r.prev, r.next = 0, 0, 0
}

// Erase removes the operation and everything in its regions. Its results must have no uses.
func (op Op) Erase() {
	if op.HasUses() {
		panic("ir: erasing " + op.Name() + ", whose results have uses")
	}
	op.unlink()
	op.destroy()
}

func (op Op) destroy() {
	r := op.rec()
	for i := range r.nOperands {
		op.a.unlinkUse(r.operands + i)
	}
	for i := range r.nSuccs {
		op.a.unlinkSucc(r.succs + i)
	}
	if r.nRegions > 0 {
		if op.Def().Traits.Has(IsolatedFromAbove) {
			op.a.changes += op.Changes()
			op.a.children[r.regions-1] = nil // frees the arena at once
		} else {
			for i := range r.nRegions {
				Region{op.a, *op.a.words.at(r.regions + i)}.destroy()
			}
		}
	}
	*r = opRec{}
	op.a.live--
}

func (r Region) destroy() {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			op.destroy()
		}
	}
	for b := range r.Blocks() {
		*b.rec() = blockRec{}
	}
	*r.rec() = regionRec{}
}

func (op Op) dropUsesOfResults() {
	for i := range op.NumResults() {
		for u := range op.Result(i).Uses() {
			op.a.unlinkUse(u.id)
		}
	}
}

// MoveBefore moves the operation before another of the same arena.
func (op Op) MoveBefore(other Op) {
	if op == other {
		return
	}
	op.unlink()
	op.link(other.Block(), other)
}

// MoveAfter moves the operation after another one of the same arena.
func (op Op) MoveAfter(other Op) {
	if op == other {
		return
	}
	op.unlink()
	op.link(other.Block(), other.Next())
}

// MoveToEnd moves the operation to the end of a block of the same arena.
func (op Op) MoveToEnd(b Block) {
	op.unlink()
	op.link(b, Op{})
}

func (op Op) link(b Block, before Op) {
	if op.a != b.a {
		panic("ir: moving " + op.Name() + " into another arena")
	}
	r, br := op.rec(), b.rec()
	op.a.changes++
	r.block = b.id
	r.next = before.id
	if before.id != 0 {
		r.prev = before.rec().prev
		before.rec().prev = op.id
	} else {
		r.prev = br.last
		br.last = op.id
	}
	if r.prev != 0 {
		op.a.ops.at(r.prev).next = op.id
	} else {
		br.first = op.id
	}
	op.number(r, br)
}

// append is link at the end of a block, for an operation that is in none.
func (op Op) append(b Block) {
	if op.a != b.a {
		panic("ir: moving " + op.Name() + " into another arena")
	}
	r, br := op.a.ops.at(op.id), b.a.blocks.at(b.id)
	op.a.changes++
	r.block = b.id
	if last := br.last; last != 0 {
		lr := op.a.ops.at(last)
		lr.next, r.prev = op.id, last
		r.order = lr.order + appendGap
		br.ordered = br.ordered && r.order > lr.order
	} else {
		br.first = op.id
		r.order, br.ordered = appendGap, true
	}
	br.last = op.id
}

// Operations are numbered along their block with gaps, so that one can be inserted without renumbering the block.
const (
	appendGap = 64      // distance after the last operation
	insertGap = 32      // distance after the predecessor, where there is room: insertions tend to go on at the same place
	spreadGap = 1 << 10 // distance after renumbering, where there is room
)

// number gives an operation that was just linked an order number between those of its neighbours, if there is one.
func (op Op) number(r *opRec, br *blockRec) {
	lo := uint32(0)
	if r.prev != 0 {
		lo = op.a.ops.at(r.prev).order
	}
	switch {
	case r.prev == 0 && r.next == 0:
		r.order, br.ordered = appendGap, true
	case r.next == 0:
		r.order = lo + appendGap
		br.ordered = br.ordered && r.order > lo
	default:
		r.order = lo + min((op.a.ops.at(r.next).order-lo)/2, insertGap)
		br.ordered = br.ordered && r.order > lo
	}
}

func (b Block) renumber() {
	r := b.rec()
	count := uint32(1)
	for id := r.first; id != 0; id = b.a.ops.at(id).next {
		count++
	}
	gap := min(max((1<<31)/count, 1), spreadGap) // half of the range is left for operations that are appended
	n := uint32(0)
	for id := r.first; id != 0; id = b.a.ops.at(id).next {
		n += gap
		b.a.ops.at(id).order = n
	}
	r.ordered = true
}

func (op Op) unlink() {
	r := op.rec()
	if r.block == 0 {
		return
	}
	op.a.changes++
	b := op.a.blocks.at(r.block)
	if r.prev != 0 {
		op.a.ops.at(r.prev).next = r.next
	} else {
		b.first = r.next
	}
	if r.next != 0 {
		op.a.ops.at(r.next).prev = r.prev
	} else {
		b.last = r.prev
	}
	r.prev, r.next, r.block = 0, 0, 0
}

// CompareInBlock orders operations of one block, for sorting: it is negative if op stands before other, and 0 if they are
// the same.
func (op Op) CompareInBlock(other Op) int {
	switch {
	case op == other:
		return 0
	case op.IsBeforeInBlock(other):
		return -1
	}
	return 1
}

// IsBeforeInBlock reports whether op stands before other, which is in the same block.
func (op Op) IsBeforeInBlock(other Op) bool {
	if b := op.Block(); !b.rec().ordered {
		b.renumber()
	}
	return op.rec().order < other.rec().order
}

// ReplaceResults replaces the uses of the results with vs, one for each result.
func (op Op) ReplaceResults(vs ...Value) {
	if len(vs) != op.NumResults() {
		panic("ir: " + op.Name() + " replaced with a different number of values")
	}
	for i, v := range vs {
		op.Result(i).ReplaceAllUsesWith(v)
	}
}

// ReplaceWith is ReplaceResults, and erases the operation.
func (op Op) ReplaceWith(vs ...Value) {
	op.ReplaceResults(vs...)
	op.Erase()
}
