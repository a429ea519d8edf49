package async

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

type partKey struct{ bytes int64 }

// multicast has each of n CTAs load every n-th box of a tile for all of them, beginning with that of its own number.
// The number of a box is how many boxes are before it in the buffer. Layouts are linear, so each bit of the number is
// a step along one dimension.
func multicast(l *core.Lowering, op ir.Op, first, at, m, bar ir.Value) error {
	ctas := contract.CTAsOf(l.Source)
	boxes := tileas.TMABoxes(op)
	size := op.OperandNamed(tileas.FieldMap).Type().(*tileas.TensorMapType).Bytes()
	rank, start := l.CTARank(), coordinates(l, op)
	together := min(ctas, len(boxes.Places))
	if together < ctas {
		first = l.And(first, l.Compare("ult", rank, l.Const32(int64(together))))
	}
	for i, d := range boxes.Order {
		for bit := range bits.Len(uint(together)) - 1 {
			if step := boxes.Places[1<<bit].From[d]; step > 0 {
				start[i] = l.Make(arith.AddI, l.I32(), start[i], rankBit(l, bit, step))
			}
		}
	}
	bytes := l.Const32(size)
	at = l.Make(nvvm.PtrAdd, at.Type(), at, l.Once(partKey{size}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.MulI, []ir.Value{rank, bytes}, []ir.Type{l.I32()}).Result(0)
	}))
	for k := 0; k < len(boxes.Places); k += together {
		coordinates := make([]ir.Value, len(start))
		for i, d := range boxes.Order {
			if coordinates[i] = start[i]; boxes.Places[k].From[d] > 0 {
				coordinates[i] = l.Make(arith.AddI, l.I32(), start[i], l.Const32(int64(boxes.Places[k].From[d])))
			}
		}
		st := l.NewState(nvvm.TensorLoad, l.Loc)
		st.OperandGroups([]ir.Value{at}, []ir.Value{m}, coordinates, []ir.Value{bar}, core.Predicate(first))
		l.SetOffset(st, int64(k)*size)
		st.SetAttr(nvvm.AttrMulticast, l.Ctx.IntAttr(l.I32(), 1<<ctas-1))
		l.Insert(st)
	}
	return nil
}

type rankKey struct{ bit, step int }

// rankBit returns a step where the number of the CTA has a bit, and else 0.
func rankBit(l *core.Lowering, bit, step int) ir.Value {
	rank, mask, by := l.CTARank(), l.Const32(1<<bit), l.Const32(int64(step>>bit))
	return l.Once(rankKey{bit, step}, func(b *ir.Builder) ir.Value {
		i32 := []ir.Type{l.I32()}
		has := b.Create(arith.AndI, []ir.Value{rank, mask}, i32).Result(0)
		if step>>bit<<bit == step {
			return b.Create(arith.MulI, []ir.Value{has, by}, i32).Result(0)
		}
		set := arith.NewCmpI(b, "ne", has, arith.NewInt(b, l.I32(), 0))
		return b.Create(arith.Select, []ir.Value{set, arith.NewInt(b, l.I32(), int64(step)), arith.NewInt(b, l.I32(), 0)}, i32).Result(0)
	})
}
