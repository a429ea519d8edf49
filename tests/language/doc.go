// Package language tests the text and the bytecode of every dialect's operations.
//
// What is printed must read back as the same module, in text, in generic form and in bytecode. Every row of a dialect
// must have a round trip and a rejected form in tests/suite. A changed operation must be rejected by the verifier or
// come back unchanged.
package language
