package control

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions decide what a thread executes next.
var Instructions = decode.Merge(controlOps, stackOps)
