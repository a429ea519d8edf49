package deviceruntime

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower what the functions of the device runtime do.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.Level.Assert: assert, tileas.Level.Print: printOp, tileas.Level.Alloca: alloca,
}
