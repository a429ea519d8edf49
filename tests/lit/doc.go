// Package lit runs test files that state their own commands, in the manner of LLVM's lit, inside one Go process.
//
// A test file holds lines such as
//
//	// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=O2
//	// RUN: not tile-opt %s --nosuch 2>&1 | FileCheck %s
//	// REQUIRES: ptxas
//
// A RUN line is a pipeline of commands; a backslash at its end continues it on the next RUN line. All commands must
// succeed. A command is a Go function that the caller registered in [Suite.Tools], a judge that a REQUIRES line named, or one of:
//
//	FileCheck FILE ...   verifies its input with package filecheck
//	not COMMAND ...      succeeds when the command fails; a panic is no failure that it accepts
//	golden FILE          compares its input with the file, byte for byte; -update rewrites the file
//
// Words are separated and quoted as in a shell, and > < 2> 2>&1 redirect. In words %s stands for the test file, %S for its
// folder, %t for a path of its own that nothing exists at, %T for the folder of that path, and %% for one per cent. What
// else a shell would expand is an error, so that a line means here what it means there.
//
// Every file is a parallel subtest. A failure shows the line, what the commands printed, and one command that repeats
// the test.
package lit
