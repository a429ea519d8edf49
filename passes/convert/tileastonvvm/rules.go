package tileastonvvm

import (
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/async"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/collective"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/control"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/deviceruntime"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/elements"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/memory"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/mma"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/tmem"
)

// rules says how each operation is lowered: each room has a table of its own.
var rules = conversion.NewRules[*core.Lowering]("nvvm").Add(core.BufferRules).Add(elements.Rules).Add(memory.Rules).Add(collective.Rules).
	Add(mma.Rules).Add(async.Rules).Add(tmem.Rules).Add(control.Rules).Add(deviceruntime.Rules).Capability(elements.Elementwise)
