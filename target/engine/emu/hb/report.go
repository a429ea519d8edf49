package hb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Kind of finding. The names go to machines and do not change.
type Kind string

// The kinds.
const (
	Race         Kind = "race"         // two accesses that nothing orders
	Unawaited    Kind = "unawaited"    // data of an asynchronous operation is used before a wait for it
	Reuse        Kind = "reuse"        // memory is written before its readers are done
	Proxy        Kind = "proxy"        // a proxy fence is missing between ordered accesses
	TooNarrow    Kind = "scope"        // the order has too narrow a scope, or relaxed semantics
	TensorFence  Kind = "tensor-fence" // a tcgen05.fence is missing around the synchronisation of threads
	Parity       Kind = "parity"       // a wait for an mbarrier can pass on, or miss, another phase
	Arrival      Kind = "arrival"      // an arrival can count in another phase
	Bytes        Kind = "bytes"        // transaction counts that do not add up
	Participants Kind = "participants" // a barrier can be completed by other threads than those of its phase
	Pending      Kind = "pending"      // an operation is pending when its threads have exited
	Register     Kind = "register"     // a register of an asynchronous operation is used without its fence or wait
	Stuck        Kind = "stuck"        // a wait that never ends
)

// A Place is a position in a source file.
type Place struct {
	File         string
	Line, Column int
}

// A Site is where an instruction stands.
type Site struct {
	Line        int // of the PTX
	Instruction string
	Source      []Place // what .loc says, and its callers
}

// An Access is one side of a finding: an access of memory, or another instruction.
type Access struct {
	Site
	CTA   [3]uint32
	Warp  int    // -1 if it is not one warp's
	Agent string // "thread", "cp.async", "bulk copy", "wgmma", ...
	Proxy string // "generic" or "async"; "" if it accesses no memory
	Space string // "shared", "global" or "tensor"; "" if it accesses no memory
	Addr  uint64 // first byte; of tensor memory: lane << 16 | column
	Bytes int
	Write bool
}

// A Finding is one defect of synchronisation.
type Finding struct {
	Kind    Kind
	First   *Access // nil if there is one side only
	Second  Access
	Missing string // the edge, in words
	Count   int    // how often it was seen
}

// String is one line for people.
func (f *Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: line %d '%s' (%s)", f.Kind, f.Second.Line, f.Second.Instruction, f.Second.who())
	if f.First != nil {
		fmt.Fprintf(&b, " and line %d '%s' (%s)", f.First.Line, f.First.Instruction, f.First.who())
	}
	if s := f.Second.what(); s != "" {
		fmt.Fprintf(&b, " at %s", s)
	}
	fmt.Fprintf(&b, ": %s", f.Missing)
	return b.String()
}

func (a *Access) who() string {
	s := fmt.Sprintf("%s of cta %d,%d,%d", a.Agent, a.CTA[0], a.CTA[1], a.CTA[2])
	if a.Warp >= 0 {
		s += fmt.Sprintf(" warp %d", a.Warp)
	}
	return s
}

func (a *Access) what() string {
	switch a.Space {
	case "":
		return ""
	case "tensor":
		return fmt.Sprintf("tensor memory lane %d column %d", a.Addr>>16, a.Addr&0xffff)
	}
	return fmt.Sprintf("%s address %#x, %d bytes", a.Space, a.Addr, a.Bytes)
}

// A Report takes what the check of a launch finds. A launch resets nothing: several launches may share one.
type Report struct {
	// Accept are kinds of findings that are left out.
	Accept []Kind
	// Limit bounds the findings that are kept; 0 means 64.
	Limit    int
	Findings []Finding
	More     int // findings that were not kept
	// AllSchedules says that the findings, and their absence, hold for every schedule of these inputs.
	AllSchedules bool
	// Because says why not: what control flow or an address depends on.
	Because []string
	// Unchecked names what was left out.
	Unchecked []string

	seen map[findingKey]int // index, or -1 for one of More
}

type findingKey struct {
	kind          Kind
	first, second int // lines
	missing       string
}

const defaultLimit = 64

// add keeps a finding unless there is one of the same kind and lines.
func (r *Report) add(f Finding) {
	if slices.Contains(r.Accept, f.Kind) {
		return
	}
	if r.seen == nil {
		r.seen = make(map[findingKey]int)
	}
	k := findingKey{kind: f.Kind, first: -1, second: f.Second.Line}
	if f.First != nil {
		k.first = f.First.Line
	} else {
		k.missing = f.Missing
	}
	if i, ok := r.seen[k]; ok {
		if i >= 0 {
			r.Findings[i].Count++
		}
		return
	}
	if len(r.Findings) >= cmp.Or(r.Limit, defaultLimit) {
		r.More++
		if len(r.seen) < 1<<16 {
			r.seen[k] = -1
		}
		return
	}
	r.seen[k] = len(r.Findings)
	f.Count = 1
	r.Findings = append(r.Findings, f)
}

// note adds a text to a list once; lists are short.
func note(list *[]string, format string, args ...any) {
	const most = 16
	if s := fmt.Sprintf(format, args...); len(*list) < most && !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// Schedule says for which schedules the report holds.
func (r *Report) Schedule() string {
	if r.AllSchedules {
		return "all schedules"
	}
	return "this schedule only: " + strings.Join(r.Because, "; ")
}
