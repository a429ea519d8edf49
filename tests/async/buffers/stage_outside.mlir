// RUN: not tile-run --strict --entry=k --grid=1 --arg=i32[128] --arg=i32[512] %s 2>&1 | FileCheck %s

// The interpreter rejects a stage that a circular buffer does not have.

// CHECK: 'nv_tileas.buffer_stage' op index must be from 0 to 2, but is 3

!ring3 = !nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %s = nv_tileas.alloc_shared : !ring3
  %k = arith.addi %c2, %c1 : i32
  %slot = nv_tileas.buffer_stage %s[%k] : !ring3, i32
  nv_tileas.return
}
