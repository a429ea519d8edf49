// RUN: tile-opt %s --nvvm-relax-occupancy 2>&1 | FileCheck %s

// 62 words are live at once. With two CTAs on an SM, a thread has 32 registers; with one it has 64.
// CHECK: warning: hint 'occupancy = 2' of kernel 'crowded' is not followed, and 1 is taken instead: of 2 CTAs on an SM, each thread has 32 registers for
// CHECK: module {
// CHECK-NEXT: nvvm.func @crowded
// CHECK-SAME: occupancy = 1{{.*}}nvvm.maxnreg = 64
nvvm.func @crowded(%p: !nvvm.ptr<1>) attributes {nvvm.maxnreg = 32 : i32, nvvm.reqntid = array<i32: 1024>, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %v0 = nvvm.ld %p + 0 : !nvvm.ptr<1> -> i64
  %v1 = nvvm.ld %p + 8 : !nvvm.ptr<1> -> i64
  %v2 = nvvm.ld %p + 16 : !nvvm.ptr<1> -> i64
  %v3 = nvvm.ld %p + 24 : !nvvm.ptr<1> -> i64
  %v4 = nvvm.ld %p + 32 : !nvvm.ptr<1> -> i64
  %v5 = nvvm.ld %p + 40 : !nvvm.ptr<1> -> i64
  %v6 = nvvm.ld %p + 48 : !nvvm.ptr<1> -> i64
  %v7 = nvvm.ld %p + 56 : !nvvm.ptr<1> -> i64
  %v8 = nvvm.ld %p + 64 : !nvvm.ptr<1> -> i64
  %v9 = nvvm.ld %p + 72 : !nvvm.ptr<1> -> i64
  %v10 = nvvm.ld %p + 80 : !nvvm.ptr<1> -> i64
  %v11 = nvvm.ld %p + 88 : !nvvm.ptr<1> -> i64
  %v12 = nvvm.ld %p + 96 : !nvvm.ptr<1> -> i64
  %v13 = nvvm.ld %p + 104 : !nvvm.ptr<1> -> i64
  %v14 = nvvm.ld %p + 112 : !nvvm.ptr<1> -> i64
  %v15 = nvvm.ld %p + 120 : !nvvm.ptr<1> -> i64
  %v16 = nvvm.ld %p + 128 : !nvvm.ptr<1> -> i64
  %v17 = nvvm.ld %p + 136 : !nvvm.ptr<1> -> i64
  %v18 = nvvm.ld %p + 144 : !nvvm.ptr<1> -> i64
  %v19 = nvvm.ld %p + 152 : !nvvm.ptr<1> -> i64
  %v20 = nvvm.ld %p + 160 : !nvvm.ptr<1> -> i64
  %v21 = nvvm.ld %p + 168 : !nvvm.ptr<1> -> i64
  %v22 = nvvm.ld %p + 176 : !nvvm.ptr<1> -> i64
  %v23 = nvvm.ld %p + 184 : !nvvm.ptr<1> -> i64
  %v24 = nvvm.ld %p + 192 : !nvvm.ptr<1> -> i64
  %v25 = nvvm.ld %p + 200 : !nvvm.ptr<1> -> i64
  %v26 = nvvm.ld %p + 208 : !nvvm.ptr<1> -> i64
  %v27 = nvvm.ld %p + 216 : !nvvm.ptr<1> -> i64
  %v28 = nvvm.ld %p + 224 : !nvvm.ptr<1> -> i64
  %v29 = nvvm.ld %p + 232 : !nvvm.ptr<1> -> i64
  nvvm.st %p + 0, %v29 : !nvvm.ptr<1>, i64
  nvvm.st %p + 8, %v28 : !nvvm.ptr<1>, i64
  nvvm.st %p + 16, %v27 : !nvvm.ptr<1>, i64
  nvvm.st %p + 24, %v26 : !nvvm.ptr<1>, i64
  nvvm.st %p + 32, %v25 : !nvvm.ptr<1>, i64
  nvvm.st %p + 40, %v24 : !nvvm.ptr<1>, i64
  nvvm.st %p + 48, %v23 : !nvvm.ptr<1>, i64
  nvvm.st %p + 56, %v22 : !nvvm.ptr<1>, i64
  nvvm.st %p + 64, %v21 : !nvvm.ptr<1>, i64
  nvvm.st %p + 72, %v20 : !nvvm.ptr<1>, i64
  nvvm.st %p + 80, %v19 : !nvvm.ptr<1>, i64
  nvvm.st %p + 88, %v18 : !nvvm.ptr<1>, i64
  nvvm.st %p + 96, %v17 : !nvvm.ptr<1>, i64
  nvvm.st %p + 104, %v16 : !nvvm.ptr<1>, i64
  nvvm.st %p + 112, %v15 : !nvvm.ptr<1>, i64
  nvvm.st %p + 120, %v14 : !nvvm.ptr<1>, i64
  nvvm.st %p + 128, %v13 : !nvvm.ptr<1>, i64
  nvvm.st %p + 136, %v12 : !nvvm.ptr<1>, i64
  nvvm.st %p + 144, %v11 : !nvvm.ptr<1>, i64
  nvvm.st %p + 152, %v10 : !nvvm.ptr<1>, i64
  nvvm.st %p + 160, %v9 : !nvvm.ptr<1>, i64
  nvvm.st %p + 168, %v8 : !nvvm.ptr<1>, i64
  nvvm.st %p + 176, %v7 : !nvvm.ptr<1>, i64
  nvvm.st %p + 184, %v6 : !nvvm.ptr<1>, i64
  nvvm.st %p + 192, %v5 : !nvvm.ptr<1>, i64
  nvvm.st %p + 200, %v4 : !nvvm.ptr<1>, i64
  nvvm.st %p + 208, %v3 : !nvvm.ptr<1>, i64
  nvvm.st %p + 216, %v2 : !nvvm.ptr<1>, i64
  nvvm.st %p + 224, %v1 : !nvvm.ptr<1>, i64
  nvvm.st %p + 232, %v0 : !nvvm.ptr<1>, i64
  nvvm.return
}

