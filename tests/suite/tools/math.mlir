// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=ptx | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=ptx --math=exact | FileCheck %s --check-prefix=EXACT
// RUN: not tile-opt %s --gpu-name=sm_90 --lower-to=ptx --math=new 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: not tile-opt %s --nvvm-expand-math --math=exact 2>&1 | FileCheck %s --check-prefix=PIPELINE

// --math says how far functions of f32 may be from the right results.
// CHECK: .entry k
// CHECK-NOT: rcp.approx
// EXACT: rcp.approx
// NEW: option 'accuracy' must be
// PIPELINE: --math is for --lower-to; a pipeline names it as an option of nvvm-expand-math
entry @k(%p: tile<ptr<f32>>) {
  %start = make_token : token
  %x, %loaded = load_ptr_tko weak %p token = %start : tile<ptr<f32>> -> tile<f32>, token
  %y = log %x : tile<f32>
  %done = store_ptr_tko weak %p, %y token = %loaded : tile<ptr<f32>>, tile<f32> -> token
  return
}
