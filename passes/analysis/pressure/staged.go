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
	def := load.DefiningOp()
	if def.IsNil() || !ir.IsTensor(load) {
		return 0
	}
	bytes := tile.Bytes(load.Type())
	between := func(u ir.Use) bool {
		op := u.Owner()
		if op.Is(arith.FToF) && ir.ElementType(op.Result(0).Type()) == ir.Type(op.Context().Float(numeric.TF32)) {
			bytes += tile.Bytes(op.Result(0).Type())
		}
		return cheap(op) || op.Is(arith.FToF) || partAtRunTime(u)
	}
	if _, loads := vectorOf(def); !loads || !onlyFeeds(load, maxLinks, tile.IsMMA, between) {
		return 0
	}
	return bytes
}

// onlyFeeds reports whether all uses of a value lead to operands A and B of MMAs, over so many operations that may stand
// between. Any other use needs the tile in registers.
func onlyFeeds(v ir.Value, links int, mma func(ir.Op) bool, between func(ir.Use) bool) bool {
	return v.HasUses() && !ir.Any(v.Uses(), func(u ir.Use) bool {
		op := u.Owner()
		feeds := tile.IsMMA(op) && u.Index() != 2 && mma(op)
		return !feeds && (links == 0 || !between(u) || !onlyFeeds(op.Result(0), links-1, mma, between))
	})
}

// partAtRunTime reports whether a use extracts parts of a tile in a loop inside, such as parts of K. They are read from
// shared memory (tileas-tile-mma-k).
func partAtRunTime(u ir.Use) bool {
	return u.Index() == 0 && tile.Is(u.Owner(), tile.RowExtract) && u.Owner().Block() != u.Value().Block()
}
