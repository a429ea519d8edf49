package stripdebuginfo

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

var numStripped = passes.NewStatistic("num-stripped", "locations removed")

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:       "strip-debuginfo",
	Title:      "StripDebugInfo",
	Summary:    "remove the locations of all operations",
	Doc:        "Gives the operation, and every operation in it, the unknown location. Debug information that hangs on locations is lost with them.",
	Statistics: []*passes.Statistic{numStripped},
	Run:        run,
})

func run(r *passes.Run) error {
	unknown := r.IR().UnknownLoc()
	n := 0
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Loc() != ir.Location(unknown) {
			op.SetLoc(unknown)
			n++
		}
		return ir.Advance
	})
	r.Add(numStripped, n)
	return nil
}
