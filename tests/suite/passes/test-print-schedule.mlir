// RUN: tile-opt %s --print-schedule --gpu-name=sm_80 | FileCheck %s --check-prefix=TABLE
// RUN: tile-opt %s --print-schedule=svg --gpu-name=sm_80 | FileCheck %s --check-prefix=SVG
// RUN: tile-opt %s --print-ddg --gpu-name=sm_80 | FileCheck %s --check-prefix=DDG
// RUN: tile-opt %s --print-ddg=dot --gpu-name=sm_80 | FileCheck %s --check-prefix=DOT
// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_80 | tile-opt --test-print-schedule --gpu-name=sm_80 | FileCheck %s --check-prefix=TABLE
// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_80 | tile-opt --test-print-ddg=format=dot --gpu-name=sm_80 | FileCheck %s --check-prefix=DOT
// RUN: tile-opt %s --print-schedule --schedule=exact --gpu-name=sm_80 | FileCheck %s --check-prefix=TABLE
// RUN: tile-opt %s --print-schedule --schedule=serial --gpu-name=sm_80 | FileCheck %s --check-prefix=TABLE
// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_80 | tile-opt --test-print-schedule=rows=4 --gpu-name=sm_80 | FileCheck %s --check-prefix=FOUR
// RUN: not tile-opt %s --test-print-schedule=rows=-1 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tile-opt %s --print-schedule=dot 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tile-opt %s --test-print-ddg=format=png 2>&1 | FileCheck %s --check-prefix=PNG
// RUN: tile-opt %s --test-print-ddg | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-opt %s --print-ddg --lower-to=ptx 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tile-opt %s --cse --schedule=exact 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not tile-opt %s --print-schedule --schedule=best 2>&1 | FileCheck %s --check-prefix=NONE

// The steady state has the loads of the next iteration beside the arithmetic of this one; an operation that ends a turn goes on at the head of the next.
// TABLE: loop in @rows
// TABLE-NEXT: II {{ *}}{{[0-9]+}} cycles ({{[0-9]+}} units of {{[0-9]+}}); lower bound {{[0-9]+}}: unit {{[a-z]+}} is busy for {{[0-9]+}} cycles
// TABLE-NEXT: stages {{ *}}2; prefetch distance 1, 1 iteration computes at a time
// TABLE-NEXT: shared memory {{ *}}0 of {{[0-9]+}} bytes
// TABLE-NEXT: registers {{ *}}{{[0-9]+}} of {{[0-9]+}} for tensors of the steady state
// TABLE: cycle | issue {{.*}}| global
// TABLE-NEXT: ------+
// TABLE-NEXT: 0 | tiled_load#[[L:[0-9]+]] s0 {{.*}}| tiled_load#[[L]] s0
// TABLE: | muli#{{[0-9]+}} s1
// TABLE: loop in @rows: has no schedule (--remarks says why)

// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG: prefers-color-scheme:dark
// SVG: >loop in @rows</text>
// SVG: <title>tiled_load#{{[0-9]+}}, stage 0: from cycle 0 of its iteration on</title><rect class="bar s0"
// SVG: <title>muli#{{[0-9]+}}, stage 1: from cycle
// SVG: >stage 0: iteration i</text>
// SVG: >loop in @rows: has no schedule (--remarks says why)</text>
// SVG: </svg>

// DDG: loop in @rows: {{[0-9]+}} operations, {{[0-9]+}} dependences
// DDG-NEXT: extsi#{{[0-9]+}}: floating, latency
// DDG: tiled_load#[[L:[0-9]+]]: ahead, latency {{[0-9]+}}, {{.*}}global {{[0-9]+}}
// DDG-NEXT: -> addi#[[A:[0-9]+]]: flow, latency
// DDG: muli#[[M:[0-9]+]]: compute, latency
// DDG: addi#[[A]]: compute
// DDG-NEXT: -> muli#[[M]]: flow, latency {{[0-9]+}}, 1 iterations later

// DOT: digraph dependences {
// DOT: subgraph cluster_0 {
// DOT-NEXT: label="loop in @rows";
// DOT: n0_[[L:[0-9]+]] [label="tiled_load#[[L]]\nahead, latency
// DOT: n0_[[L]] -> n0_{{[0-9]+}} [label="flow, latency {{[0-9]+}}", style=solid];
// DOT: label="flow, latency {{[0-9]+}}, 1 iterations later", style=solid, constraint=false
// DOT: }

// Four rows, at equal distances.
// FOUR: cycle | issue
// FOUR-NEXT: ------+
// FOUR-NEXT: 0 | tiled_load#{{[0-9]+}} s0
// FOUR-NEXT: {{^ *[0-9]+}} |
// FOUR-NEXT: {{^ *[0-9]+}} |
// FOUR-NEXT: {{^ *[0-9]+}} | addi#{{[0-9]+}} s1
// ROWS: option rows must not be negative, but is -1
// FORMAT: --print-schedule must be text, svg, but got 'dot'
// PNG: error: {{.*}}format must be text or dot, but is 'png'
// EMPTY: no loops at nv_tileas
// BOTH: --lower-to cannot be combined with --print-ddg
// PLACE: --schedule is for --lower-to, --print-ddg and --print-schedule; a pipeline names the scheduler as an option of tileas-schedule-loops
// NONE: unknown scheduler 'best'; schedulers:
cuda_tile.module @m {
  entry @rows(%pa: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<i32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <i32: 1> : tile<1x512xi32>
    %three = constant <i32: 3> : tile<1x512xi32>
    %v = make_tensor_view %a, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xi32, strides=[512,1]>
    %p = make_partition_view %v : partition_view<tile=(1x512), tensor_view<64x512xi32, strides=[512,1]>>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<1x512xi32>) {
      %t, %k = load_view_tko weak %p[%i, %zero] : partition_view<tile=(1x512), tensor_view<64x512xi32, strides=[512,1]>>, tile<i32> -> tile<1x512xi32>, token
      %m = muli %acc, %three : tile<1x512xi32>
      %s = addi %m, %t : tile<1x512xi32>
      continue %s : tile<1x512xi32>
    }
    // Each iteration loads where the one before has found.
    %at = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%c = %zero) -> (tile<i32>) {
      %q = offset %a, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %x, %k = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
      continue %x : tile<i32>
    }
    %o = make_tensor_view %out, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xi32, strides=[512,1]>
    %w = make_partition_view %o : partition_view<tile=(1x512), tensor_view<64x512xi32, strides=[512,1]>>
    %row = andi %at, %one : tile<i32>
    %d = store_view_tko weak %r, %w[%row, %zero] : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<64x512xi32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
