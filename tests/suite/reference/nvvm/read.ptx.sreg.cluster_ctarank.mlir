// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %r = nvvm.read.ptx.sreg.cluster_ctarank : i32
  nvvm.return
}
