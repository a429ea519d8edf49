// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.5 %s | tile-translate --disassemble -g | FileCheck %s
// RUN: not tile-translate --mlir-to-cudatilebc --bytecode-version=13.4 %s -o %t 2>&1 | FileCheck %s --check-prefix=OLD

// A function that is declared and not defined says so. Other flags are unknown to the tools 13.5.
// CHECK: #di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 3, name = "k", linkageName = "k", compileUnit = #di_compile_unit, scopeLine = 4, flags = declaration>
// OLD: requires bytecode version 13.5, targeting 13.4
#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit, flags = declaration, scopeLine = 4>
cuda_tile.module @m {
  entry @k() {
    return loc(#cuda_tile.di_loc<loc("k.py":5:7) in #f>)
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #f>)
}
