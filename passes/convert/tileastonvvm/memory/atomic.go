package memory

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/access"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// atom makes one atomic operation, a compare-and-swap when there is something to compare with.
//
// With a mask the result is zero where the mask does not hold (emit-ptx): whoever needs another number there
// selects it.
func atom(l *core.Lowering, op ir.Op, addr ir.Value, off int64, value, compare, mask ir.Value) ir.Value {
	def, groups := nvvm.AtomicRMW, [][]ir.Value{{addr}, {value}, nil}
	if !compare.IsNil() {
		def, groups = nvvm.AtomicCAS, [][]ir.Value{{addr}, {value}, {compare}, nil}
	}
	if !mask.IsNil() {
		groups[len(groups)-1] = []ir.Value{mask}
	}
	st := l.NewState(def, l.Loc)
	st.OperandGroups(groups...)
	l.SetOffset(st, off)
	st.Attrs = append(st.Attrs, l.KindOf(op)...)
	st.Attrs = append(st.Attrs, l.OrderOf(op)...)
	// There is always a result, used or not: that red does without one is known where PTX is chosen, by emit-ptx.
	st.Types = []ir.Type{value.Type()}
	return l.Insert(st).Result(0)
}

// atomic does each element once, in the thread that acts for it; only that thread gets the result.
func atomic(l *core.Lowering, op ir.Op) error {
	ptrs, value, mask := op.OperandNamed("ptrs"), op.OperandNamed("value"), op.OperandNamed("mask")
	var compare ir.Value
	if op.Is(tileas.Level.AtomicCAS) {
		compare = op.OperandNamed("compare")
	}
	lay, err := l.Layout(value)
	if err != nil {
		return err
	}
	// A copy of an element would be a second addition. Nothing is masked away here silently: if others need the
	// result, an earlier pass has put in what hands it to them.
	owner, free := l.Owner(lay), int(lay.FreeMask(linear.Register))
	if free != 0 || !owner.IsNil() && op.Result(0).HasUses() && !onlyOwners(op.Result(0)) {
		return op.Errorf("must do each element in one thread, and hand the result to the others through shared memory, before it is lowered to nvvm")
	}
	if n, err := runOf(l, op, value); err != nil {
		return err
	} else if n > 1 && !op.Result(0).HasUses() {
		return addSideBySide(l, op, n, owner)
	}
	regs := make([]ir.Value, len(l.Values(value)))
	for r, v := range l.Values(value) {
		var on, c ir.Value
		if !mask.IsNil() {
			on = l.RegisterOf(mask, r)
		}
		if !compare.IsNil() {
			c = l.RegisterOf(compare, r)
		}
		regs[r] = atom(l, op, l.RegisterOf(ptrs, r), 0, v, c, l.And(on, owner))
		// Selected here and not by a value for masked-off lanes on nvvm.atomicrmw: what other modes yield there
		// nothing specifies, and they need no instruction.
		if !on.IsNil() && !c.IsNil() {
			// An element that is masked off yields what memory would have been compared with (Tile IR specification,
			// atomic_cas_tko), so that it looks like one that was exchanged. That is zero already where zero is compared.
			if k, known := core.ConstOf(c); known && k == 0 {
				continue
			}
			regs[r] = l.Make(arith.Select, v.Type(), on, regs[r], c)
		}
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

// addSideBySide adds n neighbouring elements by one operation, whose result nobody reads.
func addSideBySide(l *core.Lowering, op ir.Op, n int, owner ir.Value) error {
	ptrs, mask := op.OperandNamed("ptrs"), op.OperandNamed("mask")
	values := l.Values(op.OperandNamed("value"))
	for r := 0; r < len(values); r += n {
		st := l.NewState(nvvm.Red, l.Loc)
		groups := [][]ir.Value{{l.RegisterOf(ptrs, r)}, values[r : r+n], nil}
		on := owner
		if !mask.IsNil() {
			on = l.And(l.RegisterOf(mask, r), owner)
		}
		if !on.IsNil() {
			groups[2] = []ir.Value{on}
		}
		st.OperandGroups(groups...)
		st.Attrs = append(st.Attrs, l.OrderOf(op)...)
		l.Insert(st)
	}
	l.Bind(op.Result(0), values...) // every result stands for something
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

func tiledAtomic(l *core.Lowering, op ir.Op) error {
	a, err := access.Of(l, op)
	if err != nil {
		return err
	}
	owner := l.Owner(a.Coordinates.Layout)
	free := int(a.Coordinates.Layout.FreeMask(linear.Register))
	for r, v := range l.Values(a.Access.Value) {
		if r&free != 0 {
			continue
		}
		addr, off := a.Address(r)
		// This operation has no result, so copies have only to be left out, and nothing has to be handed to them.
		atom(l, op, addr, off, v, ir.Value{}, l.And(a.Mask(r), owner))
	}
	return nil
}
