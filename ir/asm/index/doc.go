// Package index says what stands where in a text, for editors: operations, and the names of values and blocks.
//
// The parser fills a [Builder] while it reads. A client asks the [Index] that comes out.
package index
