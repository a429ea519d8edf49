package launch

import (
	"fmt"
	"strings"
)

// A FaultKind says what a kernel did wrong, for callers that act on it.
type FaultKind string

// The kinds. The zero value is any other mistake.
const (
	OutOfBounds FaultKind = "out-of-bounds"
	Misaligned  FaultKind = "misaligned"
	ReadOnly    FaultKind = "read-only"
	Unspecified FaultKind = "unspecified"
	Race        FaultKind = "race"
	Assumption  FaultKind = "assumption"
	Division    FaultKind = "division"
	Overflow    FaultKind = "overflow"
	AssertFails FaultKind = "assert"
	Deadlock    FaultKind = "deadlock"
	Unordered   FaultKind = "synchronization" // accesses or waits that are right in some schedules only
)

// A Place is a position in a source file.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Function is the name of the function around, where it is known.
	Function string `json:"function,omitempty"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// A Fault is the error of a launch whose kernel did something wrong.
type Fault struct {
	Kind  FaultKind
	Block [3]uint32 // the tile block or CTA
	// Element is where in the tile it happened; nil where the error is about no element.
	Element []int64
	// Where is the place in the source, and then the places from which the functions around it were called, the
	// user's own line last.
	Where []Place
	// Address is that of the access that the mistake is about; nil where it is about none.
	Address *uint64
	// Other is the other access of a race; nil where it is not known.
	Other *Party
	// Op is the operation or instruction, and Detail the message without the operation, place and tile block. Both are
	// for callers that word the message themselves, and may be empty.
	Op, Detail string
	Err        error
}

// A Party is the other access of a race.
type Party struct {
	Op    string     `json:"op,omitempty"`
	Block *[3]uint32 `json:"block,omitempty"` // nil: the same tile block
	Where []Place    `json:"where,omitempty"`
}

// Error is the message with the place in the source, where that is not in the message, and the callers, each on a
// line of its own.
func (f *Fault) Error() string { return f.text(nil) }

func (f *Fault) text(find func(string) []byte) string {
	var b strings.Builder
	b.WriteString(f.Err.Error())
	for i, p := range f.Where {
		switch {
		case i > 0:
			fmt.Fprintf(&b, "\n    called from %s", p)
		case !strings.Contains(f.Err.Error(), p.String()):
			fmt.Fprintf(&b, "\n    compiled from %s", p)
		}
		b.WriteString(quote(p, find, "      "))
	}
	return b.String()
}

func (f *Fault) Unwrap() error { return f.Err }
