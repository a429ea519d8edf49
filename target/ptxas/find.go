package ptxas

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	// EnvVar names the environment variable that holds the path of the assembler.
	EnvVar = "TILEWRIGHT_PTXAS"

	judgesVar = "TILEWRIGHT_JUDGES"
	program   = "ptxas"
)

// ErrNotFound is what the error of [Find] wraps when no assembler is installed.
var ErrNotFound = errors.New("ptxas not found")

// Tool is an assembler on this machine.
type Tool struct{ Path string }

// Find returns the assembler. A path that the user named, in the argument or in TILEWRIGHT_PTXAS, is taken or rejected.
// Otherwise these are searched in this order: PATH; the toolkit in CUDA_HOME, CUDA_PATH or CUDA_ROOT; the default
// toolkit folders, newest first; the packages of the Python environments in TILEWRIGHT_JUDGES, in VIRTUAL_ENV and around
// the python3 on PATH.
func Find(explicit string) (*Tool, error) {
	return finder{
		env:      os.Getenv,
		lookPath: exec.LookPath,
		toolkits: "/usr/local/cuda*",
	}.find(explicit)
}

// finder is the surroundings that the search depends on.
type finder struct {
	env      func(string) string
	lookPath func(string) (string, error)
	toolkits string // pattern of the default toolkit folders
}

func (f finder) find(explicit string) (*Tool, error) {
	for _, named := range []struct{ source, path string }{{"--ptxas", explicit}, {EnvVar, f.env(EnvVar)}} {
		if named.path == "" {
			continue
		}
		if err := runnable(named.path); err != nil {
			return nil, fmt.Errorf("ptxas as %s says: %w", named.source, err)
		}
		return &Tool{Path: named.path}, nil
	}
	if path, err := f.lookPath(program); err == nil {
		return &Tool{Path: path}, nil
	}
	for _, path := range f.candidates() {
		if runnable(path) == nil {
			return &Tool{Path: path}, nil
		}
	}
	return nil, fmt.Errorf("%w: install the CUDA toolkit, or the Python package nvidia-cuda-nvcc, "+
		"and name the program with --ptxas or %s, or put it on PATH", ErrNotFound, EnvVar)
}

func (f finder) candidates() []string {
	var paths []string
	// nvcc sets CUDA_ROOT for the programs that it runs. Its folder is on PATH too, but relative when nvcc was called
	// so, and LookPath takes nothing from relative folders.
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"} {
		if root := f.env(name); root != "" {
			paths = append(paths, filepath.Join(root, "bin", program))
		}
	}
	paths = append(paths, newestFirst(glob(filepath.Join(f.toolkits, "bin", program)))...)
	roots := []string{f.env(judgesVar), f.env("VIRTUAL_ENV")}
	if python, err := f.lookPath("python3"); err == nil {
		roots = append(roots, filepath.Dir(filepath.Dir(python))) // bin/python3 of an environment, which is not resolved
	}
	for _, root := range roots {
		if root != "" {
			paths = append(paths, glob(filepath.Join(root, "lib", "python3*", "site-packages", "nvidia", "*", "bin", program))...)
		}
	}
	return paths
}

// glob returns the matches of a pattern, none when the pattern is malformed because of what a variable holds.
func glob(pattern string) []string {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return matches
}

// newestFirst sorts toolkits such as /usr/local/cuda-13.5 by version. The unversioned folder, which points to the
// toolkit that the administrator chose, goes first.
func newestFirst(paths []string) []string {
	version := func(path string) []int {
		folder := filepath.Base(filepath.Dir(filepath.Dir(path)))
		_, text, ok := strings.Cut(folder, "-")
		if !ok {
			return nil
		}
		var parts []int
		for part := range strings.SplitSeq(text, ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				break
			}
			parts = append(parts, n)
		}
		return parts
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		va, vb := version(a), version(b)
		if (va == nil) != (vb == nil) {
			return cmp.Compare(len(va), len(vb))
		}
		return slices.Compare(vb, va)
	})
	return paths
}

func runnable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not a program", path)
	}
	return nil
}
