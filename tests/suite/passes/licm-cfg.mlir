// RUN: tile-opt %s --split-input-file --licm | FileCheck %s
// RUN: tile-opt %s --split-input-file --licm --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: tile-opt %s --split-input-file --licm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: tile-opt %s --split-input-file --licm=max-live=3 | FileCheck %s --check-prefix=LIMIT

// Two natural loops: an operation that depends on no counter moves out of both, one that depends on the outer one moves to its body.
// CHECK-LABEL: nvvm.func @nested
// CHECK: %[[A:.*]] = arith.muli
// CHECK-NEXT: cf.br ^[[OUTER:bb[0-9]+]]
// CHECK: ^[[OUTER]](%[[I:.*]]: i32):
// CHECK: cf.cond_br
// CHECK: %[[B:.*]] = arith.addi %[[I]], %[[A]]
// CHECK-NEXT: %[[Q:.*]] = nvvm.ptradd
// CHECK-NEXT: cf.br ^[[INNER:bb[0-9]+]]
// CHECK: ^[[INNER]](%[[J:.*]]: i32):
// CHECK: cf.cond_br
// CHECK: arith.addi %[[J]], %[[B]]
// CHECK-NEXT: nvvm.st %[[Q]]
// LOC-LABEL: nvvm.func @nested
// LOC: arith.muli %{{.*}} loc("k.py":4:2)
// LOC-NEXT: cf.br
// STATS: 4 num-hoisted
// STATS-NEXT: 0 num-reads-hoisted
// STATS: 3 num-hoisted
// STATS-NEXT: 1 num-reads-hoisted
nvvm.func @nested(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^outer(%zero : i32)
^outer(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  cf.br ^inner(%zero : i32)
^inner(%j: i32):
  %again = arith.cmpi slt, %j, %n : i32
  cf.cond_br %again, ^work, ^latch
^work:
  %a = arith.muli %n, %n : i32 loc("k.py":4:2)
  %b = arith.addi %i, %a : i32
  %c = arith.addi %j, %b : i32
  %q = nvvm.ptradd %p, %i : !nvvm.ptr<1>, i32
  nvvm.st %q, %c : !nvvm.ptr<1>, i32
  %nj = arith.addi %j, %one : i32
  cf.br ^inner(%nj : i32)
^latch:
  %ni = arith.addi %i, %one : i32
  cf.br ^outer(%ni : i32)
^exit:
  nvvm.return
}

// -----

// What only some iterations execute moves if it does no harm, but for conditions, since predicate registers are few. A division that the empty loop
// would not do stays, and a load of some iterations; the header is executed in any case.
// CHECK-LABEL: nvvm.func @conditional
// CHECK: %[[Q:.*]] = arith.divsi
// CHECK-NEXT: %[[V:.*]] = nvvm.ld
// CHECK-NEXT: arith.muli
// CHECK-NEXT: cf.br
// CHECK: cf.cond_br
// CHECK: arith.divui
// CHECK: cf.cond_br
// CHECK: nvvm.ld
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: arith.select
// CHECK-NEXT: cf.br
nvvm.func @conditional(%p: !nvvm.ptr<1>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %q = arith.divsi %one, %n : i32
  %v = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %more = arith.cmpi slt, %i, %v : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %r = arith.divui %one, %n : i32
  cf.cond_br %c, ^then, ^latch(%r : i32)
^then:
  %m = arith.muli %n, %n : i32
  %l = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %k = arith.addi %m, %l : i32
  %less = arith.cmpi slt, %n, %zero : i32
  %o = arith.select %less, %k, %m : i1, i32
  cf.br ^latch(%o : i32)
^latch(%s: i32):
  %t = arith.addi %s, %q : i32
  %u = arith.addi %i, %t : i32
  cf.br ^head(%u : i32)
^exit:
  nvvm.return
}

// -----

// A store, or a barrier, keeps loads where they are; a volatile load stays by itself.
// CHECK-LABEL: nvvm.func @reads
// CHECK-NOT: nvvm.ld
// CHECK: ^bb1:
// CHECK: nvvm.ld
// CHECK-NEXT: nvvm.barrier
// CHECK: ^bb3:
// CHECK-NEXT: nvvm.ld %{{.*}} {ordering = "volatile"}
nvvm.func @reads(%p: !nvvm.ptr<1>, %c: i1) {
  cf.br ^one
^one:
  %v = nvvm.ld %p : !nvvm.ptr<1> -> i32
  nvvm.barrier
  cf.cond_br %c, ^one, ^between
^between:
  cf.br ^two
^two:
  %w = nvvm.ld %p {ordering = "volatile"} : !nvvm.ptr<1> -> i32
  cf.cond_br %c, ^two, ^exit
^exit:
  nvvm.return
}

// -----

// A loop that is entered from two blocks, or from one with other successors, has no preheader; nor has a cycle with two entries.
// CHECK-LABEL: nvvm.func @places
// CHECK: ^bb3{{.*}}:
// CHECK-NEXT: arith.muli
// CHECK: ^bb4{{.*}}:
// CHECK-NEXT: arith.addi
// CHECK: ^bb5{{.*}}:
// CHECK-NEXT: arith.subi
nvvm.func @places(%n: i32, %c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^loop
^two:
  cf.br ^loop
^loop:
  %a = arith.muli %n, %n : i32
  cf.cond_br %c, ^loop, ^first
^first:
  %b = arith.addi %n, %n : i32
  cf.cond_br %c, ^second, ^exit
^second:
  %d = arith.subi %n, %n : i32
  cf.cond_br %c, ^first, ^exit
^exit:
  nvvm.return
}

// -----

// The entry of a function cannot be the header of a loop; two edges back make one loop, and an unreachable edge none.
// CHECK-LABEL: nvvm.func @edges
// CHECK: arith.muli
// CHECK-NEXT: arith.subi
// CHECK-NEXT: arith.addi
// CHECK-NEXT: cf.br ^bb1
// CHECK: ^bb1:
// CHECK-NEXT: cf.cond_br
// CHECK: ^bb4:
// CHECK-NEXT: arith.xori
nvvm.func @edges(%n: i32, %c: i1) {
  cf.br ^loop
^loop:
  %a = arith.muli %n, %n : i32
  cf.cond_br %c, ^left, ^right
^left:
  %b = arith.subi %n, %n : i32
  cf.cond_br %c, ^loop, ^exit
^right:
  %d = arith.addi %n, %n : i32
  cf.cond_br %c, ^loop, ^exit
^dead:
  %e = arith.xori %n, %n : i32
  cf.br ^left
^exit:
  nvvm.return
}

// -----

// At most three values alive: the counter, %n and %p are. So the multiplication moves, which replaces %n, and what would come on top stays; without
// a limit all goes.
// CHECK-LABEL: nvvm.func @pressure
// CHECK: arith.muli
// CHECK-NEXT: nvvm.ptradd
// CHECK-NEXT: nvvm.ptradd
// CHECK-NEXT: cf.br
// LIMIT-LABEL: nvvm.func @pressure
// LIMIT: arith.muli
// LIMIT-NEXT: cf.br
// LIMIT: nvvm.ptradd
// LIMIT-NEXT: nvvm.ptradd
nvvm.func @pressure(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^loop(%zero : i32)
^loop(%i: i32):
  %a = arith.muli %n, %n : i32
  %q = nvvm.ptradd %p, %a : !nvvm.ptr<1>, i32
  %r = nvvm.ptradd %q, %a : !nvvm.ptr<1>, i32
  nvvm.st %p, %i : !nvvm.ptr<1>, i32
  nvvm.st %q, %i : !nvvm.ptr<1>, i32
  nvvm.st %r, %a : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %next, %one : i32
  cf.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  nvvm.return
}

// -----

// A branch writes nothing, so that a load of the header moves; after an operation that may trap it stays.
// CHECK-LABEL: nvvm.func @trap
// CHECK: nvvm.ld
// CHECK-NEXT: cf.br
// CHECK: nvvm.trap
// CHECK-NEXT: nvvm.ld
nvvm.func @trap(%p: !nvvm.ptr<1>, %c: i1) {
  cf.br ^one
^one:
  %v = nvvm.ld %p : !nvvm.ptr<1> -> i32
  cf.cond_br %c, ^one, ^between
^between:
  cf.br ^two
^two:
  nvvm.trap
  %w = nvvm.ld %p : !nvvm.ptr<1> -> i32
  cf.cond_br %c, ^two, ^exit
^exit:
  nvvm.return
}

// -----

// Out of a loop with a loop inside, what only some iterations execute does not move: it would be alive in the inner one.
// CHECK-LABEL: nvvm.func @outer
// CHECK-NOT: arith.muli
// CHECK: ^bb4:
// CHECK-NEXT: arith.muli
nvvm.func @outer(%p: !nvvm.ptr<1>, %n: i32, %c: i1, %d: i1) {
  cf.br ^outer
^outer:
  nvvm.barrier
  cf.br ^inner
^inner:
  nvvm.barrier
  cf.cond_br %c, ^inner, ^choose
^choose:
  cf.cond_br %d, ^then, ^latch
^then:
  %m = arith.muli %n, %n : i32
  nvvm.st %p, %m : !nvvm.ptr<1>, i32
  cf.br ^latch
^latch:
  cf.cond_br %c, ^outer, ^exit
^exit:
  nvvm.return
}
