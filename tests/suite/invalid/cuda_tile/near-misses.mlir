// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Errors of text say what was probably meant.
cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error@+1 {{custom op 'adff' is unknown (tried 'cuda_tile.adff' as well) (did you mean 'addf'}}
    %c = adff %a, %a : tile<f32>
    return
  }
}

// -----

// expected-error@+1 {{custom op 'cuda_tile.modul' is unknown (did you mean 'module'}}
cuda_tile.modul @m {
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error@+1 {{use of undeclared SSA value name '%x'}}
    %c = addf %x, %a : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error@+1 {{expected ':', but got 'roundign' (did you mean 'rounding'?)}}
    %c = addf %a, %a roundign<nearest_even> : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{expected '{', but got 'optimization_hint' (did you mean 'optimization_hints'?)}}
  entry @k(%a: tile<f32>) optimization_hint=<sm_90 = {occupancy = 2}> {
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %n: tile<i32>, %x: tile<8xf32>) {
    %v = make_tensor_view %a, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    // expected-error@+1 {{index types must be specified when indices are present, as in '!cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32>'}}
    %u = store_view_tko weak %x, %p[%n] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>> -> token
    return
  }
}

// -----

// Names of the region in which the undeclared one is used, and of those around it, may be meant.
cuda_tile.module @m {
  entry @k(%index: tile<i32>) {
    // expected-error@+1 {{use of undeclared SSA value name '%indx' (did you mean '%index'?)}}
    %a = addi %index, %indx : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    for %i in (%x to %x, step %x) : tile<i32> {
      %sum = addi %i, %x : tile<i32>
      // expected-error@+1 {{use of undeclared SSA value name '%smu' (did you mean '%sum'?)}}
      %b = addi %smu, %x : tile<i32>
      continue
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error@+1 {{expected ':' and the type of the induction variable, as in 'for %i in (%from to %to, step %step) : tile<i32> {'}}
    for %i in (%x to %x, step %x) {
      continue
    }
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{expected '{', but got 'return'; braces enclose the operations of a region, as in 'entry @k() { return }'}}
  entry @k(%a: tile<f32>)
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{expected ':', but got 'tile'; a ':' stands before a type, as in '%x: tile<i32>'}}
  entry @k(%a tile<f32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error@+1 {{expected ':', but got 'tile'; a ':' stands before a type, as in '%x: tile<i32>' and '%y = iota : tile<8xi32>'}}
    %c = constant <i32: 1> tile<i32>
    return
  }
}

// -----

// expected-note@+1 {{which would close the region that begins here}}
cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    return
  }
// expected-error@+1 {{expected operation name in quotes, or '}'}}
