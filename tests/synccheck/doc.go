// Package synccheck shows what the checker of synchronization (docs/async-model.md) finds. It plants mistakes in the
// synchronization of PTX: in kernels of this project and in Triton's, for sm_80, sm_90, sm_100 and sm_120. The rules
// are those of tests/mutate, and a mutant is a kernel, a rule, and the place where it is applied.
//
// A kernel without a mistake computes what is expected and has no report. A mutant that no run tells from its kernel is
// equivalent, and testdata/equivalents.txt has the reason for each.
package synccheck
