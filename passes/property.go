package passes

import (
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// A Property is a statement about the IR on which a pass can rely: that it is at a level, or that its tensors
// have layouts. It is a predicate over the IR and nothing else. What text claims of itself is never believed, and
// a pass that claims to establish a property is checked (see Check). Properties are compared by identity.
type Property struct {
	Name string // kebab case; a level is "level." and its name
	Doc  string // completes "the IR ..."

	at    *Property // the level that it is about; nil: any
	check Check

	level   string
	rank    int
	dialect string
	unit    string
}

// A Check decides whether the units of a level (its kernels) have a property. It has at least one of its two
// functions. Neither trusts attributes or panics: both see text that users wrote, as soon as the verifiers have
// accepted it.
type Check struct {
	// Unit looks at an entire unit, and returns the reason why it lacks the property, or nil.
	Unit func(unit ir.Op, t *Target) *ir.Diagnostic
	// Ops returns a function that is called with the unit and all operations in it, in text order. All properties
	// checked at one place share the walk, so this is the form for what one operation shows. It may return nil,
	// for nothing to look at.
	Ops func(unit ir.Op, t *Target) func(op ir.Op) *ir.Diagnostic
}

func (c Check) isZero() bool { return c.Unit == nil && c.Ops == nil }

var properties struct {
	sync.Mutex
	byName map[string]*Property
	// levelOf maps the dialects that make up levels to them. It is replaced, never changed, so that readers need no
	// lock for longer than to get it.
	levelOf map[string]*Property
}

// NewProperty declares a property of IR at a level (nil: at every level); call it once per property, in a
// package-level variable. A conversion away from the level ends it. It panics if the name is taken or malformed,
// since that is a mistake in the program.
func NewProperty(name, doc string, at *Property, check Check) *Property {
	return declare(&Property{Name: name, Doc: doc, at: at, check: check})
}

// NewLevel declares a level of the lowering: the property "level.NAME". rank orders the levels from the input (0)
// downwards; the operations of the level are those of the dialect. A pass that establishes a level thereby leaves the
// one before, unless dialect is empty: the result is then no IR. A level holds when no operation of another level's
// dialect is left.
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
	if p.dialect != "" {
		// A new map, since readers hold the old one without a lock.
		levels := map[string]*Property{p.dialect: p}
		for d, l := range properties.levelOf {
			levels[d] = l
		}
		properties.levelOf = levels
	}
	return p
}

// WithUnit sets the operation that is compiled on its own at a level, such as "cuda_tile.entry", and returns the
// level. Passes that run on any operation run on units, so units are processed in parallel. Without it they run
// on the outermost operation.
func (p *Property) WithUnit(op string) *Property {
	p.unit = op
	return p
}

// Formerly declares names that the property had before, and returns it. For one release PropertyNamed takes them for
// it, so that dumps of IR that have them are read. Like NewProperty it panics when a name is taken or malformed.
func (p *Property) Formerly(names ...string) *Property {
	properties.Lock()
	defer properties.Unlock()
	for _, name := range names {
		if !kebab(name) || properties.byName[name] != nil {
			panic(fmt.Sprintf("passes: former name %q of property %q is not in kebab case, or taken", name, p.Name))
		}
		properties.byName[name] = p
	}
	return p
}

// Unit returns what WithUnit set.
func (p *Property) Unit() string { return p.unit }

// PropertyNamed returns a declared property by its name or a former one, or a level by its short name ("tileaa");
// nil if there is none.
func PropertyNamed(name string) *Property {
	properties.Lock()
	defer properties.Unlock()
	if p := properties.byName[name]; p != nil {
		return p
	}
	return properties.byName["level."+name]
}

// LevelOf returns the level that is made up of the dialect's operations, or nil.
func LevelOf(dialect string) *Property { return levelsByDialect()[dialect] }

func levelsByDialect() map[string]*Property {
	properties.Lock()
	defer properties.Unlock()
	return properties.levelOf
}

// IsLevel reports whether the property is a level.
func (p *Property) IsLevel() bool { return p.level != "" }

// Level returns the name of the level ("tileaa"), or "".
func (p *Property) Level() string { return p.level }

// At returns the level that the property is about, or nil for one of every level. A level is about itself.
func (p *Property) At() *Property {
	if p.IsLevel() {
		return p
	}
	return p.at
}

// Rank returns the position of a level, 0 for the input.
func (p *Property) Rank() int { return p.rank }

// Dialect returns the name of the dialect whose operations make up the level; "" when it is none of ours.
func (p *Property) Dialect() string { return p.dialect }

// Checkable reports whether Holds can decide. Not checkable are levels that are not IR, and properties that tests
// declare without a check.
func (p *Property) Checkable() bool {
	if p.IsLevel() {
		return p.dialect != ""
	}
	return !p.check.isZero()
}

// Holds returns nil if op, and everything in it, has the property, and otherwise a diagnostic at the operation
// that violates it. A property that cannot be checked holds.
func (p *Property) Holds(op ir.Op, t *Target) *ir.Diagnostic {
	_, d := FirstBroken([]*Property{p}, op, t)
	return d
}

func (p *Property) String() string { return p.Name }
