package plants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in MMAs that are split along K one by one, whose other operand is stored whole and loaded in parts.

var extracted = Plant{Kernel: "testdata/one_by_one.mlir", Launch: "--arg=f16[196608]=random --arg=f16[8192]=random --arg=f32[8192]=0 --arg=i32:2", Flags: []string{"--gpu-name=sm_80"}}

// storeOfParts finds the store of the tile whose parts a loop of MMAs loads.
func storeOfParts(fn ir.Op) ir.Op {
	return FirstWhere(fn, tileas.LocalStore, func(op ir.Op) bool {
		for u := range op.Operand(1).Uses() {
			if _, _, ok := tileas.RunTimeStart(u.Owner()); ok && u.Owner().Is(tileas.LocalLoad) {
				return true
			}
		}
		return false
	})
}

// partAtRunTime finds a load of a part that does not begin at the first step.
func partAtRunTime(fn ir.Op) ir.Op {
	return FirstWhere(fn, tileas.LocalLoad, func(op ir.Op) bool {
		from, ok := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr)
		return ok && op.NumOperands() > 1 && slices.ContainsFunc(from.Values, func(n int64) bool { return n > 0 })
	})
}

// firstPart makes a loop take the first part each time.
func firstPart(op ir.Op) bool {
	op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
	return true
}

var extractedPlants = slices.Concat(
	In(extracted.with("tileaa-strip-mine", Exec),
		Plant{Name: "the first part each time", Damage: first(tileaa.Level.Extract, firstPart)},
		Plant{Name: "parts loaded from the beginning", Damage: on(func(fn ir.Op) ir.Op {
			extract := First(fn, tileaa.Level.Extract)
			return First(extract.ParentOp(), tileaa.Level.TiledLoad)
		}, func(op ir.Op) bool {
			at := tile.AccessOf(op).ContiguousDim() + 1 // the first operand is the base
			op.SetOperand(at, arith.NewInt(ir.BuilderBefore(op), op.Operand(at).Type(), 0))
			return true
		})},
	),
	In(extracted.with("tileas-tile-mma-k", Exec),
		Plant{Name: "the tile is not stored", Damage: on(storeOfParts, erase)},
		Plant{Name: "steps of the first part", Damage: on(partAtRunTime, firstPart)},
		Plant{Name: "the first step of a part each time", Damage: on(partAtRunTime, func(op ir.Op) bool {
			from := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr)
			op.SetAttr(tileas.AttrFrom, op.Context().DenseI64(make([]int64, len(from.Values))...))
			return true
		})},
	),
)
