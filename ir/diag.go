package ir

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/ir/source"
)

// A Severity ranks a diagnostic.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Remark
	NoteSeverity
)

func (s Severity) String() string { return [...]string{"error", "warning", "remark", "note"}[s] }

// A Diagnostic says what is wrong with the user's input (or what a pass has to remark), and where. It is an error, so
// that a hook can return it.
type Diagnostic struct {
	Severity Severity
	Loc      Location // may be nil
	Message  string
	Notes    []*Diagnostic
	// Decision is set on a remark by which a pass says what it decided, for those who ask; nil on all others.
	Decision *Decision
}

// A Decision sorts what an optimisation decided about a piece of the program, by the names that LLVM's remarks have.
type Decision struct {
	Kind     DecisionKind
	Name     string // of the kind of remark (package passes/remark), as in "LoopPipelined"
	Category string // what it is about, as in "memory"
	Function string // the symbol that the pass ran on; may be ""
	Always   bool   // it is for those who did not ask, too
	// Args are what tools read, in their order; a key may come more than once.
	Args []DecisionArg
	// Missing are facts about operands of the operation at the location that the optimisation asked for in vain.
	Missing []MissingFact
}

// A DecisionArg is one field of a remark.
type DecisionArg struct{ Key, Value string }

// A MissingFact says that an operand is not known to be divisible. Passes see only what is left of the fact. Where it
// was lost can be found in the program of the user.
type MissingFact struct {
	Operand string // "base", "offset", "size" or "stride"
	Dim     int    // of the last three
	Divisor int64  // bytes of a base, elements else; 0: the constant 1, of a stride
}

// Arg returns the first field of that name; "" without one.
func (d *Decision) Arg(key string) string {
	for _, a := range d.Args {
		if a.Key == key {
			return a.Value
		}
	}
	return ""
}

// A DecisionKind tells decisions apart.
type DecisionKind uint8

// The kinds.
const (
	Passed   DecisionKind = iota // something was done
	Missed                       // something was not done that would have been worth it
	Failed                       // something that was asked for, or is tried for all, cannot be done
	Analysis                     // something was found out
)

// String returns the tag of a remark in YAML.
func (k DecisionKind) String() string {
	return [...]string{"Passed", "Missed", "Failure", "Analysis"}[k]
}

// Error returns "file:line:col: error: message" without the notes.
func (d *Diagnostic) Error() string {
	return locPrefix(d.Loc) + d.Severity.String() + ": " + d.Message
}

// Note adds a note and returns d.
func (d *Diagnostic) Note(loc Location, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, &Diagnostic{Severity: NoteSeverity, Loc: loc, Message: fmt.Sprintf(format, args...)})
	return d
}

// Errorf returns an error diagnostic at a location.
func Errorf(loc Location, format string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Loc: loc, Message: fmt.Sprintf(format, args...)}
}

// Errorf returns an error diagnostic about the operation: its name in quotes, "op", and the message.
func (op Op) Errorf(format string, args ...any) *Diagnostic {
	return Errorf(op.Loc(), "'%s' op %s", op.Name(), fmt.Sprintf(format, args...))
}

// A DiagHandler receives diagnostics.
type DiagHandler func(*Diagnostic)

// A DiagEngine passes diagnostics to the innermost handler and counts errors. It may be used by goroutines.
type DiagEngine struct {
	mu       sync.Mutex
	handlers []DiagHandler
	errors   int
	sources  map[string][]byte
	find     func(file string) []byte
}

// NewDiagEngine returns an engine that drops diagnostics until a handler is pushed.
func NewDiagEngine() *DiagEngine { return &DiagEngine{sources: make(map[string][]byte)} }

// Push installs a handler; the returned function removes it.
func (e *DiagEngine) Push(h DiagHandler) (pop func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handlers = append(e.handlers, h)
	n := len(e.handlers)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.handlers = e.handlers[:n-1]
	}
}

// Emit hands a diagnostic to the innermost handler.
func (e *DiagEngine) Emit(d *Diagnostic) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d.Severity == Error {
		e.errors++
	}
	if n := len(e.handlers); n > 0 {
		e.handlers[n-1](d)
	}
}

// EmitError emits err: as it is when it is a Diagnostic, and as an error at loc otherwise.
func (e *DiagEngine) EmitError(loc Location, err error) {
	var d *Diagnostic
	if !errors.As(err, &d) {
		d = Errorf(loc, "%s", err.Error())
	}
	e.Emit(d)
}

// Errors returns how many errors were emitted.
func (e *DiagEngine) Errors() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.errors
}

// AddSource makes the text of a file known, so that diagnostics about it can show the line.
func (e *DiagEngine) AddSource(file string, text []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sources[file] = text
}

// FindSources makes diagnostics show lines of files that nobody has added: find returns the text of one, or nil.
// Tools give source.Reader's; a library that embeds the compiler may not want modules to name files that are read.
func (e *DiagEngine) FindSources(find func(file string) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.find = find
}

// source returns the text of a file, nil if it is not known.
func (e *DiagEngine) source(file string) []byte {
	if text, ok := e.sources[file]; ok || e.find == nil {
		return text
	}
	return e.find(file)
}

// PrintTo returns a handler that writes each diagnostic with its source line, a caret and its notes.
func (e *DiagEngine) PrintTo(w io.Writer) DiagHandler {
	return func(d *Diagnostic) { // runs under e.mu
		io.WriteString(w, e.render(d))
	}
}

// Render returns the text that PrintTo writes.
func (e *DiagEngine) Render(d *Diagnostic) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.render(d)
}

func (e *DiagEngine) render(d *Diagnostic) string {
	var sb strings.Builder
	sb.WriteString(source.Printable(d.Error()))
	sb.WriteByte('\n')
	if f := FileLocOf(d.Loc); f != nil {
		sb.WriteString(source.Line(f.File, e.source(f.File), f.Line, f.Column))
	}
	if _, inlined := d.Loc.(*CallSiteLoc); inlined {
		for i, f := range CallChain(d.Loc) {
			if i == 0 {
				continue
			}
			fmt.Fprintf(&sb, "%s:%d:%d: note: called from here\n", source.Printable(f.File), f.Line, f.Column)
			sb.WriteString(source.Line(f.File, e.source(f.File), f.Line, f.Column))
		}
	}
	for _, n := range d.Notes {
		sb.WriteString(e.render(n))
	}
	return sb.String()
}

func locPrefix(l Location) string {
	if l == nil {
		return ""
	}
	if f := FileLocOf(l); f != nil {
		return fmt.Sprintf("%s:%d:%d: ", f.File, f.Line, f.Column)
	}
	if _, ok := l.(*UnknownLoc); ok {
		return "loc(unknown): "
	}
	return ""
}
