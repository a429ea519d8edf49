package cudatiletotileaa

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
)

// TestEveryHintIsInTheTable: a hint that the dialect knows is followed or answered by a warning, and the table knows
// no other ones of an operation.
func TestEveryHintIsInTheTable(t *testing.T) {
	t.Parallel()
	var known []string
	for _, def := range ops.Dialect.Ops() {
		known = append(known, cudatile.HintKeys(def)...)
	}
	for _, name := range known {
		if !slices.ContainsFunc(hintTable, func(h hint) bool { return h.name == name && h.on >= onEntry }) {
			t.Errorf("hint '%s' is not in the table", name)
		}
	}
	for _, h := range hintTable {
		if h.on >= onEntry && !slices.Contains(known, h.name) {
			t.Errorf("no operation has the hint '%s'", h.name)
		}
		if (h.follows == "") == (h.ignored == "") || (h.ignored == "") != (h.asks == nil) {
			t.Errorf("hint '%s' must either be followed or have a warning", h.name)
		}
	}
}
