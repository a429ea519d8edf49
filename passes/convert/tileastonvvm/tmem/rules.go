package tmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower what is in tensor memory. A buffer there is one register too: the address of its first column, as an
// i32 with the lane above bit 16.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.ReserveTMEM: reserve, tileas.ReleaseTMEM: release, tileas.AllocTMEM: alloc,
	tileas.TMEMLoad: load, tileas.TMEMStore: store, tileas.TMEMScale: multiply,
	tileas.TMEMDot: issue, tileas.MMACommit: commit, tileas.TMEMWait: wait,
}
