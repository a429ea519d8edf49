package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// gatherRows lowers a TMA load of rows that a tensor numbers (tile::gather4). One lane of each warp that has numbers
// of rows loads them, four at a time.
//
// Copies of other warps may complete before the first thread has announced their bytes. The phase waits for its
// arrival in any case, and the count of bytes may be negative meanwhile (PTX ISA, "Tx-count").
func gatherRows(l *core.Lowering, op ir.Op, rows ir.Value) error {
	if !l.Arch.Has(sm.TMAGather4) {
		return op.Errorf("needs %s, which %s does not have", sm.TMAGather4.Doc(), l.Arch)
	}
	have, err := l.Layout(rows)
	if err != nil {
		return err
	}
	n := rows.Type().(*ir.TensorType).Shape[0]
	want, err := tileas.RowLayout(n, l.Warps)
	if err != nil || !have.Equal(want) {
		return op.Errorf("needs the numbers of rows in the layout '%s', but they are in '%s'", want, have)
	}
	m := op.OperandNamed(tileas.FieldMap)
	t := m.Type().(*tileas.TensorMapType)
	each := int64(have.Size(linear.Register)) // rows of a warp
	acts, parts := l.OneLane(), n/each
	if parts < int64(l.Warps) {
		acts = l.And(acts, l.Compare("ult", l.UniformWarp(), l.Const32(parts)))
	}
	if p := op.OperandNamed(tile.FieldPredicate); !p.IsNil() {
		acts = l.And(acts, l.Value(p))
	}
	boxes := tileas.TMABoxes(op)
	size := int64(tile.ElementBytes(t.Elem))
	row := t.Box[t.Order[0]] * size
	at, bar := l.Pointer(op.Operand(0)), l.Pointer(op.OperandNamed("mbarrier"))
	if parts > 1 {
		at = l.Make(nvvm.PtrAdd, at.Type(), at, l.Make(arith.MulI, l.I32(), l.UniformWarp(), l.Const32(each*row)))
	}
	start := coordinates(l, op) // of an object that may be empty, with a column before its first
	numbers := l.Values(rows)
	for i := int64(0); i < each; i += tileas.GatheredRows {
		four := make([]ir.Value, tileas.GatheredRows)
		for k := range four {
			four[k] = l.Sum32(start[1], numbers[i+int64(k)], numeric.Wraps{})
		}
		for _, p := range boxes.Places {
			column := start[0]
			if from := p.From[boxes.Order[0]]; from > 0 {
				column = l.Make(arith.AddI, l.I32(), column, l.Const32(int64(from)))
			}
			st := l.NewState(nvvm.TensorLoad, l.Loc)
			st.OperandGroups([]ir.Value{at}, []ir.Value{l.Values(m)[0]}, append([]ir.Value{column}, four...), []ir.Value{bar}, core.Predicate(acts))
			st.SetAttr(nvvm.AttrGather4, l.Ctx.Unit())
			l.SetOffset(st, int64(p.Offset)*size+i*row)
			l.Insert(st)
		}
	}
	return nil
}
