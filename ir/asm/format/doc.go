// Package format compiles the declarative assembly formats of operation rows.
//
//	$x `,` $y attr-dict `:` type($x)   ->   operand x, literal ',', operand y, dictionary, literal ':', type of x
//
// The parser reads an operation by the elements of a [Format], and the printer prints it by the same elements. This
// package knows neither. It rejects a format that does not say everything that an operation needs.
package format
