nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %a: !nv_tileas.ptr<i8>, %b: !nv_tileas.ptr<i8>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s64 = arith.constant 64 : i64
  %s576 = arith.constant 576 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xi32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %s64 : i64
    %x, %xt = nv_tileas.tiled_load %a[%z, %at] sizes [%s64, %s576] strides [%s576, %one] {padding = "zero", bounds = array<i1: false, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %y, %yt = nv_tileas.tiled_load %b[%at, %z] sizes [%s576, %s64] strides [%s64, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %d = nv_tileas.dot %x, %y, %acc : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
    scf.continue %d : tensor<64x64xi32>
  }
  %t = nv_tileas.tiled_store %s, %q[%z, %z] sizes [%s64, %s64] strides [%s64, %one] {bounds = array<i1: false, false>} : tensor<64x64xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
