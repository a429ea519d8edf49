// Package kernels compiles all kernels that front ends wrote and that stand beside the checkout, without a fallback.
package kernels
