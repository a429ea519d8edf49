package barrier

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions are those by which threads wait for each other and exchange what they know.
var Instructions = decode.Merge(barrierOps, collectiveOps, mbarrierOps, launchControlOps)
