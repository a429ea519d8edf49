package cli

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// StdinName is the name of standard input in locations and messages, as in MLIR's tools.
const StdinName = "<stdin>"

// Input returns the one file among the arguments that are no flags; "-" when there is none.
func Input(args []string) (string, error) {
	switch len(args) {
	case 0:
		return "-", nil
	case 1:
		return args[0], nil
	}
	return "", fmt.Errorf("expected one input file, but got '%s' and '%s'", args[0], args[1])
}

// Read reads a file, or standard input for "-". It returns the name that locations use.
func Read(path string, stdin io.Reader) (name string, data []byte, err error) {
	if path == "-" {
		data, err = io.ReadAll(stdin)
		return StdinName, data, err
	}
	data, err = os.ReadFile(path)
	return path, data, err
}

// Write writes a file as a whole or not at all: under another name first. "-" and "" stand for standard output; what is no regular
// file, such as a device, is written directly.
func Write(path string, data []byte, stdout io.Writer) error {
	if path == "-" || path == "" {
		_, err := stdout.Write(data)
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return writeDirectly(path, data)
		}
		mode = info.Mode().Perm()
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8]+".tmp")
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("cannot write '%s': %w", path, err)
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // the first error counts
		return fmt.Errorf("cannot write '%s': %w", path, err)
	}
	return nil
}

func writeDirectly(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write '%s': %w", path, err)
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
