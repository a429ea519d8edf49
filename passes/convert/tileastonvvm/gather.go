package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/sm"
)

// gatherRows makes a tensor copy whose rows have numbers of their own: one lane of each warp that has some brings them, four at a time.
//
// Copies of other warps may come in before the first thread has announced their bytes: the phase waits for its arrival in any case, and the count of bytes may be negative meanwhile (PTX ISA, "Tx-count").
func (l *lowering) gatherRows(op ir.Op, rows ir.Value) error {
	if !l.arch.Has(sm.TMAGather4) {
		return op.Errorf("needs %s, which %s does not have", sm.TMAGather4.Doc(), l.arch)
	}
	have, err := l.layout(rows)
	if err != nil {
		return err
	}
	n := rows.Type().(*ir.TensorType).Shape[0]
	want, err := tileas.RowLayout(n, l.warps)
	if err != nil || !have.Equal(want) {
		return op.Errorf("needs the numbers of rows in the layout '%s', but they are in '%s'", want, have)
	}
	m := op.OperandNamed(tileas.FieldMap)
	t := m.Type().(*tileas.TensorMapType)
	each := int64(have.Size(linear.Register)) // rows of a warp
	acts, parts := l.oneOfWarp(), n/each
	if parts < int64(l.warps) {
		acts = l.create(arith.AndI, l.ctx.Int(1), acts, l.compare("ult", l.uniformWarp(), l.const32(parts)))
	}
	if p := op.OperandNamed(tile.FieldPredicate); !p.IsNil() {
		acts = l.create(arith.AndI, l.ctx.Int(1), acts, l.Value(p))
	}
	boxes := tileas.TensorBoxes(op)
	size := int64(tile.ElementBytes(t.Elem))
	row := t.Box[t.Order[0]] * size
	at, bar := l.pointer(op.Operand(0)), l.pointer(op.OperandNamed("mbarrier"))
	if parts > 1 {
		at = l.create(nvvm.PtrAdd, at.Type(), at, l.create(arith.MulI, l.i32(), l.uniformWarp(), l.const32(each*row)))
	}
	start := l.coordinates(op) // with a column in front of all of an object that is empty, where it may be
	numbers := l.Values(rows)
	for i := int64(0); i < each; i += tileas.GatheredRows {
		four := make([]ir.Value, tileas.GatheredRows)
		for k := range four {
			four[k] = l.sum32(start[1], numbers[i+int64(k)], numeric.Wraps{})
		}
		for _, p := range boxes.Places {
			column := start[0]
			if from := p.From[boxes.Order[0]]; from > 0 {
				column = l.create(arith.AddI, l.i32(), column, l.const32(int64(from)))
			}
			st := l.NewState(nvvm.TensorLoad, l.Loc)
			st.OperandGroups([]ir.Value{at}, []ir.Value{l.Values(m)[0]}, append([]ir.Value{column}, four...), []ir.Value{bar}, []ir.Value{acts})
			st.SetAttr(nvvm.AttrGather4, l.ctx.Unit())
			l.offset(st, int64(p.Offset)*size+i*row)
			l.Insert(st)
		}
	}
	return nil
}
