// Package tileaaprop declares the properties of level tileaa, each with its check.
package tileaaprop

import (
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	// ObjectsAttached: accesses say which memory they are about.
	ObjectsAttached = passes.NewProperty("objects-attached", "names the memory objects that every access may touch", property.TileAA, passes.Check{Unit: objectsAttached})
	// FactsAttached: what is known of addresses stands on the accesses.
	FactsAttached = passes.NewProperty("facts-attached", "has divisibility facts on every tiled access", property.TileAA, passes.Check{Ops: factsAttached})
)
