// RUN: not tile-opt %s --tileas-allocate-shared --gpu-name=sm_86 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: tile-opt %s --tileas-allocate-shared --gpu-name=sm_90 | FileCheck %s --check-prefix=LARGE

// How much shared memory a tile block may have depends on the target.
// SMALL: error: 'nv_tileas.func' op needs 131072 bytes of shared memory, but a CTA of sm_86 has at most 101376
// LARGE: nv_tileas.shared_bytes = 131072 : i32
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<65536xf16, #nv_tileas.shared<"{shape = [65536], offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]]}">>
  nv_tileas.return
}
