// Package defects holds kernels that the compiler once failed at, reduced to what showed it. Each file says what went
// wrong and executes the kernel.
package defects
