// RUN: tile-opt %s --split-input-file --allow-unregistered-dialect --convert-tileas-to-nvvm --gpu-name=sm_90 --verify-diagnostics

// What checked properties do not cover: a missing layout, offset or barrier is rejected before the pass runs. An operation without a rule is named, with the level.
nv_tileas.func @k(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'t.strange' op is not lowered to nvvm yet}}
  "t.strange"(%x) : (f32) -> ()
  nv_tileas.return
}

// -----

// So is a value of a type that no register holds, wherever it is first met.
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'scf.loop' op type '!t.box' has no counterpart in nvvm}}
  %r = scf.loop -> (!t.box) {
    %x = "t.make"() : () -> !t.box
    scf.break %x : !t.box
  }
  nv_tileas.return
}

// -----

// All kernels are tried, and what is wrong is said in their order, whichever is ready first.
nv_tileas.func @first(%c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  scf.if %c {
    // expected-error@+1 {{'nv_tileas.print' op has no operand for the conversion '%d'}}
    %t = nv_tileas.print "%d" -> !nv_tileas.mem_token
    scf.yield
  }
  nv_tileas.return
}
nv_tileas.func @right() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.return
}
nv_tileas.func @third() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'t.strange' op is not lowered to nvvm yet}}
  "t.strange"() : () -> ()
  nv_tileas.barrier
  // Only the first of a kernel.
  "t.strange"() : () -> ()
  nv_tileas.return
}
