package core

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

type globalKey struct{ name string }

// AddressOf returns the address of a variable of the module.
func (l *Lowering) AddressOf(name string) ir.Value {
	return l.Once(globalKey{name}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.AddressOf, nil, []ir.Type{nvvm.Ptr(l.Ctx, nvvm.Global)},
			ir.NamedAttr{Name: nvvm.AttrGlobal, Value: l.Ctx.SymbolRef(name)}).Result(0)
	})
}

// ToSpace makes an address one of the space that the kernel's pointers point to.
func (l *Lowering) ToSpace(p ir.Value) ir.Value {
	if t := ir.Type(nvvm.Ptr(l.Ctx, l.Space)); p.Type() != t {
		return l.Make(nvvm.ToGeneric, t, p)
	}
	return p
}

// variables are those of the module that a kernel needs for itself. Kernels are converted in parallel, so variables
// are declared when all are done. Until then there are their names: the kernel's, what it is, and a number.
//
// The kernel's name is part of theirs, so tables of two kernels never clash; equal tables of two kernels are two
// variables.
type variables struct {
	pending [][]ir.NamedAttr
	counts  map[string]int
}

// Variable adds a variable with an initial value, and returns its name, which says what it is.
func (l *Lowering) Variable(what string, init ir.Attribute, attrs ...ir.NamedAttr) string {
	if l.counts == nil {
		l.counts = make(map[string]int)
	}
	name := fmt.Sprintf("%s_%s_%d", l.Name, what, l.counts[what])
	l.counts[what]++
	l.pending = append(l.pending, append([]ir.NamedAttr{{Name: ir.SymName, Value: l.Ctx.String(name)}, {Name: nvvm.AttrInit, Value: init}}, attrs...))
	return name
}

// Declare makes the variables of the module.
func (v *variables) Declare(b *ir.Builder) {
	for _, attrs := range v.pending {
		b.Create(nvvm.GlobalVar, nil, nil, attrs...)
	}
}
