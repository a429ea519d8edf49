// Package lsp is a language server for the text of Tile IR, of all levels. It shows what is wrong with a file as it is
// typed, what a value is and what is known about it, and where names are defined and used. It also has an outline,
// formatting, and completion of the names of operations.
//
// # Model
//
// One goroutine reads the connection and applies edits in their order. Requests are answered on goroutines of their
// own, from the snapshot of the document that was there when they came. Each edit makes a snapshot, which is analysed
// in the background: read by the parser that goes on after errors ([asm.ParseIndexed]), and verified where it has
// none. An edit cancels the analysis of the snapshot before it, and waits for it to end. So there is one analysis of a
// document at a time. Facts about values (ranges, divisibility) are computed when somebody first asks, for the kernel
// that was asked about.
//
// Files with several inputs, as tests have them, are analysed input by input.
//
// # Bounds
//
// What a client sends is input like any other. The size of a message, of a document and of a header have bounds. So
// have the number of documents, of requests at a time and of errors that are shown. A message that is no JSON is
// answered and passed over.
//
// Source: the Language Server Protocol, version 3.17.
package lsp
