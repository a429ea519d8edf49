// Package plugins links the plugins: one import line each. See package opcount for how to write one.
package plugins

import (
	_ "github.com/tilewright/tilewright/passes/plugins/opcount" // op-count
	_ "github.com/tilewright/tilewright/passes/plugins/serial"  // --schedule=serial
)
