package launch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tilewright/tilewright/target/engine/npy"
)

// Case is a launch with expected outputs. Loading reads the buffers; the module stays a file.
type Case struct {
	Name   string // of its folder
	Path   string // of case.json
	Module string // file name, relative to the folder
	Entry  string
	Grid   [3]uint32
	Args   []Arg // initial values; Request copies them
	Files  []string
	// Segments is memory at addresses that the case chose; SegmentFiles are what it was read from.
	Segments     []*Segment
	SegmentFiles []string
	Expect       []Expect

	// Bytes that a launch reads and writes at least, and floating-point operations that it does, for the rates of a
	// timed run; 0: not said.
	Bytes, Flops float64

	// Where the case comes from, for people. Needs names a minimum target where one matters.
	Note, Reference, Bytecode, ExportedFor, Needs string
}

// Expect is what an argument's buffer, or a segment, must hold after the launch.
type Expect struct {
	Arg     int
	Segment bool // Arg is the number of a segment
	File    string
	Want    *Buffer
	Tolerance
}

// Limits on what a case may ask for: far above any use, and low enough that reading one stays harmless.
const (
	maxCaseBytes   = 4 << 20
	maxModuleBytes = 1 << 30
	maxCaseMemory  = 8 << 30 // a short file may name the same large buffer many times
	maxArgs        = 4096    // PTX allows 32,764 bytes of parameters
)

