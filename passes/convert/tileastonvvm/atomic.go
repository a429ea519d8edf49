package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// scopes gives the scopes of tiles their names in PTX: a tile block is a CTA, or a cluster where several share it.
//
// nv_tileas keeps cuda_tile's spelling; a cluster has none, since tile blocks are not grouped.
var scopes = map[string]string{"tl_blk": "cta", "device": "gpu", "sys": "sys"}

// orderOf returns the attributes of an access for the ordering and scope of a tile operation. The barriers that make it hold for the whole tile block are there already.
func (l *lowering) orderOf(op ir.Op) []ir.NamedAttr {
	def := op.Def()
	if def.AttrSlot(tile.AttrOrdering) < 0 {
		return nil
	}
	ordering := op.StringAttr(tile.AttrOrdering)
	// PTX takes ld and st without .sem as weak (PTX ISA, ld). Left out, they are also equal to the accesses that the compiler makes itself.
	if ordering == "" || ordering == "weak" {
		return nil
	}
	scope := scopes[op.StringAttr(tile.AttrScope)]
	if scope == "cta" && l.shared() {
		scope = "cluster"
	}
	return []ir.NamedAttr{{Name: nvvm.AttrOrdering, Value: l.ctx.String(ordering)}, {Name: nvvm.AttrScope, Value: l.ctx.String(scope)}}
}

// kinds gives the modes of tiles their names in nvvm, where they differ.
var kinds = map[string]string{"addf": "add", "xchg": "exch"}

func (l *lowering) kind(op ir.Op) []ir.NamedAttr {
	mode := op.StringAttr(tile.AttrMode)
	if mode == "" {
		return nil
	}
	if k, ok := kinds[mode]; ok {
		mode = k
	}
	return []ir.NamedAttr{{Name: nvvm.AttrKind, Value: l.ctx.String(mode)}}
}

// atom makes one atomic operation, a compare-and-swap when there is something to compare with.
//
// With a mask the result is zero where the mask does not hold (emit-ptx): whoever needs another number there
// selects it.
func (l *lowering) atom(op ir.Op, addr ir.Value, off int64, value, compare, mask ir.Value) ir.Value {
	def, groups := nvvm.AtomicRMW, [][]ir.Value{{addr}, {value}, nil}
	if !compare.IsNil() {
		def, groups = nvvm.AtomicCAS, [][]ir.Value{{addr}, {value}, {compare}, nil}
	}
	if !mask.IsNil() {
		groups[len(groups)-1] = []ir.Value{mask}
	}
	st := l.NewState(def, l.Loc)
	st.OperandGroups(groups...)
	l.offset(st, off)
	st.Attrs = append(st.Attrs, l.kind(op)...)
	st.Attrs = append(st.Attrs, l.orderOf(op)...)
	// There is always a result, used or not: that red does without one is known where PTX is chosen, by emit-ptx.
	st.Types = []ir.Type{value.Type()}
	return l.Insert(st).Result(0)
}

// atomic does each element once, in the thread that acts for it; only that thread gets the result.
func (l *lowering) atomic(op ir.Op) error {
	ptrs, value, mask := op.OperandNamed("ptrs"), op.OperandNamed("value"), op.OperandNamed("mask")
	var compare ir.Value
	if op.Is(tileas.Level.AtomicCAS) {
		compare = op.OperandNamed("compare")
	}
	lay, err := l.layout(value)
	if err != nil {
		return err
	}
	// A copy of an element would be a second addition. Nothing is masked away here silently: if others need the result, an earlier pass has put in what hands it to them.
	owner, free := l.owner(lay), int(lay.FreeMask(linear.Register))
	if free != 0 || !owner.IsNil() && op.Result(0).HasUses() && !onlyOwners(op.Result(0)) {
		return op.Errorf("must do each element in one thread, and hand the result to the others through shared memory, before it is lowered to nvvm")
	}
	regs := make([]ir.Value, len(l.Values(value)))
	for r, v := range l.Values(value) {
		var on, c ir.Value
		if !mask.IsNil() {
			on = l.registerOf(mask, r)
		}
		if !compare.IsNil() {
			c = l.registerOf(compare, r)
		}
		regs[r] = l.atom(op, l.registerOf(ptrs, r), 0, v, c, l.both(on, owner))
		// Selected here and not by a value for masked-off lanes on nvvm.atomicrmw: what other modes yield there
		// nothing specifies, and they need no instruction.
		if !on.IsNil() && !c.IsNil() {
			// An element that is masked off yields what memory would have been compared with (Tile IR specification, atomic_cas_tko), so that it looks like one that was exchanged.
			regs[r] = l.create(arith.Select, v.Type(), on, regs[r], c)
		}
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

// onlyOwners reports whether v goes nowhere but to stores that only the owner of an element makes.
func onlyOwners(v ir.Value) bool {
	for u := range v.Uses() {
		if !u.Owner().Is(tileas.LocalStore) || !u.Owner().HasUnitAttr(tileas.AttrOwner) {
			return false
		}
	}
	return true
}

func (l *lowering) tiledAtomic(op ir.Op) error {
	a, err := l.access(op)
	if err != nil {
		return err
	}
	owner := l.owner(a.place.layout)
	free := int(a.place.layout.FreeMask(linear.Register))
	for r, v := range l.Values(a.acc.Value) {
		if r&free != 0 {
			continue
		}
		addr, off := a.addressOf(r)
		// This operation has no result, so copies have only to be left out, and nothing has to be handed to them.
		l.atom(op, addr, off, v, ir.Value{}, l.both(a.maskOf(r), owner))
	}
	return nil
}
