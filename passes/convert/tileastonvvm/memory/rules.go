package memory

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower the accesses that threads wait for.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.Level.TiledLoad: tiledLoad, tileas.Level.TiledStore: tiledStore,
	tileas.Level.Load: load, tileas.Level.Store: store,
	tileas.Level.AtomicRMW: atomic, tileas.Level.AtomicCAS: atomic, tileas.Level.TiledAtomic: tiledAtomic,
	tileas.LocalStore: localStore, tileas.LocalLoad: localLoad, tileas.RemoteLoad: remoteLoad,
	tileas.Level.GetGlobal: getGlobal, tileas.Level.FenceAlias: core.Becomes(nvvm.FenceAlias),
}
