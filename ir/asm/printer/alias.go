package printer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/naming"
)

// Aliases name locations, and the attributes for which their dialect proposes a name. An alias stands after those
// that it refers to, so they are ordered by depth of reference, then by name, then by first use; several of one name
// are numbered in that order. What only operations' locations refer to is printed after the operations, all else
// before.

// An alias is an attribute or type that may get a name.
type alias struct {
	obj      any // ir.Attribute or ir.Type
	name     string
	depth    int // 0: neither it nor anything in it has a name
	late     bool
	children []int
}

// An aliasVisit collects what one attribute or type refers to.
type aliasVisit struct {
	set      *aliasSet
	late     bool
	depth    int
	children []int
}

// An aliasSet numbers the attributes and types that were visited.
type aliasSet struct {
	p            *printer
	attrs, types []int32 // by number: position in the list, plus one
	list         []alias
}

// place returns where the position of an attribute or type in the list is kept.
func (s *aliasSet) place(obj any) *int32 {
	table, n := &s.attrs, 0
	if t, ok := obj.(ir.Type); ok {
		table, n = &s.types, ir.TypeNumber(t)
	} else {
		n = ir.AttrNumber(obj.(ir.Attribute))
	}
	return at(table, n)
}

// at returns element i of a table that grows as needed.
func at(table *[]int32, i int) *int32 {
	if i >= len(*table) {
		*table = append(*table, make([]int32, i+1-len(*table))...)
	}
	return &(*table)[i]
}

// An aliasTable holds the names of attributes.
type aliasTable struct {
	attrs []int32 // by number: position in names, plus one
	names []string
}

// alias prints the alias of an attribute and returns true, if there is one.
func (p *printer) alias(a ir.Attribute) bool {
	if p.aliases == nil {
		return false
	}
	n := ir.AttrNumber(a)
	if n >= len(p.aliases.attrs) || p.aliases.attrs[n] == 0 {
		return false
	}
	p.Str(p.aliases.names[p.aliases.attrs[n]-1])
	return true
}

func (v *aliasVisit) child(obj any) {
	i := v.set.add(obj, v.late)
	v.children = append(v.children, i)
	v.depth = max(v.depth, v.set.list[i].depth)
}

// add visits an attribute or type and returns its number.
func (s *aliasSet) add(obj any, late bool) int {
	place := s.place(obj)
	if i := int(*place) - 1; i >= 0 {
		if !late {
			s.early(i)
		}
		return i
	}
	i := len(s.list)
	*place = int32(i) + 1
	s.list = append(s.list, alias{obj: obj, name: aliasName(obj), late: late})
	if s.list[i].name != "" {
		s.list[i].depth = 1
	}
	visit := &aliasVisit{set: s, late: late}
	s.print(obj, visit)
	a := &s.list[i]
	a.children = visit.children
	if visit.depth > 0 {
		a.depth = visit.depth + 1
	}
	return i
}

// early marks an alias, and those it refers to, as needed before the operations.
func (s *aliasSet) early(i int) {
	if a := &s.list[i]; a.late {
		a.late = false
		for _, child := range a.children {
			s.early(child)
		}
	}
}

// print lets an attribute or type print itself, to learn what it refers to.
func (s *aliasSet) print(obj any, visit *aliasVisit) {
	switch obj.(type) {
	case *ir.FileLoc, *ir.UnknownLoc, *ir.IntegerType, *ir.IntegerAttr, *ir.FloatAttr, *ir.StringAttr, *ir.DenseArrayAttr:
		return
	}
	p := s.p
	saved := p.visit
	p.visit = visit
	if t, ok := obj.(ir.Type); ok {
		p.typeBody(t)
	} else {
		p.attrBody(obj.(ir.Attribute), withType)
	}
	p.visit, p.buf = saved, p.buf[:0]
}

// aliasName returns the name that an attribute should get, without a number; "" when none.
func aliasName(obj any) string {
	a, ok := obj.(ir.Attribute)
	if !ok {
		return ""
	}
	if d := ir.AttrDialect(a); d != nil && d.AttrAlias != nil {
		if name := d.AttrAlias(a); name != "" {
			name = naming.Sanitize(name)
			if lexer.IsClass(name[len(name)-1], lexer.ClassDigit) {
				name += "_" // a number may follow
			}
			return name
		}
	}
	if _, ok := a.(ir.Location); ok {
		return "loc"
	}
	return ""
}

// collectAliases chooses the aliases for the text of op, prints those that must stand before it and returns the others.
func (p *printer) collectAliases(op ir.Op) (late []alias) {
	debug := p.opts.DebugInfo && !p.opts.PrettyDebugInfo
	named := debug
	for _, d := range p.ctx.Dialects() {
		named = named || d.AttrAlias != nil
	}
	if !named {
		return nil
	}
	s := &aliasSet{p: &printer{ctx: p.ctx, opts: p.opts}}
	s.op(op, debug, !p.opts.ImplicitModule || hasNoOps(op))
	order := make([]int, 0, len(s.list))
	for i := range s.list {
		if s.list[i].name != "" {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &s.list[i], &s.list[j]
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.name, b.name))
	})
	p.aliases = &aliasTable{names: make([]string, 0, len(order))}
	count := make(map[string]int)
	var early []alias
	for _, i := range order {
		a := s.list[i]
		name := a.name
		if n := count[name]; n > 0 {
			name += strconv.Itoa(n)
		}
		count[a.name]++
		p.aliases.names = append(p.aliases.names, "#"+name)
		*at(&p.aliases.attrs, ir.AttrNumber(a.obj.(ir.Attribute))) = int32(len(p.aliases.names))
		if a.late {
			late = append(late, a)
		} else {
			early = append(early, a)
		}
	}
	p.printAliases(early)
	return late
}

// op visits what an operation refers to; self: its own attributes and location too.
func (s *aliasSet) op(op ir.Op, debug, self bool) {
	if self {
		if debug {
			s.add(op.Loc(), true)
		}
		for i := range op.Def().Attrs {
			if n := op.AttrNumberAt(i); n != 0 && !s.met(s.attrs, n) {
				s.add(op.AttrAt(i), false)
			}
		}
		for _, e := range op.DiscardableAttrs().Entries {
			s.add(e.Value, false)
		}
		for i := range op.NumResults() {
			s.value(op.Result(i))
		}
	}
	var implied func(ir.Region) bool
	if !s.p.opts.Generic {
		implied, _ = ir.ImpliedTerminator.Of(op)
	}
	for i := range op.NumRegions() {
		hidden := implied != nil && implied(op.Region(i))
		for b := range op.Region(i).Blocks() {
			for k := range b.NumArgs() {
				s.value(b.Arg(k))
			}
			for inner := b.First(); !inner.IsNil(); inner = inner.Next() {
				if !hidden || !inner.Next().IsNil() {
					s.op(inner, debug, true)
				}
			}
		}
	}
}

// value visits the type of a value.
func (s *aliasSet) value(v ir.Value) {
	if !s.met(s.types, v.TypeNumber()) {
		s.add(v.Type(), false)
	}
}

// met reports whether the attribute or type with a number was visited from elsewhere than an operation's location, so
// that there is nothing more to learn from it.
func (s *aliasSet) met(table []int32, n int) bool {
	return n < len(table) && table[n] != 0 && !s.list[table[n]-1].late
}

// printAliases prints "#name = attribute" lines.
func (p *printer) printAliases(list []alias) {
	for _, a := range list {
		attr := a.obj.(ir.Attribute)
		p.alias(attr)
		p.Str(" = ")
		p.attrBody(attr, withType)
		p.Str("\n")
	}
}
