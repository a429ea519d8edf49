// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f16>, %rows: i64, %columns: i64, %pitch: i64, %row: i64, %column: i64) {
  %unit = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %map = nv_tileas.tensor_map %p sizes[%rows, %columns] strides[%pitch, %unit] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  %m = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %b, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %b, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %t = nv_tileas.tma_load %m, %map[%row, %column], %b : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // All 1024 bytes count, also those outside of the matrix, which are zero.
  nv_tileas.mbarrier_wait %b, %zero : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}
