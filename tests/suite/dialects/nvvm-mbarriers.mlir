// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// CHECK-LABEL: nvvm.func @bulk(
nvvm.func @bulk(%s: !nvvm.ptr<3>, %b: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %first: i1, %parity: i32) {
  // CHECK: nvvm.mbarrier.init %b, 1 : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.init %b, 1 : !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.init %b, 33 if %first : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.init %b, 33 if %first : !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.inval %b : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.inval %b : !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.inval %b if %first : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.inval %b if %first : !nvvm.ptr<3>
  // CHECK: nvvm.fence.mbarrier.init{{$}}
  nvvm.fence.mbarrier.init
  // CHECK: nvvm.mbarrier.arrive %b : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.arrive %b : !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.arrive %b if %first : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.arrive %b if %first : !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.arrive %b expect 512 if %first : !nvvm.ptr<3>{{$}}
  nvvm.mbarrier.arrive %b expect 512 if %first : !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.load %s, %p, %b {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>{{$}}
  nvvm.cp.async.bulk.load %s, %p, %b {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.load %s, %p, %b if %first {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>{{$}}
  nvvm.cp.async.bulk.load %s, %p, %b if %first {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  // CHECK: nvvm.mbarrier.arrive.remote %b of %parity : !nvvm.ptr<3>, i32{{$}}
  nvvm.mbarrier.arrive.remote %b of %parity : !nvvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.arrive.remote %b of %parity if %first : !nvvm.ptr<3>, i32{{$}}
  nvvm.mbarrier.arrive.remote %b of %parity if %first : !nvvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.arrive.remote %b of %parity cluster : !nvvm.ptr<3>, i32{{$}}
  nvvm.mbarrier.arrive.remote %b of %parity cluster : !nvvm.ptr<3>, i32
  // CHECK: %{{.*}} = nvvm.mapa %b of %parity : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
  %far = nvvm.mapa %b of %parity : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
  // CHECK: nvvm.barrier.cluster{{$}}
  nvvm.barrier.cluster
  // CHECK: nvvm.mbarrier.arrive.remote %b of %parity if %first {relaxed} :
  nvvm.mbarrier.arrive.remote %b of %parity if %first {relaxed} : !nvvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.wait.parity %b, %parity {relaxed} :
  nvvm.mbarrier.wait.parity %b, %parity {relaxed} : !nvvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.wait.parity %b, %parity cluster : !nvvm.ptr<3>, i32{{$}}
  nvvm.mbarrier.wait.parity %b, %parity cluster : !nvvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32{{$}}
  nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32
  // CHECK: nvvm.fence.proxy.async.global{{$}}
  nvvm.fence.proxy.async.global
  // CHECK: nvvm.fence.proxy.async.global if %first{{$}}
  nvvm.fence.proxy.async.global if %first
  // CHECK: nvvm.fence.proxy.async{{$}}
  nvvm.fence.proxy.async
  // CHECK: nvvm.cp.async.bulk.store %p, %s {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>{{$}}
  nvvm.cp.async.bulk.store %p, %s {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.store %p, %s if %first {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>{{$}}
  nvvm.cp.async.bulk.store %p, %s if %first {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.commit.group{{$}}
  nvvm.cp.async.bulk.commit.group
  // CHECK: nvvm.cp.async.bulk.wait.group read 0{{$}}
  nvvm.cp.async.bulk.wait.group read 0
  // CHECK: nvvm.cp.async.bulk.wait.group 1{{$}}
  nvvm.cp.async.bulk.wait.group 1
  nvvm.return
}
