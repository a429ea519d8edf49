// Package canonical has the folds and the canonicalization patterns of cuda_tile.
//
//	addi %x, 0                                ->   %x                       a fold
//	addf %x, (mulf %a, %b)                    ->   addf (mulf %a, %b), %x   a pattern: fuse-fma looks on the left
//
// Folds compute with the kernels of package ir/constfold, bit for bit what the interpreter computes. The patterns of
// if, select and addf are those of the public dialect; a few for shapes and views are our own. Loops have none. The
// test that compares folds with the interpreter lists what is not folded, and why.
package canonical
