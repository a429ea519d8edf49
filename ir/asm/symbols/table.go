package symbols

import (
	"hash/maphash"
	"math/bits"

	"github.com/tilewright/tilewright/ir"
)

// A Binding is a name for N values: the results of an operation from First on, or one block argument.
type Binding struct {
	First uint32 // number of a value
	N     int32  // 0: the name is not bound
	Pos   int32  // where it was bound
}

// Value returns value i of those that the name stands for.
func (b Binding) Value(a *ir.Arena, i int) ir.Value {
	first := a.Value(int(b.First))
	if i == 0 {
		return first
	}
	return first.DefiningOp().Result(first.Index() + i)
}

// A Table maps the names of values that are visible in one isolated operation: a hash table with linear probing of
// indexes into a list of bindings. A region's names are forgotten at its end. They are the last that were bound, so
// the list is cut, and a slot that is cleared leaves no gap in a chain that another name goes through.
type Table struct {
	list  []symbol
	slots []slot
}

type symbol struct {
	name string
	hash uint32
	Binding
}

type slot struct{ hash, index uint32 } // 1 + the index of the symbol; 0: free

const minSlots = 64

// New returns an empty table.
func New() *Table { return &Table{slots: make([]slot, minSlots)} }

// The seeds make it impossible to prepare a text whose names fall together.
var (
	nameSeed  = maphash.MakeSeed()
	shortSeed = maphash.Comparable(nameSeed, 0) | 1
)

// hashName hashes a name; one of a few characters by multiplication with an odd number, of which the upper half is
// good.
func hashName(name string) uint32 {
	if len(name) > 7 {
		return uint32(maphash.String(nameSeed, name))
	}
	x := uint64(len(name))
	for i := range len(name) {
		x = x<<8 | uint64(name[i])
	}
	hi, lo := bits.Mul64(x, shortSeed)
	return uint32(hi ^ lo>>32)
}

// Len returns how many names are bound.
func (s *Table) Len() int { return len(s.list) }

// Last returns the names that were bound last, at most n.
func (s *Table) Last(n int) []string {
	list := s.list[max(0, len(s.list)-n):]
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names
}

// Reset unbinds all names.
func (s *Table) Reset() { s.Forget(0) }

// Lookup returns the binding of a name, or nil.
func (s *Table) Lookup(name string) *Binding {
	if i := s.slots[s.find(name, hashName(name))].index; i != 0 {
		return &s.list[i-1].Binding
	}
	return nil
}

// find returns the slot of a name, or the free one where it belongs.
func (s *Table) find(name string, hash uint32) uint32 {
	mask := uint32(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if slot := s.slots[i]; slot.index == 0 || slot.hash == hash && s.list[slot.index-1].name == name {
			return i
		}
	}
}

// Bind binds a name, unless it is bound: then it returns how.
func (s *Table) Bind(name string, b Binding) (old Binding) {
	if 4*len(s.list) >= 3*len(s.slots) {
		s.grow()
	}
	hash := hashName(name)
	at := &s.slots[s.find(name, hash)]
	if at.index != 0 {
		return s.list[at.index-1].Binding
	}
	s.list = append(s.list, symbol{name, hash, b})
	*at = slot{hash, uint32(len(s.list))}
	return Binding{}
}

func (s *Table) grow() {
	s.slots = make([]slot, 2*len(s.slots))
	mask := uint32(len(s.slots) - 1)
	for k := range s.list {
		i := s.list[k].hash & mask
		for s.slots[i].index != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = slot{s.list[k].hash, uint32(k + 1)}
	}
}

// Forget unbinds all names but the first n.
func (s *Table) Forget(n int) {
	mask := uint32(len(s.slots) - 1)
	for k := len(s.list); k > n; k-- {
		i := s.list[k-1].hash & mask
		for s.slots[i].index != uint32(k) {
			i = (i + 1) & mask
		}
		s.slots[i] = slot{}
	}
	s.list = s.list[:n]
}
