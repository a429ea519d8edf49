package pressure

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// maxLinks is how many operations may stand between a load and the MMA that it feeds, conversions included.
const maxLinks = 6

// Staged returns the bytes of shared memory of a load that only feeds MMAs; 0: it stays in registers. A tile that is
// converted to tf32 on the way is there twice.
func Staged(load ir.Value) int64 {
	if def := load.DefiningOp(); !def.IsNil() && ir.IsTensor(load) {
		if _, loads := vectorOf(def); loads {
			if bytes, ok := stagedFor(load, maxLinks); ok {
				return tile.Bytes(load.Type()) + bytes
			}
		}
	}
	return 0
}

// stagedFor returns the bytes of what a value is converted to for MMAs; ok is false if it has other uses.
func stagedFor(v ir.Value, links int) (bytes int64, ok bool) {
	for u := range v.Uses() {
		op := u.Owner()
		if tile.IsMMA(op) && u.Index() != 2 {
			continue
		}
		// Any other use needs the tile in registers.
		if links == 0 || !cheap(op) && !op.Is(arith.FToF) && !partAtRunTime(u) {
			return 0, false
		}
		if f, isFloat := ir.ElementType(op.Result(0).Type()).(*ir.FloatType); isFloat && f.Format == numeric.TF32 && op.Is(arith.FToF) {
			bytes += tile.Bytes(op.Result(0).Type())
		}
		more, ok := stagedFor(op.Result(0), links-1)
		if !ok {
			return 0, false
		}
		bytes += more
	}
	return bytes, v.HasUses()
}

// partAtRunTime reports whether a use extracts parts of a tile in a loop inside, such as parts of K. They are read from
// shared memory (tileas-tile-mma-k).
func partAtRunTime(u ir.Use) bool {
	return u.Index() == 0 && tile.Is(u.Owner(), tile.RowExtract) && u.Owner().Block() != u.Value().Block()
}
