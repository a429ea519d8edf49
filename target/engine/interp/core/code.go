package core

import (
	"github.com/tilewright/tilewright/ir"
)

// An Exit is where control goes at the end of a block. Each kind ends the nearest operation that understands it.
type Exit uint8

const (
	ExitNone     Exit = iota // to the next operation
	ExitYield                // to the end of the enclosing if, reduce or scan
	ExitContinue             // to the next iteration of the enclosing loop
	ExitBreak                // to the end of the enclosing loop
	exitReturn               // to the end of the entry
)

// A Code is a decoded block.
type Code struct {
	instrs []instr
	end    ir.Op // the terminator
	exit   Exit
	from   []int // the operands of the terminator
	to     []int // the slots that they move to
	drop   []int // slots whose last use is the terminator
	args   []int // slots of the arguments
	scoped bool  // has an alloca, whose memory ends with the block
}

// An instr is a decoded operation, with either run or nest set.
type instr struct {
	op   ir.Op
	run  Action
	nest Nested
	drop []int // slots whose last use is this operation
}
