package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// A Saved is a launch to keep as a case.
type Saved struct {
	Module     string // the name of its file, without a folder
	Text       []byte // of the module
	Before     *Request
	After      *Request // what the launch left of Before
	Tolerances []Expect // of outputs that are not to be equal bit by bit; what they want does not matter
	Note       string   // for people; may be empty
}

// The JSON of a case, in the order of docs/cases.md. Readers are in case.go, which explains what is wrong with a
// file; encoding/json does not.
type (
	caseJSON struct {
		Module   string        `json:"module"`
		Entry    string        `json:"entry"`
		Grid     [3]uint32     `json:"grid"`
		Segments []segmentJSON `json:"segments,omitempty"`
		Args     []argJSON     `json:"args"`
		Expect   []expectJSON  `json:"expect"`
		Note     string        `json:"note,omitempty"`
	}
	segmentJSON struct {
		Address  string `json:"address"`
		File     string `json:"file"`
		DType    string `json:"dtype"`
		Name     string `json:"name,omitempty"`
		ReadOnly bool   `json:"readonly,omitempty"`

		Uninitialized bool `json:"uninitialized,omitempty"`
	}
	argJSON struct {
		Buffer   string `json:"buffer,omitempty"`
		Same     *int   `json:"same,omitempty"`
		DType    string `json:"dtype,omitempty"`
		Replicas int    `json:"replicas,omitempty"`

		Uninitialized bool `json:"uninitialized,omitempty"`

		Offset  uint64 `json:"offset,omitempty"`
		Pointer string `json:"pointer,omitempty"`
		Scalar  string `json:"scalar,omitempty"`
		Bits    string `json:"bits,omitempty"`
	}
	expectJSON struct {
		Arg     *int    `json:"arg,omitempty"`
		Segment *int    `json:"segment,omitempty"`
		File    string  `json:"file"`
		DType   string  `json:"dtype"`
		RTol    float64 `json:"rtol"`
		ATol    float64 `json:"atol"`
	}
)

// Save makes a new folder of a launch: the module, its buffers before and after, and case.json, which LoadCase reads.
// Buffers that the launch did not change are no outputs. The folder appears complete or not at all; one that
// exists is an error.
func Save(dir string, s Saved) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("'%s' exists already", dir)
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".case-")
	if err != nil {
		return err
	}
	defer cleanup.Add(temp)()
	defer os.RemoveAll(temp)                      // of that name nothing is left once it is complete
	if err := os.Chmod(temp, 0o755); err != nil { // MkdirTemp makes it private
		return err
	}
	c := caseJSON{Module: s.Module, Entry: s.Before.Entry, Grid: s.Before.Grid, Args: []argJSON{}, Expect: []expectJSON{}, Note: s.Note}
	w := &writer{dir: temp}
	w.arguments(&c, s)
	w.segments(&c, s)
	if w.err != nil {
		return w.err
	}
	if err := os.WriteFile(filepath.Join(temp, s.Module), s.Text, 0o666); err != nil {
		return err
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(temp, "case.json"), append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// A writer writes the buffers of a case, until one cannot be.
type writer struct {
	dir string
	err error
}

// buffer writes a buffer and returns the names of its file and type.
func (w *writer) buffer(b *Buffer, format string, i int) (file, dtype string) {
	file = fmt.Sprintf(format, i)
	if w.err == nil {
		w.err = npy.WriteFile(filepath.Join(w.dir, file), b.Array())
	}
	return file, b.DType.String()
}

func (w *writer) arguments(c *caseJSON, s Saved) {
	at := make(map[*Buffer]int)
	for i, a := range s.Before.Args {
		switch b := a.Buffer; {
		case b == nil && a.Scalar.DType == Ptr:
			c.Args = append(c.Args, argJSON{Pointer: fmt.Sprintf("%#x", a.Scalar.Bits)})
		case b == nil:
			c.Args = append(c.Args, argJSON{Scalar: a.Scalar.DType.String(), Bits: fmt.Sprintf("%#x", a.Scalar.Bits)})
		default:
			if first, ok := at[b]; ok {
				c.Args = append(c.Args, argJSON{Same: &first, Offset: a.Offset})
				continue
			}
			at[b] = i
			file, dtype := w.buffer(b, "arg%d.npy", i)
			c.Args = append(c.Args, argJSON{Buffer: file, DType: dtype, Replicas: b.Replicas, Uninitialized: b.Uninitialized, Offset: a.Offset})
			if got := s.After.Args[i].Buffer; string(got.Data) != string(b.Data) {
				file, dtype := w.buffer(got, "want%d.npy", i)
				t := s.tolerance(i, false)
				c.Expect = append(c.Expect, expectJSON{Arg: &i, File: file, DType: dtype, RTol: t.Relative, ATol: t.Absolute})
			}
		}
	}
}

func (w *writer) segments(c *caseJSON, s Saved) {
	for i, g := range s.Before.Segments {
		file, dtype := w.buffer(g.Buffer(), "segment%d.npy", i)
		c.Segments = append(c.Segments, segmentJSON{Address: fmt.Sprintf("%#x", g.Addr), File: file, DType: dtype, Name: g.Name, ReadOnly: g.ReadOnly, Uninitialized: g.Uninitialized})
		if got := s.After.Segments[i]; string(got.Data) != string(g.Data) {
			file, dtype := w.buffer(got.Buffer(), "wantsegment%d.npy", i)
			t := s.tolerance(i, true)
			c.Expect = append(c.Expect, expectJSON{Segment: &i, File: file, DType: dtype, RTol: t.Relative, ATol: t.Absolute})
		}
	}
}

// tolerance returns that of an output, zero when nothing was said of it.
func (s Saved) tolerance(arg int, segment bool) Tolerance {
	for _, x := range s.Tolerances {
		if x.Arg == arg && x.Segment == segment {
			return x.Tolerance
		}
	}
	return Tolerance{}
}
