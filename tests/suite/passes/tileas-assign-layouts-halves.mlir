// RUN: tile-opt %s --lower-to=tileaa --gpu-name=sm_90 | tile-opt --convert-tileaa-to-tileas --tileas-assign-layouts --gpu-name=sm_90 | FileCheck %s

// Butterflies of a transform: halves of ever shorter pieces are added and subtracted. A thread needs both halves, and gives other elements away for them. No layout has copies.
// CHECK-NOT: [0, 0, 0]
// CHECK-LABEL: nv_tileas.func @butterflies
entry @butterflies(%p: tile<ptr<f32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %v = make_tensor_view %p, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
  %t, %k = load_view_tko weak %w[%zero] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
  %b0 = reshape %t : tile<1024xf32> -> tile<1x2x512xf32>
  %lo0 = extract %b0[%zero, %zero, %zero] : tile<1x2x512xf32> -> tile<1x1x512xf32>
  %hi0 = extract %b0[%zero, %one, %zero] : tile<1x2x512xf32> -> tile<1x1x512xf32>
  %sum0 = addf %lo0, %hi0 : tile<1x1x512xf32>
  %diff0 = subf %lo0, %hi0 : tile<1x1x512xf32>
  %c0 = cat %sum0, %diff0 dim = 1 : tile<1x1x512xf32>, tile<1x1x512xf32> -> tile<1x2x512xf32>
  %b1 = reshape %c0 : tile<1x2x512xf32> -> tile<2x2x256xf32>
  %lo1 = extract %b1[%zero, %zero, %zero] : tile<2x2x256xf32> -> tile<2x1x256xf32>
  %hi1 = extract %b1[%zero, %one, %zero] : tile<2x2x256xf32> -> tile<2x1x256xf32>
  %sum1 = addf %lo1, %hi1 : tile<2x1x256xf32>
  %diff1 = subf %lo1, %hi1 : tile<2x1x256xf32>
  %c1 = cat %sum1, %diff1 dim = 1 : tile<2x1x256xf32>, tile<2x1x256xf32> -> tile<2x2x256xf32>
  %b2 = reshape %c1 : tile<2x2x256xf32> -> tile<4x2x128xf32>
  %lo2 = extract %b2[%zero, %zero, %zero] : tile<4x2x128xf32> -> tile<4x1x128xf32>
  %hi2 = extract %b2[%zero, %one, %zero] : tile<4x2x128xf32> -> tile<4x1x128xf32>
  %sum2 = addf %lo2, %hi2 : tile<4x1x128xf32>
  %diff2 = subf %lo2, %hi2 : tile<4x1x128xf32>
  %c2 = cat %sum2, %diff2 dim = 1 : tile<4x1x128xf32>, tile<4x1x128xf32> -> tile<4x2x128xf32>
  %b3 = reshape %c2 : tile<4x2x128xf32> -> tile<8x2x64xf32>
  %lo3 = extract %b3[%zero, %zero, %zero] : tile<8x2x64xf32> -> tile<8x1x64xf32>
  %hi3 = extract %b3[%zero, %one, %zero] : tile<8x2x64xf32> -> tile<8x1x64xf32>
  %sum3 = addf %lo3, %hi3 : tile<8x1x64xf32>
  %diff3 = subf %lo3, %hi3 : tile<8x1x64xf32>
  %c3 = cat %sum3, %diff3 dim = 1 : tile<8x1x64xf32>, tile<8x1x64xf32> -> tile<8x2x64xf32>
  %b4 = reshape %c3 : tile<8x2x64xf32> -> tile<16x2x32xf32>
  %lo4 = extract %b4[%zero, %zero, %zero] : tile<16x2x32xf32> -> tile<16x1x32xf32>
  %hi4 = extract %b4[%zero, %one, %zero] : tile<16x2x32xf32> -> tile<16x1x32xf32>
  %sum4 = addf %lo4, %hi4 : tile<16x1x32xf32>
  %diff4 = subf %lo4, %hi4 : tile<16x1x32xf32>
  %c4 = cat %sum4, %diff4 dim = 1 : tile<16x1x32xf32>, tile<16x1x32xf32> -> tile<16x2x32xf32>
  %r = reshape %c4 : tile<16x2x32xf32> -> tile<1024xf32>
  %k2 = store_view_tko weak %r, %w[%zero] token = %k : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
  return
}
