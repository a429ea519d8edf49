package ir

// An OpState holds everything that makes up a new operation.
type OpState struct {
	Loc      Location
	Def      *OpDef
	Operands []Value
	Types    []Type // of the results
	Attrs    []NamedAttr
	Succs    []Block
	// Regions were made with AddRegion.
	Regions []Region

	loc   uint32 // number of the location while Loc is nil; 0: it is not known
	arena *Arena // where the operation will live
	child *Arena // where its regions live, when it is isolated
}

// NewState starts the description of an operation that will live in the builder's arena. A nil location stands for the builder's.
func (b *Builder) NewState(def *OpDef, loc Location) *OpState {
	return &OpState{Loc: loc, Def: def, loc: b.loc, arena: b.arena}
}

// Context returns the context that the operation will belong to.
func (st *OpState) Context() *Context { return st.arena.ctx }

// AddRegion adds an empty region, to be filled before or after the operation is created.
func (st *OpState) AddRegion() Region {
	a := st.arena
	if st.Def.Traits.Has(IsolatedFromAbove) {
		if st.child == nil {
			st.child = st.arena.ctx.NewArena()
		}
		a = st.child
	}
	r := a.NewRegion()
	st.Regions = append(st.Regions, r)
	return r
}

// SetAttr adds an attribute, or replaces the one of that name.
func (st *OpState) SetAttr(name string, v Attribute) {
	for i := range st.Attrs {
		if st.Attrs[i].Name == name {
			st.Attrs[i].Value = v
			return
		}
	}
	st.Attrs = append(st.Attrs, NamedAttr{name, v})
}

