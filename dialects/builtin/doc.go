// Package builtin is the dialect of what no other dialect owns: the module that a file stands for, and the cast that
// stands for a conversion yet to be done.
//
// builtin.module holds operations in order and is a symbol table:
//
//	module @name attributes {key = "value"} { ... }
//
// builtin.unrealized_conversion_cast relates values before and after a type conversion, while some of their users are
// converted and some are not:
//
//	%b = unrealized_conversion_cast %a : !old.type to !new.type
//
// Types and attributes that text spells without a dialect belong to package ir.
//
// Source: the Builtin dialect of MLIR (mlir.llvm.org/docs/Dialects/Builtin).
package builtin
