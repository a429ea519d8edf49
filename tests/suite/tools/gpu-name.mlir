// RUN: not tile-opt %s --gpu-name=sm_999 2>&1 | FileCheck %s
// RUN: not tile-opt %s --cse --gpu-name=sm_999 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx | FileCheck %s --check-prefix=DEFAULT

// A name of no architecture is an error even where nothing depends on it; without one, all tools have the same default.
// CHECK: tile-opt: error: unknown architecture 'sm_999', expected one of sm_80
// DEFAULT: .target sm_90
cuda_tile.entry @k() {
  return
}
