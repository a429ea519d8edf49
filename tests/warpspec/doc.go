// Package warpspec tests warp specialization.
//
// A kernel that is split into producer, consumer and MMA warps must give the result of the kernel before the split, in
// every order of its warps. A missing signal, wait or arrival must be reported.
package warpspec
