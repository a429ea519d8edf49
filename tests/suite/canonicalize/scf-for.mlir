// RUN: tile-opt %s --split-input-file --canonicalize --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt %s --split-input-file --canonicalize=disable-patterns=scf-for-idle-values --allow-unregistered-dialect | FileCheck %s --check-prefix=OFF

// What comes around a loop as it came in is not carried: the same value, the argument itself, an equal constant. What nothing reads is not either.

// OFF-LABEL: func @idle
// OFF: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-LABEL: nv_tileaa.func @idle
// CHECK: %[[C:.*]] = arith.constant 7 : i8
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %a to %b step %a iter_args(%[[S:.*]] = %a) -> (i32) : i32 {
// CHECK-NEXT: "t.use"(%a, %b, %[[C]])
// CHECK-NEXT: %[[N:.*]] = arith.addi %[[S]], %a
// CHECK: scf.continue %[[N]] : i32
// CHECK: "t.use"(%[[R]], %a, %b, %[[C]])
nv_tileaa.func @idle(%a: i32, %b: i32) {
  %c = arith.constant 7 : i8
  %r:5 = scf.for %i = %a to %b step %a iter_args(%s = %a, %x = %a, %y = %b, %z = %c, %w = %b) -> (i32, i32, i32, i8, i32) : i32 {
    %d = arith.constant 7 : i8
    "t.use"(%x, %y, %z) : (i32, i32, i8) -> ()
    %n = arith.addi %s, %a : i32
    %u = arith.addi %i, %a : i32
    scf.continue %n, %a, %y, %d, %u : i32, i32, i32, i8, i32
  }
  "t.use"(%r#0, %r#1, %r#2, %r#3) : (i32, i32, i32, i8) -> ()
  nv_tileaa.return
}

// -----

// A loop inside ends its own iterations.
// CHECK-LABEL: nv_tileaa.func @nested
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %a) -> (i32) : i32 {
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32) : i32 {
nv_tileaa.func @nested(%a: i32, %b: i32) {
  %r:2 = scf.for %i = %a to %b step %a iter_args(%s = %a, %x = %b) -> (i32, i32) : i32 {
    %q:2 = scf.for %j = %a to %b step %a iter_args(%t = %s, %y = %x) -> (i32, i32) : i32 {
      %n = arith.addi %t, %y : i32
      scf.continue %n, %y : i32, i32
    }
    scf.continue %q#0, %b : i32, i32
  }
  "t.use"(%r#0, %r#1) : (i32, i32) -> ()
  nv_tileaa.return
}

// -----

// A value that an outer loop and one inside hand to each other, and nothing reads, is not carried; one that is read behind them is.
// CHECK-LABEL: nv_tileaa.func @circle
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %a, %{{.*}} = %b) -> (i32, i32) : i32 {
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, i32) : i32 {
nv_tileaa.func @circle(%a: i32, %b: i32) {
  %c = arith.constant 7 : i8
  %r:3 = scf.for %i = %a to %b step %a iter_args(%s = %a, %x = %c, %y = %b) -> (i32, i8, i32) : i32 {
    %q:3 = scf.for %j = %a to %b step %a iter_args(%t = %s, %z = %x, %w = %y) -> (i32, i8, i32) : i32 {
      %d = arith.constant 8 : i8
      %n = arith.addi %t, %b : i32
      scf.continue %n, %d, %a : i32, i8, i32
    }
    scf.continue %q#0, %q#1, %q#2 : i32, i8, i32
  }
  "t.use"(%r#0, %r#2) : (i32, i32) -> ()
  nv_tileaa.return
}

// -----

// What an unused sum is computed of is dead. A value that something else reads, or that is read through the sum, is not.
// CHECK-LABEL: nv_tileaa.func @unread
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[Y:.*]] = %b) -> (i32)
// CHECK-NEXT: "t.use"(%[[Y]])
// CHECK-NEXT: %[[N:.*]] = arith.muli %[[Y]], %[[Y]]
// CHECK-NEXT: scf.continue %[[N]] : i32
nv_tileaa.func @unread(%a: i32, %b: i32) {
  %r:2 = scf.for %i = %a to %b step %a iter_args(%x = %a, %y = %b) -> (i32, i32) : i32 {
    "t.use"(%y) : (i32) -> ()
    %s = arith.addi %x, %y : i32
    %t = arith.muli %s, %x : i32
    %n = arith.muli %y, %y : i32
    scf.continue %t, %n : i32, i32
  }
  nv_tileaa.return
}

// -----

// CHECK-LABEL: nv_tileaa.func @read_at_last
// CHECK: -> (i32, i32)
nv_tileaa.func @read_at_last(%a: i32, %b: i32) {
  %r:2 = scf.for %i = %a to %b step %a iter_args(%x = %a, %y = %b) -> (i32, i32) : i32 {
    %s = arith.addi %x, %y : i32
    scf.continue %b, %s : i32, i32
  }
  "t.use"(%r#1) : (i32) -> ()
  nv_tileaa.return
}

// -----

// Values that the body sets, if only to another constant, are carried: an iteration is not like the first one.
// CHECK-LABEL: nv_tileaa.func @carried
// CHECK: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %b) -> (i8, i32)
nv_tileaa.func @carried(%a: i32, %b: i32) {
  %c = arith.constant 7 : i8
  %d = arith.constant 8 : i8
  %r:2 = scf.for %i = %a to %b step %a iter_args(%x = %c, %y = %b) -> (i8, i32) : i32 {
    "t.use"(%x, %y) : (i8, i32) -> ()
    scf.continue %d, %a : i8, i32
  }
  nv_tileaa.return
}

// -----

// An iteration that ends in an arm of an if hands on other values there: such a loop stays as it is.
// CHECK-LABEL: nv_tileaa.func @early
// CHECK: iter_args(%{{.*}} = %b) -> (i32)
nv_tileaa.func @early(%a: i32, %b: i32, %p: i1) {
  %r = scf.for %i = %a to %b step %a iter_args(%x = %b) -> (i32) : i32 {
    "t.use"(%x) : (i32) -> ()
    scf.if %p {
      scf.continue %a : i32
    }
    scf.continue %b : i32
  }
  nv_tileaa.return
}

// -----

// A loop that runs once is its body. One that may run twice, or leaves an iteration early, stays.
// OFF-LABEL: func @once
// CHECK-LABEL: nv_tileaa.func @once
// CHECK: %[[Z:.*]] = arith.constant 3 : i32
// CHECK: %[[N:.*]] = "t.body"(%[[Z]], %a)
// CHECK-NEXT: "t.use"(%[[N]])
// CHECK-NEXT: scf.for
// CHECK: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @once(%a: i32, %p: i1) {
  %from = arith.constant 3 : i32
  %to = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %from to %to step %two iter_args(%s = %a) -> (i32) : i32 {
    %n = "t.body"(%i, %s) : (i32, i32) -> i32
    scf.continue %n : i32
  }
  "t.use"(%r) : (i32) -> ()
  %t = scf.for %i = %from to %to step %one iter_args(%s = %a) -> (i32) : i32 {
    %n = "t.body"(%i, %s) : (i32, i32) -> i32
    scf.continue %n : i32
  }
  "t.use"(%t) : (i32) -> ()
  %u = scf.for %i = %from to %to step %two iter_args(%s = %a) -> (i32) : i32 {
    scf.if %p {
      scf.continue %i : i32
    }
    %n = "t.body"(%i, %s) : (i32, i32) -> i32
    scf.continue %n : i32
  }
  "t.use"(%u) : (i32) -> ()
  nv_tileaa.return
}

// -----

// A value that an iteration keeps or sets to what it began with is no loop-carried value.
// CHECK-LABEL: func @chosen
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %n) -> (i32)
// CHECK: nv_tileaa.store %p, %[[R]]
nv_tileaa.func @chosen(%p: !nv_tileaa.ptr<i32>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %n, %b = %zero) -> (i32, i32) : i32 {
    %y = arith.addi %a, %b : i32
    %x = arith.addi %y, %i : i32
    %again = arith.constant 0 : i32
    %next = arith.select %c, %again, %b : i1, i32
    scf.continue %x, %next : i32, i32
  }
  %s = arith.addi %r#0, %r#1 : i32
  %t = nv_tileaa.store %p, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
