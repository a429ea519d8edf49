// Package confirm is the command tile confirm: it asks a GPU, through its driver alone, whether the emulator and the
// model of the machine are right, and writes the answers as JSON. docs/confirm.md is its manual.
package confirm
