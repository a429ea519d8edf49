package tile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// An ObjectsAttr says which memory objects an access may touch: #nv_tileaa.objects<arg 0, alloca 1>. It is attached at
// level nv_tileaa, and kept below. There it is easier to see what the pointers of an access are computed from; later
// the accesses become copies, descriptors and threads.
//
// The set is an upper bound: an access touches at most these objects. One object too many is sound; one too few would
// be a miscompilation. So it is checked after every pass and in every run of the interpreter.
type ObjectsAttr struct {
	ir.AttrBase
	Objects []ObjectRef
	// Unknown: and perhaps others, though none whose address never leaves the kernel's hands.
	Unknown bool
}

// An ObjectRef names a memory object of a kernel.
type ObjectRef struct {
	Kind  string // "arg", what a parameter points to; "alloca", what an allocation makes; "global", a variable of the module
	Index int    // the number of the parameter, or AttrObject of the allocation
	Name  string // of the variable
}

func (o ObjectRef) String() string {
	if o.Kind == ObjectGlobal {
		return o.Kind + " @" + o.Name
	}
	return o.Kind + " " + strconv.Itoa(o.Index)
}

// The kinds of objects.
const (
	ObjectArg    = "arg"
	ObjectAlloca = "alloca"
	ObjectGlobal = "global"
)

// ObjectsKind is the kind of the attribute of accesses.
var ObjectsKind = &ir.AttrKind{Name: "memory objects", Desc: "memory objects attribute", Check: func(a ir.Attribute) bool {
	_, ok := a.(*ObjectsAttr)
	return ok
}}

type objectsKey struct{ text string }

// Objects returns the attribute that a dialect defines by ParseObjects.
func Objects(c *ir.Context, d *ir.Dialect, objects []ObjectRef, unknown bool) *ObjectsAttr {
	return ir.UniqueAttr(c, d, objectsKey{objectsText(objects, unknown)}, func() *ObjectsAttr {
		return &ObjectsAttr{Objects: slices.Clone(objects), Unknown: unknown}
	})
}

func objectsText(objects []ObjectRef, unknown bool) string {
	var parts []string
	for _, o := range objects {
		parts = append(parts, o.String())
	}
	if unknown {
		parts = append(parts, "unknown")
	}
	return strings.Join(parts, ", ")
}

// PrintAttr implements ir.Attribute.
func (a *ObjectsAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("objects<")
	for i, o := range a.Objects {
		if i > 0 {
			p.Str(", ")
		}
		p.Str(o.Kind + " ")
		if o.Kind == ObjectGlobal {
			p.Symbol(o.Name)
		} else {
			p.Int(int64(o.Index))
		}
	}
	if a.Unknown {
		if len(a.Objects) > 0 {
			p.Str(", ")
		}
		p.Str("unknown")
	}
	p.Str(">")
}

// ParseObjects is the ir.Dialect.ParseAttr of the dialect that has the attribute.
func ParseObjects(d *ir.Dialect) func(p ir.AsmParser, mnemonic string) ir.Attribute {
	return func(p ir.AsmParser, mnemonic string) ir.Attribute {
		if mnemonic != "objects" {
			return nil // the parser reports what is unknown
		}
		var list []ObjectRef
		unknown := false
		pos := p.Pos()
		p.CommaList("<", ">", func() {
			switch {
			case p.OptKeyword("unknown"):
				unknown = true
			case p.OptKeyword(ObjectGlobal):
				list = append(list, ObjectRef{Kind: ObjectGlobal, Name: p.Symbol()})
			case p.OptKeyword(ObjectAlloca):
				list = append(list, ObjectRef{Kind: ObjectAlloca, Index: objectIndex(p)})
			default:
				p.ExpectKeyword(ObjectArg)
				list = append(list, ObjectRef{Kind: ObjectArg, Index: objectIndex(p)})
			}
		})
		if p.Failed() {
			return nil
		}
		if len(list) == 0 && !unknown {
			p.ErrorAt(pos, "an access touches at least one object: expected 'arg', 'alloca', 'global' or 'unknown'")
			return nil
		}
		return Objects(p.Context(), d, list, unknown)
	}
}

// maxObjectIndex is more than any kernel has parameters or allocations.
const maxObjectIndex = 1 << 20

func objectIndex(p ir.AsmParser) int {
	pos := p.Pos()
	n := p.Integer()
	if !p.Failed() && (n < 0 || n > maxObjectIndex) {
		p.ErrorAt(pos, "number of an object must be from 0 to %d, but got %d", maxObjectIndex, n)
	}
	return int(n)
}

// ObjectsOf returns what an access says about its memory objects, or nil.
func ObjectsOf(op ir.Op) *ObjectsAttr {
	a, _ := op.Attr(AttrObjects).(*ObjectsAttr)
	return a
}
