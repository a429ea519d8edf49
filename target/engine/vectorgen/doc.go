// Package vectorgen writes the vector kernels of the interpreter and the emulator, by avo.
//
//	TILEWRIGHT_UPDATE=1 go test ./target/engine/vectorgen
//
// The package has no code outside its tests: so the assembly depends on avo, and no program does. Without the variable
// the test says which file is not what would be written.
package vectorgen
