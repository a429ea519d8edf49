// Package reference writes the reference pages under docs/reference:
//
//	dialects         from their rows, a page for each
//	passes           from their registrations
//	tools            from what they print for --help
//	PTX emulator     from its list of instructions
//
// A page repeats what is written elsewhere, and adds nothing. The row of an operation describes it. Its example is a
// file of its own under tests/suite/reference, which the suite runs; package tests compares it with the row. Effects
// are those of the operation in the example. The meaning of traits and capabilities is the comment at their
// declaration. The rest of this package is layout.
//
// The pages are checked in, for readers on GitHub, and a test fails when they differ from what this package makes.
package reference

//go:generate go run ./gen
