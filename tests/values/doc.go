// Package values tests single operations on single elements and on small shapes.
//
// The folder, the interpreter and a reference with exact arithmetic (reference.jsonl.gz) must agree for every
// operation, element type, attribute and edge value.
package values
