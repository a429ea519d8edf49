// Package nvvmlegalizearith is the pass nvvm-legalize-arith: it rewrites arithmetic that PTX, or the target, has no instruction for into
// arithmetic that it has.
package nvvmlegalizearith