// Attr returns the attribute of that name, or nil.
func (st *OpState) Attr(name string) Attribute {
	for _, a := range st.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// OperandGroups sets the operands field by field, and operandSegmentSizes where the row needs it.
func (st *OpState) OperandGroups(groups ...[]Value) {
	sizes := make([]int64, len(groups))
	for i, g := range groups {
		st.Operands = append(st.Operands, g...)
		sizes[i] = int64(len(g))
	}
	if st.Def.Traits.Has(AttrSizedOperandSegments) {
		st.SetAttr(OperandSegmentSizes, st.Context().DenseI32(sizes...))
	}
}

// A Builder creates operations at an insertion point.
type Builder struct {
	arena  *Arena
	block  Block
	before Op // insert before it; a zero Op: at the end of block
	// Loc is the location of operations created without one; nil: the one that SetLocOf set, or unknown.
	Loc Location
	loc uint32
	// OnCreate, when set, is told of every operation that is created.
	OnCreate func(Op)
}

// NewBuilder returns a builder that creates detached operations in the arena.
func NewBuilder(a *Arena) *Builder { return &Builder{arena: a} }

// BuilderAtEnd returns a builder that appends to a block.
func BuilderAtEnd(b Block) *Builder {
	return &Builder{arena: b.a, block: b}
}

// BuilderBefore returns a builder that inserts before op and uses its location.
func BuilderBefore(op Op) *Builder {
	return &Builder{arena: op.a, block: op.Block(), before: op, loc: op.rec().loc}
}

// BuilderAfter returns a builder that inserts behind op and uses its location.
func BuilderAfter(op Op) *Builder {
	return &Builder{arena: op.a, block: op.Block(), before: op.Next(), loc: op.rec().loc}
}

// BuilderAtStart returns a builder that inserts before the first operation of a block.
func BuilderAtStart(b Block) *Builder {
	return &Builder{arena: b.a, block: b, before: b.First()}
}

// SetLocOf makes the location of op the builder's.
func (b *Builder) SetLocOf(op Op) { b.Loc, b.loc = nil, op.rec().loc }

// Context returns the context.
func (b *Builder) Context() *Context { return b.arena.ctx }

// Arena returns the arena that operations are created in.
func (b *Builder) Arena() *Arena { return b.arena }

// Block returns the block of the insertion point.
func (b *Builder) Block() Block { return b.block }

// SetInsertionPointToEnd, ToStart, Before and After move the insertion point, within the arena.
func (b *Builder) SetInsertionPointToEnd(blk Block)   { b.block, b.before = blk, Op{} }
func (b *Builder) SetInsertionPointToStart(blk Block) { b.block, b.before = blk, blk.First() }
func (b *Builder) SetInsertionPointBefore(op Op)      { b.block, b.before = op.Block(), op }
func (b *Builder) SetInsertionPointAfter(op Op)       { b.block, b.before = op.Block(), op.Next() }

// Create makes an operation at the insertion point from operands, result types and attributes. For an operation with
// operand segments or regions use NewState and Insert.
func (b *Builder) Create(def *OpDef, operands []Value, results []Type, attrs ...NamedAttr) Op {
	return b.Insert(&OpState{Loc: b.Loc, Def: def, Operands: operands, Types: results, Attrs: attrs, loc: b.loc, arena: b.arena})
}

// Insert creates the operation that st describes at the insertion point.
func (b *Builder) Insert(st *OpState) Op {
	op := b.arena.create(st)
	if !b.block.IsNil() {
		op.link(b.block, b.before)
	}
	if b.OnCreate != nil {
		b.OnCreate(op)
	}
	return op
}

func (a *Arena) create(st *OpState) Op {
	if st.arena != a {
		panic("ir: operation state of another arena")
	}
	id := a.ops.alloc(1)
	op := Op{a, id}
	loc := st.loc
	if st.Loc != nil {
		loc = st.Loc.abase().id
	} else if loc == 0 {
		loc = a.ctx.unknownLoc.id
	}
	n := uint32(len(st.Operands))
	r := a.ops.at(id)
	*r = opRec{
		def: st.Def.num, loc: loc,
		operands: a.operands.alloc(n), nOperands: n,
		nResults: uint32(len(st.Types)),
		nRegions: uint32(len(st.Regions)), nSuccs: uint32(len(st.Succs)),
	}
	a.live++
	for i, v := range st.Operands {
		op.checkArena(v)
		u := r.operands + uint32(i)
		a.operands.at(u).owner = id
		a.linkUse(u, v.id)
	}
	r.results = a.values.alloc(r.nResults)
	for i, t := range st.Types {
		*a.values.at(r.results + uint32(i)) = valueRec{typ: t.base().id, owner: id, index: uint32(i)}
	}
	r.attrs = a.words.alloc(uint32(len(st.Def.Attrs)))
	a.initAttrs(op, st)
	r.succs = a.succs.alloc(uint32(len(st.Succs)))
	for i, s := range st.Succs {
		op.checkSuccessor(s)
		a.succs.at(r.succs + uint32(i)).owner = id
		a.linkSucc(r.succs+uint32(i), s.id)
	}
	a.initRegions(op, st)
	return op
}

func (a *Arena) initAttrs(op Op, st *OpState) {
	var rest []NamedAttr
	for _, at := range st.Attrs {
		if at.Value == nil {
			continue
		}
		if slot := st.Def.AttrSlot(at.Name); slot >= 0 {
			op.SetAttrAt(slot, at.Value)
		} else {
			rest = append(rest, at)
		}
	}
	if rest != nil {
		op.rec().dict = a.ctx.Dict(rest...).id
	}
}

func (a *Arena) initRegions(op Op, st *OpState) {
	if len(st.Regions) == 0 {
		return
	}
	r := op.rec()
	if st.Def.Traits.Has(IsolatedFromAbove) {
		a.children = append(a.children, st.child)
		st.child.owner = op
		r.regions = uint32(len(a.children))
		for i, reg := range st.Regions {
			reg.rec().op, reg.rec().index = rootRegion, uint32(i)
			st.child.roots = append(st.child.roots, reg.id)
		}
		return
	}
	r.regions = a.words.alloc(uint32(len(st.Regions)))
	for i, reg := range st.Regions {
		*a.words.at(r.regions + uint32(i)) = reg.id
		reg.rec().op, reg.rec().index = op.id, uint32(i)
	}
}
