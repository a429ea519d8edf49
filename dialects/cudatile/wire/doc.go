// Package wire says how the bytecode of Tile IR encodes the types and attributes of cuda_tile.
//
//	tile<64x32xf16>     tag 13, type index of f16, count 2, 64, 32
//
// Types, attributes and debug attributes each have a table of rows by tag ([TypeRows], [AttrRows], [DebugRows]). An
// attribute of an operation is encoded as its kind says ([Form]). [FlagBits] numbers the optional fields of an
// operation. The numbers are frozen: a test compares the tables with the published description of the format. Package
// bytecode reads and writes by these tables.
package wire
