package cudatile

import "github.com/tilewright/tilewright/ir"

// Dialect is cuda_tile. Its hooks are attached in init functions, because they refer to the types and rows that refer to Dialect.
var Dialect = &ir.Dialect{
	Name:       "cuda_tile",
	Doc:        "Operations on whole tiles, views of tensors in global memory, and tokens that order memory operations.",
	ShortTypes: true,
}

// The versions of the serialised form.
var (
	V13_1 = ir.Version{Major: 13, Minor: 1}
	V13_2 = ir.Version{Major: 13, Minor: 2}
	V13_3 = ir.Version{Major: 13, Minor: 3}
	V13_4 = ir.Version{Major: 13, Minor: 4}
	V13_5 = ir.Version{Major: 13, Minor: 5}
	// Preview marks what no released version has: it is behind an opt-in of the file's header.
	Preview = ir.Version{Major: 255}
)

// Versions lists the released versions, oldest first.
var Versions = []ir.Version{V13_1, V13_2, V13_3, V13_4, V13_5}

// isOp reports whether op is the dialect's operation of that name. Hooks use it where naming the row's variable would
// be an initialisation cycle.
func isOp(op ir.Op, name string) bool {
	return !op.IsNil() && op.Dialect() == Dialect && op.Def().Name == name
}

func isAnyOp(op ir.Op, names ...string) bool {
	for _, n := range names {
		if isOp(op, n) {
			return true
		}
	}
	return false
}
