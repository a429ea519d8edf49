package tile

import "github.com/tilewright/tilewright/ir"

// A Row is a shared row without its level.
type Row uint8

// The rows that analyses of both levels ask about.
const (
	RowSplat Row = iota
	RowReshape
	RowBroadcast
	RowPermute
	RowRange
	RowAddPtr
	RowReduce
	RowDot
	RowDotScaled
	RowTiledLoad
	RowExtract
)

// rows is the capability of shared rows: it says which one a row of a level is.
var rows = ir.NewCap[Row]("shared-row")

// Is reports whether an operation is a shared row, at whichever level. Analyses that serve both levels ask it, since
// they may import neither:
//
//	tile.Is(op, tile.RowDot) // nv_tileaa.dot and nv_tileas.dot
func Is(op ir.Op, row Row) bool {
	is, shared := rows.Of(op)
	return shared && is == row
}

func (l *Level) attachRows() {
	for row, def := range map[Row]*ir.OpDef{
		RowSplat: l.Splat, RowReshape: l.Reshape, RowBroadcast: l.Broadcast, RowPermute: l.Permute, RowRange: l.Range,
		RowAddPtr: l.AddPtr, RowReduce: l.Reduce, RowDot: l.Dot, RowDotScaled: l.DotScaled, RowTiledLoad: l.TiledLoad, RowExtract: l.Extract,
	} {
		def.Attach(rows.Is(row))
	}
}
