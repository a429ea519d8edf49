// Package translatetool is the tool tile-translate as a library. It converts between Tile IR bytecode and text, shows
// what a bytecode file holds, and checks that both forms say the same.
//
// Exactly one action is named on the command line. An action that wants a module takes text and bytecode. So
// --mlir-to-cudatilebc on bytecode writes it for another version. With --split-input-file the parts of a text are
// translated one by one, each in a context of its own, and the results follow each other.
//
// # Source
//
// The actions and flags are those of cuda-tile-translate in NVIDIA/cuda-tile, and --disassemble prints what the
// vendor's disassembler does.
package translatetool
