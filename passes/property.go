package passes

import (
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// A Property is a statement about the IR that a pass can rely on: that it stands at a level, is canonical, has layouts.
// Properties are compared by identity.
type Property struct {
	Name string // kebab case; a level is "level." and its name
	Doc  string // completes "the IR ..."
	// Holds tells whether a piece of IR has the property, for input that no pass of this run made; nil: it cannot be told, and the
	// property counts as absent.
	Holds func(op ir.Op) bool

	level   string
	rank    int
	dialect string
	unit    string
}

var properties struct {
	sync.Mutex
	byName map[string]*Property
}

// NewProperty declares a property; call it once per property, in a package-level variable. It panics when the name is taken
// or malformed, since that is a fault of the program.
func NewProperty(name, doc string) *Property {
	return declare(&Property{Name: name, Doc: doc})
}

// NewLevel declares a level of the lowering: the property "level.NAME". rank orders the levels from the input (0) downwards; the
// operations of the level are those of the dialect. A pass that establishes a level thereby leaves the one before, unless dialect is
// empty: the result is then no IR.
func NewLevel(name, dialect string, rank int, doc string) *Property {
	return declare(&Property{Name: "level." + name, Doc: doc, level: name, rank: rank, dialect: dialect})
}

func declare(p *Property) *Property {
	properties.Lock()
	defer properties.Unlock()
	if properties.byName == nil {
		properties.byName = make(map[string]*Property)
	}
	if p.level == "" && !kebab(p.Name) {
		panic(fmt.Sprintf("passes: property name %q is not in kebab case", p.Name))
	}
	if p.Doc == "" {
		panic(fmt.Sprintf("passes: property %q has no documentation", p.Name))
	}
	if properties.byName[p.Name] != nil {
		panic(fmt.Sprintf("passes: property %q is declared twice", p.Name))
	}
	properties.byName[p.Name] = p
	return p
}

// WithCheck sets Holds and returns the property, for declarations.
func (p *Property) WithCheck(holds func(ir.Op) bool) *Property {
	p.Holds = holds
	return p
}

// WithUnit sets the operation that is compiled on its own at a level, as "cuda_tile.entry", and returns the level. Steps of passes that run on any
// operation are put there, so that units are processed in parallel; without it they run on the outermost operation.
func (p *Property) WithUnit(op string) *Property {
	p.unit = op
	return p
}

// Unit returns what WithUnit set.
func (p *Property) Unit() string { return p.unit }

// PropertyNamed returns a declared property by its name, or a level by its short name ("tileaa"); nil when there is none.
func PropertyNamed(name string) *Property {
	properties.Lock()
	defer properties.Unlock()
	if p := properties.byName[name]; p != nil {
		return p
	}
	return properties.byName["level."+name]
}

// IsLevel reports whether the property is a level.
func (p *Property) IsLevel() bool { return p.level != "" }

// Level returns the name of the level ("tileaa"), or "".
func (p *Property) Level() string { return p.level }

// Rank returns the position of a level, 0 for the input.
func (p *Property) Rank() int { return p.rank }

// Dialect returns the name of the dialect whose operations make up the level; "" when it is none of ours.
func (p *Property) Dialect() string { return p.dialect }

func (p *Property) String() string { return p.Name }
