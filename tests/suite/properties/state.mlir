// RUN: not tile-opt %s --split-input-file --lower-to=ptx 2>&1 | FileCheck %s

// What a dump says of itself is looked at before anything goes by it.
// CHECK: error: 'nv_tileas.func' op says that it has the property 'layouts-assigned' (the IR has a fitting layout on every distributed tensor), but does not: 'nv_tileas.make_range' op has result #0 that is a tensor without a layout
nv_tileas.func @a() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 3 : i32, holds = ["layouts-assigned"]}} {
  %t = nv_tileas.make_range : tensor<128xi32>
  nv_tileas.return
}

// -----

// CHECK: 'nv_tileas.func' op says that it has the property 'good', which there is none of
nv_tileas.func @b() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 3 : i32, holds = ["good"]}} {
  nv_tileas.return
}

// -----

// CHECK: the input says that it is after step 'tileas-make-tea', which the pipeline from 'cuda_tile' at -O3 for sm_90 does not have
nv_tileas.func @c() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "tileas-make-tea", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: the input says that it is after step 'emit-ptx', where the IR is at level 'nvvm', but it is at level 'tileas'
nv_tileas.func @d() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "emit-ptx", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: the input says that it is after step 'tileas-insert-barriers', but it lacks 'layouts-assigned'
nv_tileas.func @e() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "tileas-insert-barriers", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32}} {
  %t = nv_tileas.make_range : tensor<128xi32>
  nv_tileas.return
}

// -----

// CHECK: error: the module is for 'sm_100' (tilewright.state), but --gpu-name is 'sm_90'
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 3 : i32}} {
  nv_tileas.return
}
nv_tileas.func @g() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_100", opt_level = 3 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op attribute 'tilewright.state' has no 'gpu'
nv_tileas.func @h() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {opt_level = 3 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op attribute 'tilewright.state' has an 'opt_level' that must be from 0 to 3, but got 9
nv_tileas.func @i() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 9 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op attribute 'tilewright.state' has an entry 'colour'; there is after, from, gpu, holds, opt_level, options, tensor_maps
nv_tileas.func @j() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {colour = "red", gpu = "sm_90", opt_level = 1 : i32}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op attribute 'tilewright.state' must have one of params, device, none as 'tensor_maps', but has "auto"
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 1 : i32, tensor_maps = "auto"}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' was compiled with --tensor-maps=device so far, and cannot go on with params
nv_tileas.func @l() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 3 : i32, tensor_maps = "params"}} {
  nv_tileas.return
}
nv_tileas.func @m() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 3 : i32, tensor_maps = "device"}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op attribute 'tilewright.state' must have a dictionary of texts as 'options', but has {cse = 1 : i64}
nv_tileas.func @n() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", opt_level = 1 : i32, options = {cse = 1}}} {
  nv_tileas.return
}

// -----

// CHECK: error: the input says that it was compiled with the options 'roles=many more' of tileas-specialize-warps: {{.*}}no option 'more'
nv_tileas.func @o() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32, options = {"tileas-specialize-warps" = "roles=many more"}}} {
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.func' op was compiled with the options 'max-live=2' of licm so far, but something else in the module with 'max-live=1'
nv_tileas.func @p() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32, options = {licm = "max-live=1"}}} {
  nv_tileas.return
}
nv_tileas.func @q() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32, options = {licm = "max-live=2"}}} {
  nv_tileas.return
}

// -----

// Options of a pass that runs on kernels may be those of one kernel (its plan), so these are no error. What is wrong is
// a value.
// CHECK-NOT: something else in the module
// CHECK: error: the input says that it was compiled with the options 'roles=all of' of tileas-specialize-warps
nv_tileas.func @p() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32, options = {"tileas-specialize-warps" = "roles=always"}}} {
  nv_tileas.return
}
nv_tileas.func @q() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_90", opt_level = 3 : i32, options = {"tileas-specialize-warps" = "roles=all of"}}} {
  nv_tileas.return
}
