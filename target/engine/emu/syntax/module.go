package syntax

import (
	"fmt"
	"slices"
)

// windowCode is where the addresses of functions are. They are good for
// calls only.
//
// They lie in no window of data, so that a load through a pointer to a function faults.
const windowCode = 0x0400_0000_0000

// codeAlign is the distance of the addresses of two functions.
const codeAlign = 16

// Bounds on what a module may declare. They keep memory proportional to
// the source text: a short declaration cannot ask for gigabytes.
const (
	maxSource     = 256 << 20
	MaxStatements = 1 << 20
	maxNesting    = 64
	maxVarBytes   = 256 << 20 // all .global and .const variables of a module
	MaxShared     = 16 << 20
	MaxLocal      = 1 << 20
	maxParams     = 32 << 10
)

// Module is a parsed PTX file. What its instructions mean is not looked at: the decoder does that.
type Module struct {
	Name    string
	Version string // of .version
	Target  string // of .target

	src   string
	scope *scope
	Vars  []*Symbol // .global and .const
	Funcs []*Function
	Taken []*Function      // whose address is taken
	Files map[int32]string // of .file
	// Callers are places that others were inlined at.
	Callers []Loc
	named   uint64 // functions that have an address
}

// Parse parses PTX. The name stands in errors, which have type *Error.
func Parse(name string, src []byte) (m *Module, err error) {
	if len(src) > maxSource {
		return nil, &Error{name, 1, 1, fmt.Sprintf("source of %d bytes exceeds the limit of %d", len(src), maxSource)}
	}
	defer Catch(&err)
	m = &Module{Name: name, src: string(src), scope: newScope(nil)}
	p := &parser{lexer: lexer{name: name, src: m.src, line: 1}, m: m, scope: m.scope}
	p.advance()
	p.module()
	return m, nil
}

// Catch turns a thrown *Error into a returned one; any other panic goes on.
func Catch(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		*err = e
	}
}

// takes records that the address of a function is taken.
func (m *Module) takes(f *Function) {
	if !slices.Contains(m.Taken, f) {
		m.Taken = append(m.Taken, f)
	}
}

// Errorf makes an error at a place of the text.
func (m *Module) Errorf(at pos, format string, args ...any) *Error {
	l := lexer{name: m.Name}
	return l.errorf(at, format, args...)
}

// Directive is a performance-tuning directive of an entry, as written.
type Directive struct {
	Name string // with its dot, for example ".maxntid"
	Args []string
}
