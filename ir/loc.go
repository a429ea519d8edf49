package ir

import "sync"

// A Location says where an operation came from. Locations are attributes, so that dialects can add their own kinds (by
// embedding LocBase) and metadata can be attached.
type Location interface {
	Attribute
	isLocation()
}

// LocBase is embedded by the attributes that serve as locations.
type LocBase struct{ AttrBase }

func (*LocBase) isLocation() {}

// UnknownLoc is the location of something without one.
type UnknownLoc struct{ LocBase }

// FileLoc is a position in a file; line and column count from 1, 0 means not known.
type FileLoc struct {
	LocBase
	File         string
	Line, Column uint32
}

// NameLoc names its child location (a variable, a phase of a front end).
type NameLoc struct {
	LocBase
	Name  string
	Child Location // UnknownLoc when there is none
}

// CallSiteLoc is a location inside Callee that was inlined at Caller.
type CallSiteLoc struct {
	LocBase
	Callee, Caller Location
}

// FusedLoc is a set of locations, with optional Metadata that says why they belong together.
type FusedLoc struct {
	LocBase
	Locs     []Location
	Metadata Attribute
}

type (
	unknownLocKey struct{}
	nameLocKey    struct {
		name  string
		child Location
	}
	callLocKey  struct{ callee, caller Location }
	fusedLocKey struct {
		locs     string
		metadata Attribute
	}
)

// UnknownLoc returns the unknown location.
func (c *Context) UnknownLoc() *UnknownLoc { return c.unknownLoc }

// fileLocs uniques file positions. There may be one for every operation of a module, so they get a table without
// pointers instead of the general one.
type fileLocs struct {
	mu    sync.RWMutex
	files map[string]uint32
	byPos map[filePos]uint32 // numbers of attributes
	spare []FileLoc
}

type filePos struct{ file, line, column uint32 }

