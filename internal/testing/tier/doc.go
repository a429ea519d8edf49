// Package tier divides the tests into a short and a long tier.
//
// `go test ./...` runs the short tier, which is meant to take less than five minutes on two cores. `.ci/run` sets
// TILEWRIGHT_TESTS=all and runs everything: a test that calls [Long] runs only then, and one that asks [All] tries more
// variants.
// TILEWRIGHT_TESTS=exhaustive takes every case and module of the corpus for each target, which is for a change of the IR
// itself. The long tier takes a part of these pairs ([Sample]), so that .ci/run stays below 25 minutes.
//
// tests/ci lists what the long tier adds, and holds .ci/run to running it.
package tier
