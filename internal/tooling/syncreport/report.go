package syncreport

import (
	"errors"
	"strings"

	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Format is the number of the JSON form. Fields may be added to it; a change of meaning makes a new one.
const Format = 1

// The verdicts.
const (
	OK       = "ok"
	Findings = "findings"
	Stopped  = "stopped" // the launch did not end as it should
)

// A Report is what the check of a launch found: its fields are those of the JSON form.
type Report struct {
	Format  int    `json:"format"`
	File    string `json:"file"`
	Entry   string `json:"entry"`
	Verdict string `json:"verdict"`
	// Schedules is "all" where the report holds for every schedule of this launch, else "this"; Because says why.
	Schedules string    `json:"schedules"`
	Because   []string  `json:"because,omitempty"`
	Unchecked []string  `json:"unchecked,omitempty"`
	Findings  []Finding `json:"findings"`
	More      int       `json:"more,omitempty"` // findings that are left out
	Stopped   *Stop     `json:"stopped,omitempty"`
}

// A Finding is a defect of synchronization.
type Finding struct {
	Kind    string  `json:"kind"`
	Missing string  `json:"missing"` // the edge, in words
	Message string  `json:"message"`
	First   *Access `json:"first,omitempty"`
	Second  Access  `json:"second"`
	Count   int     `json:"count"`
}

// An Access is one side of a finding.
type Access struct {
	Line        int            `json:"line"` // of the PTX
	Instruction string         `json:"instruction"`
	Source      []launch.Place `json:"source,omitempty"`
	CTA         [3]uint32      `json:"cta"`
	Warp        *int           `json:"warp,omitempty"`
	Agent       string         `json:"agent,omitempty"`
	Proxy       string         `json:"proxy,omitempty"`
	Space       string         `json:"space,omitempty"`
	Address     uint64         `json:"address"`
	Bytes       int            `json:"bytes,omitempty"`
	Write       bool           `json:"write,omitempty"`
}

// A Stop says why a launch did not end as it should, and where its threads stood.
type Stop struct {
	Reason   string     `json:"reason"`  // "deadlock", "does not end", "fault"
	Message  string     `json:"message"` // with lines of the source
	Line     int        `json:"line,omitempty"`
	Standing []Standing `json:"standing,omitempty"`
}

// A Standing is where threads stood.
type Standing struct {
	Who  string `json:"who"`
	What string `json:"what"`
	Line int    `json:"line,omitempty"`
}

// New makes a report of what was found in the launch of an entry, whose error is that of the engine. It returns nil for
// an error that is not the kernel's.
func New(file, entry string, found *emu.SyncReport, err error) *Report {
	r := &Report{Format: Format, File: file, Entry: entry, Verdict: OK, Schedules: "this", Because: found.Because, Unchecked: found.Unchecked, Findings: []Finding{}, More: found.More}
	for i := range found.Findings {
		r.Findings = append(r.Findings, newFinding(&found.Findings[i]))
	}
	if len(r.Findings) > 0 {
		r.Verdict = Findings
	}
	switch {
	case err != nil:
		if r.Stopped = stoppedBy(err); r.Stopped == nil {
			return nil
		}
		r.Verdict = Stopped
		r.Because = append(r.Because, "the launch did not run to its end ("+r.Stopped.Reason+")")
	case found.AllSchedules:
		r.Schedules = "all"
	}
	return r
}

// Fault makes an error of the findings, for callers that have no report to show; nil if there are none.
func (r *Report) Fault() error {
	if len(r.Findings) == 0 {
		return nil
	}
	at := &r.Findings[0].Second
	return &launch.Fault{Kind: launch.Unordered, Block: at.CTA, Where: at.Source, Err: errors.New(strings.TrimSpace(string(r.Text())))}
}

func newFinding(f *emu.Finding) Finding {
	out := Finding{Kind: string(f.Kind), Missing: f.Missing, Message: f.String(), Second: newAccess(&f.Second), Count: f.Count}
	if f.First != nil {
		a := newAccess(f.First)
		out.First = &a
	}
	return out
}

func newAccess(a *emu.Access) Access {
	out := Access{Line: a.Line, Instruction: a.Instruction, CTA: a.CTA, Agent: a.Agent, Proxy: a.Proxy, Space: a.Space, Address: a.Addr, Bytes: a.Bytes, Write: a.Write}
	if a.Warp >= 0 {
		out.Warp = &a.Warp
	}
	for _, p := range a.Source {
		out.Source = append(out.Source, launch.Place{File: p.File, Line: p.Line, Column: p.Column})
	}
	return out
}

// stoppedBy says how a kernel ended its own launch; nil for an error that is not the kernel's.
func stoppedBy(err error) *Stop {
	s := new(Stop)
	var d *emu.Deadlock
	var f *emu.Fault
	var u *launch.Unfinished
	switch {
	case errors.As(err, &d):
		s.Reason = "deadlock"
		for i := range d.At {
			at := &d.At[i]
			s.Standing = append(s.Standing, Standing{Who: at.Who(), What: at.What(), Line: at.Line})
		}
		if len(d.At) > 0 {
			s.Line = d.At[0].Line
		}
	case errors.As(err, &f):
		s.Reason, s.Line = "fault", f.Line
	case errors.As(err, &u):
		s.Reason = "does not end"
		for _, at := range u.At {
			s.Standing = append(s.Standing, Standing{Who: at.Who, What: at.What})
		}
	default:
		return nil
	}
	s.Message = launch.Explain(err, new(source.Reader).Text)
	return s
}
