package provenance

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A Kind is a kind of memory object.
type Kind uint8

// The kinds of objects.
const (
	Param  Kind = iota // what a parameter points to
	Global             // a variable of the module
	Alloca             // what an allocation of the kernel makes
)

// An Object is a piece of memory that exists apart from others.
type Object struct {
	Kind  Kind
	Value ir.Value // the parameter, or the address that the allocation returns
	Index int      // of a parameter: which; of an allocation: its place among those of the kernel
	Name  string   // of a variable
}

func (o Object) String() string {
	switch o.Kind {
	case Param:
		return fmt.Sprintf("arg %d", o.Index)
	case Global:
		return fmt.Sprintf("global %q", o.Name)
	}
	return fmt.Sprintf("alloca %d", o.Index)
}

// maxObjects is how many objects of a kernel are told apart; the rest is elsewhere. Real kernels have a few dozen
// parameters, and a set in one word makes the analysis as cheap as one of constants.
const maxObjects = 63

// A Set is a set of objects, by their number in [Facts.Objects]; the zero Set is empty: no address at all.
type Set uint64

// Elsewhere is the set of the memory of which nothing is known.
const Elsewhere Set = 1 << maxObjects

// Has reports whether object number i is in the set.
func (s Set) Has(i int) bool { return i < maxObjects && s>>i&1 != 0 }

// IsKnown reports whether the set holds objects only, and at least one.
func (s Set) IsKnown() bool { return s != 0 && s&Elsewhere == 0 }

// Each calls f with the number of each object of the set.
func (s Set) Each(f func(i int)) {
	for rest := uint64(s &^ Elsewhere); rest != 0; rest &= rest - 1 {
		f(bits.TrailingZeros64(rest))
	}
}

// Text writes a set in the order of the objects.
func (f *Facts) Text(s Set) string {
	var parts []string
	s.Each(func(i int) { parts = append(parts, f.Objects[i].String()) })
	if s&Elsewhere != 0 {
		parts = append(parts, "unknown")
	}
	return strings.Join(parts, ", ")
}
