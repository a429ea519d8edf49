// Package lit runs test files that state their own commands, in the manner of LLVM's lit, inside one Go process.
//
// A test file holds lines such as
//
//	// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=O2
//	// RUN: not tile-opt %s --nosuch 2>&1 | FileCheck %s
//	// REQUIRES: ptxas
//	// UNSUPPORTED: system-windows
//	// XFAIL: *
//
// A RUN line is a pipeline of commands; a backslash at its end continues it on the next RUN line. All commands must
// succeed. A command is a Go function that the caller registered in [Suite.Tools], a judge that a REQUIRES line
// named, or one of:
//
//	FileCheck FILE ...   verifies its input with package filecheck
//	not COMMAND ...      succeeds when the command fails; a panic is no failure that it accepts
//	diff [-B] FILE FILE  compares two files; with -B but for blank lines
//	golden FILE          compares its input with the file, byte for byte; -update rewrites the file
//
// A condition may stand before the colon. RUN(long): is of the long tier (package tier), RUN(ptxas): needs the judge
// ptxas, and a machine without it skips those lines as a subtest of that name. %ptxas is then the judge's path.
//
// Words are separated and quoted as in a shell, and > < 2> 2>&1 redirect. In words %s stands for the test file, %S
// for its folder, %t for a path of its own that nothing exists at, %T for the folder of that path, and %% for one per
// cent; a suite can add others ([Suite.Substitutions]). What else a shell would expand is an error, so that a line
// means here what it means there.
//
// A file with a line UNSUPPORTED whose features, of which this runner knows * and the operating system, hold here is
// skipped; one with such a line XFAIL is expected to fail.
//
// Every file is a parallel subtest. A failure shows the line, what the commands printed, and one command that repeats
// the test.
package lit
