package copies

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// MissingForMap returns the facts without which no tensor map describes the object of an access, as far as a promise can make up for them.
func MissingForMap(a tile.Access) (missing []ir.MissingFact) {
	size := int64(tile.ElementBytes(ir.ElementType(a.Tile)))
	inner := a.ContiguousDim()
	if inner < 0 {
		return []ir.MissingFact{{Operand: "stride", Dim: len(a.Strides) - 1}}
	}
	if base, _ := a.Op.IntAttr(tile.AttrBaseDiv); base == 0 || base%tileas.BulkUnit != 0 {
		missing = append(missing, ir.MissingFact{Operand: "base", Divisor: tileas.BulkUnit})
	}
	for d := range a.Strides {
		if d != inner && a.StrideDivisor(d)*size%tileas.BulkUnit != 0 {
			missing = append(missing, ir.MissingFact{Operand: "stride", Dim: d, Divisor: tileas.BulkUnit / size})
		}
	}
	return missing
}
