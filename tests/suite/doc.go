// Package suite runs the test files below this folder, each by the commands of its RUN lines.
//
// A command must print what the file's CHECK lines say, or what the recorded file beside it holds. `go test
// ./tests/suite -run TestSuite/passes` runs one folder; with -update the recorded files are rewritten.
package suite
