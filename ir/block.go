package ir

// A Block is a list of operations with arguments. The zero Block is "none".
type Block struct {
	a  *Arena
	id uint32
}

// A Region is a list of blocks, the first of which is the entry. The zero Region is "none".
type Region struct {
	a  *Arena
	id uint32
}

// NewRegion returns a region that belongs to no operation yet; an OpState takes it.
func (a *Arena) NewRegion() Region { return Region{a, a.regions.alloc(1)} }

// IsNil reports whether r is no region.
func (r Region) IsNil() bool { return r.id == 0 }

func (r Region) rec() *regionRec { return r.a.regions.at(r.id) }

// Arena returns the arena that holds the region's blocks.
func (r Region) Arena() *Arena { return r.a }

// Op returns the operation that the region belongs to; a zero Op while it is detached.
func (r Region) Op() Op {
	switch op := r.rec().op; op {
	case 0:
		return Op{}
	case rootRegion:
		return r.a.owner
	default:
		return Op{r.a, op}
	}
}

// Index returns which region of its operation it is.
func (r Region) Index() int { return int(r.rec().index) }

// First returns the entry block, or a zero Block; Last the last one.
func (r Region) First() Block { return Block{r.a, r.rec().first} }
func (r Region) Last() Block  { return Block{r.a, r.rec().last} }

// Empty reports whether the region has no blocks.
func (r Region) Empty() bool { return r.rec().first == 0 }

// HasOneBlock reports whether the region has exactly one block.
func (r Region) HasOneBlock() bool { rec := r.rec(); return rec.first != 0 && rec.first == rec.last }

// Blocks yields the blocks in order; the block that is yielded may be erased.
func (r Region) Blocks() func(yield func(Block) bool) {
	return func(yield func(Block) bool) {
		for b := r.First(); !b.IsNil(); {
			next := b.Next()
			if !yield(b) {
				return
			}
			b = next
		}
	}
}

// AddBlock appends a block with arguments of the given types.
func (r Region) AddBlock(argTypes ...Type) Block {
	return r.InsertBlock(Block{}, argTypes...)
}

// InsertBlock inserts a new block before another one of the region; before a zero Block means at the end.
func (r Region) InsertBlock(before Block, argTypes ...Type) Block {
	b := Block{r.a, r.a.blocks.alloc(1)}
	r.linkBlock(b, before)
	for _, t := range argTypes {
		b.AddArg(t)
	}
	return b
}

func (r Region) linkBlock(b, before Block) {
	if r.a != b.a {
		panic("ir: moving a block into another arena")
	}
	rec, br := r.rec(), b.rec()
	r.a.changes++
	br.region = r.id
	br.next = before.id
	if before.id != 0 {
		br.prev = before.rec().prev
		before.rec().prev = b.id
	} else {
		br.prev = rec.last
		rec.last = b.id
	}
	if br.prev != 0 {
		r.a.blocks.at(br.prev).next = b.id
	} else {
		rec.first = b.id
	}
}

// TakeBlocks moves all blocks of src, a region of the same arena, to the end of r.
func (r Region) TakeBlocks(src Region) {
	for b := range src.Blocks() {
		b.unlink()
		r.linkBlock(b, Block{})
	}
}

// IsAncestorOf reports whether inner is r or nested in it.
func (r Region) IsAncestorOf(inner Region) bool {
	for !inner.IsNil() {
		if inner == r {
			return true
		}
		op := inner.Op()
		if op.IsNil() || op.Block().IsNil() {
			return false
		}
		inner = op.Block().Region()
	}
	return false
}

// IsNil reports whether b is no block.
func (b Block) IsNil() bool { return b.id == 0 }

func (b Block) rec() *blockRec { return b.a.blocks.at(b.id) }

// ID returns a number unique among the blocks of the arena: an index for side tables.
func (b Block) ID() int { return int(b.id) }

// Arena returns the arena that holds the block.
func (b Block) Arena() *Arena { return b.a }

// Region returns the region that the block is in.
func (b Block) Region() Region { return Region{b.a, b.rec().region} }

// ParentOp returns the operation whose region the block is in; a zero Op when detached.
func (b Block) ParentOp() Op { return b.Region().Op() }

// Next and Prev return the neighbours in the region, or a zero Block.
func (b Block) Next() Block { return Block{b.a, b.rec().next} }
func (b Block) Prev() Block { return Block{b.a, b.rec().prev} }

// First and Last return the ends of the operation list, or a zero Op.
func (b Block) First() Op { return Op{b.a, b.rec().first} }
func (b Block) Last() Op  { return Op{b.a, b.rec().last} }

// Empty reports whether the block has no operations.
func (b Block) Empty() bool { return b.rec().first == 0 }

