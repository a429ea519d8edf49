package why

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes/remark"
)

// Arguments say what the parameters of kernels are in the program that launches them, by the name of the entry. A front
// end that takes arrays passes each as several parameters, which its users never see.
type Arguments map[string]Kernel

// A Kernel is what its author calls it, and an argument for each parameter.
type Kernel struct {
	Name       string     `json:"name"`
	Parameters []Argument `json:"parameters"`
}

// An Argument is what one parameter is: a number, or a property of an array.
type Argument struct {
	Name  string  `json:"name"`
	Role  string  `json:"role,omitempty"` // base, shape or stride of an array; "": a number
	Dim   int     `json:"dim,omitempty"`
	Rank  int     `json:"rank,omitempty"`  // of the array
	Bytes int64   `json:"bytes,omitempty"` // of an element
	Value int64   `json:"value"`           // in the launch; of strides in elements
	Shape []int64 `json:"shape,omitempty"` // of the array
}

// maxArguments is the most bytes of a file of arguments.
const maxArguments = 16 << 20

// ReadArguments reads a file of arguments.
func ReadArguments(path string) (Arguments, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxArguments:
		return nil, fmt.Errorf("'%s' is no plain file of up to %d MiB", path, maxArguments>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseArguments(path, data)
}

// ParseArguments parses a file of arguments.
func ParseArguments(path string, data []byte) (Arguments, error) {
	var a Arguments
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil {
		return nil, fmt.Errorf("'%s': %w", path, err)
	}
	for entry, k := range a {
		for i, p := range k.Parameters {
			switch {
			case p.Role != "" && p.Role != "base" && p.Role != "shape" && p.Role != "stride":
				return nil, fmt.Errorf("'%s': parameter %d of '%s' has the unknown role '%s'", path, i, entry, p.Role)
			case p.Dim < 0 || p.Role != "" && p.Role != "base" && p.Dim >= p.Rank || p.Bytes < 0 || p.Rank > 64 || p.Rank != len(p.Shape):
				return nil, fmt.Errorf("'%s': parameter %d of '%s' has dimension %d of %d, %d sizes and %d bytes", path, i, entry, p.Dim, p.Rank, len(p.Shape), p.Bytes)
			}
		}
	}
	return a, nil
}

// name is what the author of a kernel calls it.
func (a Arguments) name(entry string) string {
	if k := a[entry]; k.Name != "" {
		return k.Name
	}
	return entry
}

// of returns the argument that a loss is about; nil where it is about none.
func (a Arguments) of(l loss) *Argument {
	list := a[l.fn.SymbolName()].Parameters
	if i := l.parameter(); i >= 0 && i < len(list) {
		return &list[i]
	}
	return nil
}

// property is what a user calls the number: "row stride of `b`".
func (a *Argument) property() string {
	switch {
	case a.Role == "base":
		return fmt.Sprintf("address of `%s`", a.Name)
	case a.Role == "stride" && a.Rank == 2:
		return fmt.Sprintf("%s stride of `%s`", [...]string{"row", "column"}[a.Dim], a.Name)
	case a.Role == "stride":
		return fmt.Sprintf("stride of dimension %d of `%s`", a.Dim, a.Name)
	case a.Role == "shape":
		return fmt.Sprintf("`%s.shape[%d]`", a.Name, a.Dim)
	}
	return "`" + a.Name + "`"
}

// fact says what is missing.
func (a *Argument) fact(need int64) string {
	if need == 0 {
		return fmt.Sprintf("the %s is %d, not 1", a.property(), a.Value)
	}
	if a.Role == "base" {
		if off := a.Value & (need - 1); off != 0 {
			return fmt.Sprintf("`%s` begins %d bytes after a multiple of %d", a.Name, off, need)
		}
		return fmt.Sprintf("the %s is not known to be a multiple of %d bytes", a.property(), need)
	}
	if a.Value%need != 0 {
		return fmt.Sprintf("the %s (%d) is no multiple of %d", a.property(), a.Value, need)
	}
	return fmt.Sprintf("the %s (%d) is a multiple of %d, but the kernel was compiled for any", a.property(), a.Value, need)
}

// cure is a line of Python.
func (a *Argument) cure(need int64) string {
	n := a.Name
	switch {
	case need == 0:
		return fmt.Sprintf("%s = np.ascontiguousarray(%s)", n, n)
	case a.Role == "base" && a.Bytes > 0:
		return fmt.Sprintf("%s = %s.copy(), or begin the slice at a multiple of %d elements", n, n, max(1, need/a.Bytes))
	case a.Value%need == 0:
		return fmt.Sprintf("launch with a %s that cuTile knows to be a multiple of %d", a.property(), need)
	}
	to := (a.Value/need + 1) * need
	text := fmt.Sprintf("%s (%d) is no multiple of %d: pad to %d", a.property(), a.Value, need, to)
	if last := a.Rank - 1; a.Role == "stride" && a.Rank == 2 && a.Dim == 0 && a.Shape[last] == a.Value {
		text += fmt.Sprintf(", as in %s = np.pad(%s, ((0, 0), (0, %d)))", n, n, to-a.Value)
	}
	return text
}

// pythonCures are cures of remarks for those who cannot write an assume.
var pythonCures = map[*remark.Kind]string{
	remark.LoopVersions:   "pad the arrays: strides that are multiples of 16 bytes, sizes that tiles divide; then there is the fast version alone",
	remark.IndexNarrowing: "none in Python: cuTile cannot promise that sizes are small, so addresses are computed in 64 bits",
}

// curedInPython returns the cure of a remark as a Python author can follow it.
func curedInPython(d *ir.Diagnostic, cure string) string {
	if f := ir.FileLocOf(d.Loc); f != nil && strings.HasSuffix(f.File, ".py") {
		if text, ok := pythonCures[remark.Of(d.Decision)]; ok {
			return text
		}
	}
	return cure
}

// callee matches what is called at the caret of a Python line, and its first argument.
var callee = lazy.Regexp(`^([A-Za-z_][\w.]*)\(\s*([A-Za-z_][\w.]*)?`)

// spoken returns a remark as a Python author would say it: "ct.load of `b`" for "load", where that is what the line
// calls.
func spoken(d *ir.Diagnostic, sources *source.Reader) string {
	f := ir.FileLocOf(d.Loc)
	if f == nil || !strings.HasSuffix(f.File, ".py") {
		return d.Message
	}
	for _, op := range [...]string{"load ", "store "} {
		rest, ok := strings.CutPrefix(d.Message, op)
		if !ok {
			continue
		}
		// Columns of cuTile count from 0.
		line := source.Line(f.File, sources.Text(f.File), f.Line, f.Column)
		text, _, _ := strings.Cut(line, "\n")
		_, caret, _ := strings.Cut(line, "\n")
		at := strings.IndexByte(caret, '^')
		if at < 0 || at >= len(text) {
			return d.Message
		}
		m := callee().FindStringSubmatch(text[at:])
		switch {
		case m == nil || !strings.Contains(m[1], strings.TrimSpace(op)):
		case m[2] == "":
			return m[1] + " " + rest
		default:
			return fmt.Sprintf("%s of `%s` %s", m[1], m[2], rest)
		}
	}
	return d.Message
}
