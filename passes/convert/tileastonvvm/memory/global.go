package memory

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/access"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

func getGlobal(l *core.Lowering, op ir.Op) error {
	l.Bind(op.Result(0), l.ToSpace(l.AddressOf(op.StringAttr(tile.AttrName))))
	return nil
}

func tiledLoad(l *core.Lowering, op ir.Op) error {
	a, err := access.Of(l, op)
	if err != nil {
		return err
	}
	t := l.Elem(op.Result(0).Type())
	other := l.Padding(t, op.StringAttr(tile.AttrPadding))
	if a.Halves {
		l.Bind(op.Result(0), a.LoadHalves(t, other)...)
		return nil
	}
	n := a.Coordinates.Layout.Size(linear.Register)
	regs := make([]ir.Value, n)
	// Copies are loaded again by each thread that holds them rather than loaded once and exchanged: lanes that ask
	// for one address are served by one access. The registers of a vector are consecutive, since Contiguity counts
	// the lowest bits of the register's number.
	for r := 0; r < n; r += a.Vector {
		addr, off := a.Address(r)
		copy(regs[r:], l.Ld(addr, off, a.Mask(r), slices.Repeat([]ir.Value{other}, a.Vector), t, a.Vector, a.Order...))
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

func tiledStore(l *core.Lowering, op ir.Op) error {
	a, err := access.Of(l, op)
	if err != nil {
		return err
	}
	// Each element is stored once: by a thread that owns it, from the first of the registers that hold it. Storing
	// copies would be the same bits, but traffic for each warp.
	storer := l.Storer(a.Coordinates.Layout, a.Order)
	free := int(a.Coordinates.Layout.FreeMask(linear.Register))
	regs := l.Values(a.Access.Value)
	if a.Halves {
		a.StoreHalves(regs, free, l.Owner(a.Coordinates.Layout))
		return nil
	}
	for r := 0; r < len(regs); r += a.Vector {
		if r&free != 0 {
			continue
		}
		addr, off := a.Address(r)
		l.St(addr, off, regs[r:r+a.Vector], l.And(a.Mask(r), storer), a.Order...)
	}
	return nil
}

func load(l *core.Lowering, op ir.Op) error {
	ptrs, mask, other := op.OperandNamed("ptrs"), op.OperandNamed("mask"), op.OperandNamed("other")
	t := l.Elem(op.Result(0).Type())
	order := l.OrderOf(op)
	var pad ir.Value
	// Without padding values it is open what elements are that the mask leaves out. A load under a predicate needs
	// something to leave there.
	if !mask.IsNil() && other.IsNil() {
		pad = l.Padding(t, "")
	}
	n, err := runOf(l, op, op.Result(0))
	if err != nil {
		return err
	}
	regs := make([]ir.Value, l.Count(op.Result(0).Type()))
	for r := 0; r < len(regs); r += n {
		m, others := ir.Value{}, []ir.Value(nil)
		if !mask.IsNil() {
			m = l.RegisterOf(mask, r)
			for i := range n {
				if others = append(others, pad); !other.IsNil() {
					others[i] = l.RegisterOf(other, r+i)
				}
			}
		}
		copy(regs[r:], l.Ld(l.RegisterOf(ptrs, r), 0, m, others, t, n, order...))
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

func store(l *core.Lowering, op ir.Op) error {
	ptrs, value, mask := op.OperandNamed("ptrs"), op.OperandNamed("value"), op.OperandNamed("mask")
	lay, err := l.Layout(value)
	if err != nil {
		return err
	}
	n, err := runOf(l, op, value)
	if err != nil {
		return err
	}
	free, order := int(lay.FreeMask(linear.Register)), l.OrderOf(op)
	storer := l.Storer(lay, order)
	regs := l.Values(value)
	for r := 0; r < len(regs); r += n {
		if r&free != 0 {
			continue
		}
		m := storer
		if !mask.IsNil() {
			m = l.And(l.RegisterOf(mask, r), storer)
		}
		l.St(l.RegisterOf(ptrs, r), 0, regs[r:r+n], m, order...)
	}
	return nil
}

// runOf returns how many consecutive registers of a value an access through pointers covers at once. They are
// those of a run of its facts that the layout gives one thread. So the pointer and the mask of the first are
// those of all. Of addresses that are data nothing is known about neighbours, and a test at run time would cost
// more than a vector saves.
func runOf(l *core.Lowering, op ir.Op, v ir.Value) (int, error) {
	dim, n := tile.Run(op)
	if dim < 0 {
		return 1, nil
	}
	lay, err := l.Layout(v)
	if err != nil {
		return 0, err
	}
	return min(n, lay.Contiguity(dim)), nil
}
