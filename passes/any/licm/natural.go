package licm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/loops"
)

// maxHeight bounds how often the blocks of inner loops are looked at for the sake of those around them. No program is
// nested as deeply; loops that contain more levels are left.
const maxHeight = 64

// naturalLoops returns the natural loops of a region that something can be moved out of, inner ones first.
func naturalLoops(r ir.Region, dom *ir.Dominance) []*loop {
	n := loops.Find(r, dom)
	var out []*loop
	for _, l := range n.Loops {
		before := n.Preheader(l, dom)
		if before.IsNil() || l.Height > maxHeight {
			continue
		}
		var sometimes []ir.Block
		if len(l.Inner) == 0 { // a loop inside counts more, and what moves out of this one would be alive in it
			sometimes = everyTime(l, dom, false)
		}
		out = append(out, &loop{
			before:    before,
			everyTime: everyTime(l, dom, true),
			sometimes: sometimes,
			all:       l.All,
			runs:      true,
			carried:   l.Header.NumArgs(),
			contains: func(b ir.Block) bool {
				for b.Region() != r {
					op := b.ParentOp()
					if op.IsNil() || op.Block().IsNil() {
						return false
					}
					b = op.Block()
				}
				return n.Contains(l, b)
			},
		})
	}
	return out
}

// everyTime returns the loop's own blocks that dominate all latches, the header first; with is false, the others.
func everyTime(l *loops.Loop, dom *ir.Dominance, is bool) (out []ir.Block) {
	for _, b := range l.Own {
		if is != slices.ContainsFunc(l.Latches, func(latch ir.Block) bool { return !dom.BlockDominates(b, latch) }) {
			out = append(out, b)
		}
	}
	return out
}
