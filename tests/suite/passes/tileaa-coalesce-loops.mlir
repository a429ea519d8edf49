// RUN: tile-opt %s --split-input-file --tileaa-coalesce-loops | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileaa-coalesce-loops --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// STATS: 1 num-coalesced
// STATS: 2 num-coalesced

// The heads of a group, and the rows of each, are the iterations of one loop. A loop without rows divides by 0 nowhere.
// CHECK-LABEL: @heads
// CHECK: %[[DIFF:.*]] = arith.subi %hi, %lo : i32
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %lo, %hi : i32
// CHECK: %[[ROWS:.*]] = arith.select %[[SOME]], %[[DIFF]], %{{.*}} : i1, i32
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %[[ROWS]] : i32
// CHECK: %[[BY:.*]] = arith.maxsi %[[ROWS]], %{{.*}} : i32
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[ALL]] step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<16x16xf32>) : i32 {
// CHECK-NEXT: %[[H:.*]] = arith.divui %[[T]], %[[BY]] : i32
// CHECK-NEXT: %[[REM:.*]] = arith.remui %[[T]], %[[BY]] : i32
// CHECK: %[[M:.*]] = arith.addi %{{.*}}, %lo : i32
// CHECK: %[[HEAD:.*]] = arith.addi %first, %[[H]] : i32
// CHECK: %[[X:.*]] = arith.addi %[[HEAD]], %[[M]] : i32
// CHECK: %[[D:.*]] = nv_tileaa.dot {{.*}}, %[[ACC]]
// CHECK-NEXT: scf.continue %[[D]]
// CHECK-NOT: scf.for
nv_tileaa.func @heads(%first: i32, %lo0: i32, %hi0: i32, %b0: f16) {
  %lo = nv_tileaa.assume %lo0 lower<0> : i32
  %hi = nv_tileaa.assume %hi0 upper<1000000> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %b = nv_tileaa.splat %b0 : f16 -> tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %h = %zero to %four step %one iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %head = arith.addi %first, %h : i32
    %next = scf.for %m = %lo to %hi step %one iter_args(%a = %acc) -> (tensor<16x16xf32>) : i32 {
      %x = arith.addi %head, %m : i32
      %xf = arith.sitofp %x : i32 to f16
      %t = nv_tileaa.splat %xf : f16 -> tensor<16x16xf16>
      %d = nv_tileaa.dot %t, %b, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    scf.continue %next : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// Taps of a convolution are three loops, which become one of 3 * 3 * 4 iterations.
// CHECK-LABEL: @taps
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @taps(%b0: f16) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %eight = arith.constant 8 : i64
  %b = nv_tileaa.splat %b0 : f16 -> tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %y = %zero to %three step %one iter_args(%acc = %none) -> (tensor<16x16xf32>) : i64 {
    %next = scf.for %x = %zero to %three step %one iter_args(%a = %acc) -> (tensor<16x16xf32>) : i64 {
      %at = arith.addi %x, %y : i64
      %last = scf.for %c = %zero to %eight step %two iter_args(%e = %a) -> (tensor<16x16xf32>) : i64 {
        %i = arith.addi %at, %c : i64
        %f = arith.sitofp %i : i64 to f16
        %t = nv_tileaa.splat %f : f16 -> tensor<16x16xf16>
        %d = nv_tileaa.dot %t, %b, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
        scf.continue %d : tensor<16x16xf32>
      }
      scf.continue %last : tensor<16x16xf32>
    }
    scf.continue %next : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// The outer loop around the two needs a tile of its own: only these two become one.
// CHECK-LABEL: @two_of_three
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
nv_tileaa.func @two_of_three(%b0: f16, %n0: i32) {
  %n = nv_tileaa.assume %n0 lower<0> upper<100> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %y = %zero to %n step %one iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %f = arith.sitofp %y : i32 to f16
    %t = nv_tileaa.splat %f : f16 -> tensor<16x16xf16>
    %next = scf.for %x = %zero to %n step %one iter_args(%a = %acc) -> (tensor<16x16xf32>) : i32 {
      %last = scf.for %c = %zero to %n step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
        %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
        scf.continue %d : tensor<16x16xf32>
      }
      scf.continue %last : tensor<16x16xf32>
    }
    scf.continue %next : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// The iterations together may be more than the counter's type has numbers.
// CHECK-LABEL: @unchanged_many
// CHECK-COUNT-2: scf.for
nv_tileaa.func @unchanged_many(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = arith.constant dense<1.000000e+00> : tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %x = %zero to %n step %one iter_args(%a = %none) -> (tensor<16x16xf32>) : i32 {
    %last = scf.for %c = %zero to %n step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
      %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    scf.continue %last : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// Those of the two inner loops have numbers.
// CHECK-LABEL: @many_around
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
nv_tileaa.func @many_around(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %t = arith.constant dense<1.000000e+00> : tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %y = %zero to %n step %one iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %next = scf.for %x = %zero to %four step %one iter_args(%a = %acc) -> (tensor<16x16xf32>) : i32 {
      %last = scf.for %c = %zero to %four step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
        %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
        scf.continue %d : tensor<16x16xf32>
      }
      scf.continue %last : tensor<16x16xf32>
    }
    scf.continue %next : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// The inner loop runs to the counter of the outer one.
// CHECK-LABEL: @unchanged_triangle
// CHECK-COUNT-2: scf.for
nv_tileaa.func @unchanged_triangle() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %t = arith.constant dense<1.000000e+00> : tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %x = %zero to %four step %one iter_args(%a = %none) -> (tensor<16x16xf32>) : i32 {
    %last = scf.for %c = %zero to %x step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
      %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    scf.continue %last : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// The outer loop changes the accumulator, or begins with another one for each inner loop.
// CHECK-LABEL: @unchanged_scaled
// CHECK-COUNT-4: scf.for
nv_tileaa.func @unchanged_scaled() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %t = arith.constant dense<1.000000e+00> : tensor<16x16xf16>
  %none = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %x = %zero to %four step %one iter_args(%a = %none) -> (tensor<16x16xf32>) : i32 {
    %last = scf.for %c = %zero to %four step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
      %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    %twice = arith.addf %last, %last : tensor<16x16xf32>
    scf.continue %twice : tensor<16x16xf32>
  }
  %sum2 = scf.for %x = %zero to %four step %one iter_args(%a = %none) -> (tensor<16x16xf32>) : i32 {
    %last = scf.for %c = %zero to %four step %one iter_args(%e = %none) -> (tensor<16x16xf32>) : i32 {
      %d = nv_tileaa.dot %t, %t, %e : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    scf.continue %last : tensor<16x16xf32>
  }
  nv_tileaa.return
}

// -----

// Without an MMA there is no accumulator to keep.
// CHECK-LABEL: @unchanged_sums
// CHECK-COUNT-2: scf.for
nv_tileaa.func @unchanged_sums() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %none = arith.constant dense<1.000000e+00> : tensor<16x16xf32>
  %sum = scf.for %x = %zero to %four step %one iter_args(%a = %none) -> (tensor<16x16xf32>) : i32 {
    %last = scf.for %c = %zero to %four step %one iter_args(%e = %a) -> (tensor<16x16xf32>) : i32 {
      %d = arith.addf %e, %e : tensor<16x16xf32>
      scf.continue %d : tensor<16x16xf32>
    }
    scf.continue %last : tensor<16x16xf32>
  }
  nv_tileaa.return
}
