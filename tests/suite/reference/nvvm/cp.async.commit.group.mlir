// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>) {
  nvvm.cp.async %s, %p {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.return
}
