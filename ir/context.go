package ir

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// A Context owns uniqued types, attributes and locations, and the dialects that a program uses. It may be shared by
// goroutines; dialects are to be registered before it is.
type Context struct {
	// AllowUnregistered admits operations, types and attributes of dialects that are not registered.
	AllowUnregistered bool
	// Diag receives the diagnostics of everything that works on this context.
	Diag *DiagEngine

	types interner[Type]
	attrs interner[Attribute]

	fileLocs fileLocs
	texts    texts

	mu       sync.RWMutex
	dialects map[string]*Dialect
	byName   map[string]*OpDef // full names of registered operations

	extensions []*Extension

	unregistered interner[*OpDef]

	emptyDict  *DictAttr
	unknownLoc *UnknownLoc
}

// NewContext returns a context with the given dialects registered.
func NewContext(dialects ...*Dialect) *Context {
	c := &Context{
		Diag:     NewDiagEngine(),
		dialects: make(map[string]*Dialect),
		byName:   make(map[string]*OpDef),
	}
	c.emptyDict = c.Dict()
	c.unknownLoc = UniqueAttr(c, nil, unknownLocKey{}, func() *UnknownLoc { return &UnknownLoc{} })
	for _, d := range dialects {
		c.Register(d)
	}
	return c
}

// Register makes a dialect and those it depends on known to the context. Registering a dialect again has no effect.
func (c *Context) Register(d *Dialect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.register(d)
}

func (c *Context) register(d *Dialect) {
	if c.dialects[d.Name] != nil {
		return
	}
	c.dialects[d.Name] = d
	for _, dep := range d.Depends {
		c.register(dep)
	}
	for _, def := range d.byName {
		if def.declared {
			panic(fmt.Sprintf("ir: operation %q is declared, but nothing defines it: is the package with its row imported?", def.FullName()))
		}
	}
	for _, def := range d.ops {
		c.byName[def.FullName()] = def
		for _, former := range def.Formerly {
			c.byName[d.Name+"."+former] = def
		}
	}
}

// Dialect returns the registered dialect of that name, or nil.
func (c *Context) Dialect(name string) *Dialect {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.dialects[name]
}

// Dialects returns the registered dialects in the order of their names.
func (c *Context) Dialects() []*Dialect {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]*Dialect, 0, len(c.dialects))
	for _, d := range c.dialects {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// LookupOp returns the definition of a registered operation by its full name ("cuda_tile.addf"), or nil.
func (c *Context) LookupOp(name string) *OpDef {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byName[name]
}

// UnregisteredOp returns the stand-in definition for an operation whose dialect is not registered. Nothing is known
// about it: it takes any operands and regions and is assumed to read and write everything.
func (c *Context) UnregisteredOp(name string) *OpDef {
	return intern(&c.unregistered, name, func(id uint32) *OpDef {
		def := &OpDef{Name: name, Unregistered: true, Successors: -1, num: firstUnregistered + id}
		def.init()
		return def
	})
}

// Registered definitions are numbered process-wide, since they are package-level rows; unregistered ones per context.
const firstUnregistered = 1 << 20

// registered holds the rows by number. Every operation is asked for its row all the time, so reading takes no lock;
// rows are added at start-up.
var registered = newRows()

type rows struct {
	mu  sync.Mutex
	all atomic.Pointer[[]*OpDef]
}

func newRows() *rows {
	r := &rows{}
	r.all.Store(&[]*OpDef{nil}) // numbers begin with 1
	return r
}

// add numbers a row.
func (r *rows) add(row *OpDef) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := *r.all.Load()
	row.num = uint32(len(all))
	all = append(all, row) // readers hold a shorter slice
	r.all.Store(&all)
}

func (c *Context) defOf(num uint32) *OpDef {
	if num >= firstUnregistered {
		return c.unregistered.at(num - firstUnregistered)
	}
	return (*registered.all.Load())[num]
}