// IsEntry reports whether the block is the first of its region.
func (b Block) IsEntry() bool { return b.rec().prev == 0 }

// Terminator returns the last operation if it is a terminator, else a zero Op.
func (b Block) Terminator() Op {
	if last := b.Last(); !last.IsNil() && (last.Def().HasTrait(Terminator) || last.Def().Unregistered) {
		return last
	}
	return Op{}
}

// Ops yields the operations in order; the one that is yielded may be erased or moved.
func (b Block) Ops() func(yield func(Op) bool) {
	return func(yield func(Op) bool) {
		for op := b.First(); !op.IsNil(); {
			next := op.Next()
			if !yield(op) {
				return
			}
			op = next
		}
	}
}

// NumArgs returns how many arguments the block has.
func (b Block) NumArgs() int { return int(b.rec().nArgs) }

// Arg returns argument i.
func (b Block) Arg(i int) Value {
	r := b.rec()
	if uint32(i) >= r.nArgs {
		panic("ir: block argument number out of range")
	}
	return Value{b.a, *b.a.words.at(r.args + uint32(i))}
}

// Args returns the arguments.
func (b Block) Args() []Value { return b.argsIn(make([]Value, 0, someOperands)) }

func (b Block) argsIn(room []Value) []Value {
	out := roomFor(room, b.NumArgs())
	for i := range out {
		out[i] = b.Arg(i)
	}
	return out
}

// AddArg appends an argument.
func (b Block) AddArg(t Type) Value {
	r := b.rec()
	if r.nArgs == r.capArgs {
		grown := max(2*r.capArgs, 4)
		run := b.a.words.alloc(grown)
		for i := range r.nArgs {
			*b.a.words.at(run + i) = *b.a.words.at(r.args + i)
		}
		r.args, r.capArgs = run, grown
	}
	id := b.a.values.alloc(1)
	*b.a.values.at(id) = valueRec{typ: t.base().id, owner: b.id, index: r.nArgs | blockArgBit}
	*b.a.words.at(r.args + r.nArgs) = id
	r.nArgs++
	b.a.changes++
	return Value{b.a, id}
}

// EraseArg removes argument i, which must have no uses; later arguments move up.
func (b Block) EraseArg(i int) {
	if b.Arg(i).HasUses() {
		panic("ir: erasing a block argument that has uses")
	}
	r := b.rec()
	for k := uint32(i); k+1 < r.nArgs; k++ {
		id := *b.a.words.at(r.args + k + 1)
		*b.a.words.at(r.args + k) = id
		b.a.values.at(id).index = k | blockArgBit
	}
	r.nArgs--
	b.a.changes++
}

// Preds yields the terminators that name the block as a successor, with the successor's number; a terminator that
// names it twice is yielded twice.
func (b Block) Preds() func(yield func(op Op, succ int) bool) {
	return func(yield func(Op, int) bool) {
		for s := b.rec().firstPred; s != 0; {
			r := b.a.succs.at(s)
			next := r.next
			op := Op{b.a, r.owner}
			if !yield(op, int(s-op.rec().succs)) {
				return
			}
			s = next
		}
	}
}

// HasPreds reports whether any terminator names the block as a successor.
func (b Block) HasPreds() bool { return b.rec().firstPred != 0 }

// Erase removes the block and everything in it. Values defined in it must have no uses outside.
func (b Block) Erase() {
	for op := b.Last(); !op.IsNil(); op = b.Last() {
		op.dropUsesOfResults()
		op.Erase()
	}
	b.unlink()
	b.rec().region = 0
}

// MoveBefore moves the block before another block of the same arena.
func (b Block) MoveBefore(other Block) {
	if b == other {
		return
	}
	b.unlink()
	other.Region().linkBlock(b, other)
}

// MoveToEnd moves the block to the end of a region of the same arena.
func (b Block) MoveToEnd(r Region) {
	b.unlink()
	r.linkBlock(b, Block{})
}

// SplitBefore moves op and all that follow it to a new block after b, and returns that block.
func (b Block) SplitBefore(op Op) Block {
	nb := b.Region().InsertBlock(b.Next())
	for !op.IsNil() {
		next := op.Next()
		op.MoveToEnd(nb)
		op = next
	}
	return nb
}

func (b Block) unlink() {
	r := b.rec()
	if r.region == 0 {
		return
	}
	b.a.changes++
	region := b.a.regions.at(r.region)
	if r.prev != 0 {
		b.a.blocks.at(r.prev).next = r.next
	} else {
		region.first = r.next
	}
	if r.next != 0 {
		b.a.blocks.at(r.next).prev = r.prev
	} else {
		region.last = r.prev
	}
	r.prev, r.next, r.region = 0, 0, 0
}
