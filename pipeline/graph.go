package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// A Vertex is a step of a default pipeline.
type Vertex struct {
	ID    string // "canonicalize", "canonicalize#late"
	Pass  *passes.Pass
	Level *passes.Property
	// Options are those of the step, as text.
	Options string
	// MinOpt is the lowest optimisation level that has the step; 0 for one that is always there.
	MinOpt int
	// Why says why the step is in the graph, when it is not because it was declared as one.
	Why string

	order int // of registration
	step  passes.Step
}

// on returns the operation that the step is declared for; "" for any.
func (v *Vertex) on() string {
	if v.step.On != "" {
		return v.step.On
	}
	return v.Pass.On
}

// An Edge says that From runs before To, and why.
type Edge struct {
	From, To string
	to       *Vertex
	reasons  []reason
}

// A reason is one reason for an edge.
type reason struct {
	text func() string // most are never asked for
	// stage marks a reason that follows from the order of the levels. It counts only where there is no other.
	stage bool
	// prop and user are set when the edge serves to give the step user the property.
	prop *passes.Property
	user string
}

// Reason returns the reasons as one text.
func (e *Edge) Reason() string {
	var texts []string
	for _, stage := range []bool{false, true} {
		for _, r := range e.reasons {
			if r.stage == stage {
				texts = append(texts, r.text())
			}
		}
		if texts != nil {
			break
		}
	}
	return strings.Join(texts, "; ")
}

// Stage reports whether the edge follows from the order of the levels alone.
func (e *Edge) Stage() bool {
	for _, r := range e.reasons {
		if !r.stage {
			return false
		}
	}
	return true
}

// A Graph is a pass dependency graph: steps, and the reasons for their order. It has no cycles.
type Graph struct {
	vertices []*Vertex
	byID     map[string]*Vertex
	edges    []*Edge
	below    [][]*Edge // by order of vertices: the edges that lead on
	seen     []bool    // by order of vertices, for reaches
}

func newGraph() *Graph { return &Graph{byID: make(map[string]*Vertex)} }

// Edges returns the edges in the order in which they were found.
func (g *Graph) Edges() []*Edge { return g.edges }

// only returns the part of the graph with some of the steps.
func (g *Graph) only(steps []*Vertex) *Graph {
	part := newGraph()
	for _, v := range steps {
		part.vertices = append(part.vertices, v)
		part.byID[v.ID] = v
	}
	for _, e := range g.edges {
		if part.byID[e.From] != nil && part.byID[e.To] != nil {
			part.edges = append(part.edges, e)
		}
	}
	return part
}

// add adds a step, under "name#2" and so on when its name is taken.
func (g *Graph) add(v *Vertex) {
	base := v.ID
	for n := 2; g.byID[v.ID] != nil; n++ {
		v.ID = fmt.Sprintf("%s#%d", base, n)
	}
	v.order = len(g.vertices)
	g.vertices = append(g.vertices, v)
	g.below = append(g.below, nil)
	g.seen = append(g.seen, false)
	g.byID[v.ID] = v
}

// A CycleError says that the reasons for an order contradict each other.
type CycleError struct {
	// IDs are the steps on the cycle, the first one not repeated; Reasons[i] is why IDs[i] runs before the next one.
	IDs     []string
	Reasons []string
}

func (e *CycleError) Error() string {
	var sb strings.Builder
	sb.WriteString("the order of passes has a cycle:")
	for i, id := range e.IDs {
		fmt.Fprintf(&sb, " '%s' before '%s' (%s)", id, e.IDs[(i+1)%len(e.IDs)], e.Reasons[i])
		if i+1 < len(e.IDs) {
			sb.WriteString(",")
		}
	}
	return sb.String()
}

// edge returns the edge from a to b, or nil.
func (g *Graph) edge(a, b *Vertex) *Edge {
	for _, e := range g.below[a.order] {
		if e.to == b {
			return e
		}
	}
	return nil
}

// connect adds the edge from a to b. A second reason for an edge is added to the first.
func (g *Graph) connect(a, b *Vertex, why reason) error {
	e := g.edge(a, b)
	if e == nil {
		if g.reaches(b, a) {
			return g.cycle(a, b, why)
		}
		e = &Edge{From: a.ID, To: b.ID, to: b}
		g.edges = append(g.edges, e)
		g.below[a.order] = append(g.below[a.order], e)
	}
	e.reasons = append(e.reasons, why)
	return nil
}

// drop removes the reasons to give a step a property, which another step gives it instead. The order stays as it is.
func (g *Graph) drop(prop *passes.Property, user string) {
	for _, e := range g.edges {
		e.reasons = slices.DeleteFunc(e.reasons, func(r reason) bool { return r.prop == prop && r.user == user })
	}
}

// cycle describes the shortest cycle that the edge from a to b would close.
func (g *Graph) cycle(a, b *Vertex, why reason) error {
	from := map[*Vertex]*Vertex{b: nil}
	for queue := []*Vertex{b}; from[a] == nil && len(queue) > 0; queue = queue[1:] {
		for _, e := range g.below[queue[0].order] {
			if _, found := from[e.to]; !found {
				from[e.to] = queue[0]
				queue = append(queue, e.to)
			}
		}
	}
	err := &CycleError{Reasons: []string{why.text()}}
	for v := a; v != nil; v = from[v] {
		err.IDs = append(err.IDs, v.ID)
		if up := from[v]; up != nil {
			err.Reasons = append(err.Reasons, g.edge(up, v).Reason())
		}
	}
	slices.Reverse(err.IDs)
	slices.Reverse(err.Reasons)
	return err
}

// reaches reports whether a must run before b, or is b.
func (g *Graph) reaches(a, b *Vertex) bool {
	clear(g.seen)
	return g.leads(a, b)
}

func (g *Graph) leads(a, b *Vertex) bool {
	if a == b {
		return true
	}
	g.seen[a.order] = true
	for _, e := range g.below[a.order] {
		if !g.seen[e.to.order] && g.leads(e.to, b) {
			return true
		}
	}
	return false
}

// Sort returns the steps in a topological order, with ties in the order of registration.
func (g *Graph) Sort() []*Vertex {
	above := make([]int, len(g.vertices)) // edges from steps that are not in the order yet
	for _, e := range g.edges {
		above[e.to.order]++
	}
	var out []*Vertex
	for _, v := range g.vertices {
		if above[v.order] == 0 {
			out = append(out, v)
		}
	}
	for i := 0; i < len(out); i++ {
		first := len(out)
		for _, e := range g.below[out[i].order] {
			if above[e.to.order]--; above[e.to.order] == 0 {
				out = append(out, e.to)
			}
		}
		slices.SortFunc(out[first:], func(a, b *Vertex) int { return cmp.Compare(a.order, b.order) })
	}
	return out
}
