// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_120 | FileCheck %s --check-prefix=OWN
// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_121 | FileCheck %s --check-prefix=OWN

// A copy to the CTA's own shared memory says so only if that needs no newer version of PTX, and addresses of clusters cost instructions.
// CHECK-LABEL: .visible .entry copies(
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes

// Multicast has no other spelling.
// OWN-LABEL: .visible .entry copies(
// OWN: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [
// OWN: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [
// OWN: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [
nvvm.func @copies(%p: !nvvm.ptr<1>, %n: i64, %x: i32, %yes: i1) attributes {nvvm.shared_bytes = 4096 : i32, nvvm.shared_align = 1024 : i32} {
  %s = nvvm.shared_base : !nvvm.ptr<3>
  %m = nvvm.tensormap.param %p sizes[%n, %n] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.cp.async.bulk.tensor.load %s + 1024, %m[%x, %x], %s if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.load %s + 1024, %m[%x, %x], %s multicast 3 if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.load %s, %p, %s if %yes {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.return
}
