package bytecode

import (
	"fmt"
	"strconv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// The flags of a function record.
const (
	flagPrivate = 1 << iota
	flagEntry
	flagHints // until 13.4; from 13.5 on hints are always there, and the bit marks an external implementation
)

// argumentBytes is what a parameter takes in memory. Functions can share a signature, so the bytes of a record do not
// bound its parameters.
const argumentBytes = 32

// A global is a record of the global section.
//
//	13.1   name, type, value, alignment
//	13.3   and visibility, whether it is constant
type global struct {
	name      *ir.StringAttr
	value     ir.Attribute
	alignment int64
	private   bool
	constant  bool
	span
}

func (f *File) readGlobals() {
	if f.Find(GlobalSection) == nil {
		return
	}
	r := newAttrReader(f)
	r.at(f.cursor(GlobalSection))
	n := r.count(4, "globals")
	f.globals = make([]global, 0, n)
	for i := range n {
		r.item = "global " + strconv.Itoa(i)
		g := global{span: span{start: r.pos}}
		if g.name = r.stringAttr(); g.name.Value == "" {
			r.failAt(g.start, "the global has no name")
		}
		g.value = r.denseAttr(r.typ(f))
		g.alignment = int64(r.varint())
		if !f.Version.Less(cudatile.V13_3) {
			g.private = r.enumValue(f, cudatile.SymbolVisibilities) == uint32(cudatile.Private)
			g.constant = r.varint() != 0
		}
		g.end = r.pos
		f.globals = append(f.globals, g)
	}
}

func (f *File) readFunctions() {
	r := newAttrReader(f)
	r.at(f.cursor(FunctionSection))
	n := r.count(5, "functions")
	f.Functions = make([]Function, n)
	names := make(map[string]bool, n)
	for i := range f.Functions {
		r.item = "function " + strconv.Itoa(i)
		start, fn := r.pos, &f.Functions[i]
		f.readFunction(r, fn)
		// The verifier would say so too, but a function takes much more memory than a record of its kind.
		if names[fn.Name] {
			r.failAt(start, "second function @%s", fn.Name)
		}
		names[fn.Name] = true
	}
}

// readFunction reads a record but for its body:
//
//	varint  name
//	varint  signature
//	byte    flags
//	varint  location group + 1
//	        hints                  by flag; from 13.5 always, with parameter attributes
//	varint  length
//	        body
//
// The body is skipped: it is decoded when it is asked for, by another worker than its neighbour.
func (f *File) readFunction(r *attrReader, fn *Function) {
	fn.head = r.pos
	fn.Name = r.str(f)
	start := r.pos
	t := r.typ(f)
	typ, ok := t.(*ir.FunctionType)
	if !ok {
		r.failAt(start, "signature of function @%s is %s, expected a function type", fn.Name, ir.TypeString(t))
	}
	if wrong := unstorable(typ, f.format); wrong != "" {
		r.failAt(start, "%s", wrong)
	}
	fn.typ = typ
	r.charge(f, argumentBytes*len(typ.Inputs))
	flags := f.functionFlags(r, fn)
	start = r.pos
	loc := r.varint()
	if loc > uint64(len(f.debug.groups)) {
		r.failAt(start, "function @%s refers to location group %d, but there are %d", fn.Name, loc, len(f.debug.groups))
	}
	fn.group = int(loc) - 1
	switch {
	case !f.Version.Less(cudatile.V13_5):
		if hints := taggedAs[*cudatile.HintsAttr](r, "optimization hints"); len(hints.Dict.Entries) > 0 {
			fn.hints = hints
		}
		if args := taggedAs[*ir.ArrayAttr](r, "parameter attributes"); len(args.Elems) > 0 {
			fn.args = args
		}
	case flags&flagHints != 0:
		fn.hints = taggedAs[*cudatile.HintsAttr](r, "optimization hints")
	}
	fn.Size = r.count(1, "bytes of the body")
	fn.Body = r.pos
	r.bytes(fn.Size)
	if fn.Name == "" {
		r.failAt(fn.head, "the function has no name")
	}
}

// taggedAs reads a self-contained attribute that must be of a certain kind.
func taggedAs[A ir.Attribute](r *attrReader, what string) A {
	start := r.pos
	a, ok := r.tagged(0).(A)
	if !ok {
		r.failAt(start, "unexpected attribute instead of %s", what)
	}
	return a
}

func (f *File) functionFlags(r *attrReader, fn *Function) byte {
	start := r.pos
	flags := r.u8()
	known := byte(flagPrivate | flagEntry | flagHints)
	if flags&flagEntry == 0 {
		r.failAt(start, "function @%s is not an entry", fn.Name)
	}
	if flags&flagPrivate != 0 {
		r.failAt(start, "entry @%s is private", fn.Name)
	}
	if !f.Version.Less(cudatile.V13_5) {
		known &^= flagHints
	}
	if extra := flags &^ known; extra != 0 && !f.Version.Less(cudatile.V13_4) {
		r.failAt(start, "unknown flags 0x%x of function @%s", extra, fn.Name)
	}
	return flags
}

// unstorable returns why a file cannot have an entry of a type, in the words of the reference, or "". The verifier of
// text takes views and pointers as parameters; reader and writer do not.
func unstorable(entry *ir.FunctionType, format *wire.Format) string {
	for i, in := range entry.Inputs {
		if tile, ok := in.(*cudatile.TileType); !format.AnyArguments && (!ok || len(tile.Shape) > 0) {
			return fmt.Sprintf("unsupported type in bytecode for entry argument #%d: '%s', expected a rank-0 !cuda_tile.tile type", i, ir.TypeString(in))
		}
	}
	return ""
}
