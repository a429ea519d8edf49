// Package damage makes damaged copies of bytecode files, for comparing what readers make of them.
//
// A file is taken apart into a model (see container.go) in which every length, count and offset that the format can
// derive is derived again when it is put together. So a change can be local: a record taken out of a body leaves a
// file that is sound up to the operation that misses an operand. Other changes are made to the bytes, or to what is
// derived.
//
// A mutant is a function of the seed and its number alone, so that one of many can be reproduced.
//
// The model follows section 1, 3, 4 and 6 of the container's description in package bytecode, and shares no code with
// the reader, save that the reader says where the records of a body begin.
package damage
