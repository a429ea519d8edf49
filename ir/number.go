package ir

// All that a context uniques and an arena holds is numbered densely, from 1. So a table by number can replace a map by
// object. For example, a printer that has spelled a type once, or a verifier that has checked it, need not load it
// again.

// TypeNumber returns the number of a type among those of its context.
func TypeNumber(t Type) int { return int(t.base().id) }

// AttrNumber returns the number of an attribute among those of its context.
func AttrNumber(a Attribute) int { return int(a.abase().id) }

// TypeNumber returns the number of the value's type.
func (v Value) TypeNumber() int { return int(v.rec().typ) }

// AttrNumberAt returns the number of the inherent attribute in the given slot; 0 when it is absent.
func (op Op) AttrNumberAt(slot int) int { return int(*op.a.words.at(op.rec().attrs + uint32(slot))) }

// Number returns the number of a row in the process. It is 0 for the stand-in of an operation of which nothing is
// known.
func (def *OpDef) Number() int {
	if def.Unregistered {
		return 0
	}
	return int(def.num)
}

// An OpTable has a T for each operation inside an operation, the zero T at first: a map that costs an index.
type OpTable[T any] struct{ sideTable[Op, T] }

// NewOpTable returns a table for the operations inside root.
func NewOpTable[T any](root Op) *OpTable[T] {
	a := root.InnerArena()
	return &OpTable[T]{sideTable[Op, T]{arena: a, list: make([]T, a.ops.n)}}
}

// At returns the T of an operation. The pointer is good until At is called for an operation that is newer than the
// table.
func (t *OpTable[T]) At(op Op) *T {
	if op.a == t.arena && int(op.id) < len(t.list) {
		return &t.list[op.id]
	}
	return t.other(op.a, op.id, op)
}

// A ValueTable is an OpTable of values.
type ValueTable[T any] struct{ sideTable[Value, T] }

// NewValueTable returns a table for the values inside root.
func NewValueTable[T any](root Op) *ValueTable[T] {
	a := root.InnerArena()
	return &ValueTable[T]{sideTable[Value, T]{arena: a, list: make([]T, a.values.n)}}
}

// At returns the T of a value, as OpTable.At does.
func (t *ValueTable[T]) At(v Value) *T {
	if v.a == t.arena && int(v.id) < len(t.list) {
		return &t.list[v.id]
	}
	return t.other(v.a, v.id, v)
}

type sideTable[K comparable, T any] struct {
	arena  *Arena
	list   []T
	others map[K]*T // of other arenas: the outermost operation, and what is inside isolated ones
}

func (t *sideTable[K, T]) other(a *Arena, id uint32, key K) *T {
	if a == t.arena {
		t.list = append(t.list, make([]T, int(id)+1-len(t.list))...)
		return &t.list[id]
	}
	if t.others == nil {
		t.others = make(map[K]*T)
	}
	if t.others[key] == nil {
		t.others[key] = new(T)
	}
	return t.others[key]
}

// NumValues returns a number that is greater than that of any value of the arena.
func (a *Arena) NumValues() int { return int(a.values.n) }

// NumBlocks returns a number that is greater than that of any block of the arena.
func (a *Arena) NumBlocks() int { return int(a.blocks.n) }

// ValueClasses divide the values inside an operation into classes, at first each alone. They are a union-find by the
// numbers of values. A class is named by its smallest number, so the result does not depend on the order of unions.
type ValueClasses struct{ parent []int }

// NewValueClasses returns the classes of the values inside root, of which there must be no newer ones.
func NewValueClasses(root Op) *ValueClasses {
	c := &ValueClasses{make([]int, root.InnerArena().NumValues())}
	for id := range c.parent {
		c.parent[id] = id
	}
	return c
}

// Find returns the class of a value.
func (c *ValueClasses) Find(v Value) int {
	id := v.ID()
	for c.parent[id] != id {
		// Paths are halved. There is no union by rank, as the root is always the smallest number.
		c.parent[id] = c.parent[c.parent[id]]
		id = c.parent[id]
	}
	return id
}

// Union makes one class of those of two values.
func (c *ValueClasses) Union(a, b Value) {
	x, y := c.Find(a), c.Find(b)
	c.parent[max(x, y)] = min(x, y)
}
