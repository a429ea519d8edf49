package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// storesMatrices reports whether a store to shared memory may be one by stmatrix. All lanes store, so that it is none of the owners of elements alone; and elements of less than a byte have a byte each, which words of registers do not.
func (l *lowering) storesMatrices(op ir.Op, t *tileas.BufferType) bool {
	_, pointer := t.Elem.(*tile.PtrType)
	return l.arch.Has(sm.StMatrix) && !op.HasUnitAttr(tileas.AttrOwner) && !pointer && ir.BitWidth(t.Elem) >= 8
}

// matrixStore stores a tile by stmatrix: 64 words of a product's fragment in 16 instructions, and each row of a matrix is 16 bytes that lie together, where words of lanes would meet in banks.
func (l *lowering) matrixStore(op ir.Op, lay linear.Layout, t *tileas.BufferType, trans bool) error {
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanMatrix(lay, t.Layout.Shared, 8*size, trans)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	regs := l.Values(op.Operand(0))
	addr := l.sharedAddress(op.Operand(1), plan.Row, int64(size))
	for _, m := range plan.Ops {
		var words []ir.Value
		for _, registers := range m.Registers {
			elems := make([]ir.Value, len(registers))
			for i, r := range registers {
				elems[i] = regs[r]
			}
			words = append(words, l.word(elems))
		}
		p, off := addr.at(m.Offset)
		st := l.NewState(nvvm.StMatrix, l.Loc)
		st.Operands = append([]ir.Value{p}, words...)
		l.offset(st, off)
		if trans {
			st.SetAttr(nvvm.AttrTrans, l.ctx.Unit())
		}
		l.Insert(st)
	}
	return nil
}

// word returns the elements that fill 32 bits, the first lowest.
func (l *lowering) word(elems []ir.Value) ir.Value {
	w := l.pack(elems)[0]
	if w.Type() != l.i32() {
		w = l.create(arith.Bitcast, l.i32(), w)
	}
	return w
}
