// Package profile makes reports of what package machine counted: by instruction, by line of the source that the PTX was made from, by unit of the SM, and in sum; as text and
// as JSON. docs/profile.md says what each number is and which document defines its like.
//
// The machine counts and knows no instruction; the table of units, which does, is here.
package profile
