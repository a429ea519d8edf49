package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tilewright/tilewright/internal/crashdump"
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

// Read reads a file, or standard input for "-", and takes the module out of it if it is a crash dump of cuTile's. It returns the name that locations use.
func Read(path string, stdin io.Reader) (name string, data []byte, err error) {
	if name = path; path == "-" {
		name = StdinName
		data, err = io.ReadAll(stdin)
	} else if data, err = os.ReadFile(path); err != nil {
		err = readError(path, err)
	}
	if err != nil || !crashdump.Is(data) {
		return name, data, err
	}
	inner, data, err := crashdump.Module(data)
	if err != nil {
		return name, nil, fmt.Errorf("cannot read '%s': %w", name, err)
	}
	return name + ":" + inner, data, nil
}

// readError says what cannot be read and why, without the name of the call that failed.
func readError(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("cannot read '%s': %w", path, at.Err)
	}
	return err
}

// Write writes a file as a whole or not at all: under another name first. "-" and "" stand for standard output; what is no regular
// file, such as a device, is written directly.
func Write(path string, data []byte, stdout io.Writer) error {
	o := NewOutput(path, stdout)
	_, _ = o.Write(data) // Commit returns the error
	return o.Commit()
}
