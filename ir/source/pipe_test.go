//go:build unix

package source

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe is not read: it would wait for who writes to it.
func TestPipe(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe.py")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if text, why := new(Reader).Read(name); text != nil || why != "it is no plain file" {
		t.Errorf("read a pipe: %q, %q", text, why)
	}
}
