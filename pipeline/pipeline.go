package pipeline

import "github.com/tilewright/tilewright/passes"

// AnyOp is the anchor of a nest that runs on operations of every name.
const AnyOp = "any"

// A Pipeline is what a Manager runs: the nest for the outermost operation.
type Pipeline struct{ Root *OpPipeline }

// An OpPipeline is a list of passes and nested pipelines that run on operations of one name.
type OpPipeline struct {
	// Op is the full name of the operation, or AnyOp.
	Op    string
	Items []Item
}

// An Item is a pass or a nest, whichever is not nil.
type Item struct {
	Pass *passes.Pass
	// Options is what the pass's Options function returned, with the values of the pipeline.
	Options any
	// Step is the name of the step when the pipeline was computed ("canonicalize#2"); else empty.
	Step string

	Nest *OpPipeline
}

// endsRun reports whether no pass of the nest follows item i directly.
func (n *OpPipeline) endsRun(i int) bool { return i+1 == len(n.Items) || n.Items[i+1].Nest != nil }

// New returns an empty pipeline for an outermost operation of that name.
func New(root string) *Pipeline { return &Pipeline{Root: &OpPipeline{Op: root}} }

// Walk calls f for each pass in order, with the nest that it stands in.
func (p *Pipeline) Walk(f func(n *OpPipeline, it Item)) { p.Root.walk(f) }

func (n *OpPipeline) walk(f func(*OpPipeline, Item)) {
	for _, it := range n.Items {
		if it.Nest != nil {
			it.Nest.walk(f)
		} else {
			f(n, it)
		}
	}
}

// NumPasses counts the passes.
func (p *Pipeline) NumPasses() int {
	n := 0
	p.Walk(func(*OpPipeline, Item) { n++ })
	return n
}

// Append adds a pass at the end, nested under the path of operation names, which starts below the root. The last nest
// is reused as far as it is on the path.
func (p *Pipeline) Append(path []string, it Item) {
	n := p.Root
	for _, op := range path {
		var last *OpPipeline
		if len(n.Items) > 0 {
			last = n.Items[len(n.Items)-1].Nest
		}
		if last == nil || last.Op != op {
			last = &OpPipeline{Op: op}
			n.Items = append(n.Items, Item{Nest: last})
		}
		n = last
	}
	n.Items = append(n.Items, it)
}

// CanRunOn reports whether a pass may stand in a nest for operations of that name.
func CanRunOn(p *passes.Pass, op string) bool { return p.On == "" || p.On == op }
