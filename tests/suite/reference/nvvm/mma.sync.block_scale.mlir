// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: i32, %c: f32, %s: i32) {
  // One scale for 32 elements along K: the second byte of the words of threads 2 and 3 in each group of four, and of thread 1.
  %d, %d1, %d2, %d3 = nvvm.mma.sync.block_scale [%a, %a, %a, %a], [%a, %a], [%c, %c, %c, %c], [%s], [%s] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 1, 1>, b_select = array<i64: 1, 1>} : i32, i32, f32, i32, i32
  nvvm.return
}
