package ir

import "slices"

// An EffectKind is what an operation does to memory.
type EffectKind uint8

// The kinds of effects.
const (
	Read EffectKind = iota
	Write
	Allocate
	Free
)

func (k EffectKind) String() string { return [...]string{"read", "write", "allocate", "free"}[k] }

// A Resource is a kind of state that is disjoint from all other resources, as console output is from memory.
type Resource struct{ Name string }

// An Effect is one thing that an operation does to memory.
type Effect struct {
	Kind EffectKind
	// Value is what the effect goes through: a pointer, a view or a buffer; a zero Value: the memory is unknown.
	Value Value
	// Resource is the state that is affected; nil: memory.
	Resource *Resource
	// Concurrent says of a read that another thread may change meanwhile what is read, so that a loop that waits must
	// read it again. What is not used need not be read, and two reads with nothing in between may be one.
	Concurrent bool
}

// EffectsOf calls add for each effect of an operation of its row; an operation for which it adds none has no effects.
// It states the effects of the operation proper; those of the operations in its regions are added when the row has the
// trait RecursiveEffects.
type EffectsOf func(op Op, add func(Effect))

// MemoryEffects is the capability that declares effects. An operation whose row has neither it nor one of the traits
// Pure and RecursiveEffects reads and writes everything.
var MemoryEffects = NewCap[EffectsOf]("memory-effects")

// Speculatable tells whether an operation may be executed where the program would not have: it has no undefined
// behaviour, and it ends. Without the capability an operation is speculatable if its row is Pure, or if it has
// RecursiveEffects and all operations inside are. A loop is not: with other values than those of the program it may
// not end.
var Speculatable = NewCap[func(op Op) bool]("speculatable")

// Effects calls add for each effect of op and, where the row has RecursiveEffects, of the operations inside. It
// reports false when some effects are not declared; it has then added a read and a write of unknown memory.
//
// A terminator inside that leaves op for an operation further out (a break in an if) counts as a write of unknown
// memory, because op cannot be removed or moved.
func Effects(op Op, add func(Effect)) (known bool) {
	def := op.Def()
	if def.Traits.Has(Pure) {
		return true
	}
	declared := OwnEffects(op, add)
	recursive := def.Traits.Has(RecursiveEffects)
	if !declared && !recursive {
		add(Effect{Kind: Read})
		add(Effect{Kind: Write})
		return false
	}
	known = true
	if !recursive {
		return known
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				if inner.HasTrait(Terminator) {
					if t := ExitTarget(inner); t.IsNil() || !op.IsAncestorOf(t) {
						add(Effect{Kind: Write})
					}
				}
				known = Effects(inner, add) && known
			}
		}
	}
	return known
}

// HasNoEffects reports whether op neither reads nor writes, allocates or frees anything.
func HasNoEffects(op Op) bool { return !hasEffect(op, func(Effect) bool { return true }) }

// MayRead reports whether op may read memory or another resource.
func MayRead(op Op) bool { return hasEffect(op, func(e Effect) bool { return e.Kind == Read }) }

// MayWrite reports whether op may write or free memory or change another resource.
func MayWrite(op Op) bool {
	return hasEffect(op, func(e Effect) bool { return e.Kind == Write || e.Kind == Free })
}

func hasEffect(op Op, is func(Effect) bool) bool {
	found := false
	Effects(op, func(e Effect) { found = found || is(e) })
	return found
}

// IsPure reports whether op may be moved, merged with an equal one, and erased when it has no uses.
func IsPure(op Op) bool {
	return op.HasTrait(Pure) || HasNoEffects(op) && IsSpeculatable(op)
}

// IsSpeculatable reports whether op, and everything inside it, may be executed where the program would not have.
func IsSpeculatable(op Op) bool {
	def := op.Def()
	if is, ok := Speculatable.OfDef(def); ok {
		return is(op)
	}
	if def.Traits.Has(Pure) {
		return true
	}
	if _, loop := LoopLike.OfDef(def); loop || !def.Traits.Has(RecursiveEffects) {
		return false
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				if !IsSpeculatable(inner) {
					return false
				}
			}
		}
	}
	return true
}

// EraseDead erases the operations inside root that nothing uses and that do nothing else of note, uses before
// definitions. It leaves those with regions.
func EraseDead(root Op) {
	var ops []Op
	root.Walk(func(op Op) WalkResult {
		if op != root && op.NumRegions() == 0 {
			ops = append(ops, op)
		}
		return Advance
	})
	for _, op := range slices.Backward(ops) {
		if IsTriviallyDead(op) {
			op.Erase()
		}
	}
}

// EraseUnused erases the operations of values that nothing uses, if they do nothing else of note, and then those that
// only they used.
func EraseUnused(values ...Value) {
	for len(values) > 0 {
		def := values[len(values)-1].DefiningOp()
		values = values[:len(values)-1]
		if def.IsNil() || !IsTriviallyDead(def) {
			continue
		}
		left := values
		operands := slices.DeleteFunc(slices.Clone(def.Operands()), func(v Value) bool { return slices.Contains(left, v) })
		values = append(slices.DeleteFunc(values, func(v Value) bool { return v.DefiningOp() == def }), operands...)
		def.Erase()
	}
}

// IsTriviallyDead reports whether op can be erased because nobody uses its results and it does nothing else of note: it
// reads, or allocates what it returns, at most.
func IsTriviallyDead(op Op) bool { return !op.HasUses() && WouldBeTriviallyDead(op) }

// WouldBeTriviallyDead reports whether op could be erased if its results had no uses.
func WouldBeTriviallyDead(op Op) bool {
	def := op.Def()
	if def.Traits.Has(Pure) && !def.Traits.Has(Terminator) {
		return true
	}
	if def.Unregistered || def.Traits&(Terminator|Symbol) != 0 {
		return false
	}
	// What op itself allocates, nobody else can see. A value that is merely computed inside, as the address of
	// something, does not count.
	allocated := make(map[Value]bool)
	Effects(op, func(e Effect) {
		if e.Kind == Allocate && !e.Value.IsNil() && definedWithin(e.Value, op) {
			allocated[e.Value] = true
		}
	})
	return !hasEffect(op, func(e Effect) bool { return e.Kind != Read && !allocated[e.Value] })
}

func definedWithin(v Value, op Op) bool {
	if def := v.DefiningOp(); !def.IsNil() {
		return op.IsAncestorOf(def)
	}
	return op.IsAncestorOf(v.Block().ParentOp())
}
