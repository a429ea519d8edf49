package ops_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir/asm"
)

func TestSyntaxCompiles(t *testing.T) {
	t.Parallel()
	for _, def := range ops.Dialect.Ops() {
		if err := asm.CheckSyntax(def); err != nil {
			t.Error(err)
		}
		if def.Syntax == "" && def.Parse == nil && def.Name != "preview$call" {
			t.Errorf("%s has no custom syntax", def.Name)
		}
	}
}
