// Package tileaskernel lowers kernels written at nv_tileas, as the passes of that level make them.
package tileaskernel
