package stripdebuginfo_test

import (
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/passes/any/stripdebuginfo"
)

func TestStripsLocations(t *testing.T) {
	t.Parallel()
	text := `"test.module"() ({
  "test.func"() ({
    "test.use"() : () -> () loc("a":1:2)
    "test.use"() : () -> () loc(unknown)
  }) : () -> () loc("b")
}) : () -> ()
`
	if _, _, stats := testdialect.Run(t, stripdebuginfo.Pass, "", "", text); stats["num-stripped"] != 3 {
		t.Errorf("stripped %d, want 3", stats["num-stripped"])
	}
	if _, _, stats := testdialect.Run(t, stripdebuginfo.Pass, "", "test.func", text); stats["num-stripped"] != 2 {
		t.Errorf("inside the function: stripped %d, want 2", stats["num-stripped"])
	}
}
