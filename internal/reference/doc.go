// Package reference writes the reference pages under docs/reference: a page for each dialect, made from its rows, one for the passes, made from
// their registrations, one for the tools, made from what they print for --help, and one for the PTX emulator, made from its list of instructions.
//
// Nothing is said here that something else does not say already. What an operation is stands in its row; its example is a file of its own under
// tests/suite/reference, which the suite runs and the tests of package tests hold to its row; effects are those that the operation in the example
// has; what traits and capabilities mean is the comment at their declaration. The rest of this package is layout.
//
// The pages are checked in, for readers on GitHub, and a test fails when they differ from what this package makes.
package reference

//go:generate go run ./gen
