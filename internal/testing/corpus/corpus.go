// Package corpus locates the shared corpus of real Tile IR bytecode and numeric cases for tests.
//
// The corpus is not part of the repository: it stands in a folder `shared` beside the checkout, or wherever the
// environment variable TILEWRIGHT_CORPUS points. A lone clone has none: a test that needs it says so and is skipped
// there. Where the variable is set, and in CI (CI=true), it fails, because a skip would hide the gap.
package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	_ "github.com/tilewright/tilewright/internal/testing/heap"
)

// EnvVar names the environment variable that overrides the corpus location.
const EnvVar = "TILEWRIGHT_CORPUS"

// Root returns the root folder of the repository that this package was built from.
func Root() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "."
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Path returns the corpus folder, which may not exist.
func Path() string {
	if dir := os.Getenv(EnvVar); dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(Root()), "shared", "corpus")
}

// Dir returns the corpus folder. When there is none it skips the test, or fails it where there must be one.
func Dir(t testing.TB) string {
	t.Helper()
	dir := Path()
	if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
		if os.Getenv("CI") == "true" || os.Getenv(EnvVar) != "" {
			t.Fatalf("corpus not found at %s (set %s): %v", dir, EnvVar, err)
		}
		t.Skipf("this test reads the corpus, which is not at %s; %s says where it is", dir, EnvVar)
	}
	return dir
}
