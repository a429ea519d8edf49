// RUN: tile-opt %s --verify-roundtrip

#words = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f16>, %rows: i64, %columns: i64, %pitch: i64) {
  %one = arith.constant 1 : i64
  // The matrix may be one whose address the kernel has loaded.
  %scratch = nv_tileas.alloc_shared : !nv_tileas.buffer<32xi32, #words>
  %map = nv_tileas.build_tensor_map %scratch, %p sizes[%rows, %columns] strides[%pitch, %one] : !nv_tileas.buffer<32xi32, #words>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
  nv_tileas.return
}
