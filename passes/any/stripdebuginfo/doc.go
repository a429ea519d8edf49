// Package stripdebuginfo removes locations from operations, so that output does not depend on where the source was.
//
// # Source
//
// MLIR's -strip-debuginfo.
package stripdebuginfo
