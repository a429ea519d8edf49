// Package testprint holds the passes that show what analyses find, for their tests and for whoever wants to know why
// an access is narrow. As MLIR's passes of that kind do, they have names that start with test-print.
//
// Each prints the operation that it runs on, usually the module, with what is known of the results of an operation
// and of the arguments of its regions in a comment. The text still parses. tile-opt prints it in place of
// the IR:
//
//	$ tile-opt --test-print-integer-ranges k.mlir
//	...
//	  %x, %y, %z = get_tile_block_id : tile<i32> // %x: [0, 16777214]; %y: [0, 16777214]; %z: [0, 16777214]
package testprint
