package alias

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
)

// Analysis is the cached analysis of one kernel. What it knows of an operation is valid while the operation's operands
// are. It is not safe for concurrent use.
var Analysis = passes.NewAnalysis("alias", "which accesses may touch the same memory", func(c *passes.Cache) *Aliases {
	return New(c.Op(), integers.Ranges.At(c))
})

// Aliases is what is known of the accesses of a kernel.
type Aliases struct {
	objects *provenance.Facts
	ranges  *intrange.Ranges
	named   map[tile.ObjectRef]int // object numbers by the names that accesses use
	places  *ir.OpTable[*place]    // passes ask about pairs of operations, and map lookups took longer than most answers
	effects *ir.OpTable[*touched]
}

// New analyses a kernel.
func New(kernel ir.Op, ranges *intrange.Ranges) *Aliases {
	a := &Aliases{objects: provenance.Analyze(kernel), ranges: ranges, named: make(map[tile.ObjectRef]int), places: ir.NewOpTable[*place](kernel), effects: ir.NewOpTable[*touched](kernel)}
	for i, o := range a.objects.Objects {
		a.named[Ref(o)] = i
	}
	return a
}

// Ref returns the name of an object in the attribute objects.
func Ref(o provenance.Object) tile.ObjectRef {
	switch o.Kind {
	case provenance.Param:
		return tile.ObjectRef{Kind: tile.ObjectArg, Index: o.Index}
	case provenance.Global:
		return tile.ObjectRef{Kind: tile.ObjectGlobal, Name: o.Name}
	}
	if def := o.Value.DefiningOp(); !def.IsNil() {
		if n, ok := def.IntAttr(tile.AttrObject); ok {
			return tile.ObjectRef{Kind: tile.ObjectAlloca, Index: int(n)}
		}
	}
	return tile.ObjectRef{Kind: tile.ObjectAlloca, Index: o.Index}
}

// Provenance returns the objects of the kernel's values.
func (a *Aliases) Provenance() *provenance.Facts { return a.objects }

// objectsThrough returns the objects that an access through the value v may touch.
func (a *Aliases) objectsThrough(op ir.Op, v ir.Value) provenance.Set {
	s := a.objects.Pointer(v)
	named := tile.ObjectsOf(op)
	if named == nil || named.Unknown {
		return s
	}
	var said provenance.Set
	for _, o := range named.Objects {
		i, ok := a.named[o]
		if !ok {
			return s // an object that provenance does not distinguish
		}
		said |= 1 << i
	}
	switch both := s & said; {
	case s&provenance.Elsewhere != 0:
		return said // the names were attached when this pointer could still be followed
	case both != 0:
		return both
	}
	return s // a contradiction, which the attribute's verifier reports; trust what is derived
}

// A touched is the memory and other state that an operation affects.
type touched struct {
	anything      bool // some effect names no value: it is on all memory that others can see
	several       bool // several operations, or through several values
	through       ir.Value
	objects       provenance.Set
	reads, writes bool
	changes       bool           // writes, memory or other state
	resources     []*ir.Resource // other state than memory, each resource as a unit
}

// touches returns the effects of an operation and its regions; the zero value if it has none.
func (a *Aliases) touches(op ir.Op) *touched {
	if t := *a.effects.At(op); t != nil {
		return t
	}
	t := &touched{}
	ir.Effects(op, func(e ir.Effect) {
		if e.Kind == ir.Allocate {
			return // nothing else can touch new memory
		}
		t.changes = t.changes || e.Kind != ir.Read
		if e.Resource != nil {
			t.resources = append(t.resources, e.Resource)
			return
		}
		t.reads = t.reads || e.Kind == ir.Read
		t.writes = t.writes || e.Kind != ir.Read
		switch {
		case op.NumRegions() > 0:
			t.several = true
		case e.Value.IsNil():
			t.anything = true
		case t.through.IsNil():
			t.through, t.objects = e.Value, a.objectsThrough(op, e.Value)
		case t.through != e.Value:
			t.several = true
		}
	})
	*a.effects.At(op) = t
	return t
}

// MayAlias reports whether some execution of x may touch memory that some execution of y by the same CTA touches.
func (a *Aliases) MayAlias(x, y ir.Op) bool { return a.MayAliasIn(x, y, ir.Op{}) }

// MayAliasIn is MayAlias for executions in the same iteration of a loop and of those around it. With a zero loop they
// may be in different iterations of any loop.
func (a *Aliases) MayAliasIn(x, y, loop ir.Op) bool {
	same := func(v ir.Value) bool {
		in := ir.LoopAround(v.Block().ParentOp(), true)
		return in.IsNil() || !loop.IsNil() && in.IsAncestorOf(loop)
	}
	s, t := a.touches(x), a.touches(y)
	switch {
	// Other resources come first: an operation may affect one of them and no memory.
	case slices.ContainsFunc(s.resources, func(r *ir.Resource) bool { return slices.Contains(t.resources, r) }):
		return true
	case !s.reads && !s.writes || !t.reads && !t.writes:
		return false
	case s.several || t.several || s.anything && t.anything:
		return true
	case s.anything || t.anything: // private memory is touched only through values that name it
		return !a.isPrivate(s) && !a.isPrivate(t) || s.objects&t.objects != 0
	case !a.objects.MayOverlap(s.objects, t.objects):
		return false
	}
	return !a.apart(a.place(x), a.place(y), same)
}

// ConflictIn is MayAliasIn for accesses one of which writes.
func (a *Aliases) ConflictIn(x, y, loop ir.Op) bool {
	return (a.touches(x).changes || a.touches(y).changes) && a.MayAliasIn(x, y, loop)
}

// IsPrivate reports whether an access touches only memory that no other CTA can see: allocations whose address does
// not escape.
func (a *Aliases) IsPrivate(op ir.Op) bool {
	t := a.touches(op)
	return !t.anything && a.isPrivate(t)
}

func (a *Aliases) isPrivate(t *touched) bool {
	if t.several || !t.objects.IsKnown() || t.objects&a.objects.Escaped() != 0 {
		return false
	}
	private := true
	t.objects.Each(func(i int) { private = private && a.objects.Objects[i].Kind == provenance.Alloca })
	return private
}

// Reads and Writes report what an operation and its regions may do to memory.
func (a *Aliases) Reads(op ir.Op) bool  { return a.touches(op).reads }
func (a *Aliases) Writes(op ir.Op) bool { return a.touches(op).writes }

// ChangesUnknown reports whether an operation may write memory that it does not name. It may then write anything that
// others can see, and make their writes visible. Private memory (IsPrivate) is not affected.
func (a *Aliases) ChangesUnknown(op ir.Op) bool {
	t := a.touches(op)
	return (t.anything || t.several) && t.writes
}

// ObjectsOf returns the objects that an access may touch.
func (a *Aliases) ObjectsOf(op ir.Op) provenance.Set { return a.touches(op).objects }
