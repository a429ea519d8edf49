package pipeline

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/dominikbraun/graph"
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
	reasons  []reason
}

// A reason is one reason for an edge.
type reason struct {
	text func() string
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
	g        graph.Graph[string, *Vertex]
	vertices []*Vertex
	byID     map[string]*Vertex
	edges    []*Edge
	edgeAt   map[[2]string]*Edge
	after    []big.Int // by order of vertices: the set of those that must run after it, and it; asked too often for the library
}

func newGraph() *Graph {
	return &Graph{
		g:      graph.New(func(v *Vertex) string { return v.ID }, graph.Directed()),
		byID:   make(map[string]*Vertex),
		edgeAt: make(map[[2]string]*Edge),
	}
}

// Edges returns the edges in the order in which they were found.
func (g *Graph) Edges() []*Edge { return g.edges }

// only returns the part of the graph with some of the steps.
func (g *Graph) only(steps []*Vertex) *Graph {
	part := &Graph{g: g.g, byID: make(map[string]*Vertex), edgeAt: make(map[[2]string]*Edge)}
	for _, v := range steps {
		part.vertices = append(part.vertices, v)
		part.byID[v.ID] = v
	}
	for _, e := range g.edges {
		if part.byID[e.From] != nil && part.byID[e.To] != nil {
			part.edges = append(part.edges, e)
			part.edgeAt[[2]string{e.From, e.To}] = e
		}
	}
	return part
}

// add adds a step, under "name#2" and so on when its name is taken.
func (g *Graph) add(v *Vertex) error {
	base := v.ID
	for n := 2; g.byID[v.ID] != nil; n++ {
		v.ID = fmt.Sprintf("%s#%d", base, n)
	}
	v.order = len(g.vertices)
	if err := g.g.AddVertex(v); err != nil {
		return fmt.Errorf("pass graph: adding '%s': %w", v.ID, err)
	}
	g.vertices = append(g.vertices, v)
	g.after = append(g.after, *new(big.Int).SetBit(new(big.Int), v.order, 1))
	g.byID[v.ID] = v
	return nil
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

// connect adds the edge from a to b. A second reason for an edge is added to the first.
func (g *Graph) connect(a, b *Vertex, why reason) error {
	if e := g.edgeAt[[2]string{a.ID, b.ID}]; e != nil {
		e.reasons = append(e.reasons, why)
		return nil
	}
	if g.reaches(b, a) {
		return g.cycle(a, b, why.text())
	}
	// What other edges imply adds nothing to the order, and each edge is dear to the library.
	if !g.reaches(a, b) {
		if err := g.g.AddEdge(a.ID, b.ID); err != nil {
			return fmt.Errorf("pass graph: edge from '%s' to '%s': %w", a.ID, b.ID, err)
		}
		for i := range g.after {
			if g.reaches(g.vertices[i], a) {
				g.after[i].Or(&g.after[i], &g.after[b.order])
			}
		}
	}
	e := &Edge{From: a.ID, To: b.ID, reasons: []reason{why}}
	g.edges = append(g.edges, e)
	g.edgeAt[[2]string{a.ID, b.ID}] = e
	return nil
}

// drop removes the reasons to give a step a property, which another step gives it instead. The order stays as it is.
func (g *Graph) drop(prop *passes.Property, user string) {
	for _, e := range g.edges {
		e.reasons = slices.DeleteFunc(e.reasons, func(r reason) bool { return r.prop == prop && r.user == user })
	}
}

// cycle describes the cycle that the edge from a to b would close; the library's error names no vertex.
func (g *Graph) cycle(a, b *Vertex, reason string) error {
	path := []string{b.ID}
	if a != b {
		var err error
		if path, err = graph.ShortestPath(g.g, b.ID, a.ID); err != nil {
			return fmt.Errorf("pass graph: edge from '%s' to '%s' closes a cycle: %w", a.ID, b.ID, err)
		}
	}
	e := &CycleError{IDs: path}
	for i := range len(path) - 1 {
		e.Reasons = append(e.Reasons, g.edgeAt[[2]string{path[i], path[i+1]}].Reason())
	}
	e.Reasons = append(e.Reasons, reason)
	return e
}

// reaches reports whether a must run before b, or is b.
func (g *Graph) reaches(a, b *Vertex) bool { return g.after[a.order].Bit(b.order) == 1 }

// Sort returns the steps in a topological order, with ties in the order of registration.
func (g *Graph) Sort() ([]*Vertex, error) {
	ids, err := graph.StableTopologicalSort(g.g, func(a, b string) bool { return g.byID[a].order < g.byID[b].order })
	if err != nil {
		return nil, fmt.Errorf("pass graph: %w", err)
	}
	out := make([]*Vertex, len(ids))
	for i, id := range ids {
		out[i] = g.byID[id]
	}
	return out, nil
}
