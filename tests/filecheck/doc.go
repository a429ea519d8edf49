// Package filecheck verifies text against the directives in another text, as LLVM's FileCheck does.
//
// A check file, usually the test's own source, holds lines such as
//
//	// CHECK-LABEL: @name
//	// CHECK: %[[SUM:.+]] = arith.addf
//	// CHECK-NEXT: return %[[SUM]]
//
// [Parse] reads them and [Checks.Run] verifies an input against them. The rules are those of the FileCheck manual of
// LLVM:
//
//   - CHECK matches at or after the end of the previous match; -NEXT on the line after it, -SAME on its line;
//     -EMPTY wants the next line to be empty; -COUNT-n matches n times in a row;
//   - -NOT must not match between the matches around it; -DAG directives in a row match in any order without overlap;
//   - -LABEL divides the input: labels match first, and every other directive stays between its labels, so that one
//     failure does not spoil the rest;
//   - {{regex}} is a regular expression, [[NAME:regex]] defines a variable and [[NAME]] uses it, also within the
//     pattern that defines it; [[@LINE+n]] is a line number of the check file;
//   - runs of blanks in the input and in the pattern count as one, blanks around a pattern do not count.
//
// It is stricter than LLVM in one point: after a prefix, a word that is no directive is an error and not a comment, so
// that a misspelt directive cannot pass for a check. Prefixes that belong to other runs over the same file are declared
// with [Options.OtherPrefixes].
//
// Regular expressions have the syntax of Go's regexp and the matching rules of FileCheck: leftmost, longest, and a
// newline is matched by nothing but itself. Numeric variables ([[#N:]]) are not supported and are reported as errors.
package filecheck
