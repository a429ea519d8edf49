// Package printer writes the text of the IR. Package asm describes the model; this package has these subjects:
//
//	printer.go            options, entry points, ir.AsmPrinter's methods for text
//	attr.go, memo.go      types, attributes and locations; the memo of types' texts
//	alias.go              which attributes and locations get an alias, and where it is printed
//	op.go                 operations, regions and blocks
//	row.go, format.go     what is known of a row; operations with a declarative format
//	stream.go             pieces printed by workers and written in order
//	metadata.go           {-# ... #-}
//
// All of them are methods of one type, because hooks of dialects get it as an [ir.AsmPrinter].
package printer
