package property

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// factsAttached asks whether facts are there, one for each offset, size and stride; the verifier of the access has seen to their number. Whether they are true is
// a question to an execution (tests/integers), not to a look at the IR.
//
// A pass that forgets an access, as one that makes a new one would, is what this finds.
func factsAttached(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	level := tileaa.Level
	return func(op ir.Op) *ir.Diagnostic {
		if !op.Is(level.TiledLoad) && !op.Is(level.TiledStore) {
			return nil
		}
		for _, name := range []string{tile.AttrBaseDiv, tile.AttrOffsetDiv, tile.AttrSizeDiv, tile.AttrStrideDiv} {
			if op.Attr(name) == nil {
				return op.Errorf("has no '%s', the power of two that its addresses are known to be multiples of", name)
			}
		}
		return nil
	}
}
