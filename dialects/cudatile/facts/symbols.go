package facts

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Entries are what hosts launch, and a global is visible to the host unless it is declared private.
func attachSymbols() {
	cudatile.Global.Attach(ir.PrivateSymbol.Is(func(op ir.Op) bool { return cudatile.VisibilityOf(op) == cudatile.Private }))
}
