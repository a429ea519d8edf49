package passes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A Pass is a transformation or a report, with everything that users and the pass manager must know about it. It is
// immutable once registered.
type Pass struct {
	// Name is the kebab-case name on the command line and in textual pipelines. Users' scripts rely on it for ever.
	Name string
	// Formerly lists names that the pass had before. For one release, everything that reads the name of a pass takes
	// them for it: pipelines, flags, dumps of IR. Nothing prints or lists them.
	Formerly []string
	// Title is the name in the banners of IR dumps and in reports; empty: Name in camel case, with the words that have a
	// spelling of their own.
	Title string
	// Summary is one line without a full stop. Doc is the text of the reference page.
	Summary string
	Doc     string

	// On is the full name of the operation that the pass is anchored on, as in "builtin.module"; empty: the unit of the
	// level that it requires. Anything, or empty without such a level: it runs on any operation that is isolated from
	// above.
	On string
	// Options returns a pointer to a new struct with the default values. Fields with the tags `opt:"name"
	// help:"..."` can be set in textual pipelines; see Option for the types. Former names of an option are in the
	// tag `formerly:"a,b"`. Nil: no options.
	Options func() any

	// Requires must hold when the pass starts; Establishes holds when it has run; Destroys may no longer hold then. A
	// property in neither of the last two is kept.
	Requires    []*Property
	Establishes []*Property
	Destroys    []*Property

	// After and Before order the pass relative to others of the same level in default pipelines.
	After, Before []Edge
	// Steps are the places of the pass in the default pipelines. A pass without steps joins one only if another
	// step, or the goal, needs a property that it establishes.
	Steps []Step
	// When limits default pipelines to targets that need the pass; nil: all. WhenDoc says in words which.
	When    func(*Target) bool
	WhenDoc string

	// Creates lists the dialects of which the pass may create operations, types or attributes that its input does
	// not have.
	Creates []string
	// Tries says that the pass decides by Run.Trial. Where nothing follows it in a pipeline it changes nothing.
	Tries bool
	// Statistics are the counters that the pass adds to.
	Statistics []*Statistic
	// Uses lists the analyses that the pass asks for. Preserves those that stay valid although it changed the IR.
	Uses      []*Analysis
	Preserves []*Analysis

	// Prepare, when set, is called once before a pipeline runs, with the pass's options. What it returns is
	// Run.Prepared of all runs, which must not change it: a set of patterns, a table.
	Prepare func(c *ir.Context, options any) (any, error)
	// Run does the work.
	Run func(*Run) error
}

// An Edge orders a pass relative to another one in default pipelines.
type Edge struct {
	// Pass is the other pass by name, or one step of it as "name#label".
	Pass string
	// Reason completes "X runs after Y because ...". It is shown wherever the edge is.
	Reason string
}

// A Step is one place of a pass in the default pipelines.
type Step struct {
	// Label tells the steps of a pass apart: the step is called "name#label"; empty for a single one.
	Label string
	// Level is the level at which the step runs. It may be left out when the pass requires a level itself.
	Level *Property
	// On is the full name of the operation that the step runs on, of a pass that runs on any; empty: the unit of the
	// level.
	On string
	// MinOpt is the lowest optimisation level that has the step.
	MinOpt int
	// When limits the step to certain targets; nil: all.
	When func(*Target) bool
	// Options are the step's options as in a textual pipeline, "max-iterations=3".
	Options string
	// After and Before add to the edges of the pass.
	After, Before []Edge
}

// A Statistic is a counter of a pass.
type Statistic struct {
	Name string // kebab case
	Doc  string
}

// NewStatistic declares a counter, for Pass.Statistics.
func NewStatistic(name, doc string) *Statistic { return &Statistic{Name: name, Doc: doc} }

// Anything is Pass.On of a pass that requires a level, and runs on any operation.
const Anything = "*"

// Names returns the name of the pass, and those that it had before.
func (p *Pass) Names() []string { return append([]string{p.Name}, p.Formerly...) }

// Called reports whether name is the pass's, or was. Whoever compares a name that a user wrote asks this.
func (p *Pass) Called(name string) bool { return name == p.Name || slices.Contains(p.Formerly, name) }

// ID returns the name of a step of the pass: "name" or "name#label".
func (p *Pass) ID(s Step) string {
	if s.Label == "" {
		return p.Name
	}
	return p.Name + "#" + s.Label
}

// Level returns the level that the pass requires, or nil for a pass that runs at any level.
func (p *Pass) Level() *Property {
	for _, prop := range p.Requires {
		if prop.IsLevel() {
			return prop
		}
	}
	return nil
}

// TargetLevel returns the level that the pass establishes when it is a conversion, or nil.
func (p *Pass) TargetLevel() *Property {
	for _, prop := range p.Establishes {
		if prop.IsLevel() {
			return prop
		}
	}
	return nil
}

// Applies reports whether default pipelines for the target may contain the pass.
func (p *Pass) Applies(t *Target) bool { return p.When == nil || p.When(t) }

// DisplayTitle returns Title, or Name in camel case.
func (p *Pass) DisplayTitle() string {
	if p.Title != "" {
		return p.Title
	}
	title := ""
	for word := range strings.SplitSeq(p.Name, "-") {
		title += cmp.Or(spelled[word], strings.ToUpper(word[:1])+word[1:])
	}
	return title
}

// spelled has the words of names that are not spelled in camel case.
var spelled = map[string]string{"cse": "CSE", "cta": "CTA", "dce": "DCE", "fma": "FMA", "mma": "MMA", "nvvm": "NVVM", "ptx": "PTX", "tileaa": "TileAA", "tileas": "TileAS", "tmem": "TMEM"}

// EstablishesProperty reports whether prop is among the properties that the pass establishes.
func (p *Pass) EstablishesProperty(prop *Property) bool { return contains(p.Establishes, prop) }

// DestroysProperty reports whether prop may no longer hold after the pass.
func (p *Pass) DestroysProperty(prop *Property) bool {
	// A pass that breaks and restores a property keeps it.
	return contains(p.Destroys, prop) && !contains(p.Establishes, prop)
}

func contains(props []*Property, prop *Property) bool {
	for _, q := range props {
		if q == prop {
			return true
		}
	}
	return false
}
