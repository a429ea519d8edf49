// RUN: tile-opt %s --gpu-name=sm_90 --nvvm-pack-bytes | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_90 | FileCheck %s --check-prefix=PTX

// Bytes that are loaded, computed and stored together are two words.
// CHECK-LABEL: nvvm.func @words(
// CHECK: %[[A:.*]]:8 = nvvm.ld
// CHECK-DAG: %[[LOW:.*]] = nvvm.pack %[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#3
// CHECK-DAG: %[[HIGH:.*]] = nvvm.pack %[[A]]#4, %[[A]]#5, %[[A]]#6, %[[A]]#7
// CHECK: arith.xori {{.*}} : i32
// CHECK: arith.xori {{.*}} : i32
// CHECK-NOT: i8
// CHECK: nvvm.st %{{.*}}, %{{.*}}, %{{.*}} : !nvvm.ptr<1>, i32, i32
// PTX-LABEL: .visible .entry words(
// PTX: ld.global.v2.b32
// PTX-NEXT: xor.b32
// PTX-NEXT: xor.b32
// PTX-NEXT: st.global.v2.b32
nvvm.func @words(%p: !nvvm.ptr<1>) {
  %c = arith.constant 5 : i8
  %a:8 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8, i8, i8, i8, i8
  %0 = arith.xori %a#0, %c : i8
  %1 = arith.xori %a#1, %c : i8
  %2 = arith.xori %a#2, %c : i8
  %3 = arith.xori %a#3, %c : i8
  %4 = arith.xori %a#4, %c : i8
  %5 = arith.xori %a#5, %c : i8
  %6 = arith.xori %a#6, %c : i8
  %7 = arith.xori %a#7, %c : i8
  nvvm.st %p, %0, %1, %2, %3, %4, %5, %6, %7 : !nvvm.ptr<1>, i8, i8, i8, i8, i8, i8, i8, i8
  nvvm.return
}

// One byte of a loaded word may be wanted by itself, and computes nothing twice.
// CHECK-LABEL: nvvm.func @one_more_user(
// CHECK: %[[A:.*]]:4 = nvvm.ld
// CHECK: %[[W:.*]] = nvvm.pack %[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#3
// CHECK: %[[B:.*]]:4 = nvvm.unpack %[[W]]
// CHECK: arith.ori %[[W]], {{.*}} : i32
// CHECK: nvvm.st {{.*}}, %[[B]]#2
nvvm.func @one_more_user(%p: !nvvm.ptr<1>, %c: i8) {
  %a:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %0 = arith.ori %a#0, %c : i8
  %1 = arith.ori %a#1, %c : i8
  %2 = arith.ori %a#2, %c : i8
  %3 = arith.ori %a#3, %c : i8
  nvvm.st %p, %0, %1, %2, %3 : !nvvm.ptr<1>, i8, i8, i8, i8
  nvvm.st %p + 4, %a#2 : !nvvm.ptr<1>, i8
  nvvm.return
}

// A result that is wanted by itself, and amounts that differ, stay bytes.
// CHECK-LABEL: nvvm.func @unchanged_users(
// CHECK-NOT: i32
// CHECK: nvvm.return
nvvm.func @unchanged_users(%p: !nvvm.ptr<1>) {
  %c = arith.constant 5 : i8
  %d = arith.constant 4 : i8
  %a:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %0 = arith.ori %a#0, %c : i8
  %1 = arith.ori %a#1, %c : i8
  %2 = arith.ori %a#2, %c : i8
  %3 = arith.ori %a#3, %c : i8
  nvvm.st %p, %0, %1, %2, %3 : !nvvm.ptr<1>, i8, i8, i8, i8
  nvvm.st %p + 4, %2 : !nvvm.ptr<1>, i8
  %4 = arith.shli %a#0, %c : i8
  %5 = arith.shli %a#1, %c : i8
  %6 = arith.shli %a#2, %c : i8
  %7 = arith.shli %a#3, %d : i8
  nvvm.st %p + 8, %4, %5, %6, %7 : !nvvm.ptr<1>, i8, i8, i8, i8
  nvvm.return
}
