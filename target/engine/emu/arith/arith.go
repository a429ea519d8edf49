package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions are the instructions that compute in registers, lane by lane.
//
// add, sub, mul, min and their like exist for integers and for floats under one name. Which file decodes one depends on
// the type, so that the tables below are by what the names mostly mean.
var Instructions = decode.Merge(integerOps, logicOps, floatOps, compareOps, convertOps, moveOps, videoOps)
