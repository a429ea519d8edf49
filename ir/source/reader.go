package source

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"unicode/utf8"
)

// The bounds of what a Reader reads. Kernels are files of some thousand lines; a module may name any number of files.
const (
	maxBytes = 2 << 20 // of a file
	maxFiles = 64      // that are opened
)

// suffixes are those of the languages that Tile IR comes from, and of its own text.
var suffixes = []string{".py", ".rs", ".jl", ".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".mlir", ".tileir"}

// A Reader reads sources, each once. The zero value is ready; goroutines may share it.
type Reader struct {
	// Under are folders: only files in them, or in folders in them, are read. Nil: any file.
	Under []string

	mu    sync.Mutex
	known map[string]read
}

type read struct {
	text []byte
	why  string
}

// Text returns a file, or nil if it is not shown.
func (r *Reader) Text(name string) []byte {
	text, _ := r.Read(name)
	return text
}

// Read returns a file, or in a few words why it is not shown.
func (r *Reader) Read(name string) (text []byte, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k, ok := r.known[name]; ok {
		return k.text, k.why
	}
	if len(r.known) == maxFiles {
		return nil, "too many others were read"
	}
	if r.known == nil {
		r.known = make(map[string]read)
	}
	if r.Under != nil && !within(name, r.Under) {
		text, why = nil, "it is outside of the folders that may be shown"
	} else {
		text, why = file(name)
	}
	r.known[name] = read{text, why}
	return text, why
}

// within reports whether a file is in one of some folders, wherever links lead to.
func within(name string, folders []string) bool {
	path, err := resolved(name)
	if err != nil {
		return false
	}
	for _, f := range folders {
		folder, err := resolved(f)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

func resolved(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

func file(name string) (text []byte, why string) {
	if !slices.Contains(suffixes, filepath.Ext(name)) {
		return nil, "its name is not that of a source"
	}
	// Asked first, as opening a pipe would wait for who writes to it.
	if info, err := os.Stat(name); err != nil {
		return nil, "it cannot be read here"
	} else if !info.Mode().IsRegular() {
		return nil, "it is no plain file"
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "it cannot be read here"
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	switch {
	case err != nil:
		return nil, "it cannot be read here"
	case len(data) > maxBytes:
		return nil, "it is too large"
	case !utf8.Valid(data) || bytes.ContainsRune(data, 0):
		return nil, "it is no text"
	}
	return data, ""
}
