// RUN: tile-opt %s --tileas-assign-layouts --gpu-name=sm_80 | FileCheck %s

// A tile of 256 x 64 is computed of a row and a column, and its rows are added up. Each thread gets two entire rows, so that
// it adds without shuffles. By the layout of the row that is loaded, 32 lanes would share each row.
// CHECK: #[[LINES:.*]] = #nv_tileas.layout<"{shape = [256, 64], register = {{\[\[}}128, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]
// CHECK-LABEL: nv_tileas.func @counted
// CHECK: nv_tileas.reduce {{.*}} : (tensor<256x64xi32, #[[LINES]]>)
nv_tileas.func @counted(%p: !nv_tileas.ptr<i32>, %r: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %bins = nv_tileas.make_range : tensor<256xi32>
  %column = nv_tileas.reshape %bins : tensor<256xi32> -> tensor<256x1xi32>
  %columns = nv_tileas.broadcast %column : tensor<256x1xi32> -> tensor<256x64xi32>
  %x, %t = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: false>} : !nv_tileas.ptr<i32> -> tensor<64xi32>
  %row = nv_tileas.reshape %x : tensor<64xi32> -> tensor<1x64xi32>
  %rows = nv_tileas.broadcast %row : tensor<1x64xi32> -> tensor<256x64xi32>
  %equal = arith.cmpi eq, %rows, %columns : tensor<256x64xi32>
  %each = arith.extui %equal : tensor<256x64xi1> to tensor<256x64xi32>
  %sum = nv_tileas.reduce (%each) {dim = 1 : i64, identities = [0 : i32]} : (tensor<256x64xi32>) -> tensor<256xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    nv_tileas.yield %c : i32
  }
  %u = nv_tileas.tiled_store %sum, %r[%z] sizes [%n] strides [%one] {bounds = array<i1: false>} : tensor<256xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// A tile that is loaded stays as it is read: lanes have neighbours of a row.
// CHECK-LABEL: nv_tileas.func @loaded
// CHECK-NOT: nv_tileas.convert_layout {{.*}} tensor<256x64xi32
// CHECK: nv_tileas.reduce {{.*}} : (tensor<256x64xi32, #[[LOADED:.*]]>)
// CHECK-NOT: nv_tileas.func
// CHECK: nv_tileas.return
nv_tileas.func @loaded(%p: !nv_tileas.ptr<i32>, %r: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %m = arith.constant 64 : i64
  %x, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %m] strides [%m, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i32> -> tensor<256x64xi32>
  %sum = nv_tileas.reduce (%x) {dim = 1 : i64, identities = [0 : i32]} : (tensor<256x64xi32>) -> tensor<256xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    nv_tileas.yield %c : i32
  }
  %u = nv_tileas.tiled_store %sum, %r[%z] sizes [%n] strides [%one] {bounds = array<i1: false>} : tensor<256xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