// LoadCase reads a case.json file, or that of a folder, and the buffers it names.
//
// A case may come from anywhere. Its files are opened below its folder only, by a root that follows no link out of it.
// They are bounded one by one and together.
func LoadCase(path string) (*Case, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "case.json")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	c := &Case{Path: path, Name: filepath.Base(filepath.Dir(abs))}
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	text, err := readBounded(folder, filepath.Base(path), maxCaseBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	total := 0
	if err := c.decode(text, func(file string) (*npy.Array, error) {
		f, err := npy.OpenRegular(file, folder.Stat, folder.Open) // a root follows no link out of the folder
		if err != nil {
			return nil, err
		}
		defer f.Close()
		a, err := npy.Read(f)
		if err != nil {
			return nil, err
		}
		if total += len(a.Data); total > maxCaseMemory {
			return nil, fmt.Errorf("the buffers take more than %d bytes together", maxCaseMemory)
		}
		return a, nil
	}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func readBounded(folder *os.Root, name string, limit int64) ([]byte, error) {
	f, err := npy.OpenRegular(name, folder.Stat, folder.Open)
	if err != nil {
		return nil, fmt.Errorf("cannot read '%s': %w", name, err)
	}
	defer f.Close()
	var buf bytes.Buffer
	n, err := io.Copy(&buf, io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("file is larger than %d bytes", limit)
	}
	return buf.Bytes(), nil
}

// ReadModule reads the module's file.
func (c *Case) ReadModule() ([]byte, error) {
	folder, err := os.OpenRoot(filepath.Dir(c.Path))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	module, err := readBounded(folder, c.Module, maxModuleBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: module: %w", c.Path, err)
	}
	return module, nil
}

// Request returns a fresh launch of the case, whose buffers may be changed.
func (c *Case) Request() *Request {
	req := &Request{Entry: c.Entry, Grid: c.Grid, Args: make([]Arg, len(c.Args))}
	copy(req.Args, c.Args)
	clones := make(map[*Buffer]*Buffer) // a buffer that is passed twice is one memory
	for i := range req.Args {
		if b := req.Args[i].Buffer; b != nil {
			if clones[b] == nil {
				clones[b] = b.Clone()
			}
			req.Args[i].Buffer = clones[b]
		}
	}
	for _, s := range c.Segments {
		req.Segments = append(req.Segments, s.Clone())
	}
	return req
}

type openFunc func(file string) (*npy.Array, error)

// Fields that are not known are errors: a misspelt tolerance must not be a tolerance of zero, or worse, none.
func (c *Case) decode(text []byte, open openFunc) error {
	o, err := newObject("", text)
	if err != nil {
		return err
	}
	if c.Module, err = o.file("module"); err != nil {
		return err
	}
	if c.Entry, err = o.str("entry"); err != nil {
		return err
	}
	if c.Entry == "" {
		return failf("entry", "empty")
	}
	if err := c.decodeGrid(o); err != nil {
		return err
	}
	if err := c.decodeSegments(o, open); err != nil {
		return err
	}
	if err := c.decodeArgs(o, open); err != nil {
		return err
	}
	if err := c.decodeExpect(o, open); err != nil {
		return err
	}
	for key, to := range map[string]*string{
		"note": &c.Note, "reference": &c.Reference, "bytecode": &c.Bytecode, "exported_for": &c.ExportedFor, "needs": &c.Needs,
	} {
		if *to, err = o.optional(key); err != nil {
			return err
		}
	}
	for key, to := range map[string]*float64{"bytes": &c.Bytes, "flops": &c.Flops} {
		if o.has(key) {
			if *to, err = o.notNegative(key); err != nil {
				return err
			}
		}
	}
	return o.done()
}

func (c *Case) decodeGrid(o *object) error {
	grid, err := o.list("grid")
	if err != nil {
		return err
	}
	if len(grid) != len(c.Grid) {
		return failf("grid", "got %d numbers, expected %d", len(grid), len(c.Grid))
	}
	for i, raw := range grid {
		field := fmt.Sprintf("grid[%d]", i)
		n, err := count(field, raw, maxGrid)
		if err != nil {
			return err
		}
		if n == 0 {
			return failf(field, "got 0, expected at least 1")
		}
		c.Grid[i] = uint32(n)
	}
	return nil
}

func (c *Case) decodeArgs(o *object, open openFunc) error {
	list, err := o.list("args")
	if err != nil {
		return err
	}
	if len(list) > maxArgs {
		return failf("args", "got %d arguments, at most %d are accepted", len(list), maxArgs)
	}
	c.Args = make([]Arg, len(list))
	c.Files = make([]string, len(list))
	for i, raw := range list {
		a, err := newObject(fmt.Sprintf("args[%d]", i), raw)
		if err != nil {
			return err
		}
		if err := c.decodeArg(i, a, open); err != nil {
			return err
		}
		if err := a.done(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Case) decodeExpect(o *object, open openFunc) error {
	list, err := o.list("expect")
	if err != nil {
		return err
	}
	for i, raw := range list {
		e, err := newObject(fmt.Sprintf("expect[%d]", i), raw)
		if err != nil {
			return err
		}
		x, err := c.decodeOutput(e, open)
		if err != nil {
			return err
		}
		if err := e.done(); err != nil {
			return err
		}
		c.Expect = append(c.Expect, x)
	}
	return nil
}

func (c *Case) decodeOutput(e *object, open openFunc) (x Expect, err error) {
	key, kind, have := "arg", "argument", len(c.Args)
	if x.Segment = e.has("segment"); x.Segment {
		key, kind, have = "segment", "segment", len(c.Segments)
	}
	index, err := e.take(key)
	if err != nil {
		return x, err
	}
	n, err := count(e.path(key), index, maxArgs)
	if err != nil {
		return x, err
	}
	if n >= uint64(have) {
		return x, failf(e.path(key), "got %d, but there are %d %ss", n, have, kind)
	}
	x.Arg = int(n)
	var out *Buffer
	if x.Segment {
		out = c.Segments[n].Buffer()
	} else if out = c.Args[n].Buffer; out == nil {
		return x, failf(e.path("arg"), "argument %d is a scalar", n)
	}
	for _, other := range c.Expect {
		if other.Arg == x.Arg && other.Segment == x.Segment {
			return x, failf(e.path(key), "%s %d is expected twice", kind, n)
		}
	}
	if x.Want, x.File, err = e.buffer("file", open); err != nil {
		return x, err
	}
	if x.Want.DType != out.DType || x.Want.Len() != out.Len() {
		return x, failf(e.path("file"), "holds %s, but %s %d is %s", Arg{Buffer: x.Want}, kind, n, Arg{Buffer: out})
	}
	if x.Relative, err = e.notNegative("rtol"); err != nil {
		return x, err
	}
	if x.Absolute, err = e.notNegative("atol"); err != nil {
		return x, err
	}
	return x, nil
}

// file reads a path that must stay below the folder of the case.
func (o *object) file(key string) (string, error) {
	name, err := o.str(key)
	if err != nil {
		return "", err
	}
	if !filepath.IsLocal(name) {
		return "", failf(o.path(key), "%q is not a relative path inside the folder", name)
	}
	return name, nil
}

// buffer reads the array that key names, as the type in "dtype" if there is one.
func (o *object) buffer(key string, open openFunc) (*Buffer, string, error) {
	name, err := o.file(key)
	if err != nil {
		return nil, "", err
	}
	var d DType
	if o.has("dtype") {
		spelling, err := o.str("dtype")
		if err != nil {
			return nil, "", err
		}
		if d, err = ParseDType(spelling); err != nil {
			return nil, "", failf(o.path("dtype"), "%w", err)
		}
	}
	a, err := open(name)
	if err != nil {
		return nil, "", failf(o.path(key), "%s: %w", name, err)
	}
	b, err := NewBuffer(a, d)
	if err != nil {
		return nil, "", failf(o.path(key), "%s: %w", name, err)
	}
	return b, name, nil
}

// replicas reads how many devices hold a copy of a buffer.
func (o *object) replicas(b *Buffer) (int, error) {
	raw, err := o.take("replicas")
	if err != nil {
		return 0, err
	}
	n, err := count(o.path("replicas"), raw, maxReplicas)
	if err == nil && n == 0 {
		err = failf(o.path("replicas"), "got 0, expected at least 1")
	}
	if err != nil {
		return 0, err
	}
	if err := checkReplicas(b, int(n)); err != nil {
		return 0, failf(o.path("replicas"), "%w", err)
	}
	return int(n), nil
}

func (o *object) scalar() (s Scalar, err error) {
	spelling, err := o.str("scalar")
	if err != nil {
		return s, err
	}
	if s.DType, err = ParseDType(spelling); err != nil {
		return s, failf(o.path("scalar"), "%w", err)
	}
	if o.has("bits") {
		if s.Bits, err = o.hex("bits"); err == nil && s.Bits>>(8*s.DType.Size()-1)>>1 != 0 {
			err = failf(o.path("bits"), "got %#x, but %s has %d bytes", s.Bits, s.DType, s.DType.Size())
		}
		return s, err
	}
	text, err := o.literal("value")
	if err != nil {
		return s, err
	}
	if s.Bits, err = s.DType.ParseValue(text); err != nil {
		return s, failf(o.path("value"), "%w", err)
	}
	return s, nil
}
