// Package arch holds the project's architecture as a test: which package may import which.
//
// Arrows go down only: cmd, pipeline, passes, target, bytecode, dialects, ir. The table in layers_test.go states for
// each layer what it may import and why, in the manner of the import lattice that Go's own go/build package checks.
//
// The table in rooms_test.go says which levels' dialects each room of the passes may reach, directly and through what
// it imports. A level-1 pass that asks a library of level 2 is rejected with the chain of imports.
//
// The package has no code outside its tests. So it is not one of the helpers in internal/testing, which tests import.
package arch
