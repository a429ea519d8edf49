package launch

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Number is a float64 that JSON can hold even when infinite, as a string.
type Number float64

// MarshalJSON writes a number, or "inf".
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(n), 0) || n != n {
		return json.Marshal(n.String())
	}
	return json.Marshal(float64(n))
}

func (n Number) String() string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(float64(n), 'g', 4, 64), "+"))
}

// Output is the comparison of one argument.
type Output struct {
	Arg       int       `json:"arg"`
	Segment   bool      `json:"segment,omitempty"` // Arg is the number of a segment
	File      string    `json:"file,omitempty"`
	Tolerance Tolerance `json:"tolerance"`
	Diff      *Diff     `json:"diff"`

	shape []int
}

// Report is the verdict on a launch.
type Report struct {
	Name    string   `json:"case"`
	Outputs []Output `json:"outputs"`
}

// OK reports whether every output is right.
func (r *Report) OK() bool {
	for _, o := range r.Outputs {
		if !o.Diff.OK() {
			return false
		}
	}
	return true
}

// Check compares the buffers of a finished launch of the case with its expectations.
func (c *Case) Check(req *Request) (*Report, error) { return Check(c.Name, req, c.Expect) }

// in returns the memory of a launch that an expectation is about, or nil.
func (e *Expect) in(req *Request) *Buffer {
	switch {
	case e.Arg < 0:
	case e.Segment && e.Arg < len(req.Segments):
		return req.Segments[e.Arg].Buffer()
	case !e.Segment && e.Arg < len(req.Args):
		return req.Args[e.Arg].Buffer
	}
	return nil
}

func (e *Expect) what() string {
	if e.Segment {
		return fmt.Sprintf("segment %d", e.Arg)
	}
	return fmt.Sprintf("argument %d", e.Arg)
}

// Check compares the buffers of a finished launch with expectations.
func Check(name string, req *Request, expect []Expect) (*Report, error) {
	r := &Report{Name: name, Outputs: []Output{}}
	for _, e := range expect {
		got := e.in(req)
		if got == nil {
			return nil, fmt.Errorf("%s is not a buffer of this launch", e.what())
		}
		d, err := Compare(got, e.Want, e.Tolerance)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.what(), err)
		}
		r.Outputs = append(r.Outputs, Output{e.Arg, e.Segment, e.File, e.Tolerance, d, e.Want.Shape})
	}
	return r, nil
}

// WriteText writes a line per output, and the places for those that are wrong.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i := range r.Outputs {
		r.Outputs[i].text(&b, r.Name)
	}
	if len(r.Outputs) == 0 {
		fmt.Fprintf(&b, "%s: no outputs to compare\n", r.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (o *Output) text(b *strings.Builder, name string) {
	d := o.Diff
	what := "arg"
	if o.Segment {
		what = "segment"
	}
	fmt.Fprintf(b, "%s: %s %d (%s[%d]): ", name, what, o.Arg, d.DType, d.Elements)
	if d.OK() {
		b.WriteString("ok")
	} else {
		fmt.Fprintf(b, "%d of %d elements differ", d.Mismatches, d.Elements)
	}
	for _, p := range []struct {
		name string
		Peak
	}{{"abs", d.Absolute}, {"rel", d.Relative}, {"ulp", d.ULP}} {
		if p.Index >= 0 {
			fmt.Fprintf(b, ", max %s %s at %s", p.name, p.Value, o.place(p.Index))
		}
	}
	if o.Tolerance.Relative != 0 || o.Tolerance.Absolute != 0 {
		fmt.Fprintf(b, " (rtol %g, atol %g)", o.Tolerance.Relative, o.Tolerance.Absolute)
	}
	b.WriteByte('\n')
	if !d.OK() {
		fmt.Fprintf(b, "  first at %s: %s\n", o.place(d.First), d.FirstPair)
		if d.Worst != d.First {
			fmt.Fprintf(b, "  worst at %s: %s\n", o.place(d.Worst), d.WorstPair)
		}
	}
}

// place spells a flat index, with the coordinates when the array has several dimensions.
func (o *Output) place(i int) string {
	if len(o.shape) < 2 {
		return strconv.Itoa(i)
	}
	coordinates := make([]string, len(o.shape))
	rest := i
	for k := len(o.shape) - 1; k >= 0; k-- {
		coordinates[k] = strconv.Itoa(rest % o.shape[k])
		rest /= o.shape[k]
	}
	return fmt.Sprintf("%d [%s]", i, strings.Join(coordinates, ","))
}
