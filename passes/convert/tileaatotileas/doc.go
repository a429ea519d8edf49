// Package tileaatotileas is the pass convert-tileaa-to-tileas, the way from whole tiles to distributed ones.
//
// It fixes the launch shape (the number of warps, from the kernel's hint or else so many that its dots fit into registers) and renames the operations; tensors get their layouts from the passes that
// follow. What nv_tileaa.assume promised is already attached to the accesses, so it is dropped here.
package tileaatotileas
