package cli

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
)

// An Output is where a tool writes its result while it makes it: standard output, or a file that has its name only
// once it is complete. Nothing is opened before the first byte, or Commit.
type Output struct {
	path string // of the file; "" for standard output
	tmp  string // the name that the file has until Commit; "" when it is written directly, as a device is
	kept func() // forgets tmp, which a signal would remove
	file *os.File
	w    *bufio.Writer
	err  error // of opening or writing the file
	last byte  // that was written
	some bool  // something was
}

const outputBuffer = 1 << 16

// NewOutput returns the output to a file; "-" and "" stand for standard output.
func NewOutput(path string, stdout io.Writer) *Output {
	o := &Output{path: path}
	if path == "-" || path == "" {
		o.path, o.w = "", bufio.NewWriterSize(stdout, outputBuffer)
	}
	return o
}

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	if err := o.open(); err != nil {
		return 0, err
	}
	if len(b) > 0 {
		o.last, o.some = b[len(b)-1], true
	}
	n, err := o.w.Write(b)
	return n, o.failed(err)
}

// EndLine ends the last line, if there is one and it does not end in a line break.
func (o *Output) EndLine() error {
	if !o.some || o.last == '\n' {
		return nil
	}
	_, err := o.Write([]byte{'\n'})
	return err
}

// Err returns the error of opening or writing, which Commit will return too.
func (o *Output) Err() error { return o.err }

// Open opens the file, so that an error of that is known before there is anything to write.
func (o *Output) Open() error { return o.open() }

// open opens the file under another name, unless it is no regular file.
func (o *Output) open() error {
	if o.w != nil || o.err != nil {
		return o.err
	}
	if real, err := filepath.EvalSymlinks(o.path); err == nil {
		o.path = real
	}
	name, flags, mode := o.path, os.O_WRONLY, os.FileMode(0o666)
	info, err := os.Stat(o.path)
	if err == nil {
		mode = info.Mode().Perm()
	}
	if err != nil || info.Mode().IsRegular() {
		o.tmp = filepath.Join(filepath.Dir(o.path), "."+filepath.Base(o.path)+"."+rand.Text()[:8]+".tmp")
		name, flags = o.tmp, flags|os.O_CREATE|os.O_EXCL
		o.kept = cleanup.Add(o.tmp)
	}
	if o.file, err = os.OpenFile(name, flags, mode); err != nil {
		if o.tmp != "" {
			o.kept()
		}
		o.tmp = ""
		return o.failed(err)
	}
	o.w = bufio.NewWriterSize(o.file, outputBuffer)
	return nil
}

// A WriteError says that a result could not be written. Whoever calls Commit gets it then, so that it need not be
// reported before.
type WriteError struct {
	Path string // "" for standard output
	Err  error
}

// Error implements error.
func (e *WriteError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("cannot write the result: %v", e.reason())
	}
	return fmt.Sprintf("cannot write '%s': %v", e.Path, e.reason())
}

// reason leaves out the path of the temporary name, and the call that failed.
func (e *WriteError) reason() error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(e.Err, &path):
		return path.Err
	case errors.As(e.Err, &link):
		return link.Err
	}
	return e.Err
}

// Unwrap returns the error of the operating system.
func (e *WriteError) Unwrap() error { return e.Err }

// failed keeps the first error.
func (o *Output) failed(err error) error {
	if err == nil {
		return nil
	}
	var known *WriteError
	if o.err == nil && errors.As(err, &known) {
		o.err = known
	}
	if o.err == nil {
		o.err = &WriteError{o.path, err}
	}
	return o.err
}

// Commit gives the file its name, once all has been written.
func (o *Output) Commit() error {
	if o.open() == nil && o.err == nil {
		_ = o.failed(o.w.Flush())
	}
	if o.file == nil {
		return o.err
	}
	_ = o.failed(o.file.Close())
	if o.tmp != "" {
		if o.err == nil {
			_ = o.failed(os.Rename(o.tmp, o.path))
		}
		if o.err != nil {
			_ = os.Remove(o.tmp) // the first error counts
		}
		o.kept()
	}
	return o.err
}

// Discard leaves the file unchanged. What went to standard output cannot be taken back.
func (o *Output) Discard() {
	if o.file == nil {
		return
	}
	_ = o.file.Close() // nothing of it is kept
	if o.tmp != "" {
		_ = os.Remove(o.tmp)
		o.kept()
	}
}
