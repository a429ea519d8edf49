package syncreport

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tilewright/tilewright/ir/source"
)

// Formats are those that Write knows.
var Formats = []string{"text", "json", "sarif"}

// Write writes a report in a format.
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return encode(w, r)
	case "sarif":
		return encode(w, r.sarif())
	}
	_, err := w.Write(r.Text())
	return err
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Text is the report for people.
func (r *Report) Text() (b []byte) {
	add := func(format string, args ...any) { b = fmt.Appendf(b, format+"\n", args...) }
	for i := range r.Findings {
		f := &r.Findings[i]
		add("%s:%d: %s: %s", r.File, f.Second.Line, f.Kind, f.Missing)
		if f.First != nil {
			f.First.text(add, "first")
		}
		f.Second.text(add, "then ")
		if f.Count > 1 {
			add("    seen %d times", f.Count)
		}
	}
	if r.More > 0 {
		add("and %d more", r.More)
	}
	if r.Stopped != nil {
		add("%s: %s", r.Stopped.Reason, r.Stopped.Message)
	}
	for _, s := range r.Unchecked {
		add("not checked: %s", s)
	}
	verdict := "nothing found"
	switch n := len(r.Findings) + r.More; {
	case n == 1:
		verdict = "1 finding"
	case n > 1:
		verdict = fmt.Sprintf("%d findings", n)
	case r.Stopped != nil:
		verdict = "stopped"
	}
	holds := "for all schedules of this launch"
	if r.Schedules != "all" {
		holds = "for this schedule only"
	}
	add("%s: '%s': %s, %s", r.File, r.Entry, verdict, holds)
	for _, s := range r.Because {
		add("    %s", s)
	}
	return b
}

func (a *Access) text(add func(string, ...any), role string) {
	who := fmt.Sprintf("%s of cta %d,%d,%d", a.Agent, a.CTA[0], a.CTA[1], a.CTA[2])
	if a.Warp != nil {
		who += fmt.Sprintf(" warp %d", *a.Warp)
	}
	how := "reads"
	if a.Write {
		how = "writes"
	}
	switch a.Space {
	case "":
	case "tensor":
		who += fmt.Sprintf(" %s tensor memory at lane %d, column %d", how, a.Address>>16, a.Address&0xffff)
	default:
		who += fmt.Sprintf(" %s %d bytes of %s memory at %#x", how, a.Bytes, a.Space, a.Address)
	}
	add("    %s line %d '%s'", role, a.Line, a.Instruction)
	add("          %s", who)
	for _, p := range a.Source {
		add("          from %s", source.Printable(p.String()))
	}
}
