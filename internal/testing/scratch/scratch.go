// Package scratch keeps what tests leave in the folder for temporary files, such as the reproducers of failures that
// they provoke, out of that of the machine.
package scratch

import (
	"fmt"
	"os"
	"testing"
)

// Run runs the tests of a package with a folder for temporary files of their own, which goes with them. It returns the
// exit status, for TestMain.
func Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "tilewright-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
