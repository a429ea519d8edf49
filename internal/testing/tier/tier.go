package tier

import (
	"os"
	"testing"

	_ "github.com/tilewright/tilewright/internal/testing/heap"
)

// EnvVar names the environment variable that chooses the tier.
const EnvVar = "TILEWRIGHT_TESTS"

// The values of the variable; unset is the short tier.
const (
	all        = "all"
	exhaustive = "exhaustive"
)

// All reports whether the run asks for the long tier, or for more. Tests ask it for how many seeds or variants they
// try.
func All() bool { return os.Getenv(EnvVar) == all || Exhaustive() }

// Exhaustive reports whether the run asks for every case and module of the corpus, which takes hours.
func Exhaustive() bool { return os.Getenv(EnvVar) == exhaustive }

// Long skips a test of the long tier where the run does not ask for it.
func Long(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skip("a test of the long tier: " + EnvVar + "=" + all + " runs it")
	}
}

// Generations are one target of each.
var Generations = []string{"sm_80", "sm_90", "sm_100", "sm_120"}

// Sample returns the generations for which the long tier tries the n-th of many kernels: two, in turn. The exhaustive
// tier tries all.
func Sample(n int) []string {
	if Exhaustive() {
		return Generations
	}
	return []string{Generations[n%2], Generations[n%2+2]}
}

// Count returns how many seeds or variants a test tries: fewer in the short tier than in the long one.
func Count(short, long int) int {
	if All() {
		return long
	}
	return short
}

// Try reports whether a test tries its variant i: the long tier tries all of them, the short tier every n-th one.
func Try(i, n int) bool { return i%n == 0 || All() }
