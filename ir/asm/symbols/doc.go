// Package symbols keeps the names of values that are visible while a text is parsed.
//
//	%a = ...            Bind a
//	{ %b = ... }        Bind b; Forget it at the brace
//
// A [Table] belongs to one isolated operation. It knows nothing of text or of scopes: the parser says when names end.
package symbols
