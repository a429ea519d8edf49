package interp

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"

	// The rooms, each of which defines the rows of the operations that it executes.
	_ "github.com/tilewright/tilewright/target/engine/interp/access"
	_ "github.com/tilewright/tilewright/target/engine/interp/async"
	_ "github.com/tilewright/tilewright/target/engine/interp/cluster"
	_ "github.com/tilewright/tilewright/target/engine/interp/compute"
	_ "github.com/tilewright/tilewright/target/engine/interp/control"
	_ "github.com/tilewright/tilewright/target/engine/interp/mma"
	_ "github.com/tilewright/tilewright/target/engine/interp/tmem"
	_ "github.com/tilewright/tilewright/target/engine/interp/warps"
)

// What engines are asked for, and what they report.
type (
	Options = core.Options
	Event   = core.Event
	Access  = core.Access
	Tile    = core.Tile

	Debugger = core.Debugger
	State    = core.State
)

// IsEntry reports whether an operation is a kernel that the interpreter can run, at any of its levels.
func IsEntry(op ir.Op) bool { return core.IsEntry(op) }

// Traceable reports whether values of a type are tiles, which events have.
func Traceable(t ir.Type) bool { return core.Traceable(t) }
