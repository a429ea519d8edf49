package scratch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Script puts an executable script into a folder and returns its path. Use it in place of os.WriteFile, because a
// script cannot run while anybody has it open for writing ("text file busy"): a child that another test starts in
// between has it open, until it becomes another program. No child starts while ForkLock is held.
func Script(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
