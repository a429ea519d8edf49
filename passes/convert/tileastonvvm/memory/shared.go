package memory

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

func localStore(l *core.Lowering, op ir.Op) error {
	value, buf := op.Operand(0), op.Operand(1)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.Layout(value)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	if mode, _, err := linear.BestAccess(lay, t.Layout.Shared, 8*size, linear.AccessOptions{Matrix: storesMatrices(l, op, t)}); err == nil && mode != linear.Plain {
		return matrixStore(l, op, lay, t, mode == linear.MatrixTrans)
	}
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	regs := l.Values(value)
	addr := l.SharedAddress(buf, plan.Thread, int64(size))
	var owner ir.Value
	if op.HasUnitAttr(tileas.AttrOwner) {
		owner = l.Owner(lay)
	}
	for _, a := range plan.Ops {
		vs := make([]ir.Value, len(a.Registers))
		for i, r := range a.Registers {
			vs[i] = regs[r]
		}
		p, off := addr.At(a.Offset)
		l.St(p, off, vs, owner)
	}
	return nil
}

// ldmatrix is chosen whenever the pair of layouts admits it, by the same function (linear.BestAccess) that
// assign-layouts counted costs with. An 8 x 8 matrix of 16-bit elements comes as
//
//	row i is at the address that lane i names
//	lane l gets elements 2(l%4), 2(l%4)+1 of row l/4 in one register, or with .trans of column l/4
//
// which is what the fragments of mma have (PTX ISA, "ldmatrix").
func localLoad(l *core.Lowering, op ir.Op) error {
	buf, result := op.Operand(0), op.Result(0)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.Layout(result)
	if err != nil {
		return err
	}
	part, further, err := partOf(l, op, lay)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	size := tile.ElementBytes(t.Elem)
	regs := make([]ir.Value, part.Whole.Size(linear.Register))
	mode, _, err := linear.BestAccess(part.Whole, t.Layout.Shared, 8*size, linear.AccessOptions{Matrix: true})
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	if mode != linear.Plain {
		return matrixLoad(l, op, part, further, t, mode == linear.MatrixTrans, regs)
	}
	plan, err := part.Plan(t.Layout.Shared, 8*size)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.SharedAddress(buf, plan.Thread, int64(size))
	further(&addr)
	for _, a := range plan.Ops {
		if in, err := part.Has(a.Registers); err != nil {
			return op.Errorf("has no plan: %v", err)
		} else if !in {
			continue
		}
		p, off := addr.At(a.Offset)
		for i, v := range l.Ld(p, off, ir.Value{}, nil, l.Elem(t.Elem), len(a.Registers)) {
			regs[a.Registers[i]] = v
		}
	}
	core.CopyRegisters(regs, plan.Copies)
	l.Bind(result, regs[part.First:part.First+part.N]...)
	return nil
}

// partOf returns the part that a local_load loads, as far as it is known. If the part begins at a run-time value,
// it also returns what moves an address there.
//
// The number may be a multiple of a power of two above the coordinate to which it is added, as in a loop over a
// dimension whose body takes several steps along it. Then the two set different bits, and since the layout is
// linear, each contributes by itself. Otherwise their sum is computed.
func partOf(l *core.Lowering, op ir.Op, lay linear.Layout) (part tileas.LocalPart, further func(*core.SharedAddress), err error) {
	v, along, ok := tileas.RunTimeStart(op)
	if !ok {
		part, err = tileas.PartOf(op, lay)
		return part, func(*core.SharedAddress) {}, err
	}
	b := op.Operand(0).Type().(*tileas.BufferType)
	from := slices.Clone(op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr).Values)
	number, divisor := l.Value(v), max(1, l.Divisors().Of(v).Divisor())
	if from[along] >= divisor {
		number = l.Make(arith.AddI, l.I32(), number, l.Const32(from[along]))
		from[along], divisor = 0, int64(lay.Shape()[along])
	}
	part, err = tileas.PartAt(lay, b.Layout.Shared.Shape(), from)
	columns := b.Layout.Shared.Along(along)
	for i := range columns {
		if int64(1)<<i < divisor {
			columns[i] = 0
		}
	}
	return part, func(a *core.SharedAddress) { a.Move(number, slices.Clone(columns)) }, err
}
