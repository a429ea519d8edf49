package ir

// A WalkResult steers a walk.
type WalkResult int

// The results of a walk's callback.
const (
	Advance   WalkResult = iota // go on
	SkipBelow                   // do not enter the regions of this operation (pre-order only)
	Interrupt                   // end the walk
)

// Walk calls f for op and every operation nested in it, outer ones first. f may erase or move the operation it is given,
// and nothing else that is yet to be visited. It reports whether the walk ran to its end.
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
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				if !inner.Walk(f) {
					return false
				}
			}
		}
	}
	return true
}

// WalkPost calls f for every operation nested in op and then for op itself, inner ones first.
func (op Op) WalkPost(f func(Op)) {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				inner.WalkPost(f)
			}
		}
	}
	f(op)
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

// Clone copies op with its regions to the builder's insertion point, which may be in another arena. Operands are replaced as m says,
// and m learns the copies of results, blocks and block arguments.
func (b *Builder) Clone(op Op, m *Mapping) Op {
	copied := b.cloneShallow(op, m)
	b.fillRegions(op, copied, m)
	return copied
}

func (b *Builder) cloneShallow(op Op, m *Mapping) Op {
	st := b.NewState(op.Def(), op.Loc())
	st.Operands = op.Operands()
	for i, v := range st.Operands {
		st.Operands[i] = m.Lookup(v)
	}
	st.Types = op.ResultTypes()
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	for i := range op.NumSuccessors() {
		s := op.Successor(i)
		if c, ok := m.Blocks[s]; ok {
			s = c
		}
		st.Succs = append(st.Succs, s)
	}
	for range op.NumRegions() {
		st.AddRegion()
	}
	copied := b.Insert(st)
	for i := range op.NumResults() {
		b.mapValue(op.Result(i), copied.Result(i), m)
	}
	return copied
}

func (b *Builder) mapValue(from, to Value, m *Mapping) {
	m.Values[from] = to
	if name := from.Name(); name != "" {
		to.SetName(name)
	}
}

func (b *Builder) fillRegions(op, copied Op, m *Mapping) {
	for i := range op.NumRegions() {
		b.cloneRegion(op.Region(i), copied.Region(i), m)
	}
}

func (b *Builder) cloneRegion(src, dst Region, m *Mapping) {
	for blk := range src.Blocks() {
		c := dst.AddBlock()
		m.Blocks[blk] = c
		for _, arg := range blk.Args() {
			b.mapValue(arg, c.AddArg(arg.Type()), m)
		}
	}
	// A block may use values of blocks behind it, so operands are set when all operations exist.
	type fixup struct{ from, to Op }
	var late []fixup
	for blk := range src.Blocks() {
		inner := BuilderAtEnd(m.Blocks[blk])
		inner.OnCreate = b.OnCreate
		for op := range blk.Ops() {
			forward := false
			for _, v := range op.Operands() {
				if _, ok := m.Values[v]; !ok && src.a == v.a && src.IsAncestorOf(v.Block().Region()) {
					forward = true
				}
			}
			if forward {
				late = append(late, fixup{op, inner.cloneForward(op, m)})
			} else {
				inner.Clone(op, m)
			}
		}
	}
	for _, f := range late {
		for i, v := range f.from.Operands() {
			f.to.SetOperand(i, m.Lookup(v))
		}
	}
}

// cloneForward clones an operation some of whose operands have no copy yet; those stay unset until the caller sets them.
func (b *Builder) cloneForward(op Op, m *Mapping) Op {
	st := b.NewState(op.Def(), op.Loc())
	st.Types = op.ResultTypes()
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	for i := range op.NumSuccessors() {
		st.Succs = append(st.Succs, m.Blocks[op.Successor(i)])
	}
	for range op.NumRegions() {
		st.AddRegion()
	}
	copied := b.Insert(st)
	r := copied.rec()
	n := uint32(op.NumOperands())
	r.operands, r.nOperands, r.allocOps = b.arena.operands.alloc(n), n, n
	for i := range n {
		b.arena.operands.at(r.operands + i).owner = copied.id
	}
	for i := range op.NumResults() {
		b.mapValue(op.Result(i), copied.Result(i), m)
	}
	b.fillRegions(op, copied, m)
	return copied
}
