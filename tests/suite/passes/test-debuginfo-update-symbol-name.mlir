// RUN: tile-opt %s --test-debuginfo-update-symbol-name="symbol-to-rename=k::f new-name=h update-uses=true" --mlir-print-debuginfo | FileCheck %s
// RUN: tile-opt %s --test-debuginfo-update-symbol-name="symbol-to-rename=k::f new-name=h scope=k" --mlir-print-debuginfo | FileCheck %s --check-prefix=SCOPE
// RUN: tile-opt %s --test-debuginfo-update-symbol-name="symbol-to-rename=k::table new-name=data update-uses=true" | FileCheck %s --check-prefix=GLOBAL
// RUN: tile-opt %s --test-debuginfo-update-symbol-name="symbol-to-rename=k::f new-name=f" --mlir-print-debuginfo | FileCheck %s --check-prefix=SAME

// The subprogram is another one in all that holds it, however deep; that of another function is not. References follow where they resolve in the table that
// defines the symbol: not on the table itself, not behind another name, and not in a table inside it.
// CHECK-DAG: #[[FN:di_subprogram[0-9]*]] = #cuda_tile.di_subprogram<{{.*}} name = "f", linkageName = "h", compileUnit = #{{.*}}, scopeLine = 4>
// CHECK-DAG: #[[OTHER:di_subprogram[0-9]*]] = #cuda_tile.di_subprogram<{{.*}} name = "g", linkageName = "g"
// CHECK-DAG: #[[OUTER:di_lexical_block[0-9]*]] = #cuda_tile.di_lexical_block<scope = #[[FN]], {{.*}}line = 4, column = 5>
// CHECK-DAG: #[[INNER:di_lexical_block[0-9]*]] = #cuda_tile.di_lexical_block<scope = #[[OUTER]], {{.*}}line = 6>
// CHECK: module attributes {x.fn = #[[FN]]}
// CHECK-NEXT: cuda_tile.module @k attributes {x.list = [#[[FN]], {a = #[[INNER]]}, @f, #[[OTHER]]]}
// CHECK: entry @h()
// CHECK-NEXT: constant <i32: 1> {{.*}} loc(#[[A:loc[0-9]+]])
// CHECK-NEXT: constant <i32: 2> {{.*}} loc(#[[B:loc[0-9]+]])
// CHECK-NEXT: constant <i32: 3> {{.*}} loc(#[[C:loc[0-9]+]])
// CHECK: entry @g()
// CHECK: return {x.ref = @h, x.refs = [@h::@x, @k::@f]}
// CHECK: module @inside attributes {x.ref = @h}
// CHECK-NEXT: module attributes {x.ref = @f}
// CHECK-DAG: #[[A]] = #cuda_tile.di_loc<#{{.*}} in #[[INNER]]>
// CHECK-DAG: #[[IN_NAME:loc[0-9]+]] = #cuda_tile.di_loc<#{{.*}} in #[[OUTER]]>
// CHECK-DAG: #[[NAME:loc[0-9]+]] = loc("n"(#[[IN_NAME]]))
// CHECK-DAG: #[[B]] = loc(fused<#[[FN]]>[#[[NAME]], #{{.*}}])
// CHECK-DAG: #[[C]] = loc(callsite(#[[CALLEE:.*]] at #[[CALLER:.*]]))
// CHECK-DAG: #[[CALLEE]] = #cuda_tile.di_loc<#{{.*}} in #[[OTHER]]>
// CHECK-DAG: #[[CALLER]] = #cuda_tile.di_loc<#{{.*}} in #[[FN]]>
// CHECK-NOT: linkageName = "f"

// What is around the scope keeps the old subprogram; the attributes of the scope itself do not. References stay.
// SCOPE-DAG: #[[OLD:di_subprogram[0-9]*]] = #cuda_tile.di_subprogram<{{.*}} linkageName = "f"
// SCOPE-DAG: #[[NEW:di_subprogram[0-9]*]] = #cuda_tile.di_subprogram<{{.*}} linkageName = "h"
// SCOPE: module attributes {x.fn = #[[OLD]]}
// SCOPE-NEXT: cuda_tile.module @k attributes {x.list = [#[[NEW]],
// SCOPE: entry @h()
// SCOPE: return {x.ref = @f, x.refs = [@f::@x, @k::@f]}

// A symbol without a debug location is only renamed.
// GLOBAL: global @data
// GLOBAL: get_global @data

// SAME: linkageName = "f"
// SAME: entry @f()

#file = #cuda_tile.di_file<"k.py" in "/d">
#unit = #cuda_tile.di_compile_unit<file = #file>
#fn = #cuda_tile.di_subprogram<file = #file, line = 3, name = "f", linkageName = "f", compileUnit = #unit, scopeLine = 4>
#other = #cuda_tile.di_subprogram<file = #file, line = 3, name = "g", linkageName = "g", compileUnit = #unit>
#outer = #cuda_tile.di_lexical_block<scope = #fn, file = #file, line = 4, column = 5>
#inner = #cuda_tile.di_lexical_block<scope = #outer, file = #file, line = 6>
module attributes {x.fn = #fn} {
  cuda_tile.module @k attributes {x.list = [#fn, {a = #inner}, @f, #other]} {
    global @table <i32: 1> : tile<1xi32>
    entry @f() {
      %a = constant <i32: 1> : tile<i32> loc(#cuda_tile.di_loc<loc("k.py":5:1) in #inner>)
      %b = constant <i32: 2> : tile<i32> loc(fused<#fn>["n"(#cuda_tile.di_loc<loc("k.py":5:1) in #outer>), "k.py":1:1])
      %c = constant <i32: 3> : tile<i32> loc(callsite(#cuda_tile.di_loc<loc("k.py":5:1) in #other> at #cuda_tile.di_loc<loc("k.py":6:1) in #fn>))
      return
    } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #fn>)
    entry @g() {
      %p = get_global @table : tile<ptr<i32>>
      return {x.ref = @f, x.refs = [@f::@x, @k::@f]}
    } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #other>)
    builtin.module @inside attributes {x.ref = @f} {
      builtin.module attributes {x.ref = @f} {
      }
    }
  }
}
