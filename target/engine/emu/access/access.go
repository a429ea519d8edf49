package access

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions are the instructions with which threads access memory.
var Instructions = decode.Merge(memoryOps, atomicOps, asyncOps, multimemOps, addressOps, cacheOps)
