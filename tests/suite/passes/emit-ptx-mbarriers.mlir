// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_90 | FileCheck %s
// RUN: not tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_80 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: 'nvvm.fence.mbarrier.init' op needs fence that publishes mbarrier initialisation to the cluster, which sm_80 does not have

// CHECK-LABEL: .visible .entry bulk(
// CHECK: @%p{{[0-9]+}} mbarrier.init.shared.b64 [%r{{[0-9]+}}], 1;
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: bar.sync 0;
// CHECK: @%p{{[0-9]+}} mbarrier.arrive.expect_tx.shared.b64 %rd{{[0-9]+}}, [%r{{[0-9]+}}], 512;
// CHECK: @%p{{[0-9]+}} cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 512, [%r{{[0-9]+}}];
// CHECK: mbarrier.try_wait.parity.shared.b64 %p{{[0-9]+}}, [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK-NEXT: @!%p{{[0-9]+}} bra
// CHECK: fence.proxy.async.shared::cta;
// CHECK: @%p{{[0-9]+}} cp.async.bulk.global.shared::cta.bulk_group [%rd{{[0-9]+}}], [%r{{[0-9]+}}], 512;
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group 0;
// CHECK: @%p{{[0-9]+}} mbarrier.inval.shared.b64 [%r{{[0-9]+}}];
nvvm.func @bulk(%offset: i32, %p: !nvvm.ptr<1>, %first: i1, %parity: i32) attributes {nvvm.shared_bytes = 1024 : i32} {
  %s = nvvm.shared_base : !nvvm.ptr<3>
  %b = nvvm.ptradd %s, %offset : !nvvm.ptr<3>, i32
  nvvm.mbarrier.init %b, 1 if %first : !nvvm.ptr<3>
  nvvm.fence.mbarrier.init
  nvvm.barrier
  nvvm.mbarrier.arrive %b expect 512 if %first : !nvvm.ptr<3>
  nvvm.cp.async.bulk.load %b, %p, %b if %first {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32
  nvvm.fence.proxy.async
  nvvm.barrier
  nvvm.cp.async.bulk.store %p, %b if %first {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait.group 0
  nvvm.mbarrier.inval %b if %first : !nvvm.ptr<3>
  nvvm.return
}
