// Package tileaatotileas is the pass convert-tileaa-to-tileas, the way from whole tiles to distributed ones.
//
// It fixes the launch shape (the number of warps, from the kernel's hint or else so many that what is live at
// once fits into registers) and renames the operations; tensors get their layouts from the passes that follow.
// What nv_tileaa.assume promised is already attached to the accesses, so it is dropped here.
//
// The step is thin on purpose. Layouts need the number of warps, and the number of warps needs to know what is
// live, which no layout changes: so the count comes first, from the words of tensors alone, and nothing has to
// be undone. The two levels share their rows (dialects/tile), so a row that is added there passes through here
// without a line.
package tileaatotileas
