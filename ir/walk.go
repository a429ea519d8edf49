package ir

// A WalkResult steers a walk.
type WalkResult int

// The results of a walk's callback.
const (
	Advance   WalkResult = iota // go on
	SkipBelow                   // do not enter the regions of this operation (pre-order only)
	Interrupt                   // end the walk
)

// Walk calls f for op and every operation nested in it, outer ones first. In a call, f may erase or move its argument,
// but no other operation that is still to be visited. It reports whether the walk ran to its end.
func (op Op) Walk(f func(Op) WalkResult) bool {
	switch f(op) {
	case Interrupt:
		return false
	case SkipBelow:
		return true
	}
	if op.Erased() {
		return true
	}
	for b := range op.Blocks() {
		for inner := range b.Ops() {
			if !inner.Walk(f) {
				return false
			}
		}
	}
	return true
}

// Blocks yields the blocks of all regions of op.
func (op Op) Blocks() func(yield func(Block) bool) {
	return func(yield func(Block) bool) {
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// All returns op and every operation nested in it, outer ones first, with the rules of Walk for what the loop may change.
func (op Op) All() func(yield func(Op) bool) {
	return func(yield func(Op) bool) {
		op.Walk(func(inner Op) WalkResult {
			if !yield(inner) {
				return Interrupt
			}
			return Advance
		})
	}
}

// Collect returns those of op and the operations nested in it that satisfy is, outer ones first.
func (op Op) Collect(is func(Op) bool) (out []Op) {
	for inner := range op.All() {
		if is(inner) {
			out = append(out, inner)
		}
	}
	return out
}

// Contains reports whether op, or an operation nested in it, satisfies is.
func (op Op) Contains(is func(Op) bool) bool { return Any(op.All(), is) }

// WalkPost calls f for every operation nested in op and then for op itself, inner ones first.
func (op Op) WalkPost(f func(Op)) {
	for b := range op.Blocks() {
		for inner := range b.Ops() {
			inner.WalkPost(f)
		}
	}
	f(op)
}

// Collect returns those operations of the block, not those inside them, that satisfy is.
func (b Block) Collect(is func(Op) bool) (out []Op) {
	for op := range b.Ops() {
		if is(op) {
			out = append(out, op)
		}
	}
	return out
}

// Has reports whether an operation of the block, not one inside it, is accepted by is.
func (b Block) Has(is func(Op) bool) bool { return Any(b.Ops(), is) }

// Earliest and Latest return the first and the last of some operations of a block. Zero Ops do not count.
func Earliest(ops ...Op) (first Op) {
	for _, op := range ops {
		if first.IsNil() || !op.IsNil() && op.IsBeforeInBlock(first) {
			first = op
		}
	}
	return first
}

func Latest(ops ...Op) (last Op) {
	for _, op := range ops {
		if last.IsNil() || !op.IsNil() && last.IsBeforeInBlock(op) {
			last = op
		}
	}
	return last
}

// FindNext and FindPrev return the nearest operation after op, or before it, in its block for which is holds; a zero Op if
// there is none.
func (op Op) FindNext(is func(Op) bool) Op {
	for op = op.Next(); !op.IsNil(); op = op.Next() {
		if is(op) {
			return op
		}
	}
	return Op{}
}

func (op Op) FindPrev(is func(Op) bool) Op {
	for op = op.Prev(); !op.IsNil(); op = op.Prev() {
		if is(op) {
			return op
		}
	}
	return Op{}
}

// FirstUser returns the first operation of v's block that uses v, itself or inside; a zero Op if there is none.
func FirstUser(v Value) (first Op) {
	for u := range v.Uses() {
		first = Earliest(first, u.Owner().AncestorIn(v.Block().Region()))
	}
	return first
}

// FirstUse returns the first operation that uses v, itself or inside: in v's block, or in a loop there that alone uses v
// and that may be entered.
func FirstUse(v Value, enter func(loop Op) bool) Op {
	first := FirstUser(v)
	for !first.IsNil() && LoopLike.Has(first) && enter(first) {
		inner := Op{}
		for u := range v.Uses() {
			at := u.Owner().AncestorIn(first.Region(0))
			if at.IsNil() {
				return first
			}
			inner = Earliest(inner, at)
		}
		first = inner
	}
	return first
}

// Siblings returns the operations of the innermost block with both a and b that these are, or are in.
func Siblings(a, b Op) (Op, Op) {
	for a.Block() != b.Block() {
		if depth(a) > depth(b) {
			a = a.ParentOp()
		} else {
			b = b.ParentOp()
		}
	}
	return a, b
}

// depth returns how many operations are around an operation.
func depth(op Op) (n int) {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		n++
	}
	return n
}

// A Mapping maps values and blocks of a piece of IR to those of its clone.
type Mapping struct {
	Values map[Value]Value
	Blocks map[Block]Block
}

// NewMapping returns an empty mapping.
func NewMapping() *Mapping {
	return &Mapping{Values: make(map[Value]Value), Blocks: make(map[Block]Block)}
}

// Lookup returns what v maps to, or v itself.
func (m *Mapping) Lookup(v Value) Value {
	if w, ok := m.Values[v]; ok {
		return w
	}
	return v
}

// Clone copies op with its regions to the builder's insertion point, which may be in another arena. Operands are
// replaced as m says, and m learns the copies of results, blocks and block arguments. An operand that m does not know
// by the end stays the same value, which must live in the arena of the copy.
func (b *Builder) Clone(op Op, m *Mapping) Op {
	c := cloner{m: m}
	copied := c.op(b, op)
	// An operation may use what is defined after it, in a graph region, or in a block before the one that dominates
	// it. So operands that had no copy are looked up again now that all copies exist.
	for _, l := range c.late {
		l.op.SetOperand(l.operand, m.Lookup(l.value))
	}
	for _, l := range c.lateSuccs {
		s, ok := m.Blocks[l.block]
		if !ok {
			s = l.block
		}
		l.op.SetSuccessor(l.successor, s)
	}
	return copied
}

// CloneWith clones an operation that uses, instead of each value from outside, what of returns for it.
func (b *Builder) CloneWith(op Op, of func(Value) Value) Op {
	m := NewMapping()
	for _, v := range Inputs(op) {
		m.Values[v] = of(v)
	}
	return b.Clone(op, m)
}

type cloner struct {
	m         *Mapping
	late      []lateOperand
	lateSuccs []lateSuccessor
}

type lateOperand struct {
	op      Op
	operand int
	value   Value // of the original
}

type lateSuccessor struct {
	op        Op
	successor int
	block     Block // of the original
}

func (c *cloner) op(b *Builder, op Op) Op {
	st := b.NewState(op.Def(), nil)
	st.loc = op.rec().loc
	st.Operands = op.Operands()
	late, lateSuccs := len(c.late), len(c.lateSuccs)
	for i, v := range st.Operands {
		if v.IsNil() {
			continue
		}
		w, ok := c.m.Values[v]
		if !ok {
			c.late = append(c.late, lateOperand{operand: i, value: v})
		}
		st.Operands[i] = w
	}
	st.Types = op.ResultTypes()
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	for i := range op.NumSuccessors() {
		s := op.Successor(i)
		n, ok := c.m.Blocks[s]
		if !ok && !s.IsNil() {
			c.lateSuccs = append(c.lateSuccs, lateSuccessor{successor: i, block: s})
		}
		st.Succs = append(st.Succs, n)
	}
	for range op.NumRegions() {
		st.AddRegion()
	}
	copied := b.Insert(st)
	for i := late; i < len(c.late); i++ {
		c.late[i].op = copied
	}
	for i := lateSuccs; i < len(c.lateSuccs); i++ {
		c.lateSuccs[i].op = copied
	}
	for i := range op.NumResults() {
		c.value(op.Result(i), copied.Result(i))
	}
	for i := range op.NumRegions() {
		c.region(b, op.Region(i), copied.Region(i))
	}
	return copied
}

func (c *cloner) value(from, to Value) {
	c.m.Values[from] = to
	if name := from.Name(); name != "" {
		to.SetName(name)
	}
}

func (c *cloner) region(b *Builder, src, dst Region) {
	for blk := range src.Blocks() {
		n := dst.AddBlock()
		c.m.Blocks[blk] = n
		for _, arg := range blk.Args() {
			c.value(arg, n.AddArg(arg.Type()))
		}
	}
	for blk := range src.Blocks() {
		inner := BuilderAtEnd(c.m.Blocks[blk])
		inner.OnCreate = b.OnCreate
		for op := range blk.Ops() {
			c.op(inner, op)
		}
	}
}

// DropNames takes away the names that the text gave to the values of op and of everything inside it, so that a
// printer chooses names.
func DropNames(op Op) {
	op.Walk(func(op Op) WalkResult {
		for i := range op.NumResults() {
			op.Result(i).SetName("")
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					v.SetName("")
				}
			}
		}
		return Advance
	})
}
