package constfold

import "github.com/tilewright/tilewright/ir"

// Computes is the capability of element-wise operations to say what they compute on the elements of their operands.
// It reports false when that is not determined, as for an approximation. Of an operation without it nothing is known.
var Computes = ir.NewCap[func(op ir.Op) (Spec, bool)]("computes")
