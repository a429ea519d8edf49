package cudatile

import "github.com/tilewright/tilewright/ir"

// Entries are what hosts launch, and a global is visible to the host unless it is declared private.
func init() {
	Global.Attach(ir.PrivateSymbol.Is(func(op ir.Op) bool { return VisibilityOf(op) == Private }))
}
