package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// pendingPath is the list of files that are not converted yet, one a line. It only shrinks.
func pendingPath() string { return filepath.Join(corpus.Root(), "tests", "prose", "pending.txt") }

// readPending reads the list; there is none when all files are converted.
func readPending() ([]string, error) {
	text, err := os.ReadFile(pendingPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// updatePending removes files without findings from the list, and follows files that moved and kept their name.
func updatePending(all []file) error {
	pending, err := readPending()
	if err != nil {
		return err
	}
	moved := map[string]bool{} // names of files that are listed and gone
	for _, name := range pending {
		if !slices.ContainsFunc(all, func(f file) bool { return f.path == name }) {
			moved[path.Base(name)] = true
		}
	}
	var keep []string
	for _, f := range all {
		found, err := f.findings(false)
		if err != nil {
			return err
		}
		if len(found) > 0 && (slices.Contains(pending, f.path) || moved[path.Base(f.path)]) {
			keep = append(keep, f.path+"\n")
		}
	}
	if len(keep) == 0 {
		return os.Remove(pendingPath())
	}
	return os.WriteFile(pendingPath(), []byte(strings.Join(keep, "")), 0o644)
}
