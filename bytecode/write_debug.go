package bytecode

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// checkLocation rejects the kinds of locations that the format has no form for.
func (w *writer) checkLocation(l ir.Location) {
	switch l := l.(type) {
	case *ir.UnknownLoc, *ir.FileLoc, *cudatile.DILocAttr:
	case *ir.CallSiteLoc:
		w.checkLocation(l.Callee)
		w.checkLocation(l.Caller)
	case *ir.NameLoc:
		w.fail("unsupported location, got NameLoc, expected DILocAttr or CallSiteLoc")
	case *ir.FusedLoc:
		w.fail("unsupported location, got FusedLoc, expected DILocAttr or CallSiteLoc")
	default:
		w.fail("unsupported location, got %s, expected DILocAttr or CallSiteLoc", ir.AttrString(l))
	}
}

// location checks the location of an operation, and returns how it is referred to in a function that has a scope.
func (w *writer) location(op ir.Op, scoped bool) uint64 {
	if op.HasPlainLoc() {
		return 0
	}
	w.checkLocation(op.Loc())
	if !scoped {
		return 0
	}
	return w.debugRef(op.Loc())
}

// debugRef returns how a debug attribute is referred to: 0 for a location that is not known in a scope, else its
// number plus one. The attributes that it refers to are numbered before it.
func (w *writer) debugRef(a ir.Attribute) uint64 {
	if n, ok := w.debug[a]; ok {
		return n + 1
	}
	switch a := a.(type) {
	case *ir.UnknownLoc, *ir.FileLoc:
		return 0
	case *cudatile.DICompileUnitAttr:
		w.debugRef(a.File)
	case *cudatile.DILexicalBlockAttr:
		w.debugRef(a.Scope)
		w.debugRef(a.File)
	case *cudatile.DILocAttr:
		w.debugRef(a.Scope)
	case *cudatile.DISubprogramAttr:
		w.debugRef(a.File)
		w.debugRef(a.CompileUnit)
	case *ir.CallSiteLoc:
		w.debugRef(a.Callee)
		w.debugRef(a.Caller)
	}
	n, _ := w.debug.of(a)
	return n + 1
}

// debugSection returns the payload, in which every array is aligned to its words:
//
//	varint groups, then a u32 for each: its first slot
//	varint slots, then a u64 for each: 0, or the number of a debug attribute plus one
//	varint attributes, then a u32 for each: its offset, then the attributes
//
// All attributes have their numbers when the first is written: debugRef followed the references when it numbered them.
func (w *writer) debugSection() []byte {
	var b buffer
	b.varint(uint64(len(w.groups)))
	b.align(4)
	slots := 0
	for _, g := range w.groups {
		b.u32(uint32(slots))
		slots += len(g)
	}
	b.varint(uint64(slots))
	b.align(8)
	for _, g := range w.groups {
		for _, ref := range g {
			b.u64(ref)
		}
	}
	attrs := make([]ir.Attribute, len(w.debug))
	for a, n := range w.debug {
		attrs[n] = a
	}
	entries := make([][]byte, len(attrs))
	for i, a := range attrs {
		entries[i] = w.debugAttr(a)
	}
	b.varint(uint64(len(entries)))
	b.align(4)
	b.entries(4, entries)
	return b.b
}

func (w *writer) debugAttr(a ir.Attribute) []byte {
	var b buffer
	put := func(tag uint64, fields ...uint64) {
		b.varint(tag)
		for _, f := range fields {
			b.varint(f)
		}
	}
	switch a := a.(type) {
	case *cudatile.DICompileUnitAttr:
		put(wire.TagDICompileUnit, w.debugRef(a.File))
	case *cudatile.DIFileAttr:
		put(wire.TagDIFile, w.str(a.Name), w.str(a.Directory))
	case *cudatile.DILexicalBlockAttr:
		put(wire.TagDILexicalBlock, w.debugRef(a.Scope), w.debugRef(a.File), uint64(a.Line), uint64(a.Column))
	case *cudatile.DILocAttr:
		put(wire.TagDILoc, w.debugRef(a.Scope), w.str(a.Source.File), uint64(a.Source.Line), uint64(a.Source.Column))
	case *cudatile.DISubprogramAttr:
		put(wire.TagDISubprogram, w.debugRef(a.File), uint64(a.Line), w.str(a.Name), w.str(a.LinkageName), w.debugRef(a.CompileUnit),
			uint64(a.ScopeLine))
		switch in := subprogramFlags.In(w.version); {
		case in && a.Declaration:
			b.varint(subprogramDeclaration)
		case in:
			b.varint(0)
		case a.Declaration:
			panic(w.module.Errorf("debug attribute %s requires bytecode version %v, targeting %v", ir.AttrString(a), subprogramFlags.Since, w.version))
		}
	case *ir.CallSiteLoc:
		put(wire.TagCallSite, w.debugRef(a.Callee), w.debugRef(a.Caller))
	default:
		panic(w.module.Errorf("debug attribute %s cannot be stored in bytecode", ir.AttrString(a)))
	}
	return b.b
}
