// RUN: tile-opt %s --test-print-integer-ranges | FileCheck %s

// CHECK-LABEL: @k
nv_tileaa.func @k(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  // CHECK: %[[X:[0-9a-z_]+]]: [0, 16777214]
  %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
  // CHECK: [1, 16777215]
  %a, %b, %c = nv_tileaa.get_num_programs : i32, i32, i32
  // CHECK: // %m: [0, 100]
  %m = nv_tileaa.assume %n lower<0> upper<100> : i32
  // CHECK: // %m64: [0, 100]
  %m64 = arith.extsi %m : i32 to i64
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  // CHECK: // %q: [0, 25]
  %q = arith.ceildivsi %m64, %c4 : i64
  // CHECK: // %r: [0, 127]
  %r = nv_tileaa.make_range : tensor<128xi64>
  // CHECK: // %s: [0, 100]
  %s = nv_tileaa.splat %m64 : i64 -> tensor<128xi64>
  // CHECK: // %t: [0, 227]
  %t = arith.addi %r, %s : tensor<128xi64>
  // CHECK: // %lt: any
  %lt = arith.cmpi slt, %r, %s : tensor<128xi64>
  // CHECK: // %sel: [0, 127]
  %sel = arith.select %lt, %r, %s : tensor<128xi1>, tensor<128xi64>
  // CHECK: // %part: [0, 227]
  %part = nv_tileaa.extract %t[%c0] : tensor<128xi64>, i64 -> tensor<16xi64>
  scf.for %i = %c0 to %m64 step %c4 : i64 {
    // CHECK: // %twice: [0, 192]
    %twice = arith.addi %i, %i : i64
    scf.continue
  } // CHECK: } // %i: [0, 96]
  %cond = arith.cmpi ult, %n, %m : i32
  scf.if %cond {
    // CHECK: // %inside: [0, 198]
    %inside = arith.addi %n, %n : i32
    scf.yield
  }
  nv_tileaa.return
}
