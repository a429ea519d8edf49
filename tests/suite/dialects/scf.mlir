// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// Every operation of scf, with every optional clause, in both forms.

// CHECK-LABEL: nv_tileaa.func @branches(%c: i1, %x: i32, %y: f32) {
nv_tileaa.func @branches(%c: i1, %x: i32, %y: f32) {
  // CHECK: scf.if %c {
  scf.if %c {
    // CHECK: nv_tileaa.return
    nv_tileaa.return
  }
  // CHECK: scf.if %c {
  scf.if %c {
    // CHECK: scf.yield
    scf.yield
  // CHECK: } else {
  } else {
    // CHECK: scf.yield
    scf.yield
  }
  // Nested values, and an attribute behind the regions.
  // CHECK: %r:2 = scf.if %c -> (i32, f32) {
  %r:2 = scf.if %c -> (i32, f32) {
    // CHECK: scf.yield %x, %y : i32, f32
    scf.yield %x, %y : i32, f32
  // CHECK: } else {
  } else {
    // CHECK: %s = scf.if %c -> (i32) {
    %s = scf.if %c -> (i32) {
      // CHECK: scf.yield %x : i32
      scf.yield %x : i32
    // CHECK: } else {
    } else {
      // CHECK: nv_tileaa.return
      nv_tileaa.return
    }
    // CHECK: scf.yield %s, %y : i32, f32
    scf.yield %s, %y : i32, f32
  // CHECK: } {note = "kept"}
  } {note = "kept"}
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @counting(%lo: i32, %hi: i32, %step: i32, %x: f32) {
nv_tileaa.func @counting(%lo: i32, %hi: i32, %step: i32, %x: f32) {
  // CHECK: scf.for %i = %lo to %hi step %step : i32 {
  scf.for %i = %lo to %hi step %step : i32 {
    // CHECK: scf.continue
    scf.continue
  }
  // CHECK: scf.for unsigned %i = %lo to %hi step %step : i32 {
  scf.for unsigned %i = %lo to %hi step %step : i32 {
    // CHECK: scf.continue
    scf.continue
  // CHECK: } {note = "kept"}
  } {note = "kept"}
  // CHECK: %r:2 = scf.for %i = %lo to %hi step %step iter_args(%a = %x, %b = %lo) -> (f32, i32) : i32 {
  %r:2 = scf.for %i = %lo to %hi step %step iter_args(%a = %x, %b = %lo) -> (f32, i32) : i32 {
    // CHECK: scf.continue %a, %i : f32, i32
    scf.continue %a, %i : f32, i32
  }
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @early(%c: i1, %x: f32, %lo: i32) {
nv_tileaa.func @early(%c: i1, %x: f32, %lo: i32) {
  // CHECK: scf.loop {
  scf.loop {
    // CHECK: scf.break
    scf.break
  }
  // CHECK: scf.loop {
  scf.loop {
    // CHECK: scf.if %c {
    scf.if %c {
      // CHECK: scf.break
      scf.break
    }
    // CHECK: scf.continue
    scf.continue
  // CHECK: } {note = "kept"}
  } {note = "kept"}
  // The results need not have the types of the loop-carried values.
  // CHECK: %r:2 = scf.loop iter_args(%a = %x) -> (i32, i32) : f32 {
  %r:2 = scf.loop iter_args(%a = %x) -> (i32, i32) : f32 {
    // CHECK: scf.if %c {
    scf.if %c {
      // CHECK: scf.if %c {
      scf.if %c {
        // CHECK: scf.continue %a : f32
        scf.continue %a : f32
      }
      // CHECK: scf.yield
      scf.yield
    // CHECK: } else {
    } else {
      // CHECK: scf.break %lo, %lo : i32, i32
      scf.break %lo, %lo : i32, i32
    }
    // CHECK: scf.continue %a : f32
    scf.continue %a : f32
  }
  // CHECK: %s = scf.loop -> (i32) {
  %s = scf.loop -> (i32) {
    // CHECK: scf.for %i = %lo to %lo step %lo : i32 {
    scf.for %i = %lo to %lo step %lo : i32 {
      // CHECK: scf.if %c {
      scf.if %c {
        // CHECK: scf.continue
        scf.continue
      }
      // CHECK: scf.continue
      scf.continue
    }
    // CHECK: scf.break %lo : i32
    scf.break %lo : i32
  }
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}
