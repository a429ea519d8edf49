// Package pressure estimates what the tensors of a kernel take of registers and shared memory before they have layouts, at nv_tileaa and nv_tileas alike, and how many warps hold them.
package pressure
