package bytecode

import (
	"sync/atomic"

	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// A File is an open bytecode file: its tables are read, the bodies of its functions are not yet. Its methods may be
// called by goroutines.
type File struct {
	Layout
	// Functions are the kernels, in the order of the file.
	Functions []Function
	// Producer names the tool that wrote the file; "" when the file does not say.
	Producer string

	ctx     *ir.Context
	format  *wire.Format
	data    []byte
	strings []string
	types   []typeEntry
	consts  []constEntry
	globals []global
	debug   debugInfo
	plans   []*opPlan
	enums   [][]ir.Attribute // by position in cudatile.Enums and value

	budget atomic.Int64
}

// A Function is a kernel of a File.
type Function struct {
	Name string
	// Body is the offset of the operation records in the file, and Size their length.
	Body, Size int

	head  int // where the record begins
	typ   *ir.FunctionType
	hints ir.Attribute // nil: none
	args  ir.Attribute // dictionaries of the parameters; nil: none
	group int          // of locations; -1: none
}

// What one byte of a file may make us copy, and what any file may: shared strings and constants are copied for each
// use.
const (
	budgetPerByte = 64
	budgetBase    = 1 << 20
)

// charge accounts for n bytes that are copied, or hashed, because of a reference to them.
//
// A constant of a megabyte that a thousand operations name is a gigabyte of attributes were it not uniqued, and
// a gigabyte to hash although it is.
func (c *cursor) charge(f *File, n int) {
	if f.budget.Add(-int64(n)) < 0 {
		c.fail("the references of the file expand to more than %d times its size", budgetPerByte)
	}
}

// Open reads the frame and the tables of a file. The data must not be changed while the File is in use. The types and
// attributes belong to ctx, with which package cudatile's dialect must be registered.
func Open(ctx *ir.Context, data []byte) (*File, error) {
	f := &File{ctx: ctx, data: data}
	if err := catch(func() { f.open() }); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) open() {
	f.budget.Store(int64(len(f.data))*budgetPerByte + budgetBase)
	f.format = wire.FormatOf(f.ctx)
	f.Layout.read(f.format, f.data)
	for _, id := range []SectionID{StringSection, FunctionSection} {
		if f.Find(id) == nil {
			panic(&Error{Offset: len(f.data), Message: "the " + id.String() + " section is missing"})
		}
	}
	f.plans = plansFor(f.format, f.Version)
	f.enums = enumAttrs(f.ctx)
	f.readStrings()
	f.readTypes()
	f.readConstants()
	f.readGlobals()
	f.readProducer()
	f.readDebug()
	f.readFunctions()
}

// cursor returns a cursor over a section's payload, an empty one when the file lacks the section.
func (f *File) cursor(id SectionID) cursor {
	c := cursor{data: f.data, section: id.String(), pos: len(f.data), end: len(f.data)}
	if s := f.Find(id); s != nil {
		c.pos, c.end = s.Offset, s.Offset+s.Length
	}
	return c
}

// Read decodes an entire file: see Open and File.Read.
func Read(ctx *ir.Context, data []byte) (ir.Op, error) {
	f, err := Open(ctx, data)
	if err != nil {
		return ir.Op{}, err
	}
	return f.Read()
}
