package memory

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// storesMatrices reports whether a store to shared memory may be one by stmatrix. All lanes store, so it is not
// for stores by the owners of elements only. Elements of less than a byte have a byte each in memory, but not in
// registers.
func storesMatrices(l *core.Lowering, op ir.Op, t *tileas.BufferType) bool {
	_, pointer := t.Elem.(*tile.PtrType)
	return l.Arch.Has(sm.StMatrix) && !op.HasUnitAttr(tileas.AttrOwner) && !pointer && ir.BitWidth(t.Elem) >= 8
}

// matrixStore stores a tile by stmatrix: 64 words of an MMA's fragment in 16 instructions. Each row of a matrix
// is 16 adjacent bytes, while single words of lanes would have bank conflicts.
func matrixStore(l *core.Lowering, op ir.Op, lay linear.Layout, t *tileas.BufferType, trans bool) error {
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanMatrix(lay, t.Layout.Shared, 8*size, trans)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	regs := l.Values(op.Operand(0))
	addr := l.SharedAddress(op.Operand(1), plan.Row, int64(size))
	for _, m := range plan.Ops {
		var words []ir.Value
		for _, registers := range m.Registers {
			elems := make([]ir.Value, len(registers))
			for i, r := range registers {
				elems[i] = regs[r]
			}
			words = append(words, l.Word(elems))
		}
		p, off := addr.At(m.Offset)
		st := l.NewState(nvvm.StMatrix, l.Loc)
		st.Operands = append([]ir.Value{p}, words...)
		l.SetOffset(st, off)
		if trans {
			st.SetAttr(nvvm.AttrTrans, l.Ctx.Unit())
		}
		l.Insert(st)
	}
	return nil
}

func matrixLoad(l *core.Lowering, op ir.Op, part tileas.LocalPart, further func(*core.SharedAddress), t *tileas.BufferType, trans bool, regs []ir.Value) error {
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanMatrix(part.Whole, t.Layout.Shared, 8*size, trans)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.SharedAddress(op.Operand(0), plan.Row, int64(size))
	further(&addr)
	elem := l.Elem(t.Elem)
	for _, m := range plan.Ops {
		if in, err := part.Has(slices.Concat(m.Registers...)); err != nil {
			return op.Errorf("has no plan: %v", err)
		} else if !in {
			continue
		}
		p, off := addr.At(m.Offset)
		st := l.NewState(nvvm.LdMatrix, l.Loc)
		st.Operands = []ir.Value{p}
		l.SetOffset(st, off)
		if trans {
			st.SetAttr(nvvm.AttrTrans, l.Ctx.Unit())
		}
		for range m.Registers {
			st.Types = append(st.Types, l.I32())
		}
		for i, word := range l.Insert(st).Results() {
			for k, v := range l.Unpack(word, elem) {
				regs[m.Registers[i][k]] = v
			}
		}
	}
	core.CopyRegisters(regs, plan.Copies)
	l.Bind(op.Result(0), regs[part.First:part.First+part.N]...)
	return nil
}
