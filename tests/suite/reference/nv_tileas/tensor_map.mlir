// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f16>, %rows: i64, %columns: i64, %pitch: i64) {
  %one = arith.constant 1 : i64
  // A matrix in global memory, row by row, of which copies take 128 x 64 elements at a time.
  %map = nv_tileas.tensor_map %p sizes[%rows, %columns] strides[%pitch, %one] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
  nv_tileas.return
}
