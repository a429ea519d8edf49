// Package ci tests what a change is checked by: .ci/run and its scripts.
//
// .ci/run must run every test. A test of the long tier is in testdata/long.txt, so that review sees which tests
// `go test ./...` leaves out. .ci/subjects.sh must reject a commit whose subject does not follow the rule.
package ci
