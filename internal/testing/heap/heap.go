// Package heap lets the heap of a test program grow further between collections of garbage: a package that imports it
// spends a fifth less processor time on its tests. The other packages that tests share import it. Benchmarks keep what
// users have.
package heap

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// percent is how much the heap grows before garbage is collected, in place of Go's 100. tests/cases needs 28 seconds of
// a processor at 100, 23 at 300, and 21 where 1 GiB is left uncollected. At 300 it holds 280 MB, at 100 136 MB.
const percent = 300

func init() {
	benchmarks := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") })
	if os.Getenv("GOGC") == "" && !benchmarks {
		debug.SetGCPercent(percent)
	}
}
