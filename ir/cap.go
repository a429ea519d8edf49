package ir

import (
	"sort"
	"sync"
)

// A Cap is a typed slot through which generic code asks an operation for a capability, such as memory effects or
// folding, without naming its dialect.
//
// Declare one with NewCap in the package that defines the interface, attach an implementation to an operation's row
// with Is, and ask with Of. A query is an array read and a type assertion. A query that finds nothing must be answered
// with the safe assumption, which the capability's documentation states.
type Cap[I any] struct {
	slot int
	name string
}

// A CapImpl is one capability of an operation's row, made by Cap.Is.
type CapImpl struct {
	slot int
	impl any
}

// caps holds the names of the capabilities by slot.
var caps struct {
	sync.Mutex
	names []string
}

// NewCap declares a capability; call it once per capability, in a package-level variable.
func NewCap[I any](name string) *Cap[I] {
	caps.Lock()
	defer caps.Unlock()
	caps.names = append(caps.names, name)
	return &Cap[I]{slot: len(caps.names) - 1, name: name}
}

// Name returns the name that the reference pages use.
func (c *Cap[I]) Name() string { return c.name }

// Is pairs the capability with an implementation, for OpDef.Caps.
func (c *Cap[I]) Is(impl I) CapImpl { return CapImpl{c.slot, impl} }

// Of returns the operation's implementation of the capability.
func (c *Cap[I]) Of(op Op) (impl I, ok bool) { return c.OfDef(op.Def()) }

// Has reports whether the operation has the capability.
func (c *Cap[I]) Has(op Op) bool { _, ok := c.Of(op); return ok }

// OfDef is Of for an operation's definition.
func (c *Cap[I]) OfDef(def *OpDef) (impl I, ok bool) {
	if c.slot >= len(def.capTable) || def.capTable[c.slot] == nil {
		return impl, false
	}
	impl, ok = def.capTable[c.slot].(I)
	return impl, ok
}

// CapNames returns the names of the capabilities that a row has, sorted.
func (def *OpDef) CapNames() []string {
	caps.Lock()
	defer caps.Unlock()
	var out []string
	for slot, impl := range def.capTable {
		if impl != nil {
			out = append(out, caps.names[slot])
		}
	}
	sort.Strings(out)
	return out
}
