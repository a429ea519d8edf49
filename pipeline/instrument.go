package pipeline

import (
	"time"

	"github.com/tilewright/tilewright/ir"
)

// An Instrument watches a pipeline. Its methods are called by several goroutines unless it is Serial; the two calls
// for one Event by the same one.
type Instrument interface {
	BeforePass(ev *Event)
	AfterPass(ev *Event)
}

// Serial is implemented by instruments that need passes to run one at a time, in the order of the operations.
type Serial interface {
	Serial() bool
}

// An Event is one run of a pass on an operation. The fields from Elapsed on are set for AfterPass.
type Event struct {
	Nest *OpPipeline
	Item *Item
	Op   ir.Op
	// Root is the operation that the outermost pipeline runs on.
	Root ir.Op
	// Number counts the runs of passes from 1. It is the same each time where passes run one at a time.
	Number int

	Elapsed time.Duration // of the pass
	Verify  time.Duration // of the verification after it
	Err     error         // a *Failure, or nil
}

// Describe returns the name of the operation, and of the symbol that it defines.
func (ev *Event) Describe() string {
	if ev.Op.Erased() {
		return "an operation that it erased"
	}
	return describe(ev.Op)
}
