// Package bytecode reads and writes the container of Tile IR: the file that front ends hand to the compiler.
//
// # The file
//
//	magic, version, sections in any order, end marker
//
//	string, type, constant   tables of entries that everything else refers to by index
//	function                 one record per kernel; its body is a list of operation records,
//	                         with values numbered as they appear
//	global, producer         constant arrays; the name of the tool that wrote the file
//	debug                    debug attributes, and for each function one reference per operation
//
// The records of operations have no tags, lengths or names: what follows an opcode is known only from the operation's
// row in the table of package cudatile. So one decoder, made from the rows (see plan.go), reads all operations of all
// versions, and a new operation needs no code here.
//
// # Reading
//
// Open checks the frame and reads the tables. Malformed types and debug attributes are errors only where they are
// used, since the format allows unused entries to be garbage. Bodies are decoded when they are asked for, several at a
// time. The result is a cuda_tile.module that has the shape its rows say, but is not verified otherwise: ir.Verify is
// up to the caller.
//
// # Damaged input
//
// Every count is checked against the bytes that are left, references against the tables, and nesting against limits. A
// small file could use shared constants and strings to make a large module; a budget proportional to the file bounds
// that. Errors say the section and the offset in the file. Inside the package an error unwinds with a panic of type
// *Error, which the exported functions turn into a result.
//
// # Source
//
// The layout is that of the public reader and writer in NVIDIA/cuda-tile (13.3). What later versions add was learned
// from files of the released producer and from how the released tools accept them.
package bytecode
