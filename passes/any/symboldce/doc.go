// Package symboldce erases symbols that nothing refers to.
//
// # Model
//
// What can be reached from outside is alive: every operation of the symbol table that is no symbol, and every symbol
// that is not private. What the attributes of something alive refer to is alive too, with the symbol tables on the
// way. A reference in something dead does not count, so private symbols that only use each other are erased together.
// Symbol tables inside are handled in the same run.
//
// Which symbols are private is a capability, ir.PrivateSymbol; one without it is public. In Tile IR
// these are the globals that are declared private: entries are launched, and public globals accessed, by the host.
// References are searched in the tables from the inside outwards.
//
// # Source
//
// MLIR's symbol-dce (mlir.llvm.org/docs/SymbolsAndSymbolTables); Tile IR specification 13.3, global, on visibility.
package symboldce
