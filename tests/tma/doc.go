// Package tma tests kernels of cuda_tile whose tiles are transferred by TMA.
//
// Loads, stores, reductions and gathers must leave what the interpreter leaves, for tensor maps in parameters and in
// device memory, with the fences that ordered accesses need.
package tma
