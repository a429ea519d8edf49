// RUN: run-tileas --gpu-name=sm_89 \
// RUN:   --passes=tileas-legalize-dot,tileas-assign-layouts,tileas-legalize-atomics,tileas-legalize-reduce,tileas-materialize-convert-layout \
// RUN:   --arg=i32[1024] --print %s | FileCheck --match-full-lines %s

// An MMA of f8 with K = 16 and an accumulator of f16 has an instruction of its own. Each element is 16 * 1.5 * 2 + 1.

// CHECK-COUNT-64: 49 49 49 49 49 49 49 49 49 49 49 49 49 49 49 49
// CHECK-NOT: {{.}}

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %n32 = arith.constant 32 : i64
  %l = arith.constant dense<1.5> : tensor<32x16xf8E5M2>
  %r = arith.constant dense<2.0> : tensor<16x32xf8E5M2>
  %c = arith.constant dense<1.0> : tensor<32x32xf16>
  %d = nv_tileas.dot %l, %r, %c : tensor<32x16xf8E5M2>, tensor<16x32xf8E5M2> -> tensor<32x32xf16>
  %i = arith.fptosi %d : tensor<32x32xf16> to tensor<32x32xi32>
  %done = nv_tileas.tiled_store %i, %q[%zero, %zero] sizes [%n32, %n32] strides [%n32, %unit] {bounds = array<i1: true, true>} : tensor<32x32xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
