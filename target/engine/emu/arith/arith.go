package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions are the instructions that compute in registers, lane by lane.
var Instructions = decode.Merge(integerOps, logicOps, floatOps, compareOps, convertOps, moveOps, videoOps)
