package judges

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Rustc returns the path of a Rust compiler. The compiler must compile and link an empty program: a rustc on the PATH
// may be rustup's shim without a toolchain. Without such a compiler the test is skipped, or fails when CI=true.
func Rustc(t testing.TB) string {
	t.Helper()
	path, err := findRustc()
	if err != nil {
		end(t, "a Rust compiler", err, "run apt-get install rustc, or rustup default stable")
	}
	return path
}

func findRustc() (string, error) {
	path, err := exec.LookPath("rustc")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "rustc")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(path, "--edition=2021", "-o", filepath.Join(dir, "empty"), "-")
	cmd.Stdin = strings.NewReader("fn main() {}")
	if said, err := cmd.CombinedOutput(); err != nil {
		line, _, _ := bytes.Cut(bytes.TrimSpace(said), []byte("\n"))
		return "", fmt.Errorf("%s cannot compile an empty program: %w: %s", path, err, line)
	}
	return path, nil
}
