package pipeline

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// A GraphView is a pass graph as it is shown: in lanes, one for each level.
type GraphView struct {
	Title string
	Lanes []Lane
	Edges []*Edge
	rank  map[string]int // of steps, in the order in which they are shown
}

// A Lane is a level with its steps in order.
type Lane struct {
	Level *passes.Property // nil: passes that run at every level and have no step of their own
	Steps []*Vertex
}

// ViewPlan returns the view of a default pipeline; ViewRegistry that of all registered passes and their steps.
func ViewPlan(p *Plan) *GraphView {
	title := fmt.Sprintf("pass graph from %s to %s", p.Goal.From.Level(), levelOrName(p.Goal.To))
	if p.Goal.Target.GPU != "" {
		title += " for " + p.Goal.Target.GPU
	}
	return newView(fmt.Sprintf("%s at -O%d", title, p.Goal.Target.OptLevel), p.Steps, p.Graph)
}

// ViewRegistry returns the view of all registered passes. Edges that depend on which steps a pipeline has are left out.
func ViewRegistry(reg *passes.Registry) (*GraphView, error) {
	if err := reg.CheckEdges(); err != nil {
		return nil, err
	}
	g := newGraph()
	for _, p := range reg.Passes() {
		steps := p.Steps
		if len(steps) == 0 {
			steps = []passes.Step{{}}
		}
		for _, st := range steps {
			level := st.Level
			if level == nil {
				level = p.Level()
			}
			if err := g.add(&Vertex{ID: p.ID(st), Pass: p, Level: level, Options: st.Options, MinOpt: st.MinOpt, step: st}); err != nil {
				return nil, err
			}
		}
	}
	if err := g.connectDeclared(); err != nil {
		return nil, err
	}
	if err := g.connectEstablishers(); err != nil {
		return nil, err
	}
	order, err := g.Sort()
	if err != nil {
		return nil, err
	}
	sort.SliceStable(order, func(i, j int) bool { return order[i].Pass.TargetLevel() == nil && order[j].Pass.TargetLevel() != nil })
	return newView("all registered passes", order, g), nil
}

func levelOrName(p *passes.Property) string {
	if p.IsLevel() {
		return p.Level()
	}
	return p.Name
}

func newView(title string, order []*Vertex, g *Graph) *GraphView {
	v := &GraphView{Title: title, rank: make(map[string]int)}
	lanes := make(map[*passes.Property]int)
	for _, step := range order {
		i, ok := lanes[step.Level]
		if !ok {
			i = len(v.Lanes)
			lanes[step.Level] = i
			v.Lanes = append(v.Lanes, Lane{Level: step.Level})
		}
		v.Lanes[i].Steps = append(v.Lanes[i].Steps, step)
	}
	sort.SliceStable(v.Lanes, func(i, j int) bool {
		a, b := v.Lanes[i].Level, v.Lanes[j].Level
		return b == nil && a != nil || a != nil && b != nil && a.Rank() < b.Rank()
	})
	for _, lane := range v.Lanes {
		for _, step := range lane.Steps {
			v.rank[step.ID] = len(v.rank)
		}
	}
	for _, e := range g.Edges() {
		if !e.Stage() {
			v.Edges = append(v.Edges, e)
		}
	}
	sort.SliceStable(v.Edges, func(i, j int) bool {
		a, b := v.Edges[i], v.Edges[j]
		if a.To != b.To {
			return v.rank[a.To] < v.rank[b.To]
		}
		return v.rank[a.From] < v.rank[b.From]
	})
	return v
}

func (l Lane) title() string {
	if l.Level == nil {
		return "any level"
	}
	return l.Level.Level()
}

func (v *Vertex) anchor() string {
	if on := v.on(); on != "" {
		return on
	}
	if v.Level != nil && v.Level.Unit() != "" && v.Pass.TargetLevel() == nil {
		return v.Level.Unit()
	}
	return "any operation"
}

