// Package arch holds the project's architecture as a test: which package may import which.
//
// Arrows go down only: cmd, pipeline, passes, target, bytecode, dialects, ir. The table in layers_test.go states for each
// layer what it may import and why, in the manner of the import lattice that Go's own go/build package checks. The package
// has no code outside its tests.
package arch
