// RUN: not tile-opt %s --lower-to=ptx --disable-pass=tileas-assign-layouts 2>&1 | FileCheck %s --check-prefix=LAYOUTS
// RUN: not tile-opt %s --lower-to=ptx --disable-pass=tileas-insert-barriers 2>&1 | FileCheck %s --check-prefix=BARRIERS
// RUN: not tile-opt %s --lower-to=ptx --disable-pass=convert-tileaa-to-tileas 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tile-opt %s --lower-to=ptx --disable-pass=emit-ptx 2>&1 | FileCheck %s --check-prefix=GOAL
// RUN: tile-opt %s --lower-to=ptx --disable-pass=cse --disable-pass=licm --disable-pass=canonicalize | FileCheck %s --check-prefix=FINE

// A pass that another one needs cannot be left out, and the error names both before anything runs.
// LAYOUTS: tile-opt: error: pass 'tileas-assign-layouts' cannot be disabled: it establishes 'layouts-assigned' (the IR has a fitting layout on every distributed tensor), which pass 'tileas-legalize-reduce' requires
// BARRIERS: pass 'tileas-insert-barriers' cannot be disabled: it establishes 'synchronised' {{.*}}, which pass 'convert-tileas-to-nvvm' requires
// LEVEL: pass 'convert-tileaa-to-tileas' cannot be disabled: it establishes 'level.tileas' {{.*}}, which pass 'tileas-legalize-dot' requires
// GOAL: pass 'emit-ptx' cannot be disabled: it establishes 'level.ptx' {{.*}}, which is the goal
// FINE: .visible .entry k
cuda_tile.entry @k() {
  return
}
