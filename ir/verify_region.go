package ir

// blocks checks how many blocks the regions of an operation have, so that its hooks can rely on it.
func (s *scope) blocks(op Op, def *OpDef) bool {
	for i := range op.NumRegions() {
		r, n := op.Region(i), 0
		for range r.Blocks() {
			n++
		}
		f := regionField(def, i)
		switch {
		case f != nil && f.Blocks > 0 && n != f.Blocks:
			return s.fail(op.Errorf("region #%d ('%s') failed to verify constraint: region with %d blocks, but it has %d", i, f.Name, f.Blocks, n))
		case def.Traits.Has(SingleBlock) && n > 1:
			return s.fail(op.Errorf("expects region #%d to have 0 or 1 blocks, but it has %d", i, n))
		case def.Traits.Has(GraphRegion) && n > 1:
			return s.fail(op.Errorf("expects graph region #%d to have 0 or 1 blocks, but it has %d", i, n))
		case def.Traits.Has(SingleBlock) && !def.Traits.Has(NoTerminator) && n == 1 && r.First().Empty():
			return s.fail(op.Errorf("expects a non-empty block in region #%d", i))
		}
	}
	return true
}

// region checks the blocks of a region of op and what is in them.
func (s *scope) region(op Op, r Region, hooks bool) {
	if r.Empty() {
		return
	}
	if r.First().HasPreds() {
		s.add(op.Errorf("entry block of region #%d may not have predecessors", r.Index()))
	}
	// Of a region of one block, an operation of which nothing is known may have no terminator.
	def := op.Def()
	optional := (def.Traits.Has(NoTerminator) || def.Unregistered) && r.HasOneBlock()
	for b := range r.Blocks() {
		// That a single block is not empty was checked with the row.
		s.block(op, b, optional || b.Empty() && def.Traits.Has(SingleBlock), hooks)
	}
}

// regionField returns the field of the row that region i belongs to, or nil.
func regionField(def *OpDef, i int) *Field {
	if i < len(def.Regions) {
		return &def.Regions[i]
	}
	if n := len(def.Regions); n > 0 && def.Regions[n-1].Arity == Variadic {
		return &def.Regions[n-1]
	}
	return nil
}

func (s *scope) block(parent Op, b Block, noTerminator, hooks bool) {
	if b.Empty() {
		if !noTerminator {
			s.add(Errorf(parent.Loc(), "empty block: expect at least a terminator in a region of '%s'", parent.Name()))
		}
		return
	}
	last := b.Last()
	ends := false // a terminator stands in it, perhaps not at the end
	for op := b.First(); !op.IsNil(); op = op.Next() {
		def := op.Def()
		terminator := def.Traits.Has(Terminator)
		ends = ends || terminator
		if op.NumSuccessors() > 0 && op != last && !terminator { // a terminator is reported for itself
			s.add(op.Errorf("operation with block successors must terminate its parent block"))
		}
		if def.Traits.Has(IsolatedFromAbove) && op.NumRegions() > 0 {
			s.isolated(op, hooks)
		} else {
			s.op(op, hooks)
		}
	}
	for i := range last.NumSuccessors() {
		switch succ := last.Successor(i); {
		case succ.IsNil():
			s.add(last.Errorf("null successor found: successor #%d", i))
		case succ.Region() != b.Region():
			s.add(last.Errorf("branching to block of a different region"))
		default:
			s.successor(last, i, succ)
		}
	}
	if !noTerminator && !ends && b.Terminator().IsNil() {
		s.add(Errorf(last.Loc(), "block with no terminator, has '%s'", last.Name()))
	}
}

// successor checks the operands that a terminator passes to a block.
func (s *scope) successor(term Op, i int, succ Block) {
	span, ok := BranchOp.Of(term)
	if !ok {
		return
	}
	lo, hi := span(term, i)
	if lo < 0 || hi < lo || hi > term.NumOperands() {
		return // its row is wrong, which was reported
	}
	if n := hi - lo; n != succ.NumArgs() {
		s.add(term.Errorf("branch has %d operands for successor #%d, but target block has %d", n, i, succ.NumArgs()))
		return
	}
	for k := range hi - lo {
		v := term.Operand(lo + k)
		if v.IsNil() {
			continue
		}
		if got, want := v.Type(), succ.Arg(k).Type(); got != want {
			s.add(term.Errorf("type mismatch for bb argument #%d of successor #%d: got '%s', expected '%s'", k, i, TypeString(got), TypeString(want)))
		}
	}
}

// symbols checks that the names that a symbol table defines are unique.
func (s *scope) symbols(table Op) {
	seen := make(map[string]Op)
	for i := range table.NumRegions() {
		for b := range table.Region(i).Blocks() {
			for op := range b.Ops() {
				name := op.SymbolName() // of any operation that has one, as in MLIR: a symbol or not
				if name == "" {
					continue
				}
				if first, dup := seen[name]; dup {
					s.add(Errorf(op.Loc(), "redefinition of symbol named '%s'", name).Note(first.Loc(), "see existing symbol definition here"))
				} else {
					seen[name] = op
				}
			}
		}
	}
}

// dominance checks that the operands of everything in the scope of op are available, if nothing else is wrong in the
// scope.
func (s *scope) dominance(root Op) {
	if s.own {
		return
	}
	dom := NewDominance()
	for i := range root.NumRegions() {
		s.dominanceIn(dom, root.Region(i))
	}
}

func (s *scope) dominanceIn(dom *Dominance, r Region) {
	single := r.HasOneBlock()
	for b := range r.Blocks() {
		if !single && !dom.Reachable(b) {
			continue
		}
		for op := b.First(); !op.IsNil(); op = op.Next() {
			s.available(dom, b, op)
			if op.NumRegions() == 0 || op.HasTrait(IsolatedFromAbove) {
				continue
			}
			for k := range op.NumRegions() {
				s.dominanceIn(dom, op.Region(k))
			}
		}
	}
}

// available checks that the operands of an operation in block b are available.
func (s *scope) available(dom *Dominance, b Block, op Op) {
	a := op.a
	r := op.rec()
	for i := range r.nOperands {
		id := a.operands.at(r.operands + i).value
		if id == 0 {
			continue // an unset operand of an isolated op was reported in its scope
		}
		// What is defined further up in the same block is the common case.
		v := a.values.at(id)
		if v.index&blockArgBit != 0 {
			if v.owner == b.id {
				continue
			}
		} else if def := a.ops.at(v.owner); def.block == b.id && def.order < r.order && a.blocks.at(b.id).ordered {
			continue
		}
		if !dom.Dominates(Value{a, id}, op) {
			s.add(undominated(op, int(i), Value{a, id}))
		}
	}
}

func undominated(op Op, i int, v Value) *Diagnostic {
	d := op.Errorf("operand #%d does not dominate this use", i)
	def := v.DefiningOp()
	if def.IsNil() {
		return d.Note(v.Block().ParentOp().Loc(), "operand defined as a block argument (block %s)", whereText(v.Block(), op.Block()))
	}
	return d.Note(def.Loc(), "operand defined here (op %s)", whereText(def.Block(), op.Block()))
}

// whereText says where block def is as seen from block use.
func whereText(def, use Block) string {
	switch {
	case def == use:
		return "in the same block"
	case def.Region() == use.Region():
		return "in the same region"
	case def.Region().IsAncestorOf(use.Region()):
		return "in a parent region"
	case use.Region().IsAncestorOf(def.Region()):
		return "in a child region"
	}
	return "neither in a parent nor in a child region"
}
