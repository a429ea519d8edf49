package contract

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// Architecture returns the name of the architecture that a module is for, and the attribute that says so; ok is false
// if none does.
func Architecture(module ir.Op) (name, by string, ok bool) {
	for _, attr := range []string{ComputeCapability, TargetSpec} {
		if a := module.Attr(attr); a != nil {
			return archOf(a), fmt.Sprintf("%s = %s", attr, ir.AttrString(a)), true
		}
	}
	return "", "", false
}

// ClusterCTAs returns how many CTAs the clusters are to have that kernels of a module are launched in.
func ClusterCTAs(module ir.Op) (n int64, ok bool) {
	if module.IsNil() {
		return 0, false
	}
	for _, name := range []string{ClusterDim, ClusterSize} {
		if list := integers(module.Attr(name)); list != nil {
			return product(list), true
		}
	}
	return module.IntAttr(NumCTAs)
}

// ClusterShape returns the extents of the clusters of n CTAs in which a kernel is launched. They are those of the
// module if their product is n, and otherwise n along the first axis.
func ClusterShape(kernel ir.Op, n int64) []int64 {
	if module := enclosingModule(kernel); !module.IsNil() {
		for _, name := range []string{ClusterDim, ClusterSize} {
			if list := integers(module.Attr(name)); list != nil && product(list) == n {
				return list
			}
		}
	}
	return []int64{n, 1, 1}
}

// CTAs returns how many CTAs a cluster of the extents in an attribute has; 0 if that is none of a cluster.
func CTAs(extents ir.Attribute) int64 {
	list := integers(extents)
	if list == nil {
		return 0
	}
	return product(list)
}

// Carried returns the attributes that a kernel keeps when it becomes another operation. They are those about its
// launch, and all that this package does not know. The latter may be a front end's own: "they survive every lowering
// stage that does not actively rewrite them" (Frontend Contract).
//
// Some attributes are not carried. The notes that passes of the old level left under its name are one kind. The others
// are those for which the new row has a field of the same name, or the kernel spec has one: they would get another
// meaning.
func Carried(op ir.Op, to *ir.OpDef) []ir.NamedAttr {
	var out []ir.NamedAttr
	for _, e := range op.DiscardableAttrs().Entries {
		r, known := rules[e.Name]
		switch {
		case known && (r.on != onEntry || r.check == nil):
		case !known && (to.AttrSlot(e.Name) >= 0 || specFieldNamed(e.Name) != nil || strings.HasPrefix(e.Name, op.Dialect().Name+".")):
		default:
			out = append(out, e)
		}
	}
	return out
}

// A Loss is the attributes of an operation that bytecode cannot hold.
type Loss struct {
	Op    ir.Op
	Names []string
}

// Lost returns the attributes of this package that do not survive being written to bytecode: all those on a
// cuda_tile.module, on its entries, and on what is around it.
func Lost(module ir.Op) []Loss {
	var out []Loss
	add := func(op ir.Op) {
		var names []string
		for _, e := range op.DiscardableAttrs().Entries {
			if _, ok := rules[e.Name]; ok {
				names = append(names, e.Name)
			}
		}
		if names != nil {
			out = append(out, Loss{op, names})
		}
	}
	for p := module.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		add(p)
	}
	add(module)
	for inner := range module.Body().Ops() {
		add(inner)
	}
	return out
}
