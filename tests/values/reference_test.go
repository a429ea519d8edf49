package values

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A valueLine is a line of values/reference.jsonl.gz, which values/make_reference.py describes.
type valueLine struct {
	Op    string
	Types []string // of the operands' elements, and of the result's
	Attrs string
	In    []string
	Step  int
	Ulp   bool
	Out   string
	Text  string // of an operation on whole tiles

	inputs [][]uint64 // of each operand
	want   []expectation
}

// An expectation is what an element is to be.
type expectation struct {
	bits uint64
	kind byte // of the signs that the script describes; 0: bits
	none bool // only the sign is given
}

func (l *valueLine) key() string {
	return l.Op + " " + strings.Join(l.Types, " ") + " " + l.Attrs
}

// valueLines are the lines, by operation.
var valueLines = sync.OnceValues(func() (map[string][]*valueLine, error) {
	file, err := os.Open("reference.jsonl.gz")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(unzipped)
	in.Buffer(nil, 1<<24)
	var head struct{ Values map[string]string }
	out := make(map[string][]*valueLine)
	values := make(map[string][]uint64)
	for n := 1; in.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(in.Bytes(), &head); err != nil {
				return nil, err
			}
			for t, list := range head.Values {
				if values[t], err = patterns(list); err != nil {
					return nil, err
				}
			}
			continue
		}
		l := new(valueLine)
		err := json.Unmarshal(in.Bytes(), l)
		if err == nil {
			err = l.decode(values)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out[l.Op] = append(out[l.Op], l)
	}
	return out, in.Err()
})

func (l *valueLine) decode(values map[string][]uint64) error {
	err := eachWord(l.Out, func(word string) error {
		e, err := parseExpectation(word)
		l.want = append(l.want, e)
		return err
	})
	if err != nil {
		return err
	}
	for _, list := range l.In {
		in, err := patterns(list)
		if err != nil {
			return err
		}
		l.inputs = append(l.inputs, in)
	}
	if l.Step > 0 {
		l.inputs = make([][]uint64, len(l.Types)-1)
		total := 1
		for i := range l.inputs {
			total *= len(values[l.Types[i]])
		}
		for k := 0; k < total; k += l.Step {
			rest := k
			for i := range l.inputs {
				list := values[l.Types[i]]
				l.inputs[i] = append(l.inputs[i], list[rest%len(list)])
				rest /= len(list)
			}
		}
	}
	for _, in := range l.inputs {
		if l.Text == "" && len(in) != len(l.want) {
			return fmt.Errorf("%s: %d elements of an operand, %d results", l.key(), len(in), len(l.want))
		}
	}
	return nil
}

func patterns(list string) (out []uint64, err error) {
	err = eachWord(list, func(word string) error {
		v, err := strconv.ParseUint(word, 16, 64)
		out = append(out, v)
		return err
	})
	return out, err
}

func parseExpectation(word string) (expectation, error) {
	switch word {
	case "!", "?":
		return expectation{kind: word[0], none: true}, nil
	}
	var e expectation
	if n := len(word) - 1; word[n] == '!' || word[n] == '~' {
		e.kind, word = word[n], word[:n]
	}
	var err error
	e.bits, err = strconv.ParseUint(word, 16, 64)
	return e, err
}

// eachWord undoes the run-length form of a list.
func eachWord(list string, f func(word string) error) error {
	for _, field := range strings.Fields(list) {
		word, times, repeated := strings.Cut(field, "*")
		n := 1
		if repeated {
			var err error
			if n, err = strconv.Atoi(times); err != nil {
				return err
			}
		}
		for range n {
			if err := f(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// linesOf returns the lines of an operation.
func linesOf(t *testing.T, def *ir.OpDef) []*valueLine {
	t.Helper()
	lines, err := valueLines()
	if err != nil {
		t.Fatal(err)
	}
	return lines[def.Name]
}

// valueKey is the key of the lines for an operation with the given types and attributes. Attributes that are left out
// have their default.
func valueKey(c *ir.Context, def *ir.OpDef, types []ir.Type, attrs []ir.NamedAttr) string {
	l := valueLine{Op: def.Name}
	for _, t := range types {
		l.Types = append(l.Types, ir.TypeString(t))
	}
	set := make(map[string]ir.Attribute)
	for _, a := range attrs {
		set[a.Name] = a.Value
	}
	var words []string
	for i := range def.Attrs {
		f := &def.Attrs[i]
		a := set[f.Name]
		if a == nil && f.Default != nil {
			a = f.Default(c)
		}
		switch a := a.(type) {
		case nil:
		case *cudatile.EnumAttr:
			words = append(words, f.Name+"="+a.String())
		default:
			words = append(words, f.Name)
		}
	}
	l.Attrs = strings.Join(slices.Sorted(slices.Values(words)), " ")
	return l.key()
}
