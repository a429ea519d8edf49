// RUN: tile-opt %s --split-input-file --fuse-fma | FileCheck %s
// RUN: tile-opt %s --split-input-file --fuse-fma --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: tile-opt %s --split-input-file --lower-to=ptx --gpu-name=sm_90 --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT

// Nobody's results change unless he asks for it.
// DEFAULT-NOT: fuse-fma

// CHECK-LABEL: entry @add
// CHECK: fma %a, %b, %c rounding<zero> flush_to_zero : tile<f32>
// CHECK-NEXT: %[[S:.*]] = fma %a, %b, %c : tile<f32>
// CHECK-NEXT: fma %b, %c, %[[S]] : tile<f32>
// CHECK-NOT: mulf
// LOC-LABEL: entry @add
// LOC: fma %{{.*}} rounding<zero> flush_to_zero : tile<f32> loc("k.py":2:1)
entry @add(%p: tile<ptr<f32>>, %a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
  %m = mulf %a, %b rounding<zero> flush_to_zero : tile<f32> loc("k.py":1:1)
  %s = addf %m, %c rounding<zero> flush_to_zero : tile<f32> loc("k.py":2:1)
  %n = mulf %a, %b : tile<f32>
  %t = addf %c, %n rounding<nearest_even> : tile<f32>
  %o = mulf %b, %c : tile<f32>
  %u = addf %t, %o : tile<f32>
  %t1 = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
  %t2 = store_ptr_tko weak %p, %u : tile<ptr<f32>>, tile<f32> -> token
  return
}

// -----

// A product is not subtracted from: that would take another negation than the one of the subtrahend.
// CHECK-LABEL: entry @sub
// CHECK: %[[N:.*]] = negf %c : tile<8xbf16>
// CHECK-NEXT: fma %a, %b, %[[N]] : tile<8xbf16>
// CHECK: mulf
// CHECK-NEXT: subf %c, %{{.*}} : tile<8xbf16>
entry @sub(%p: tile<ptr<bf16>>, %x: tile<bf16>) {
  %r = reshape %x : tile<bf16> -> tile<1xbf16>
  %a = broadcast %r : tile<1xbf16> -> tile<8xbf16>
  %b = exp %a : tile<8xbf16>
  %c = sin %a : tile<8xbf16>
  %q = reshape %p : tile<ptr<bf16>> -> tile<1xptr<bf16>>
  %d = broadcast %q : tile<1xptr<bf16>> -> tile<8xptr<bf16>>
  %m = mulf %a, %b : tile<8xbf16>
  %s = subf %m, %c : tile<8xbf16>
  %n = mulf %a, %c : tile<8xbf16>
  %t = subf %c, %n : tile<8xbf16>
  %t1 = store_ptr_tko weak %d, %s : tile<8xptr<bf16>>, tile<8xbf16> -> token
  %t2 = store_ptr_tko weak %d, %t : tile<8xptr<bf16>>, tile<8xbf16> -> token
  return
}

// -----

// Other rounding, other treatment of subnormal numbers, a second use, or a square of a sum keep both operations; a dead use does not count.
// CHECK-LABEL: entry @kept
// CHECK: mulf
// CHECK-NEXT: addf {{.*}} rounding<zero>
// CHECK-NEXT: mulf {{.*}} flush_to_zero
// CHECK-NEXT: subf
// CHECK-NEXT: mulf
// CHECK-NEXT: addf
// CHECK-NEXT: mulf
// CHECK-NEXT: addf %[[M:.*]], %[[M]]
// CHECK-NEXT: fma
// CHECK-NOT: mulf
entry @kept(%p: tile<ptr<f32>>, %a: tile<f32>, %b: tile<f32>) {
  %m0 = mulf %a, %b : tile<f32>
  %s0 = addf %m0, %a rounding<zero> : tile<f32>
  %m1 = mulf %a, %b flush_to_zero : tile<f32>
  %s1 = subf %m1, %a : tile<f32>
  %m2 = mulf %a, %b : tile<f32>
  %s2 = addf %m2, %s0 : tile<f32>
  %m3 = mulf %a, %s1 : tile<f32>
  %s3 = addf %m3, %m3 : tile<f32>
  %m4 = mulf %b, %b : tile<f32>
  %s4 = addf %m4, %s3 : tile<f32>
  %dead = negf %m4 : tile<f32>
  %t1 = store_ptr_tko weak %p, %m2 : tile<ptr<f32>>, tile<f32> -> token
  %t2 = store_ptr_tko weak %p, %s2 : tile<ptr<f32>>, tile<f32> -> token
  %t3 = store_ptr_tko weak %p, %s4 : tile<ptr<f32>>, tile<f32> -> token
  return
}
