package pipeline

import (
	"fmt"
	"io"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A Bisect lets only the first runs of optional passes take place, to find the one that does harm. A pass is optional
// if no pass of the pipeline requires a property that it establishes, and it lowers nothing.
type Bisect struct {
	limit    int
	w        io.Writer
	required map[*passes.Pass]bool
	count    int
}

// NewBisect returns a Bisect that lets limit runs of the optional passes of a pipeline take place, and says so on w.
func NewBisect(p *Pipeline, limit int, w io.Writer) *Bisect {
	b := &Bisect{limit: limit, w: w, required: make(map[*passes.Pass]bool)}
	needed := make(map[*passes.Property]bool)
	p.Walk(func(_ *OpPipeline, it Item) {
		for _, prop := range it.Pass.Requires {
			needed[prop] = true
		}
	})
	p.Walk(func(_ *OpPipeline, it Item) {
		for _, prop := range it.Pass.Establishes {
			if needed[prop] || prop.IsLevel() {
				b.required[it.Pass] = true
			}
		}
	})
	return b
}

// Allow decides whether a pass runs on an operation. It is for Manager.Gate.
func (b *Bisect) Allow(p *passes.Pass, op ir.Op) bool {
	if b.required[p] {
		return true
	}
	b.count++
	verb := "running"
	if b.count > b.limit {
		verb = "NOT running"
	}
	fmt.Fprintf(b.w, "BISECT: %s pass (%d) %s on %s\n", verb, b.count, p.Name, describe(op))
	return b.count <= b.limit
}