// FileLoc returns the location of a line and column of a file.
func (c *Context) FileLoc(file string, line, column uint32) *FileLoc {
	t := &c.fileLocs
	t.mu.RLock()
	num, known := t.files[file]
	pos := filePos{num, line, column}
	id := t.byPos[pos]
	t.mu.RUnlock()
	if known && id != 0 {
		return c.attrs.at(id).(*FileLoc)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files == nil {
		t.files, t.byPos = make(map[string]uint32), make(map[filePos]uint32)
	}
	if pos.file, known = t.files[file]; !known {
		pos.file = uint32(len(t.files))
		t.files[file] = pos.file
	}
	if id := t.byPos[pos]; id != 0 {
		return c.attrs.at(id).(*FileLoc)
	}
	if len(t.spare) == 0 {
		t.spare = make([]FileLoc, 64)
	}
	l := &t.spare[0]
	t.spare = t.spare[1:]
	*l = FileLoc{File: file, Line: line, Column: column}
	t.byPos[pos] = c.attrs.add(func(id uint32) Attribute {
		l.AttrBase = AttrBase{ctx: c, id: id}
		return l
	})
	return l
}

// NameLoc returns a named location; a nil child stands for the unknown location.
func (c *Context) NameLoc(name string, child Location) *NameLoc {
	if child == nil {
		child = c.UnknownLoc()
	}
	return UniqueAttr(c, nil, nameLocKey{name, child}, func() *NameLoc { return &NameLoc{Name: name, Child: child} })
}

// CallSiteLoc returns the location of callee inlined at caller.
func (c *Context) CallSiteLoc(callee, caller Location) *CallSiteLoc {
	return UniqueAttr(c, nil, callLocKey{callee, caller}, func() *CallSiteLoc {
		return &CallSiteLoc{Callee: callee, Caller: caller}
	})
}

// FusedLoc returns the location that fuses locs; metadata may be nil.
func (c *Context) FusedLoc(locs []Location, metadata Attribute) *FusedLoc {
	key := fusedLocKey{attrListKey(locs), metadata}
	return UniqueAttr(c, nil, key, func() *FusedLoc {
		return &FusedLoc{Locs: append([]Location(nil), locs...), Metadata: metadata}
	})
}

// PrintAttr implements Attribute; the printer wraps it in loc(...).
func (*UnknownLoc) PrintAttr(p AsmPrinter) { p.Str("unknown") }

// PrintAttr implements Attribute.
func (l *FileLoc) PrintAttr(p AsmPrinter) {
	p.Quoted(l.File)
	p.Str(":")
	p.Int(int64(l.Line))
	p.Str(":")
	p.Int(int64(l.Column))
}

// PrintAttr implements Attribute.
func (l *NameLoc) PrintAttr(p AsmPrinter) {
	p.Quoted(l.Name)
	if _, unknown := l.Child.(*UnknownLoc); !unknown {
		p.Str("(")
		p.LocBody(l.Child)
		p.Str(")")
	}
}

// PrintAttr implements Attribute.
func (l *CallSiteLoc) PrintAttr(p AsmPrinter) {
	p.Str("callsite(")
	p.LocBody(l.Callee)
	p.Str(" at ")
	p.LocBody(l.Caller)
	p.Str(")")
}

// PrintAttr implements Attribute.
func (l *FusedLoc) PrintAttr(p AsmPrinter) {
	p.Str("fused")
	if l.Metadata != nil {
		p.Str("<")
		p.Attr(l.Metadata)
		p.Str(">")
	}
	p.Str("[")
	for i, child := range l.Locs {
		if i > 0 {
			p.Str(", ")
		}
		p.LocBody(child)
	}
	p.Str("]")
}

// A SourceLocated location can be reduced to a position in a file.
type SourceLocated interface {
	// SourceLoc returns the nearest file position, or nil.
	SourceLoc() *FileLoc
}

// FileLocOf returns the file position that a location stands for (for a call site that of the callee, for a fused one
// the first), or nil.
func FileLocOf(l Location) *FileLoc {
	switch l := l.(type) {
	case *FileLoc:
		return l
	case *NameLoc:
		return FileLocOf(l.Child)
	case *CallSiteLoc:
		return FileLocOf(l.Callee)
	case *FusedLoc:
		for _, child := range l.Locs {
			if f := FileLocOf(child); f != nil {
				return f
			}
		}
	case SourceLocated:
		return l.SourceLoc()
	}
	return nil
}

// A Frame is a position, and the function that it is in, where that is known.
type Frame struct {
	*FileLoc
	Function string
}

// FunctionLocated is a SourceLocated location that knows the function around it.
type FunctionLocated interface {
	SourceLocated
	SourceFunction() string
}

// CallChain returns the positions of a location and of the calls around it that were inlined, from the inside out.
//
// Locations are shared, so one of n attributes may stand for a chain of 2^n: the number looked at is bounded.
func CallChain(l Location) []Frame {
	c := callChain{left: maxChain}
	c.follow(l)
	return c.found
}

// maxChain bounds the locations that a chain is made of: text and bytecode may nest as many as they like.
const maxChain = 1 << 10

// A callChain collects the frames of a location.
type callChain struct {
	found []Frame
	left  int
}

func (c *callChain) follow(l Location) {
	for c.left > 0 {
		c.left--
		switch at := l.(type) {
		case *NameLoc:
			l = at.Child
			continue
		case *CallSiteLoc:
			c.follow(at.Callee)
			l = at.Caller
			continue
		case *FusedLoc:
			n := len(c.found)
			for _, child := range at.Locs {
				if c.follow(child); len(c.found) > n {
					break
				}
			}
			return
		}
		at := Frame{FileLoc: FileLocOf(l)}
		if f, ok := l.(FunctionLocated); ok {
			at.Function = f.SourceFunction()
		}
		if at.FileLoc != nil && (len(c.found) == 0 || c.found[len(c.found)-1] != at) {
			c.found = append(c.found, at)
		}
		return
	}
}
