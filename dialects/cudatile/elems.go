package cudatile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An ElemSet is a set of element types: number types, by the names that the text uses, and "ptr".
type ElemSet struct {
	names  []string // in the order in which diagnostics list them
	ptr    bool
	ints   uint64 // a bit for each width, less one
	floats uint64 // a bit for each format
}

// Elems returns the set of the named types.
func Elems(names string) ElemSet {
	s := ElemSet{names: strings.Fields(names)}
	for _, n := range s.names {
		width, err := strconv.Atoi(n[1:])
		switch {
		case n == "ptr":
			s.ptr = true
		case n[0] == 'i' && err == nil:
			s.ints |= 1 << (width - 1)
		default:
			for _, f := range numeric.Formats() {
				if f.String() == n {
					s.floats |= 1 << f
				}
			}
		}
	}
	return s
}

// Has reports whether the set has an element type.
func (s *ElemSet) Has(t ir.Type) bool {
	switch t := t.(type) {
	case *PtrType:
		return s.ptr
	case *ir.IntegerType:
		return s.ints>>(t.Width-1)&1 != 0
	case *ir.FloatType:
		return s.floats>>t.Format&1 != 0
	}
	return false
}

// Desc lists the set for diagnostics.
func (s *ElemSet) Desc() string {
	names := slices.Clone(s.names)
	for i, n := range names {
		if n == "ptr" {
			names[i] = "Pointer type"
		}
	}
	return strings.Join(names, " or ")
}

// Names of number types. FloatNames are those of 13.3, which diagnostics list.
const (
	IntNames       = "i1 i8 i16 i32 i64"
	BaseFloatNames = "f16 bf16 f32 f64"
	FloatNames     = BaseFloatNames + " tf32 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN"
	NumberNames    = IntNames + " " + FloatNames
)

// NewestFloat is the format that version 13.4 added; the operations that admit every float admit it too.
var NewestFloat = numeric.F8E5M3FNU.String()
