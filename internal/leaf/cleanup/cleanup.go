// Package cleanup removes the temporary files of a program that a signal ends. No deferred call runs then, so what a
// function would remove in one would be left.
package cleanup

import (
	"os"
	"sync"
)

var (
	mu    sync.Mutex
	paths = make(map[string]bool)
)

// Add notes a temporary file or folder. The function that it returns forgets it, after it was removed or has become a
// result.
func Add(path string) (forget func()) {
	mu.Lock()
	defer mu.Unlock()
	paths[path] = true
	return func() {
		mu.Lock()
		defer mu.Unlock()
		delete(paths, path)
	}
}

// TempDir makes a temporary folder. The function that it returns removes it.
func TempDir(pattern string) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	forget := Add(dir)
	return dir, func() {
		_ = os.RemoveAll(dir) // nothing can be done about what cannot be removed
		forget()
	}, nil
}

// Now removes all that was noted and is still there. The program ends after it: no file may be made any more, so that
// the lock is kept.
func Now() {
	mu.Lock()
	for path := range paths {
		_ = os.RemoveAll(path) // as above
	}
}