// 21 words fit.
// CHECK-LABEL: nvvm.func @unchanged_fits
// CHECK-SAME: occupancy = 2{{.*}}nvvm.maxnreg = 32
nvvm.func @unchanged_fits(%p: !nvvm.ptr<1>) attributes {nvvm.maxnreg = 32 : i32, nvvm.reqntid = array<i32: 1024>, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %v0 = nvvm.ld %p + 0 : !nvvm.ptr<1> -> i64
  %v1 = nvvm.ld %p + 8 : !nvvm.ptr<1> -> i64
  %v2 = nvvm.ld %p + 16 : !nvvm.ptr<1> -> i64
  %v3 = nvvm.ld %p + 24 : !nvvm.ptr<1> -> i64
  %v4 = nvvm.ld %p + 32 : !nvvm.ptr<1> -> i64
  %v5 = nvvm.ld %p + 40 : !nvvm.ptr<1> -> i64
  %v6 = nvvm.ld %p + 48 : !nvvm.ptr<1> -> i64
  %v7 = nvvm.ld %p + 56 : !nvvm.ptr<1> -> i64
  %v8 = nvvm.ld %p + 64 : !nvvm.ptr<1> -> i64
  %v9 = nvvm.ld %p + 72 : !nvvm.ptr<1> -> i64
  nvvm.st %p + 0, %v9 : !nvvm.ptr<1>, i64
  nvvm.st %p + 8, %v8 : !nvvm.ptr<1>, i64
  nvvm.st %p + 16, %v7 : !nvvm.ptr<1>, i64
  nvvm.st %p + 24, %v6 : !nvvm.ptr<1>, i64
  nvvm.st %p + 32, %v5 : !nvvm.ptr<1>, i64
  nvvm.st %p + 40, %v4 : !nvvm.ptr<1>, i64
  nvvm.st %p + 48, %v3 : !nvvm.ptr<1>, i64
  nvvm.st %p + 56, %v2 : !nvvm.ptr<1>, i64
  nvvm.st %p + 64, %v1 : !nvvm.ptr<1>, i64
  nvvm.st %p + 72, %v0 : !nvvm.ptr<1>, i64
  nvvm.return
}

