// Package pprof writes estimates of time in the format of pprof. It is apart from package timing, so that programs that
// write none do not start with the tables of pprof's reader.
package pprof

import (
	"fmt"
	"io"
	"strings"

	"github.com/google/pprof/profile"
	"github.com/tilewright/tilewright/target/timing"
)

// Write writes estimates in pprof's format (go tool pprof): cycles of warps and instructions, of each
// instruction of the PTX below its source line and its kernel. The label "stall" is what the warps waited for,
// "issue" where they did not.
func Write(w io.Writer, list []timing.Named) error {
	b := &builder{functions: make(map[[2]string]*profile.Function), locations: make(map[place]*profile.Location),
		p: &profile.Profile{DefaultSampleType: "cycles", Comments: []string{"cycles are an estimate by a model of the GPU, not a measurement"},
			SampleType: []*profile.ValueType{{Type: "cycles", Unit: "count"}, {Type: "instructions", Unit: "count"}}, PeriodType: &profile.ValueType{Type: "cycles", Unit: "count"}, Period: 1}}
	for _, e := range list {
		for i := range e.Lines {
			b.line(e, &e.Lines[i])
		}
	}
	if err := b.p.CheckValid(); err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	return b.p.Write(w)
}

// maxText is how much of an instruction is in the name of a function.
const maxText = 72

type builder struct {
	p         *profile.Profile
	functions map[[2]string]*profile.Function
	locations map[place]*profile.Location
}

type place struct {
	function, file string
	line           int
}

func (b *builder) location(at place) *profile.Location {
	if l := b.locations[at]; l != nil {
		return l
	}
	f := b.functions[[2]string{at.function, at.file}]
	if f == nil {
		f = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: at.function, SystemName: at.function, Filename: at.file}
		b.functions[[2]string{at.function, at.file}] = f
		b.p.Function = append(b.p.Function, f)
	}
	l := &profile.Location{ID: uint64(len(b.p.Location) + 1), Line: []profile.Line{{Function: f, Line: int64(at.line)}}}
	b.locations[at] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

// line adds a sample for each reason.
func (b *builder) line(e timing.Named, l *timing.Line) {
	text := strings.Join(strings.Fields(l.Text), " ")
	if r := []rune(text); len(r) > maxText {
		text = string(r[:maxText]) + "..."
	}
	stack := []*profile.Location{b.location(place{fmt.Sprintf("%d: %s", l.Line, text), e.Name + " (PTX)", l.Line})}
	if l.Source != nil {
		stack = append(stack, b.location(place{l.Source.String(), l.Source.File, l.Source.Line}))
	}
	stack = append(stack, b.location(place{e.Name + " on " + e.Arch, "", 0}))
	add := func(why string, cycles, issued int64) {
		b.p.Sample = append(b.p.Sample, &profile.Sample{Location: stack, Value: []int64{cycles, issued}, Label: map[string][]string{"stall": {why}}})
	}
	issuing := l.Cycles
	for _, n := range l.Stalls {
		issuing -= n
	}
	add("issue", issuing, int64(l.Issued))
	for i, n := range l.Stalls {
		if n > 0 {
			add(timing.Reasons()[i], n, 0)
		}
	}
}
