nv_tileas.func @k(%q: !nv_tileas.ptr<f32>, %a: !nv_tileas.ptr<f32>, %b: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s64 = arith.constant 64 : i64
  %s576 = arith.constant 576 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %s64 : i64
    %x, %xt = nv_tileas.tiled_load %a[%z, %at] sizes [%s64, %s576] strides [%s576, %one] {padding = "zero", bounds = array<i1: false, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
    %y, %yt = nv_tileas.tiled_load %b[%at, %z] sizes [%s576, %s64] strides [%s64, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
    %xr = arith.ftof %x : tensor<64x64xf32> to tensor<64x64xtf32>
    %yr = arith.ftof %y : tensor<64x64xf32> to tensor<64x64xtf32>
    %d = nv_tileas.dot %xr, %yr, %acc : tensor<64x64xtf32>, tensor<64x64xtf32> -> tensor<64x64xf32>
    scf.continue %d : tensor<64x64xf32>
  }
  %t = nv_tileas.tiled_store %s, %q[%z, %z] sizes [%s64, %s64] strides [%s64, %one] {bounds = array<i1: false, false>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
