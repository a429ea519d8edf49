package mma

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower MMAs whose accumulators are registers.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.Level.Dot: dot, tileas.Level.DotScaled: dot,
	tileas.DotAsync: dotAsync, tileas.DotWait: dotWait,
}
