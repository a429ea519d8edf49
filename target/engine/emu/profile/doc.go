// Package profile makes reports of what package machine counted: by instruction, by source line, by unit of the SM, and
// in total. They are text or JSON. The page docs/profile.md says what each number is, and which document defines it.
//
// The machine counts and knows no instruction. The table of units, which does, is here.
package profile
