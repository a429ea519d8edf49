// Package lsp is a language server for the text of Tile IR, of all levels: what is wrong with a file as it is typed, what a value is and what is
// known about it, where names are defined and used, an outline, formatting, and the names of operations.
//
// # Model
//
// The connection is read by one goroutine, which applies edits in their order; requests are answered on goroutines of their own, from
// the snapshot of the document that was there when they came. Each edit makes a snapshot, which is analysed in the background: read by the parser that goes on
// behind errors ([asm.ParseIndexed]), and verified where it has none. An edit cancels the analysis of the snapshot before it, and waits for it to end, so
// that there is one analysis of a document at a time. Facts about values (ranges, divisibility) are computed when somebody first
// asks, for the kernel that was asked about.
//
// Files with several inputs, as tests have them, are analysed input by input.
//
// # Bounds
//
// What a client sends is input like any other: the size of a message, of a document and of a header have bounds, as have the number of
// documents, of requests at a time and of errors that are shown; a message that is no JSON is answered and passed over.
//
// Source: the Language Server Protocol, version 3.17.
package lsp
