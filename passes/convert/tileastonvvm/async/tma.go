package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// firstIf returns the condition that this is the elected thread and that the predicate of the operation holds; nil always
// holds.
func firstIf(l *core.Lowering, op ir.Op) (ir.Value, error) {
	first, err := l.Elected()
	if err != nil || op.Def().OperandField(tile.FieldPredicate) < 0 || op.OperandNamed(tile.FieldPredicate).IsNil() {
		return first, err
	}
	return l.And(first, l.Value(op.OperandNamed(tile.FieldPredicate))), nil
}

func tmaLoad(l *core.Lowering, op ir.Op) error {
	if rows := tileas.RowsOf(op); !rows.IsNil() {
		return gatherRows(l, op, rows)
	}
	first, err := firstIf(l, op)
	if err != nil {
		return err
	}
	at, m, bar := l.Pointer(op.Operand(0)), l.Values(op.OperandNamed(tileas.FieldMap))[0], l.Pointer(op.OperandNamed("mbarrier"))
	if op.HasUnitAttr(tileas.AttrMulticast) {
		return multicast(l, op, first, at, m, bar)
	}
	var attrs []ir.NamedAttr
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		bar = l.Make(nvvm.MapShared, nvvm.Ptr(l.Ctx, nvvm.Cluster), bar, l.EvenCTA())
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrTwoCTAs, Value: l.Ctx.Unit()})
	}
	eachBox(l, op, func(coordinates []ir.Value, offset int64) {
		st := l.NewState(nvvm.TensorLoad, l.Loc)
		st.Attrs = append(st.Attrs, attrs...)
		st.OperandGroups([]ir.Value{at}, []ir.Value{m}, coordinates, []ir.Value{bar}, core.Predicate(first))
		l.SetOffset(st, offset)
		l.Insert(st)
	})
	return nil
}

func tmaStore(l *core.Lowering, op ir.Op) error {
	first, err := firstIf(l, op)
	if err != nil {
		return err
	}
	at, m := l.Pointer(op.Operand(0)), l.Values(op.OperandNamed(tileas.FieldMap))[0]
	eachBox(l, op, func(coordinates []ir.Value, offset int64) {
		def := nvvm.TensorStore
		if op.Is(tileas.TMAReduce) {
			def = nvvm.TensorReduce
		}
		st := l.NewState(def, l.Loc)
		st.Attrs = append(st.Attrs, l.KindOf(op)...)
		st.OperandGroups([]ir.Value{m}, coordinates, []ir.Value{at}, core.Predicate(first))
		l.SetOffset(st, offset)
		l.Insert(st)
	})
	return nil
}

// eachBox calls f for each box of a TMA load or store, with its coordinates and where it is in the buffer, in bytes.
func eachBox(l *core.Lowering, op ir.Op, f func(coordinates []ir.Value, offset int64)) {
	boxes := tileas.TMABoxes(op)
	start := coordinates(l, op)
	size := op.Operand(0).Type().(*tileas.BufferType).ElementBytes()
	for _, p := range boxes.Places {
		at := make([]ir.Value, len(start))
		for i, d := range boxes.Order {
			if at[i] = start[i]; p.From[d] > 0 {
				at[i] = l.Make(arith.AddI, l.I32(), at[i], l.Const32(int64(p.From[d])))
			}
		}
		f(at, int64(p.Offset)*size)
	}
}
