// Package kerneltest reads kernels, runs them on an engine, compares what they leave, and assembles their PTX.
package kerneltest
