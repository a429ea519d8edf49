package emu

import (
	"github.com/tilewright/tilewright/target/engine/emu/access"
	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/barrier"
	"github.com/tilewright/tilewright/target/engine/emu/control"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/tcgen05"
	"github.com/tilewright/tilewright/target/engine/emu/tma"
)

// instructions maps the first word of an opcode to its decoder.
var instructions = decode.Merge(arith.Instructions, access.Instructions, tma.Instructions, mma.Instructions, tcgen05.Instructions, control.Instructions, barrier.Instructions)
