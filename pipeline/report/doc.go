// Package report writes what became of a kernel as one HTML file: source, the IR behind each pass, PTX and machine code side by side, with what came from the same place lit up together, differences between any two passes, remarks at
// their lines, times, counters and the graph of passes. The file needs no network and no other file.
//
// # Provenance
//
// A report compiles a copy of the module of its own. Before the first pass every operation of the copy gets a location that is its number, a label, in the place of its own one. Passes hand locations on to what they
// make, as they do for debug information, so that each line of each dump, and through .loc each line of PTX and each instruction, names the operations of the input that it came from. That is finer than lines of a source,
// works for modules without debug information, and needs nothing of the passes. What an operation's own location was is kept beside its label: so the lines of sources are columns too. An operation that a pass makes without a location, or with
// one of two that it merged, is shown with what it has.
//
// The code is the same as without labels, since no pass decides by locations; a test holds it to that.
//
// # The page
//
// Everything variable is one JSON value, compressed, in an element that is no script; the folder page holds what draws it, put together at build time by go:embed. Strings reach the page as text nodes only, control characters and marks that
// change the direction of text are spelled out before, and a content security policy admits the page's own script and nothing else.
package report
