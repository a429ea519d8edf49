// Package syntax parses and prints the operations of cuda_tile whose text a declarative format cannot express.
//
//	%tile, %tok = load_view_tko weak %view[%i, %j] : partition_view<...>, tile<i32> -> tile<64x32xf16>, token
//
// Here one index type stands for all indices. ParseX and PrintX are the hooks of a row, NameX its hooks for names of
// results and block arguments. The text and the errors of the parser are those of the reference tools.
package syntax
