package cases

import ()

// gaps lists the corpus cases that the compiler rejects, with the error. It does not compile anything that it gets
// wrong.
var gaps = map[string]string{}

// spills lists the cases whose kernels take more registers than there are, and on which architectures. It is the
// assembler that says so.
var spills = map[string][]string{"block_scaled_matmul_mxf8": {"sm_90"}}
