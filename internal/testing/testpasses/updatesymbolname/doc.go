// Package updatesymbolname has a pass for tests that renames a symbol together with the debug information that names
// it. It has the name and the options that the reference's own tests use. No tool links it; tests that import the
// package add it to the default registry.
//
// # Model
//
// The debug location of a function refers to a subprogram, whose linkage name must be the function's symbol. So a new
// symbol needs a new subprogram. Attributes are values, so everything that holds the old subprogram, however deep, is
// rebuilt: debug locations, lexical blocks, fused, named and call-site locations, arrays and dictionaries. That
// happens in a scope, the module or an operation that encloses the symbol. The name that the source gives the function
// stays.
//
// References to the symbol are followed on demand. They resolve in the symbol table that defines it, so those in
// tables nested in it mean something else and stay, as do references from outside of the table. Types are not looked
// into: none of the dialects' types can hold a symbol or a subprogram.
//
// # Source
//
// The test pass of that name in NVIDIA's cuda-tile repository (test/lib/TestPasses.cpp) with the function that it
// tests (TransformsUtils.cpp). mlir.llvm.org/docs/SymbolsAndSymbolTables says where a reference resolves.
package updatesymbolname
