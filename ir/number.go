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
type OpTable[T any] struct {
	arena  *Arena
	list   []T
	others map[Op]*T // of other arenas: the outermost operation, and what is inside isolated ones
}

// NewOpTable returns a table for the operations inside root.
func NewOpTable[T any](root Op) *OpTable[T] {
	a := root.InnerArena()
	return &OpTable[T]{arena: a, list: make([]T, a.ops.n)}
}

// At returns the T of an operation. The pointer is good until At is called for an operation that is newer than the
// table.
func (t *OpTable[T]) At(op Op) *T {
	if op.a != t.arena {
		return t.other(op)
	}
	if n := op.ID() + 1 - len(t.list); n > 0 {
		t.list = append(t.list, make([]T, n)...)
	}
	return &t.list[op.id]
}

func (t *OpTable[T]) other(op Op) *T {
	if t.others == nil {
		t.others = make(map[Op]*T)
	}
	if t.others[op] == nil {
		t.others[op] = new(T)
	}
	return t.others[op]
}

// NumValues returns a number that is greater than that of any value of the arena.
func (a *Arena) NumValues() int { return int(a.values.n) }

// NumBlocks returns a number that is greater than that of any block of the arena.
func (a *Arena) NumBlocks() int { return int(a.blocks.n) }
