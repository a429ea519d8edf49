package tilemmak

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
)

// An operand may be a part of a tile that only the run chooses, as in a loop over parts of K:
//
//	for %i {                                       %buf = alloc_shared ; local_store %q, %buf
//	  %b = extract %q[%i, 0] : 128x16              for %i {
//	  %d = dot %a, %b, %c                            %b0 = local_load %buf from [0, 0] + %i * 128 along 0 : 16x16
//	}                                                %d0 = dot %a0, %b0, %c ; ... seven more steps
//
// Registers cannot be indexed at run time, so a thread would keep all of the tile and select among its parts. In
// shared memory it is only an address.

// extracted returns the operations from an operand of an MMA back to the extract that it comes from, conversions of its
// layout and the extract last. The part begins at a place along K that only the run tells, and the tile is the same in
// all iterations of the MMA's loop; else nil.
func extracted(v ir.Value, mma ir.Op, kDim int) (ops []ir.Op) {
	v, ops = unconverted(v, mma)
	def := ownOperand(v, mma)
	if def.IsNil() || !def.Is(tileas.Level.Extract) || def.Operand(0).Block() == mma.Block() {
		return nil
	}
	for d, index := range def.Operands()[1:] {
		if d != kDim && !arith.IsInt(index, 0) {
			return nil
		}
	}
	return append(ops, def)
}

// unconverted returns what an operand of an MMA is before conversions of its layout, and these.
func unconverted(v ir.Value, mma ir.Op) (before ir.Value, ops []ir.Op) {
	for def := ownOperand(v, mma); !def.IsNil() && def.Is(tileas.ConvertLayout); def = ownOperand(v, mma) {
		v, ops = def.Operand(0), append(ops, def)
	}
	return v, ops
}

// storeExtracted moves tiles of which an MMA takes such parts to shared memory, if there is room.
func (c *cutter) storeExtracted(op ir.Op) {
	for i, v := range op.Operands()[:2] {
		ops := extracted(v, op, len(tile.Shape(v.Type()))-1-i)
		if len(ops) == 0 {
			continue
		}
		extract := ops[len(ops)-1]
		if loadsWhole(extract.Operand(0).DefiningOp()) {
			continue
		}
		if f := []operand{{value: extract.Operand(0)}}; toShared(op, f, c.room-schedule.Beside(op), len(ops) == 1) {
			extract.SetOperand(0, f[0].load.Result(0))
		}
	}
}
