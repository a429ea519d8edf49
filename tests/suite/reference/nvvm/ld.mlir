// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %c: i1, %z: f32) {
  %x = nvvm.ld %p : !nvvm.ptr<1> -> f32
  // 16 bytes further, two at once, through the cache for data that nobody writes; z where c does not hold.
  %a, %b = nvvm.ld %p + 16 if %c else %z, %z {cache = "nc"} : !nvvm.ptr<1> -> f32, f32
  %flag = nvvm.ld %p {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1> -> i32
  nvvm.return
}
