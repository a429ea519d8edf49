package tileaaprop

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// factsAttached checks that facts are present, one for each offset, size and stride; the verifier of the access
// checks their number. Whether they are true is tested by execution (tests/integers), not by looking at the IR.
// The check finds a pass that forgets an access, or creates one without facts.
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
