package report

import (
	"slices"

	"github.com/tilewright/tilewright/passes/schedule/show"
	"github.com/tilewright/tilewright/pipeline"
)

// A Picture is a drawing that passes made, or data to draw.
type Picture struct {
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Function string `json:"fn"` // the symbol of the kernel
	// SVG is shown as an image, in which a browser runs nothing; Text is the same for those who do not see it.
	SVG  string `json:"svg,omitempty"`
	Text string `json:"text,omitempty"`

	Memory    *Memory     `json:"memory,omitempty"`
	Layouts   []*Layout   `json:"layouts,omitempty"`
	Transfers []*Transfer `json:"transfers,omitempty"`
}

// watch adds what is drawn of the IR between passes.
func (m *making) watch(r *recorder) {
	r.watch = append(r.watch, m.schedules, m.roles, m.memories, m.layouts)
}

// scheduling is the pass after which loops have their schedules, and before which they are still loops.
const scheduling = "tileas-schedule-loops"

// schedules draws the steady states of the loops that were scheduled.
func (m *making) schedules(ev *pipeline.Event) {
	if ev.Item.Pass.Name != scheduling || ev.Err != nil || m.target == nil {
		return
	}
	loops, err := show.LoopsOf(ev.Op, m.target)
	if err != nil || !slices.ContainsFunc(loops, (*show.Loop).Drawn) {
		return
	}
	m.page.Pictures = append(m.page.Pictures, &Picture{Kind: "schedule", Title: "Iterations of loops, by unit", Function: ev.Op.SymbolName(), SVG: show.SVG(loops), Text: show.Table(loops, 0)})
}

// roles draws how the roles of a kernel work together, as an estimate.
func (m *making) roles(ev *pipeline.Event) {
	if ev.Item.Pass.Name != scheduling || ev.Err != nil || m.target == nil {
		return
	}
	plays, err := show.RolesOf(ev.Op, m.target)
	if err != nil || len(plays) == 0 {
		return
	}
	m.page.Pictures = append(m.page.Pictures, &Picture{Kind: "roles", Title: "Warps of each role in an iteration (estimate)", Function: ev.Op.SymbolName(), SVG: show.RolesSVG(plays), Text: show.RolesTable(plays)})
}
