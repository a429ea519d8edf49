// Command FileCheck verifies its input against the directives of a check file, so that a RUN line of tests/suite runs
// in a shell as it does in the tests:
//
//	go install ./cmd/tile-opt ./tests/cmd/FileCheck
//	tile-opt k.mlir --cse | FileCheck k.mlir
//
// It is the FileCheck of the tests (package filecheck). What the RUN lines of the check file say of prefixes counts
// here too: directives for other runs are passed over, and one that belongs to none is an error.
package main

import (
	"os"

	"github.com/tilewright/tilewright/tests/filecheck"
	"github.com/tilewright/tilewright/tests/lit"
)

func main() {
	args := os.Args[1:]
	os.Exit(filecheck.Main(args, os.Stdin, os.Stderr, lit.OtherPrefixes(args)...))
}
