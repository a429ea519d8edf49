package tileir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// explain returns a note about an operation that there is not, for common mistakes of front ends.
func explain(name string) string {
	dialect, op, qualified := strings.Cut(name, ".")
	if !qualified {
		dialect, op = ops.Dialect.Name, name
	}
	if dialect == ops.Dialect.Name && ops.Dialect.Lookup(op+"_tko") != nil {
		return fmt.Sprintf("operations that tokens order end in '_tko': '%s_tko'", name)
	}
	if dialect == "func" {
		return fmt.Sprintf("a kernel is a '%s' in a '%s'", cudatile.Entry.FullName(), cudatile.Module.FullName())
	}
	if !qualified || slices.ContainsFunc(Dialects(), func(d *ir.Dialect) bool { return d.Name == dialect }) {
		return ""
	}
	return fmt.Sprintf("unregistered dialect: %s; a front end writes operations of '%s'", dialect, ops.Dialect.Name)
}
