package nvvmlegalizearith

import "github.com/tilewright/tilewright/passes"

// Legal holds when every arithmetic operation has an instruction on the target.
var Legal = passes.NewProperty("legal-arith", "has only arithmetic that the target has instructions for")
