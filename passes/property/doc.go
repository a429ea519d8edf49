// Package property declares the levels of the lowering, and the one property that belongs to none of them. The
// packages tileaaprop, tileasprop and nvvmprop declare the properties of one level each.
//
// For example, a pass that reads layouts says
//
//	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned}
//
// No pass owns a property: a pass that needs one does not import the pass that establishes it. A pass of one level
// does not import the properties of another.
//
// A property is a predicate over the IR and nothing else. The pass manager runs its check after the pass that
// establishes it and after each pass that must keep it. So the pass that breaks something is named, and not a
// later pass that fails. tile-opt checks the same of text that it reads. Anyone may have written that text. So a
// check trusts no attribute, answers "no" for an unknown operation, and returns a diagnostic at the operation
// instead of a panic.
//
// A check states what later passes rely on, not what the establishing pass does. Shared code would hide a mistake
// of the pass. Both share analyses (passes/analysis) and the meaning of operations and layouts (dialects).
//
// # Adding one
//
// A property is one variable, with its check next to it. Name it in Establishes of the pass that makes it true,
// in Requires of the passes that need it, and in Destroys of every pass that may break it. A plant in
// tests/plants shows that a pass which lies about it is named.
package property
