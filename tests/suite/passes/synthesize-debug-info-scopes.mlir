// RUN: tile-opt %s --split-input-file --synthesize-debug-info-scopes --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tile-opt %s --split-input-file --synthesize-debug-info-scopes --synthesize-debug-info-scopes --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// STATS: 1 num-functions
// STATS-NEXT: 5 num-locations

// Positions that are there stay; what has none is where its function is, in the file and directory of that. A call counts where it is; names say
// nothing about a place. Globals have no scope.
// CHECK-LABEL: global @g
// CHECK-SAME: loc("g.py":1:1)
// CHECK: entry @k(
// CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src//k.py":2:3) in #cuda_tile.di_subprogram<file = #cuda_tile.di_file<"k.py" in "/src">, line = 7, name = "k", linkageName = "k", compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"m.py" in "/">>, scopeLine = 7>>)
// CHECK: muli {{.*}} loc(#cuda_tile.di_loc<loc("call.py":8:1) in #cuda_tile.di_subprogram<{{.*}}line = 7
// CHECK: subi {{.*}} loc(#cuda_tile.di_loc<loc("/src//k.py":7:1) in #cuda_tile.di_subprogram<{{.*}}line = 7
// CHECK: return loc(#cuda_tile.di_loc<loc("/src//k.py":7:1) in
// CHECK-NEXT: } loc(#cuda_tile.di_loc<loc("/src//k.py":7:1) in
// CHECK-NEXT: } loc("/m.py":1:1)
cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc("g.py":1:1)
  entry @k(%a: tile<i32>) {
    %b = addi %a, %a : tile<i32> loc("name"("/src//k.py":2:3))
    %c = muli %a, %a : tile<i32> loc(callsite("callee.py":1:1 at "call.py":8:1))
    %d = subi %a, %a : tile<i32> loc(fused["name"("other.py":1:1), unknown])
    return loc(unknown)
  } loc(fused[unknown, "/src//k.py":7:1])
} loc("/m.py":1:1)

// -----

// STATS: 1 num-functions
// A function that has a scope keeps it, and its operations what they have; another one in a module without a place begins at line 1.
// CHECK-LABEL: entry @has()
// CHECK: return loc("k.py":9:1)
// CHECK-NEXT: } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #cuda_tile.di_subprogram<file = #cuda_tile.di_file<"k.py" in "/d">, line = 3, name = "f", linkageName = "has", compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"k.py" in "/d">>>>)
// CHECK: entry @none()
// CHECK: return loc(#cuda_tile.di_loc<loc("<unknown>":1:1) in #cuda_tile.di_subprogram<file = #cuda_tile.di_file<"<unknown>" in "">, line = 1, name = "none"
#file = #cuda_tile.di_file<"k.py" in "/d">
#unit = #cuda_tile.di_compile_unit<file = #file>
#fn = #cuda_tile.di_subprogram<file = #file, line = 3, name = "f", linkageName = "has", compileUnit = #unit>
cuda_tile.module @m {
  entry @has() {
    return loc("k.py":9:1)
  } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #fn>)
  entry @none() {
    return loc(unknown)
  } loc(unknown)
} loc(unknown)

// -----

// A module whose region has no block.
// STATS: 0 num-functions
// CHECK-LABEL: cuda_tile.module @empty
"cuda_tile.module"() ({}) {sym_name = "empty"} : () -> ()
