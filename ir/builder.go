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

	twice string // an attribute that SetAttr replaced
	loc   uint32 // number of the location while Loc is nil; 0: it is not known
	arena *Arena // where the operation will live
	child *Arena // where its regions live, when it is isolated
}

// NewState starts the description of an operation that will live in the builder's arena. A nil location stands for
// the builder's.
func (b *Builder) NewState(def *OpDef, loc Location) *OpState {
	return &OpState{Loc: loc, Def: def, loc: b.loc, arena: b.arena}
}

// Reuse is NewState in the memory of a state whose operation exists; it keeps the lists, empty, except that of the
// regions.
func (b *Builder) Reuse(st *OpState, def *OpDef) {
	st.Operands = st.Operands[:0]
	st.Types = st.Types[:0]
	st.Attrs = st.Attrs[:0]
	st.Succs = st.Succs[:0]
	st.Def, st.Loc, st.twice, st.loc, st.arena = def, nil, "", b.loc, b.arena
	if st.Regions != nil {
		st.Regions, st.child = nil, nil
	}
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
			st.twice = name
			return
		}
	}
	st.Attrs = append(st.Attrs, NamedAttr{name, v})
}

// Twice returns the name of an attribute that was given more than once; "" when there is none.
func (st *OpState) Twice() string {
	if st.twice != "" || len(st.Attrs) < 2 {
		return st.twice
	}
	if len(st.Attrs) > 16 {
		seen := make(map[string]bool, len(st.Attrs))
		for _, a := range st.Attrs {
			if seen[a.Name] {
				return a.Name
			}
			seen[a.Name] = true
		}
		return ""
	}
	for i := range st.Attrs {
		for k := range i {
			if st.Attrs[k].Name == st.Attrs[i].Name {
				return st.Attrs[i].Name
			}
		}
	}
	return ""
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

// BuilderAfter returns a builder that inserts after op and uses its location.
func BuilderAfter(op Op) *Builder {
	return &Builder{arena: op.a, block: op.Block(), before: op.Next(), loc: op.rec().loc}
}

// BuilderAfterValue returns a builder that inserts after where a value is made.
func BuilderAfterValue(v Value) *Builder {
	if def := v.DefiningOp(); !def.IsNil() {
		return BuilderAfter(def)
	}
	return BuilderAtStart(v.Block())
}

// BuilderAtStart returns a builder that inserts before the first operation of a block.
func BuilderAtStart(b Block) *Builder {
	return &Builder{arena: b.a, block: b, before: b.First()}
}

// WithLoc makes l the builder's location, and returns the builder.
func (b *Builder) WithLoc(l Location) *Builder {
	b.Loc = l
	return b
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
// operand segments use CreateGroups, and for one with regions NewState and Insert.
func (b *Builder) Create(def *OpDef, operands []Value, results []Type, attrs ...NamedAttr) Op {
	return b.Insert(&OpState{Loc: b.Loc, Def: def, Operands: operands, Types: results, Attrs: attrs, loc: b.loc, arena: b.arena})
}

// CreateGroups is Create with the operands of each field, for an operation with operand segments.
func (b *Builder) CreateGroups(def *OpDef, groups [][]Value, results []Type, attrs ...NamedAttr) Op {
	st := &OpState{Loc: b.Loc, Def: def, Types: results, Attrs: attrs, loc: b.loc, arena: b.arena}
	st.OperandGroups(groups...)
	return b.Insert(st)
}

// Insert creates the operation that st describes at the insertion point.
func (b *Builder) Insert(st *OpState) Op {
	op := b.arena.create(st)
	switch {
	case b.block.IsNil():
	case b.before.IsNil():
		op.append(b.block)
	default:
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
	op := Op{a, a.ops.alloc(1)}
	r := a.ops.at(op.id) // which is zero
	a.live++
	r.def = st.Def.num
	switch {
	case st.Loc != nil:
		r.loc = st.Loc.abase().id
	case st.loc != 0:
		r.loc = st.loc
	default:
		r.loc = a.ctx.unknownLoc.id
	}
	if n := uint32(len(st.Operands)); n > 0 {
		r.operands, r.nOperands = a.operands.alloc(n), n
		for i, v := range st.Operands {
			if v.a != a {
				op.checkArena(v)
			}
			u := r.operands + uint32(i)
			a.operands.at(u).owner = op.id
			a.linkUse(u, v.id)
		}
	}
	if n := uint32(len(st.Types)); n > 0 {
		r.results, r.nResults = a.values.alloc(n), n
		for i, t := range st.Types {
			v := a.values.at(r.results + uint32(i))
			v.typ, v.owner, v.index = t.base().id, op.id, uint32(i)
		}
	}
	a.initAttrs(r, st)
	if n := uint32(len(st.Succs)); n > 0 {
		r.succs, r.nSuccs = a.succs.alloc(n), n
		for i, s := range st.Succs {
			op.checkSuccessor(s)
			a.succs.at(r.succs + uint32(i)).owner = op.id
			a.linkSucc(r.succs+uint32(i), s.id)
		}
	}
	if n := uint32(len(st.Regions)); n > 0 {
		r.nRegions = n
		a.initRegions(op, st)
	}
	return op
}

func (a *Arena) initAttrs(r *opRec, st *OpState) {
	r.attrs = a.words.alloc(uint32(len(st.Def.Attrs)))
	var rest []NamedAttr
	for i := range st.Attrs {
		at := &st.Attrs[i]
		if at.Value == nil {
			continue
		}
		if slot := st.Def.AttrSlot(at.Name); slot >= 0 {
			*a.words.at(r.attrs + uint32(slot)) = st.Def.attrNumber(slot, at.Value)
		} else {
			rest = append(rest, *at)
		}
	}
	if rest != nil {
		r.dict = a.ctx.Dict(rest...).id
	}
}

func (a *Arena) initRegions(op Op, st *OpState) {
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

// Extend creates an operation like op before it, with more operands and results. It takes over the regions and the uses
// of op, which is the caller's to erase.
func Extend(op Op, operands []Value, results []Type) Op {
	b := BuilderBefore(op)
	st := b.NewState(op.Def(), op.Loc())
	st.Operands, st.Types = append(op.Operands(), operands...), append(op.ResultTypes(), results...)
	st.Attrs = append(append(st.Attrs, op.InherentAttrs()...), op.DiscardableAttrs().Entries...)
	for range op.NumRegions() {
		st.AddRegion()
	}
	made := b.Insert(st)
	for i := range op.NumRegions() {
		made.Region(i).TakeBlocks(op.Region(i))
	}
	op.ReplaceResults(made.Results()[:op.NumResults()]...)
	return made
}
