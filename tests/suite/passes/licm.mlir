// RUN: tile-opt %s --split-input-file --licm | FileCheck %s
// RUN: tile-opt %s --split-input-file --licm=speculate=false | FileCheck %s --check-prefix=SURE
// RUN: tile-opt %s --split-input-file --licm=hoist-reads=false | FileCheck %s --check-prefix=NOREADS
// RUN: tile-opt %s --split-input-file --licm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// What only computes moves out of both loops in one run, with its location; what depends on a counter stays after it.
// CHECK-LABEL: entry @nested
// CHECK: %[[A:.*]] = addi %{{.*}}, %{{.*}}
// CHECK-NEXT: %[[B:.*]] = muli %[[A]], %[[A]]
// CHECK-NEXT: for %[[I:.*]] in
// CHECK-NEXT: %[[C:.*]] = addi %[[I]], %[[B]]
// CHECK-NEXT: for %[[J:.*]] in
// CHECK-NEXT: %[[D:.*]] = addi %[[C]], %[[J]]
// CHECK-NEXT: store_ptr_tko weak %{{.*}}, %[[D]]
// LOC-LABEL: entry @nested
// LOC: addi %{{.*}} loc("k.py":4:2)
// LOC: muli %{{.*}} loc(fused["k.py":5:2, "k.py":6:1])
// LOC: for
// SURE-LABEL: entry @nested
// SURE: for
// SURE: for
// SURE: muli
entry @nested(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  for %i in (%zero to %n, step %one) : tile<i32> {
    for %j in (%zero to %n, step %one) : tile<i32> {
      %a = addi %n, %one : tile<i32> loc("k.py":4:2)
      %b = muli %a, %a : tile<i32> loc(fused["k.py":5:2, "k.py":6:1])
      %c = addi %i, %b : tile<i32>
      %d = addi %c, %j : tile<i32>
      %t = store_ptr_tko weak %p, %d : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}

// -----

// A division by an unknown number stays in a loop that may be empty; a remainder by a known one moves.
// CHECK-LABEL: entry @divisions
// CHECK: remi %{{.*}}, %[[SEVEN:.*]] signed
// CHECK: for
// CHECK: divi
// CHECK: remi
// CHECK: remi
entry @divisions(%p: tile<ptr<i32>>, %n: tile<i32>, %d: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %seven = constant <i32: 7> : tile<i32>
  for %i in (%zero to %n, step %one) : tile<i32> {
    %q = divi %n, %d signed : tile<i32>
    %r = remi %n, %d signed : tile<i32>
    %s = remi %n, %seven signed : tile<i32>
    %u = remi %n, %zero signed : tile<i32>
    %a = addi %q, %r : tile<i32>
    %b = addi %s, %u : tile<i32>
    %c = addi %a, %b : tile<i32>
    %t = store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// -----

// Constant bounds say that the loop runs, so that a division before anything that may leave moves; after an assert it stays.
// CHECK-LABEL: entry @provably
// CHECK: divi
// CHECK-NEXT: for
// CHECK-NEXT: assert
// CHECK-NEXT: divi
// SURE-LABEL: entry @provably
// SURE: divi
// SURE-NEXT: for
entry @provably(%p: tile<ptr<i32>>, %n: tile<i32>, %d: tile<i32>, %c: tile<i1>) {
  %low = constant <i32: -1> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  for %i in (%low to %one, step %one) : tile<i32> {
    %q = divi %n, %d signed : tile<i32>
    assert %c, "d" : tile<i1>
    %r = divi %q, %d signed : tile<i32>
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// -----

// As unsigned numbers -1 is not less than 1.
// CHECK-LABEL: entry @unsigned
// CHECK: for unsigned
// CHECK-NEXT: divi
entry @unsigned(%p: tile<ptr<i32>>, %n: tile<i32>, %d: tile<i32>) {
  %low = constant <i32: -1> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  for unsigned %i in (%low to %one, step %one) : tile<i32> {
    %q = divi %n, %d signed : tile<i32>
    %t = store_ptr_tko weak %p, %q : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// -----

// A load that the loop provably executes moves with its token, as long as nothing in the loop writes; a print does not write memory.
// CHECK-LABEL: entry @load
// CHECK: %[[V:.*]], %[[T:.*]] = load_ptr_tko weak %{{.*}} token=%{{.*}}
// CHECK-NEXT: for
// CHECK-NEXT: print_tko
// NOREADS-LABEL: entry @load
// NOREADS: for
// NOREADS-NEXT: load_ptr_tko
entry @load(%p: tile<ptr<i32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %t0 = make_token : token
  for %i in (%zero to %one, step %one) : tile<i32> {
    %v, %t = load_ptr_tko weak %p token = %t0 : tile<ptr<i32>> -> tile<i32>, token
    %u = print_tko "%d", %v token = %t : tile<i32> -> token
  }
  return
}

// -----

// No load moves out of a loop that may be empty, over a store, after a token of the iteration, or if each access counts.
// CHECK-LABEL: entry @loads_that_stay
// CHECK: for
// CHECK-NEXT: load_ptr_tko weak
// CHECK: for
// CHECK-NEXT: load_ptr_tko weak
// CHECK-NEXT: store_ptr_tko
// CHECK: for
// CHECK-NEXT: load_ptr_tko weak
// CHECK-NEXT: continue
// CHECK: for
// CHECK-NEXT: load_ptr_tko relaxed
// CHECK: for
// CHECK-NEXT: load_ptr_tko acquire
entry @loads_that_stay(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %t0 = make_token : token
  for %i in (%zero to %n, step %one) : tile<i32> {
    %v, %t = load_ptr_tko weak %p token = %t0 : tile<ptr<i32>> -> tile<i32>, token
  }
  for %i in (%zero to %one, step %one) : tile<i32> {
    %v, %t = load_ptr_tko weak %p token = %t0 : tile<ptr<i32>> -> tile<i32>, token
    %u = store_ptr_tko weak %q, %v token = %t : tile<ptr<i32>>, tile<i32> -> token
  }
  %last = for %i in (%zero to %one, step %one) : tile<i32> iter_values(%t = %t0) -> (token) {
    %v, %u = load_ptr_tko weak %p token = %t : tile<ptr<i32>> -> tile<i32>, token
    continue %u : token
  }
  for %i in (%zero to %one, step %one) : tile<i32> {
    %v, %t = load_ptr_tko relaxed device %p token = %t0 : tile<ptr<i32>> -> tile<i32>, token
  }
  for %i in (%zero to %one, step %one) : tile<i32> {
    %v, %t = load_ptr_tko acquire device %p token = %t0 : tile<ptr<i32>> -> tile<i32>, token
  }
  return
}

// -----

// Tokens that no iteration makes move like numbers; the order that they mean is kept.
// CHECK-LABEL: entry @tokens
// CHECK: %[[A:.*]] = make_token
// CHECK-NEXT: %[[B:.*]] = join_tokens %{{.*}}, %[[A]]
// CHECK-NEXT: for
// CHECK-NEXT: store_ptr_tko weak %{{.*}}, %{{.*}} token=%[[B]]
entry @tokens(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %t0 = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
  for %i in (%zero to %n, step %one) : tile<i32> {
    %a = make_token : token
    %b = join_tokens %t0, %a : token
    %u = store_ptr_tko weak %p, %i token = %b : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// -----

// A loop runs what is before its first break.
// CHECK-LABEL: entry @loop
// CHECK: load_ptr_tko
// CHECK-NEXT: divi
// CHECK-NEXT: addi
// CHECK-NEXT: loop
// CHECK-NEXT: addi
// CHECK-NEXT: if
// CHECK: break
// CHECK: divi
entry @loop(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
  %one = constant <i32: 1> : tile<i32>
  %r = loop iter_values(%a = %one) : tile<i32> -> tile<i32> {
    %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %q = divi %v, %n signed : tile<i32>
    %next = addi %a, %q : tile<i32>
    if %c {
      break %next : tile<i32>
    }
    %u = divi %n, %v signed : tile<i32>
    %w = addi %n, %n : tile<i32>
    %x = addi %u, %w : tile<i32>
    continue %x : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// -----

// An if moves if both arms may; what is inside one that stays is not looked at. A value that an iteration hands to the next
// is not invariant.
// CHECK-LABEL: entry @ifs
// CHECK: %[[IF:.*]] = if
// CHECK: for {{.*}} iter_values(%[[CARRIED:.*]] =
// CHECK-NEXT: addi %[[CARRIED]], %[[IF]]
// CHECK-NEXT: cmpi
// CHECK-NEXT: if
// CHECK-NEXT: muli
entry @ifs(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %n) -> (tile<i32>) {
    %s = if %c -> (tile<i32>) {
      %d = addi %n, %one : tile<i32>
      yield %d : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    %b = addi %a, %s : tile<i32>
    %k = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    %e = if %k -> (tile<i32>) {
      %f = muli %n, %n : tile<i32>
      yield %f : tile<i32>
    } else {
      yield %b : tile<i32>
    }
    continue %e : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// -----

// A reduction is one operation with a region.
// CHECK-LABEL: entry @reduction
// CHECK: iota
// CHECK-NEXT: reduce
// CHECK: for
// CHECK-NEXT: store_ptr_tko
entry @reduction(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  for %i in (%zero to %n, step %one) : tile<i32> {
    %v = iota : tile<8xi32>
    %s = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    }
    %t = store_ptr_tko weak %p, %s : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// -----

// A loop that might not end is not executed for the sake of one that might be empty, but moves out of one that runs.
// CHECK-LABEL: nv_tileaa.func @inner_loops
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.store
// CHECK-NOT: scf.for
nv_tileaa.func @inner_loops(%p: !nv_tileaa.ptr<i32>, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %r = scf.for %j = %zero to %n step %s iter_args(%a = %n) -> (i32) : i32 {
      %b = arith.addi %a, %j : i32
      scf.continue %b : i32
    }
    %t = nv_tileaa.store %p, %r : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue
  }
  scf.for %i = %zero to %one step %one : i32 {
    %r = scf.for %j = %zero to %n step %s iter_args(%a = %n) -> (i32) : i32 {
      %b = arith.muli %a, %j : i32
      scf.continue %b : i32
    }
    %t = nv_tileaa.store %p, %r : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// -----

// Division as arith has it: the divisor must be known to be neither zero nor, for signed numbers, -1.
// CHECK-LABEL: nv_tileaa.func @divisors
// CHECK: arith.divsi %{{.*}}, %c3
// CHECK: arith.divui %{{.*}}, %c-1
// CHECK: scf.for
// CHECK: arith.divsi %{{.*}}, %c-1
// CHECK: arith.divsi %{{.*}}, %{{.*}}
// CHECK: arith.remui %{{.*}}, %c0
nv_tileaa.func @divisors(%p: !nv_tileaa.ptr<i32>, %n: i32, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant dense<3> : tensor<4xi32>
  %c-1 = arith.constant -1 : i32
  %v = nv_tileaa.splat %n : i32 -> tensor<4xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = arith.divsi %v, %c3 : tensor<4xi32>
    %b = arith.divui %n, %c-1 : i32
    %c = arith.divsi %n, %c-1 : i32
    %e = arith.divsi %n, %d : i32
    %f = arith.remui %n, %c0 : i32
    scf.continue
  }
  nv_tileaa.return
}

// -----

// scf.loop: an early continue is no way out, a break is.
// CHECK-LABEL: nv_tileaa.func @early
// CHECK: arith.divsi
// CHECK-NEXT: scf.loop
// CHECK: scf.break
// CHECK: arith.remsi
nv_tileaa.func @early(%p: !nv_tileaa.ptr<i32>, %n: i32, %d: i32, %c: i1) {
  scf.loop {
    %a = arith.divsi %n, %d : i32
    scf.if %c {
      scf.break
    }
    %b = arith.remsi %n, %d : i32
    %t = nv_tileaa.store %p, %b : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// -----

// What depends on the loop stays in it, even through an inner loop; so do stores, barriers, and a division where the loop may not run.
// CHECK-LABEL: nv_tileas.func @unchanged_dependent
nv_tileas.func @unchanged_dependent(%p: !nv_tileas.ptr<i32>, %n: i32, %d: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %n : i32
    %q = arith.divsi %n, %d : i32
    %s = arith.addi %a, %q : i32
    nv_tileas.barrier
    %t = nv_tileas.store %p, %s : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    scf.continue
  }
  nv_tileas.return
}

// -----

// CHECK-LABEL: nv_tileas.func @layouts
// CHECK: nv_tileas.splat
// CHECK: nv_tileas.convert_layout
// CHECK: scf.for
// CHECK-NOT: nv_tileas.convert_layout
#a = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">
#b = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
nv_tileas.func @layouts(%p: !nv_tileas.ptr<i32>, %n: i64, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %s = nv_tileas.splat %x : i32 -> tensor<64xi32, #a>
    %c = nv_tileas.convert_layout %s : tensor<64xi32, #a> -> tensor<64xi32, #b>
    %t = nv_tileas.tiled_store %c, %p[%i] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<64xi32, #b>, !nv_tileas.ptr<i32>
    scf.continue
  }
  nv_tileas.return
}

// -----

// A store that cannot reach the memory of a load leaves it invariant: an alloca's, another part of the object in every iteration. A store that may, in this
// iteration or another one, keeps it: through another parameter, or to where the counter gets.
// CHECK-LABEL: nv_tileaa.func @stores
// CHECK: nv_tileaa.load %p
// CHECK-NEXT: scf.for
// CHECK-NEXT: nv_tileaa.store %m
// CHECK: nv_tileaa.tiled_load
// CHECK-NEXT: scf.for
// CHECK: nv_tileaa.tiled_store
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.load %p
// CHECK-NEXT: nv_tileaa.store %q
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.tiled_load
nv_tileaa.func @stores(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %n: i64) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %8 = arith.constant 8 : i64
  %64 = arith.constant 64 : i64
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  scf.for %i = %0 to %8 step %1 : i64 {
    %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %b = nv_tileaa.store %m, %x : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue
  }
  scf.for %i = %8 to %64 step %8 : i64 {
    %x, %a = nv_tileaa.tiled_load %p[%0] sizes [%n] strides [%1] {bounds = array<i1: true>} : !nv_tileaa.ptr<i32> -> tensor<8xi32>
    %b = nv_tileaa.tiled_store %x, %p[%i] sizes [%n] strides [%1] {bounds = array<i1: true>} : tensor<8xi32>, !nv_tileaa.ptr<i32>
    scf.continue
  }
  scf.for %i = %0 to %8 step %1 : i64 {
    %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %b = nv_tileaa.store %q, %x : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue
  }
  scf.for %i = %0 to %64 step %8 : i64 {
    %x, %a = nv_tileaa.tiled_load %p[%8] sizes [%n] strides [%1] {bounds = array<i1: true>} : !nv_tileaa.ptr<i32> -> tensor<8xi32>
    %b = nv_tileaa.tiled_store %x, %p[%i] sizes [%n] strides [%1] token %a {bounds = array<i1: true>} : tensor<8xi32>, !nv_tileaa.ptr<i32>
    scf.continue
  }
  nv_tileaa.return
}
