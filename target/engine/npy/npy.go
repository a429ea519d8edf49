package npy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
)

// DType is an element type as NumPy spells it, without the byte order: b1, i1 to i8, u1 to u8, f2, f4 or f8.
type DType string

// The element types.
const (
	Bool    DType = "b1"
	Int8    DType = "i1"
	Int16   DType = "i2"
	Int32   DType = "i4"
	Int64   DType = "i8"
	Uint8   DType = "u1"
	Uint16  DType = "u2"
	Uint32  DType = "u4"
	Uint64  DType = "u8"
	Float16 DType = "f2"
	Float32 DType = "f4"
	Float64 DType = "f8"
)

var dtypes = []DType{Bool, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, Float32, Float64}

// Size is the number of bytes of an element.
func (d DType) Size() int { return int(d[1] - '0') }

// Name is what NumPy calls the type, as in float32.
func (d DType) Name() string {
	kind, ok := map[byte]string{'b': "bool", 'i': "int", 'u': "uint", 'f': "float"}[d[0]]
	if !ok || d == Bool {
		return kind
	}
	return fmt.Sprintf("%s%d", kind, 8*d.Size())
}

// Valid reports whether d is one of the types above.
func (d DType) Valid() bool { return slices.Contains(dtypes, d) }

// Array is an array in C order. Data holds the elements in little-endian order.
type Array struct {
	DType DType
	Shape []int
	Data  []byte
}

// maxRank is NumPy's own limit.
const maxRank = 64

// Len is the number of elements.
func (a *Array) Len() int { return len(a.Data) / a.DType.Size() }

// elements multiplies the shape and rejects what does not fit a Go slice.
func elements(shape []int, size int) (int, error) {
	n := 1
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("negative extent %d", d)
		}
		if d == 0 {
			return 0, nil
		}
		if n > math.MaxInt/size/d {
			return 0, fmt.Errorf("shape %v is too large", shape)
		}
		n *= d
	}
	return n, nil
}

// Read reads one array and requires the input to end after it.
func Read(r io.Reader) (*Array, error) {
	src := &source{r: r}
	a, fortran, err := src.header()
	if err != nil {
		return nil, fmt.Errorf("npy: byte %d: %w", src.pos, err)
	}
	n, err := elements(a.Shape, a.DType.Size())
	if err != nil {
		return nil, fmt.Errorf("npy: byte %d: %w", src.pos, err)
	}
	size := n * a.DType.Size()
	// Copying through a buffer that grows with the input keeps a false shape from allocating its size.
	var buf bytes.Buffer
	got, err := io.Copy(&buf, io.LimitReader(r, int64(size)))
	if err != nil {
		return nil, fmt.Errorf("npy: byte %d: %w", src.pos+got, err)
	}
	if got < int64(size) {
		return nil, fmt.Errorf("npy: byte %d: data ends after %d of %d bytes", src.pos+got, got, size)
	}
	var extra [1]byte
	if n, _ := io.ReadFull(r, extra[:]); n != 0 {
		return nil, fmt.Errorf("npy: byte %d: data goes on after the last element", src.pos+got)
	}
	a.Data = buf.Bytes()
	if fortran {
		a.Data = transpose(a)
	}
	return a, nil
}

// transpose returns the elements of a, stored in Fortran order, in C order.
func transpose(a *Array) []byte {
	size, out := a.DType.Size(), make([]byte, 0, len(a.Data))
	if len(a.Shape) < 2 || len(a.Data) == 0 {
		return a.Data
	}
	index := make([]int, len(a.Shape))
	for range a.Len() {
		offset := 0
		for i := len(index) - 1; i >= 0; i-- {
			offset = offset*a.Shape[i] + index[i]
		}
		out = append(out, a.Data[offset*size:(offset+1)*size]...)
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < a.Shape[i] {
				break
			}
			index[i] = 0
		}
	}
	return out
}

// ReadFile reads the array in the file at path.
func ReadFile(path string) (*Array, error) {
	f, err := OpenRegular(path, os.Stat, os.Open)
	if err != nil {
		return nil, fmt.Errorf("cannot read '%s': %w", path, err)
	}
	defer f.Close()
	a, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// OpenRegular opens a regular file; its errors do not name the path. What is none is rejected before it is opened:
// opening a pipe waits for whoever writes to it.
func OpenRegular(path string, stat func(string) (os.FileInfo, error), open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(path)
	switch {
	case err != nil:
		return nil, reason(err)
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	f, err := open(path)
	return f, reason(err)
}

// reason leaves out the path of an error and the call that failed.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Write writes a in version 1.0, whose 64 KiB of header are enough for every shape that Read accepts.
func Write(w io.Writer, a *Array) error {
	if !a.DType.Valid() {
		return fmt.Errorf("npy: unknown element type %q", a.DType)
	}
	if len(a.Shape) > maxRank {
		return fmt.Errorf("npy: more than %d dimensions", maxRank)
	}
	n, err := elements(a.Shape, a.DType.Size())
	if err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	if want := n * a.DType.Size(); len(a.Data) != want {
		return fmt.Errorf("npy: shape %v of %s needs %d bytes, got %d", a.Shape, a.DType, want, len(a.Data))
	}
	if _, err := w.Write(header(a)); err != nil {
		return err
	}
	_, err = w.Write(a.Data)
	return err
}

// header builds everything before the elements; its length is a multiple of 64, so that they can be mapped aligned.
func header(a *Array) []byte {
	order := "<"
	if a.DType.Size() == 1 {
		order = "|"
	}
	var shape strings.Builder
	for i, d := range a.Shape {
		if i > 0 {
			shape.WriteByte(' ')
		}
		fmt.Fprintf(&shape, "%d,", d)
	}
	dims := shape.String()
	if len(a.Shape) > 1 {
		dims = strings.TrimSuffix(dims, ",")
	}
	dict := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, a.DType, dims)
	prefix := len(magic) + 2 + 2
	dict += strings.Repeat(" ", 63-(prefix+len(dict))%64) + "\n"
	out := append([]byte(magic), 1, 0, byte(len(dict)), byte(len(dict)>>8))
	return append(out, dict...)
}

// WriteFile writes a to path. The file appears complete or not at all: it is written beside and renamed.
func WriteFile(path string, a *Array) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("cannot write '%s': %w", path, reason(err))
	}
	defer cleanup.Add(f.Name())()
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write '%s': %w", path, reason(err))
			_ = f.Close() // closed twice on some paths, which is harmless
			_ = os.Remove(f.Name())
		}
	}()
	if err = Write(f, a); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
