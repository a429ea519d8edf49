package launch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir/source"
)

// An Unfinished is the error of a launch that was stopped before its end, because its time was up or because it
// executed too much.
type Unfinished struct {
	Err error
	// At says where the launch stood: some of the tile blocks that had begun and not ended, in the order of the grid.
	At   []Standing
	More bool // not all of them
	// Blocks counts the tile blocks of the grid, or its CTAs; Begun those of them that had begun and not ended.
	Blocks, Ended, Begun uint64
}

func (u *Unfinished) Error() string { return u.Err.Error() }

func (u *Unfinished) Unwrap() error { return u.Err }

// A Standing is where a part of a launch stood.
type Standing struct {
	Who   string  `json:"who"`             // "tile block (0, 0, 0)", "cta 0,0,0 warps 0-3"
	What  string  `json:"what,omitempty"`  // "at 'cuda_tile.addi'", "waiting at line 9 'bar.sync 1;'"
	Where []Place `json:"where,omitempty"` // in the source, and then of the callers
}

// Explain returns the message of an error of a launch for people to read. It has the lines of the user's source and, of
// a launch that did not end, where each tile block was. The function source returns the text of a file, or nil.
func Explain(err error, source func(file string) []byte) string {
	var u *Unfinished
	var f *Fault
	switch {
	case errors.As(err, &u):
		return strings.TrimSuffix(err.Error()+u.explain(source), "\n")
	case errors.As(err, &f):
		before, _, _ := strings.Cut(err.Error(), f.Err.Error()) // what has wrapped the fault
		return strings.TrimSuffix(before+f.text(source), "\n")
	}
	return err.Error()
}

func (u *Unfinished) explain(find func(string) []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n    of %d tile blocks %d had ended and %d had begun", u.Blocks, u.Ended, u.Begun)
	for _, s := range u.At {
		fmt.Fprintf(&b, "\n    %s: %s", s.Who, s.What)
		for i, p := range s.Where {
			how := "called from"
			if i == 0 {
				how = "of"
			}
			fmt.Fprintf(&b, "\n      %s %s%s", how, source.Printable(p.String()), quote(p, find, "        "))
		}
	}
	if u.More {
		b.WriteString("\n    and others")
	}
	return b.String()
}

// quote returns the line of the user's source at a place, with a caret, and a line break before it; "" where it is
// not to be had.
func quote(p Place, find func(string) []byte, indent string) string {
	if find == nil || p.Line <= 0 {
		return ""
	}
	line := strings.TrimSuffix(source.Line(p.File, find(p.File), uint32(p.Line), uint32(max(0, p.Column))), "\n")
	if line == "" {
		return ""
	}
	return "\n" + indent + strings.ReplaceAll(line, "\n", "\n"+indent)
}
