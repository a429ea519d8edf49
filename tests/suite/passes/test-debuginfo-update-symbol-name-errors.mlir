// RUN: tile-opt %s --split-input-file --test-debuginfo-update-symbol-name="symbol-to-rename=k::f new-name=g scope=k::s" --verify-diagnostics
// RUN: not tile-opt %s --split-input-file --test-debuginfo-update-symbol-name="symbol-to-rename=k::f" 2>&1 | FileCheck %s
// RUN: not tile-opt %s --split-input-file --test-debuginfo-update-symbol-name="symbol-to-rename=k::f new-name=s" 2>&1 | FileCheck %s --check-prefix=TAKEN

// TAKEN: error: cannot rename symbol 'f' to 's', which is the name of another one
// TAKEN: note: see existing symbol definition here

// CHECK: error: pass 'test-debuginfo-update-symbol-name' needs the options 'symbol-to-rename' and 'new-name'
module {
  cuda_tile.module @k {
    // expected-error @below {{attempted to update symbol names in a scope that did not enclose the symbol itself}}
    entry @f() {
      return
    }
    // expected-note @below {{scope defined here}}
    entry @s() {
      return
    }
  }
}

// -----

// expected-error @below {{could not find symbol op with name '@k::@s'}}
module {
  cuda_tile.module @k {
    entry @f() {
      return
    }
  }
}

// -----

// expected-error @below {{could not find symbol op with name '@k::@f'}}
module {
  cuda_tile.module @k {
    entry @s() {
      return
    }
  }
}

// -----

// A path does not lead through what is no symbol table.
// expected-error @below {{could not find symbol op with name '@k::@s'}}
module {
  cuda_tile.entry @k() {
    return
  }
}

// -----

// expected-error @below {{could not find symbol op with name '@k::@s'}}
module {
  "cuda_tile.module"() ({}) {sym_name = "k"} : () -> ()
}

// -----

// A cuda_tile.module has a name but is no symbol: it may be on the path, but not at its end.
// expected-error @below {{could not find symbol op with name '@k::@f'}}
module {
  module @k {
    module @s {
    }
    cuda_tile.module @f {
    }
  }
}
