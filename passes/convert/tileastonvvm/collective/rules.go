package collective

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower what the lanes of a warp do together.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.Level.Reduce: reduce, tileas.Level.Scan: scan, tileas.ConvertLayout: convertLayout,
}
