package tma

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// MissingForMap returns the facts that a tensor map needs and that the kernel does not prove. A promise in the program
// (assume) can add them.
func MissingForMap(a tile.Access) (missing []ir.MissingFact) {
	size := int64(tile.ElementBytes(ir.ElementType(a.Tile)))
	inner := a.ContiguousDim()
	if inner < 0 {
		return []ir.MissingFact{{Operand: "stride", Dim: len(a.Strides) - 1}}
	}
	if base, _ := a.Op.IntAttr(tile.AttrBaseDiv); base == 0 || base%tile.BulkUnit != 0 {
		missing = append(missing, ir.MissingFact{Operand: "base", Divisor: tile.BulkUnit})
	}
	for d := range a.Strides {
		if d != inner && a.StrideDivisor(d)*size%tile.BulkUnit != 0 {
			missing = append(missing, ir.MissingFact{Operand: "stride", Dim: d, Divisor: tile.BulkUnit / size})
		}
	}
	return missing
}
