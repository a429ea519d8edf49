package ptxas

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
)

// Severity is how bad a diagnostic is.
type Severity uint8

const (
	Warning Severity = iota
	Problem          // the input is wrong
	Fatal            // and nothing after it was looked at
)

var severities = [...]string{Warning: "warning", Problem: "error", Fatal: "fatal"}

// String returns the assembler's word.
func (s Severity) String() string { return severities[s] }

// Diagnostic is one message of the assembler.
type Diagnostic struct {
	Severity Severity
	Line     int // of the PTX, from 1; zero when the message is about no line
	Message  string
	Source   string // text of that line, without the blanks around it
}

// String prints the diagnostic with the line it is about.
func (d Diagnostic) String() string {
	if d.Line == 0 {
		return fmt.Sprintf("%s: %s", d.Severity, d.Message)
	}
	return fmt.Sprintf("line %d: %s: %s\n\t%s", d.Line, d.Severity, d.Message, d.Source)
}

// Error says that the assembler rejected its input.
type Error struct{ Diagnostics []Diagnostic }

// shownDiagnostics bounds the text of an error; all diagnostics are in the value.
const shownDiagnostics = 10

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("ptxas rejected the PTX")
	for i, d := range e.Diagnostics {
		if i == shownDiagnostics {
			fmt.Fprintf(&b, "\n%d more", len(e.Diagnostics)-i)
			break
		}
		b.WriteByte('\n')
		b.WriteString(d.String())
	}
	return b.String()
}

// Stats is what one entry uses, as the assembler reports it.
type Stats struct {
	Entry       string
	Arch        string
	Registers   int // per thread
	Barriers    int
	Stack       int // bytes per thread
	SpillStores int // bytes per thread
	SpillLoads  int // bytes per thread
	Shared      int // bytes of static shared memory per CTA
	Local       int // bytes of local memory per thread
	Constant    int // bytes in all constant banks
	CompileTime time.Duration
}

var (
	message = lazy.Regexp(`^ptxas (?:.*, line (\d+); )?(warning|error|fatal)\s*: (.*)$`)
	// loss is what ptxas calls information: products of a group of warps wait for each other. Whoever wrote them
	// wants to know.
	loss      = lazy.Regexp(`^ptxas info\s*: (\(C\d+\) Potential Performance Loss: .*)$`)
	compiling = lazy.Regexp(`^ptxas info\s*: Compiling entry function '(.*)' for '(.*)'$`)
	frame     = lazy.Regexp(`^\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads$`)
	used      = lazy.Regexp(`^ptxas info\s*: Used (.*)$`)
	resource  = lazy.Regexp(`(\d+) (?:bytes )?(registers|barriers|smem|lmem|cmem)`)
	timing    = lazy.Regexp(`^ptxas info\s*: Compile time = ([\d.]+) ms$`)
)

// aborted is the last line of every failed run; it says nothing that the lines before it do not.
const aborted = "Ptx assembly aborted due to errors"

// parseLog reads what a verbose run printed. Lines of a form it does not know are passed over: they are remarks.
func parseLog(log []byte) ([]Diagnostic, []Stats) {
	var messages []Diagnostic
	var entries []Stats
	for raw := range bytes.Lines(log) {
		line := string(bytes.TrimRight(raw, "\r\n"))
		if m := message().FindStringSubmatch(line); m != nil {
			if m[3] != aborted {
				messages = append(messages, Diagnostic{Severity: severity(m[2]), Line: number(m[1]), Message: m[3]})
			}
			continue
		}
		if m := loss().FindStringSubmatch(line); m != nil {
			messages = append(messages, Diagnostic{Severity: Warning, Message: m[1]})
			continue
		}
		if m := compiling().FindStringSubmatch(line); m != nil {
			entries = append(entries, Stats{Entry: m[1], Arch: m[2]})
			continue
		}
		if len(entries) > 0 {
			entries[len(entries)-1].read(line)
		}
	}
	return messages, entries
}

// read takes one line about the entry.
func (s *Stats) read(line string) {
	if m := frame().FindStringSubmatch(line); m != nil {
		s.Stack, s.SpillStores, s.SpillLoads = number(m[1]), number(m[2]), number(m[3])
	} else if m := used().FindStringSubmatch(line); m != nil {
		for _, r := range resource().FindAllStringSubmatch(m[1], -1) {
			n := number(r[1])
			switch r[2] {
			case "registers":
				s.Registers = n
			case "barriers":
				s.Barriers = n
			case "smem":
				s.Shared = n
			case "lmem":
				s.Local = n
			case "cmem":
				s.Constant += n
			}
		}
	} else if m := timing().FindStringSubmatch(line); m != nil {
		if ms, err := strconv.ParseFloat(m[1], 64); err == nil {
			s.CompileTime = time.Duration(ms * float64(time.Millisecond))
		}
	}
}

func severity(word string) Severity {
	for s, w := range severities {
		if w == word {
			return Severity(s)
		}
	}
	return Problem
}

// number reads digits; it gives zero for none and for more than an int holds.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// quote adds to each diagnostic the line that it is about.
func quote(messages []Diagnostic, ptx []byte) []Diagnostic {
	if len(messages) == 0 {
		return nil
	}
	lines := bytes.Split(ptx, []byte("\n"))
	for i := range messages {
		if n := messages[i].Line; n >= 1 && n <= len(lines) {
			messages[i].Source = string(bytes.TrimSpace(lines[n-1]))
		}
	}
	return messages
}
