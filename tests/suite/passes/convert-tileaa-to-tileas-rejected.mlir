// RUN: tile-opt %s --allow-unregistered-dialect --convert-tileaa-to-tileas --gpu-name=sm_90 --verify-diagnostics

// An operation that nv_tileas does not have is named, in a region as well; so is the one of the next kernel.
nv_tileaa.func @one(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{'t.strange' op is not lowered to nv_tileas yet}}
    %x = "t.strange"() : () -> i32
    scf.yield
  }
  nv_tileaa.return
}
nv_tileaa.func @two() {
  // expected-error@+1 {{'t.other' op is not lowered to nv_tileas yet}}
  "t.other"() : () -> ()
  nv_tileaa.return
}
