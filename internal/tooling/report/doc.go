// Package report writes the compilation of a kernel as one HTML file. It shows source, the IR after each pass, PTX and
// machine code side by side, and highlights what came from the same place. It also shows differences between any two
// passes, remarks at their lines, times, counters and the graph of passes. The file needs no network and no other
// file.
//
// # Provenance
//
// A report compiles a copy of the module of its own. Before the first pass the location of every operation of the copy
// is replaced by a label, its number. Passes hand locations on to what they make, as they do for debug information. So
// each line of each dump, and through .loc each line of PTX and each instruction, names the operations of the input
// that it came from. That is finer than lines of a source, works for modules without debug information, and needs
// nothing of the passes. The original location of an operation is kept beside its label: so the lines of sources are
// columns too. An operation that a pass makes without a location, or with one of two that it merged, is shown with
// what it has.
//
// The code is the same as without labels, since no pass decides by locations; a test holds it to that.
//
// # The page
//
// Everything variable is one JSON value, compressed, in an element that is no script. The folder page holds what draws
// it, put together at build time by go:embed. Strings reach the page as text nodes only. Control characters and marks
// that change the direction of text are spelled out before. A content security policy admits the page's own script and
// nothing else.
package report
