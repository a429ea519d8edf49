package cudatile

import "github.com/tilewright/tilewright/ir"

// Bare is cuda_tile without the definitions of its operations. Programs register ops.Dialect, which is complete.
var Bare = &ir.Dialect{
	Name:       "cuda_tile",
	Doc:        "Operations on tiles, views of tensors in global memory, and tokens that order memory operations.",
	ShortTypes: true,
}

// The versions of the serialised form.
var (
	V13_1 = ir.Version{Major: 13, Minor: 1}
	V13_2 = ir.Version{Major: 13, Minor: 2}
	V13_3 = ir.Version{Major: 13, Minor: 3}
	V13_4 = ir.Version{Major: 13, Minor: 4}
	V13_5 = ir.Version{Major: 13, Minor: 5}
	// Preview marks what no released version has; the file's header must opt in to it.
	Preview = ir.Version{Major: 255}
)

// Versions lists the released versions, oldest first.
var Versions = []ir.Version{V13_1, V13_2, V13_3, V13_4, V13_5}
