package bytecode

import (
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// Options say how to write a file.
type Options struct {
	// Version is the version of the format; the zero Version stands for the newest.
	Version ir.Version
}

// Newest is the newest version of the format.
func Newest() ir.Version { return cudatile.Versions[len(cudatile.Versions)-1] }

// Write writes a cuda_tile.module that passed the verifier. What the version cannot express is an error, an
// *ir.Diagnostic at the operation. So is a location that is not scoped, a call site of scoped ones, or a plain file
// position; the last becomes unknown. Discardable attributes and the name of the module have no place in the format
// and are dropped, those of package contract with a warning.
func Write(w io.Writer, module ir.Op, opts Options) error {
	data, err := Encode(module, opts)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Encode is Write into memory.
func Encode(module ir.Op, opts Options) (data []byte, err error) {
	format, v := wire.FormatOf(module.Context()), opts.Version
	if v.IsZero() {
		v = format.Newest
	}
	if !format.Has(v) {
		return nil, fmt.Errorf("unsupported bytecode version %v: the versions are %v to %v", v, format.Versions[0], format.Newest)
	}
	if !module.Is(cudatile.Module) {
		return nil, module.Errorf("cannot be written as bytecode: expected '%s'", cudatile.Module.FullName())
	}
	defer func() {
		if r := recover(); r != nil {
			d, ok := r.(*ir.Diagnostic)
			if !ok {
				panic(r)
			}
			err = d
		}
	}()
	data = newWriter(module, format, v).file()
	for _, lost := range contract.Lost(module) {
		module.Context().Diag.Emit(&ir.Diagnostic{Severity: ir.Warning, Loc: lost.Op.Loc(),
			Message: fmt.Sprintf("not written, because Tile IR bytecode has no place for it: '%s'", strings.Join(lost.Names, "', '"))})
	}
	return data, nil
}

// A writer numbers strings, types, constants and debug attributes in the order in which they are first needed. The
// order is that of the public writer: all function heads, the globals, the bodies, the debug attributes, the producer.
type writer struct {
	ctx     *ir.Context
	module  ir.Op
	format  *wire.Format
	version ir.Version
	plans   []*opPlan
	op      ir.Op // that is being written, for errors

	strs    numbering[string]
	types   numbering[ir.Type]
	consts  numbering[ir.Attribute]
	debug   numbering[ir.Attribute]
	strings [][]byte
	encoded [][]byte // types
	data    [][]byte // constants
	groups  [][]uint64

	body   buffer
	group  int      // of locations; -1: none
	values []uint32 // number of a value plus one, by its id
	next   uint32
	pure   ir.Op // the operation around that admits only pure ones, if any
}

// A numbering numbers things in the order in which they are first seen.
type numbering[K comparable] map[K]uint64

// of returns the number of k; isNew says that it was not seen before.
func (n numbering[K]) of(k K) (num uint64, isNew bool) {
	if i, ok := n[k]; ok {
		return i, false
	}
	i := uint64(len(n))
	n[k] = i
	return i, true
}

func newWriter(module ir.Op, format *wire.Format, v ir.Version) *writer {
	return &writer{ctx: module.Context(), module: module, format: format, version: v, plans: plansFor(format, v), op: module,
		strs: make(numbering[string]), types: make(numbering[ir.Type]), consts: make(numbering[ir.Attribute]),
		debug: make(numbering[ir.Attribute])}
}

// fail unwinds with an error about the operation that is being written.
func (w *writer) fail(format string, args ...any) { panic(w.op.Errorf(format, args...)) }

// file returns the entire file. The order of the sections follows from the numbering: what numbers things must be made
// before the table of these things. Heads, globals and bodies number constants, types, debug attributes and strings.
// Debug attributes and the producer number strings, so the table of strings comes last. A reader does not care, as it
// finds all sections before it decodes any.
func (w *writer) file() []byte {
	var globals, entries []ir.Op
	for op := range w.module.Body().Ops() {
		switch {
		case op.Is(cudatile.Global):
			globals = append(globals, op)
		case op.Is(cudatile.Entry):
			entries = append(entries, op)
		default:
			panic(invalidOp(op, w.module.Errorf("only function and global ops are allowed in the body")))
		}
	}
	heads := make([]head, len(entries))
	for i, e := range entries {
		heads[i] = w.head(e)
	}
	var out buffer
	out.b = append(out.b, Magic...)
	out.b = append(out.b, w.version.Major, w.version.Minor, 0, 0)
	if len(globals) > 0 {
		out.section(GlobalSection, 1, w.globals(globals))
	}
	out.section(FunctionSection, 8, w.functions(heads))
	if len(w.data) > 0 {
		var b buffer
		b.table(8, w.data)
		out.section(ConstantSection, 8, b.b)
	}
	if len(w.groups) > 0 {
		out.section(DebugSection, 8, w.debugSection())
	}
	var types, strings, producer buffer
	types.table(4, w.encoded)
	out.section(TypeSection, 4, types.b)
	if a, ok := w.module.Attr("producer").(*ir.StringAttr); ok && !w.version.Less(cudatile.V13_3) {
		producer.varint(w.str(a.Value))
		out.section(ProducerSection, 1, producer.b)
	}
	strings.table(4, w.strings)
	out.section(StringSection, 4, strings.b)
	out.u8(byte(EndSection))
	return out.b
}

// str returns the number of a string.
func (w *writer) str(s string) uint64 {
	n, isNew := w.strs.of(s)
	if isNew {
		w.strings = append(w.strings, []byte(s))
	}
	return n
}

func (w *writer) globals(ops []ir.Op) []byte {
	var b buffer
	b.varint(uint64(len(ops)))
	extended := !w.version.Less(cudatile.V13_3)
	for _, op := range ops {
		w.op = op
		visibility, _ := op.AttrOrDefault("symbol_visibility").(*cudatile.EnumAttr)
		private, constant := visibility != nil && visibility.Value == uint32(cudatile.Private), op.HasUnitAttr("constant")
		if private && !extended {
			panic(ir.Errorf(op.Loc(), "global `%s` uses non-public symbol visibility, which cannot be encoded in bytecode version %v "+
				"(requires bytecode %v+)", op.SymbolName(), w.version, cudatile.V13_3))
		}
		if constant && !extended {
			panic(ir.Errorf(op.Loc(), "constant global `%s` cannot be encoded in bytecode version %v (the `constant` attribute requires "+
				"bytecode %v+)", op.SymbolName(), w.version, cudatile.V13_3))
		}
		value, ok := op.Attr("value").(*ir.DenseElementsAttr)
		if !ok {
			w.fail("has no value")
		}
		b.varint(w.str(op.SymbolName()))
		b.varint(w.typ(value.Type()))
		b.varint(w.constant(value))
		alignment, _ := op.IntAttr("alignment")
		b.varint(uint64(alignment))
		if extended {
			b.bool(private)
			b.bool(constant)
		}
	}
	return b.b
}

// A head is what a function record holds before the body.
type head struct {
	op        ir.Op
	name      uint64
	signature uint64
	group     int
}

func (w *writer) head(op ir.Op) head {
	w.op = op
	t, ok := op.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		w.fail("has no function_type")
	}
	if f, ok := t.Value.(*ir.FunctionType); ok {
		if wrong := unstorable(f, w.format); wrong != "" {
			panic(ir.Errorf(op.Loc(), "%s", wrong))
		}
	}
	h := head{op: op, name: w.str(op.SymbolName()), signature: w.typ(t.Value), group: -1}
	if slot := w.location(op, true); slot != 0 {
		h.group = len(w.groups)
		w.groups = append(w.groups, []uint64{slot})
	}
	return h
}

// functions writes all records. Before 13.5 hints are optional and a flag announces them. From then on hints and
// parameter attributes are always there, empty ones if need be, and the bit of the flag has another meaning
// (flagHints).
func (w *writer) functions(heads []head) []byte {
	var b buffer
	b.varint(uint64(len(heads)))
	for _, h := range heads {
		w.op = h.op
		b.varint(h.name)
		b.varint(h.signature)
		hints, _ := h.op.Attr("optimization_hints").(*cudatile.HintsAttr)
		args, _ := h.op.Attr("arg_attrs").(*ir.ArrayAttr)
		always := !w.version.Less(cudatile.V13_5)
		flags := byte(flagEntry)
		if hints != nil && !always {
			flags |= flagHints
		}
		b.u8(flags)
		b.varint(uint64(h.group + 1))
		if args != nil && !always && !emptyDicts(args) {
			w.fail("optional attribute 'arg_attrs' is provided but requires bytecode version %v, targeting %v", cudatile.V13_5, w.version)
		}
		if always && hints == nil {
			hints = cudatile.Hints(w.ctx, w.ctx.Dict())
		}
		if hints != nil {
			w.tagged(&b, hints)
		}
		if always {
			if args == nil {
				args = w.ctx.Array()
			}
			w.tagged(&b, args)
		}
		body := w.functionBody(h)
		b.varint(uint64(len(body)))
		b.b = append(b.b, body...)
	}
	b.align(8)
	return b.b
}

func emptyDicts(a *ir.ArrayAttr) bool {
	for _, e := range a.Elems {
		if d, ok := e.(*ir.DictAttr); !ok || len(d.Entries) > 0 {
			return false
		}
	}
	return true
}
