// RUN: tile-opt %s --split-input-file --verify-diagnostics

nvvm.func @alloc(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.alloc' op columns must be a power of two from 32 to 512, but got 33}}
  nvvm.tcgen05.alloc %s, 33 : !nvvm.ptr<3>
  nvvm.return
}

// -----

nvvm.func @alloc_to(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.alloc' op operand #0 must be pointer to shared memory, but got '!nvvm.ptr<1>'}}
  nvvm.tcgen05.alloc %g, 32 : !nvvm.ptr<1>
  nvvm.return
}

// -----

nvvm.func @dealloc(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.dealloc' op columns must be a power of two from 32 to 512, but got 16}}
  nvvm.tcgen05.dealloc %t, 16 : i32
  nvvm.return
}

// -----

nvvm.func @ld(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.ld' op must move from 1 to 512 columns that are there, but got 2 from column 511}}
  %r:2 = nvvm.tcgen05.ld %t + 511 : i32 -> i32, i32
  nvvm.return
}

// -----

nvvm.func @st(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.st' op must move from 1 to 512 columns that are there, but got 1 from column -1}}
  nvvm.tcgen05.st %t + -1, %x : i32, f32
  nvvm.return
}

// -----

nvvm.func @st_wide(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.st' op operand #1 must be variadic of i32 or f32, but got 'i64'}}
  nvvm.tcgen05.st %t, %w : i32, i64
  nvvm.return
}

// -----

nvvm.func @mma(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.mma' op operand #4 must be i1, but got 'i32'}}
  "nvvm.tcgen05.mma"(%t, %w, %w, %t, %t) {mma_kind = "f16"} : (i32, i64, i64, i32, i32) -> ()
  nvvm.return
}

// -----

nvvm.func @commit(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.commit' op operand #0 must be pointer to shared memory, but got '!nvvm.ptr<1>'}}
  nvvm.tcgen05.commit %g : !nvvm.ptr<1>
  nvvm.return
}

// -----

nvvm.func @before(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.fence.before_thread_sync' op requires zero operands, but found 1}}
  "nvvm.tcgen05.fence.before_thread_sync"(%t) : (i32) -> ()
  nvvm.return
}

// -----

nvvm.func @after(%s: !nvvm.ptr<3>, %g: !nvvm.ptr<1>, %t: i32, %w: i64, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.fence.after_thread_sync' op requires zero operands, but found 1}}
  "nvvm.tcgen05.fence.after_thread_sync"(%t) : (i32) -> ()
  nvvm.return
}

// -----

nvvm.func @split(%t: i32, %x: f32) {
  // expected-error@+1 {{'nvvm.tcgen05.st' op must split columns that are there, but got a distance of 512}}
  nvvm.tcgen05.st %t split 512, %x : i32, f32
  nvvm.return
}

// -----

nvvm.func @split_far(%t: i32) {
  // expected-error@+1 {{'nvvm.tcgen05.ld' op must move from 1 to 512 columns that are there, but got 2 from column 300}}
  %r:2 = nvvm.tcgen05.ld %t + 300 split 211 : i32 -> f32, f32
  nvvm.return
}

// -----

nvvm.func @one_scale(%t: i32, %w: i64) {
  %add = arith.constant 1 : i1
  // expected-error@+1 {{'nvvm.tcgen05.mma' op has scales of both operands or of none, but got 1}}
  nvvm.tcgen05.mma "mxf8f6f4" %t, %w, %w, %t if %add scaled %t : i64, i32
  nvvm.return
}

// -----

nvvm.func @mask(%done: !nvvm.ptr<3>, %both: i16) {
  // expected-error@+1 {{'nvvm.tcgen05.commit' op of 'two_ctas' has a mask of CTAs}}
  nvvm.tcgen05.commit %done {two_ctas} : !nvvm.ptr<3>
  nvvm.return
}
