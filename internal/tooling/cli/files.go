package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/crashdump"
	"github.com/tilewright/tilewright/ir/asm"
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

// MaxInput is the most bytes that a tool reads of one input. It is what the reader of text accepts; a kernel has a few
// thousand. So a pipe or device that never ends, as in "yes | tile-opt", takes a bounded amount of memory.
const MaxInput = asm.MaxSource

var errTooLarge = fmt.Errorf("input is larger than %d MiB, the limit of the tools", MaxInput>>20)

// Read reads a file, or standard input for "-", and takes the module out of it if it is a crash dump of cuTile's. It
// returns the name that locations use.
func Read(path string, stdin io.Reader) (name string, data []byte, err error) {
	if err := NoPython(path); err != nil {
		return path, nil, err
	}
	if name = path; path == "-" {
		name = StdinName
		data, err = readAll(stdin)
	} else {
		data, err = readFile(path)
	}
	if err != nil {
		return name, nil, cannotRead(name, err)
	}
	if !crashdump.Is(data) {
		return name, data, nil
	}
	inner, data, err := crashdump.Module(data, MaxInput)
	if err != nil {
		return name, nil, cannotRead(name, err)
	}
	return name + ":" + inner, data, nil
}

// NoPython returns an error that tells the way for a Python program in the place of a module.
func NoPython(path string) error {
	if !strings.HasSuffix(path, ".py") {
		return nil
	}
	return fmt.Errorf("'%s' is a Python program: 'tilewright run' of the Python package runs it, 'tilewright export' writes its kernels", path)
}

// ReadFile reads a file that is not the input.
func ReadFile(path string) ([]byte, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	return data, nil
}

func cannotRead(name string, err error) error { return fmt.Errorf("cannot read '%s': %w", name, err) }

// readFile reads a file of at most MaxInput bytes. Its error is the reason alone, as is that of readAll.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > MaxInput {
		return nil, errTooLarge // and nothing is read
	}
	return readAll(f)
}

func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxInput+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case len(data) > MaxInput:
		return nil, errTooLarge
	}
	return data, nil
}

// reason returns why a call failed, without its name and path.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Write writes a file completely or not at all: under another name first. "-" and "" stand for standard output; what
// is no regular file, such as a device, is written directly.
func Write(path string, data []byte, stdout io.Writer) error {
	o := NewOutput(path, stdout)
	_, _ = o.Write(data) // Commit returns the error
	return o.Commit()
}
