// RUN: tile-opt %s --convert-cuda-tile-to-tileaa --gpu-name=sm_90 | FileCheck %s --check-prefix=AA
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 | FileCheck %s --check-prefix=AS
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_90 | FileCheck %s --check-prefix=NVVM
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 | FileCheck %s --check-prefix=PTX

// In global memory two elements of half a byte share a byte. A thread holds both, so that accesses are of whole bytes, as many at once as the facts allow.
// NVVM-LABEL: nvvm.global @table = dense<[33, 67]> : tensor<2xi8>
// AS: #[[PAIRS:.*]] = #nv_tileas.layout<"{shape = [64, 64], register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane
// AS-LABEL: nv_tileas.func @copy
// AS: nv_tileas.tiled_load {{.*}} -> tensor<64x64xf4E2M1FN, #[[PAIRS]]>
// NVVM-LABEL: nvvm.func @copy
// NVVM: :16 = nvvm.ld {{.*}} : !nvvm.ptr<1> -> i8, i8,
// NVVM-NOT: nvvm.atom
// NVVM: nvvm.st
// PTX-LABEL: .entry copy
// PTX: ld.global.v4.b32
// PTX: st.global.v4.b32
global @table <f4E2M1FN: [0.5, 1.0, 1.5, 2.0]> : tile<4xf4E2M1FN>
entry @copy(%p: tile<ptr<f4E2M1FN>>, %q: tile<ptr<f4E2M1FN>>) {
  %zero = constant <i32: 0> : tile<i32>
  %pa = assume div_by<16>, %p : tile<ptr<f4E2M1FN>>
  %qa = assume div_by<16>, %q : tile<ptr<f4E2M1FN>>
  %a = make_tensor_view %pa, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %b = make_tensor_view %qa, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %v = make_partition_view %a : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %w = make_partition_view %b : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %x, %t = load_view_tko weak %v[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<64x64xf4E2M1FN>, token
  %u = store_view_tko weak %x, %w[%zero, %zero] token = %t : tile<64x64xf4E2M1FN>, partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
  return
}

// Whatever is not known, an access is of whole bytes: a byte for each pair at least.
// AA-LABEL: nv_tileaa.func @dynamic
// AA: nv_tileaa.tiled_store {{.*}}packed = 0 : i64
// NVVM-LABEL: nvvm.func @dynamic
// NVVM-NOT: nvvm.atom
// NVVM: nvvm.st {{.*}} i8
// NVVM-NOT: nvvm.atom
// NVVM: nvvm.return
// PTX-LABEL: .entry dynamic
// PTX: st.global.u8
entry @dynamic(%p: tile<ptr<f4E2M1FN>>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %x = constant <f4E2M1FN: 1.0> : tile<16x16xf4E2M1FN>
  %a = make_tensor_view %p, shape = [16, 16], strides = [1, %s] : tile<i32> -> tensor_view<16x16xf4E2M1FN, strides=[1,?]>
  %v = make_partition_view %a : partition_view<tile=(16x16), tensor_view<16x16xf4E2M1FN, strides=[1,?]>>
  %u = store_view_tko weak %x, %v[%zero, %zero] : tile<16x16xf4E2M1FN>, partition_view<tile=(16x16), tensor_view<16x16xf4E2M1FN, strides=[1,?]>>, tile<i32> -> token
  return
}

// A stride that turns out to be 1 does not make another dimension the packed one, which the type names.
// AA-LABEL: nv_tileaa.func @unit
// AA: nv_tileaa.tiled_store {{.*}}packed = 0 : i64
entry @unit(%p: tile<ptr<f4E2M1FN>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %x = constant <f4E2M1FN: 1.0> : tile<16x1xf4E2M1FN>
  %a = make_tensor_view %p, shape = [16, 1], strides = [1, %one] : tile<i32> -> tensor_view<16x1xf4E2M1FN, strides=[1,?]>
  %v = make_partition_view %a : partition_view<tile=(16x1), tensor_view<16x1xf4E2M1FN, strides=[1,?]>>
  %u = store_view_tko weak %x, %v[%zero, %zero] : tile<16x1xf4E2M1FN>, partition_view<tile=(16x1), tensor_view<16x1xf4E2M1FN, strides=[1,?]>>, tile<i32> -> token
  return
}

// Elements of half a byte have no addresses: gathers and scatters go through pointers to their bytes.
// AA-LABEL: nv_tileaa.func @rows
// AA: %[[POS:.*]] = arith.addi {{.*}} : tensor<4x8xi64>
// AA: nv_tileaa.ptr_to_ptr %p : !nv_tileaa.ptr<f4E2M1FN> -> !nv_tileaa.ptr<i8>
// AA: arith.shrsi %[[POS]], {{.*}} : tensor<4x8xi64>
// AA: %[[BYTES:.*]], %{{.*}} = nv_tileaa.load {{.*}} other {{.*}} -> tensor<4x8xi8>
// AA: nv_tileaa.unpack %[[BYTES]] : tensor<4x8xi8> -> tensor<4x16xf4E2M1FN>
// AA: %[[PACKED:.*]] = nv_tileaa.pack {{.*}} : tensor<4x16xf4E2M1FN> -> tensor<4x8xi8>
// AA: nv_tileaa.store %{{.*}}, %[[PACKED]] mask
// AA-NOT: nv_tileaa.atomic
// AA: nv_tileaa.return
entry @rows(%p: tile<ptr<f4E2M1FN>>, %j: tile<i32>) {
  %i = constant <i32: [3, 1, 0, 2]> : tile<4xi32>
  %a = make_tensor_view %p, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf4E2M1FN, strides=[64,1]>
  %v = make_gather_scatter_view %a : gather_scatter_view<tile=(4x16), padding_value = neg_zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>
  %x, %t = load_view_tko weak %v[%i, %j] : gather_scatter_view<tile=(4x16), padding_value = neg_zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x16xf4E2M1FN>, token
  %u = store_view_tko weak %x, %v[%i, %j] token = %t : tile<4x16xf4E2M1FN>, gather_scatter_view<tile=(4x16), padding_value = neg_zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  return
}

// pack and unpack are in registers: a thread holds all elements of its bytes. No target below sm_100 converts these floats, so that arithmetic does.
// AA-LABEL: nv_tileaa.func @bytes
// AA: nv_tileaa.unpack {{.*}} : tensor<256xi8> -> tensor<512xf4E2M1FN>
// AA: nv_tileaa.pack {{.*}} : tensor<512xf4E2M1FN> -> tensor<256xi8>
// AS-LABEL: nv_tileas.func @bytes
// AS-NOT: convert_layout
// AS: nv_tileas.unpack
// AS-NOT: convert_layout
// AS: nv_tileas.return
// NVVM-LABEL: nvvm.func @bytes
// NVVM: arith.trunci %{{.*}} : i8 to i4
// NVVM: %[[F:.*]] = arith.bitcast %{{.*}} : i4 to f4E2M1FN
// NVVM: arith.bitcast %[[F]] : f4E2M1FN to i4
// NVVM: arith.ftof %{{.*}} : f16 to f32
// PTX-LABEL: .entry bytes
// PTX: and.b16 %{{.*}}, %{{.*}}, 15
// PTX: mul{{.*}}.f16
// PTX: add{{.*}}.f32
entry @bytes(%p: tile<ptr<i8>>) {
  %zero = constant <i32: 0> : tile<i32>
  %a = make_tensor_view %p, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
  %v = make_partition_view %a : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
  %x, %t = load_view_tko weak %v[%zero] : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
  %f = unpack %x : tile<256xi8> -> tile<512xf4E2M1FN>
  %g = ftof %f : tile<512xf4E2M1FN> -> tile<512xf32>
  %h = addf %g, %g rounding<nearest_even> : tile<512xf32>
  %i = ftof %h : tile<512xf32> -> tile<512xf4E2M1FN>
  %y = pack %i : tile<512xf4E2M1FN> -> tile<256xi8>
  %u = store_view_tko weak %y, %v[%zero] token = %t : tile<256xi8>, partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
  return
}