// notes says in short when the step is there.
func (v *Vertex) notes() string {
	var parts []string
	if v.MinOpt > 0 {
		parts = append(parts, fmt.Sprintf("-O%d", v.MinOpt))
	}
	if v.Options != "" {
		parts = append(parts, "{"+v.Options+"}")
	}
	if v.Pass.WhenDoc != "" {
		parts = append(parts, v.Pass.WhenDoc)
	}
	return strings.Join(parts, ", ")
}

// details lists what the pass declares, one line each.
func (v *Vertex) details() []string {
	lines := []string{v.Pass.Summary}
	for _, d := range []struct {
		verb  string
		props []*passes.Property
	}{{"requires", v.Pass.Requires}, {"establishes", v.Pass.Establishes}, {"destroys", v.Pass.Destroys}} {
		if len(d.props) > 0 {
			names := make([]string, len(d.props))
			for i, p := range d.props {
				names[i] = p.Name
			}
			lines = append(lines, d.verb+" "+strings.Join(names, ", "))
		}
	}
	if v.Why != "" {
		lines = append(lines, "here because it "+v.Why)
	}
	return lines
}

// WriteText writes the graph for a terminal.
func (v *GraphView) WriteText(w io.Writer) error {
	var sb strings.Builder
	sb.WriteString(v.Title + "\n")
	for _, lane := range v.Lanes {
		sb.WriteString("\n" + lane.title())
		if lane.Level != nil {
			sb.WriteString(": the IR " + lane.Level.Doc)
		}
		sb.WriteByte('\n')
		for _, step := range lane.Steps {
			fmt.Fprintf(&sb, "%4d  %s on %s", v.rank[step.ID]+1, step.ID, step.anchor())
			if n := step.notes(); n != "" {
				sb.WriteString(" (" + n + ")")
			}
			sb.WriteByte('\n')
			for _, line := range step.details() {
				sb.WriteString("        " + line + "\n")
			}
			for _, e := range v.Edges {
				if e.To == step.ID {
					fmt.Fprintf(&sb, "        after %s: %s\n", e.From, e.Reason())
				}
			}
		}
	}
	_, err := io.WriteString(w, sb.String())
	return err
}

// WriteDOT writes the graph in the language of Graphviz.
func (v *GraphView) WriteDOT(w io.Writer) error {
	var sb strings.Builder
	fmt.Fprintf(&sb, "digraph passes {\n  label=%q; labelloc=t; rankdir=TB; fontname=\"Helvetica\";\n", v.Title)
	sb.WriteString("  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n")
	sb.WriteString("  edge [fontname=\"Helvetica\", fontsize=9, color=gray40];\n")
	for i, lane := range v.Lanes {
		fmt.Fprintf(&sb, "  subgraph cluster_%d {\n    label=%q; style=filled; color=gray95;\n", i, lane.title())
		for _, step := range lane.Steps {
			fmt.Fprintf(&sb, "    %q [label=%q, tooltip=%q];\n", step.ID, fmt.Sprintf("%d  %s\n%s", v.rank[step.ID]+1, step.ID, step.anchor()),
				strings.Join(step.details(), "\n"))
		}
		sb.WriteString("  }\n")
	}
	for _, e := range v.Edges {
		fmt.Fprintf(&sb, "  %q -> %q [tooltip=%q, edgetooltip=%q];\n", e.From, e.To, e.Reason(), e.Reason())
	}
	for i := 0; i+1 < len(v.Lanes); i++ {
		if last := v.Lanes[i].Steps[len(v.Lanes[i].Steps)-1]; last.Pass.TargetLevel() != nil {
			fmt.Fprintf(&sb, "  %q -> %q [style=bold, tooltip=\"next level\"];\n", last.ID, v.Lanes[i+1].Steps[0].ID)
		}
	}
	sb.WriteString("}\n")
	_, err := io.WriteString(w, sb.String())
	return err
}
