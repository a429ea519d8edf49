// Package parser reads the text of the IR. Package asm describes the model; this package has these subjects:
//
//	parser.go             options, entry points, errors
//	tokens.go             ir.AsmParser's methods for single tokens
//	type.go, attr.go      types; attributes and locations, dictionaries
//	number.go             numbers with their types, dense constants
//	alias.go              #name = ..., !name = ..., and the bound on what aliases stand for
//	op.go, region.go      operations; regions, blocks and their arguments
//	opnames.go            which row a name means, and what to say when there is none
//	format*.go            operations with a declarative format
//	scope.go              names of values and blocks, uses before the definition
//	ahead.go, scan.go     isolated operations read by other goroutines
//	recover.go            reading on after an error, for editors
//	metadata.go           {-# ... #-}
//
// All of them are methods of one type, because hooks of dialects get it as an [ir.AsmParser] and call back into each
// subject.
package parser