// The entry's own limit stays.
// CHECK-LABEL: nvvm.func @unchanged_limit
// CHECK-SAME: occupancy = 2{{.*}}nvvm.maxnreg = 40
nvvm.func @unchanged_limit(%p: !nvvm.ptr<1>) attributes {nvvm.maxnreg = 40 : i32, nvvm.reqntid = array<i32: 1024>, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %v0 = nvvm.ld %p + 0 : !nvvm.ptr<1> -> i64
  %v1 = nvvm.ld %p + 8 : !nvvm.ptr<1> -> i64
  %v2 = nvvm.ld %p + 16 : !nvvm.ptr<1> -> i64
  %v3 = nvvm.ld %p + 24 : !nvvm.ptr<1> -> i64
  %v4 = nvvm.ld %p + 32 : !nvvm.ptr<1> -> i64
  %v5 = nvvm.ld %p + 40 : !nvvm.ptr<1> -> i64
  %v6 = nvvm.ld %p + 48 : !nvvm.ptr<1> -> i64
  %v7 = nvvm.ld %p + 56 : !nvvm.ptr<1> -> i64
  %v8 = nvvm.ld %p + 64 : !nvvm.ptr<1> -> i64
  %v9 = nvvm.ld %p + 72 : !nvvm.ptr<1> -> i64
  %v10 = nvvm.ld %p + 80 : !nvvm.ptr<1> -> i64
  %v11 = nvvm.ld %p + 88 : !nvvm.ptr<1> -> i64
  %v12 = nvvm.ld %p + 96 : !nvvm.ptr<1> -> i64
  %v13 = nvvm.ld %p + 104 : !nvvm.ptr<1> -> i64
  %v14 = nvvm.ld %p + 112 : !nvvm.ptr<1> -> i64
  %v15 = nvvm.ld %p + 120 : !nvvm.ptr<1> -> i64
  %v16 = nvvm.ld %p + 128 : !nvvm.ptr<1> -> i64
  %v17 = nvvm.ld %p + 136 : !nvvm.ptr<1> -> i64
  %v18 = nvvm.ld %p + 144 : !nvvm.ptr<1> -> i64
  %v19 = nvvm.ld %p + 152 : !nvvm.ptr<1> -> i64
  %v20 = nvvm.ld %p + 160 : !nvvm.ptr<1> -> i64
  %v21 = nvvm.ld %p + 168 : !nvvm.ptr<1> -> i64
  %v22 = nvvm.ld %p + 176 : !nvvm.ptr<1> -> i64
  %v23 = nvvm.ld %p + 184 : !nvvm.ptr<1> -> i64
  %v24 = nvvm.ld %p + 192 : !nvvm.ptr<1> -> i64
  %v25 = nvvm.ld %p + 200 : !nvvm.ptr<1> -> i64
  %v26 = nvvm.ld %p + 208 : !nvvm.ptr<1> -> i64
  %v27 = nvvm.ld %p + 216 : !nvvm.ptr<1> -> i64
  %v28 = nvvm.ld %p + 224 : !nvvm.ptr<1> -> i64
  %v29 = nvvm.ld %p + 232 : !nvvm.ptr<1> -> i64
  nvvm.st %p + 0, %v29 : !nvvm.ptr<1>, i64
  nvvm.st %p + 8, %v28 : !nvvm.ptr<1>, i64
  nvvm.st %p + 16, %v27 : !nvvm.ptr<1>, i64
  nvvm.st %p + 24, %v26 : !nvvm.ptr<1>, i64
  nvvm.st %p + 32, %v25 : !nvvm.ptr<1>, i64
  nvvm.st %p + 40, %v24 : !nvvm.ptr<1>, i64
  nvvm.st %p + 48, %v23 : !nvvm.ptr<1>, i64
  nvvm.st %p + 56, %v22 : !nvvm.ptr<1>, i64
  nvvm.st %p + 64, %v21 : !nvvm.ptr<1>, i64
  nvvm.st %p + 72, %v20 : !nvvm.ptr<1>, i64
  nvvm.st %p + 80, %v19 : !nvvm.ptr<1>, i64
  nvvm.st %p + 88, %v18 : !nvvm.ptr<1>, i64
  nvvm.st %p + 96, %v17 : !nvvm.ptr<1>, i64
  nvvm.st %p + 104, %v16 : !nvvm.ptr<1>, i64
  nvvm.st %p + 112, %v15 : !nvvm.ptr<1>, i64
  nvvm.st %p + 120, %v14 : !nvvm.ptr<1>, i64
  nvvm.st %p + 128, %v13 : !nvvm.ptr<1>, i64
  nvvm.st %p + 136, %v12 : !nvvm.ptr<1>, i64
  nvvm.st %p + 144, %v11 : !nvvm.ptr<1>, i64
  nvvm.st %p + 152, %v10 : !nvvm.ptr<1>, i64
  nvvm.st %p + 160, %v9 : !nvvm.ptr<1>, i64
  nvvm.st %p + 168, %v8 : !nvvm.ptr<1>, i64
  nvvm.st %p + 176, %v7 : !nvvm.ptr<1>, i64
  nvvm.st %p + 184, %v6 : !nvvm.ptr<1>, i64
  nvvm.st %p + 192, %v5 : !nvvm.ptr<1>, i64
  nvvm.st %p + 200, %v4 : !nvvm.ptr<1>, i64
  nvvm.st %p + 208, %v3 : !nvvm.ptr<1>, i64
  nvvm.st %p + 216, %v2 : !nvvm.ptr<1>, i64
  nvvm.st %p + 224, %v1 : !nvvm.ptr<1>, i64
  nvvm.st %p + 232, %v0 : !nvvm.ptr<1>, i64
  nvvm.return
}
