package cudatile

import "github.com/tilewright/tilewright/ir"

// The Go types of the enums, for code that computes with them. Their numbers are those of the serialised form.
type (
	Signedness          uint8
	IntegerOverflow     uint8
	RoundingMode        uint8
	ComparisonOrdering  uint8
	ComparisonPredicate uint8
	AtomicRMWMode       uint8
	MemoryScope         uint8
	MemoryOrdering      uint8
	PaddingValue        uint8
	SymbolVisibility    uint8
	MultimemReduction   uint8
	PtrAttr             uint8
)

// The values of Signedness.
const (
	Unsigned Signedness = iota
	Signed
)

// The values of IntegerOverflow: what the operation is assumed not to do.
const (
	OverflowNone IntegerOverflow = iota
	NoSignedWrap
	NoUnsignedWrap
	NoWrap
)

// The values of RoundingMode.
const (
	NearestEven RoundingMode = iota
	Zero
	NegativeInf
	PositiveInf
	Approx
	Full
	NearestIntToZero
	NearestAway
)

// IEEEModes are the modes that every rounded operation has.
var IEEEModes = []RoundingMode{NearestEven, Zero, NegativeInf, PositiveInf}

// The values of ComparisonOrdering: whether a comparison with a NaN is true (unordered) or false (ordered).
const (
	Unordered ComparisonOrdering = iota
	Ordered
)

// The values of ComparisonPredicate.
const (
	Equal ComparisonPredicate = iota
	NotEqual
	LessThan
	LessThanOrEqual
	GreaterThan
	GreaterThanOrEqual
)

// The values of AtomicRMWMode.
const (
	AtomicAnd AtomicRMWMode = iota
	AtomicOr
	AtomicXor
	AtomicAdd
	AtomicAddF
	AtomicMax
	AtomicMin
	AtomicUMax
	AtomicUMin
	AtomicXchg
)

// The values of MemoryScope.
const (
	ScopeTileBlock MemoryScope = iota
	ScopeDevice
	ScopeSys
)

// The values of MemoryOrdering.
const (
	Weak MemoryOrdering = iota
	Relaxed
	Acquire
	Release
	AcqRel
)

// The values of PaddingValue.
const (
	PadZero PaddingValue = iota
	PadNegZero
	PadNaN
	PadPosInf
	PadNegInf
)

// The values of SymbolVisibility.
const (
	Public SymbolVisibility = iota
	Private
)

// The values of MultimemReduction.
const (
	MultimemAdd MultimemReduction = iota
	MultimemMin
	MultimemMax
	MultimemAnd
	MultimemOr
	MultimemXor
	MultimemUMin
	MultimemUMax
)

// The values of PtrAttr.
const (
	PtrNone PtrAttr = iota
	PtrUnicast
	PtrMulticast
)

func (v Signedness) String() string          { return Signednesses.Keyword(uint32(v)) }
func (v IntegerOverflow) String() string     { return IntegerOverflows.Keyword(uint32(v)) }
func (v RoundingMode) String() string        { return RoundingModes.Keyword(uint32(v)) }
func (v ComparisonOrdering) String() string  { return ComparisonOrderings.Keyword(uint32(v)) }
func (v ComparisonPredicate) String() string { return ComparisonPredicates.Keyword(uint32(v)) }
func (v AtomicRMWMode) String() string       { return AtomicRMWModes.Keyword(uint32(v)) }
func (v MemoryScope) String() string         { return MemoryScopes.Keyword(uint32(v)) }
func (v MemoryOrdering) String() string      { return MemoryOrderings.Keyword(uint32(v)) }
func (v PaddingValue) String() string        { return PaddingValues.Keyword(uint32(v)) }
func (v SymbolVisibility) String() string    { return SymbolVisibilities.Keyword(uint32(v)) }
func (v MultimemReduction) String() string   { return MultimemReductions.Keyword(uint32(v)) }
func (v PtrAttr) String() string             { return PtrAttrs.Keyword(uint32(v)) }

// Attr and its companions return the value as an attribute.
func (v Signedness) Attr(c *ir.Context) *EnumAttr      { return Signednesses.Attr(c, uint32(v)) }
func (v IntegerOverflow) Attr(c *ir.Context) *EnumAttr { return IntegerOverflows.Attr(c, uint32(v)) }
func (v RoundingMode) Attr(c *ir.Context) *EnumAttr    { return RoundingModes.Attr(c, uint32(v)) }
func (v ComparisonOrdering) Attr(c *ir.Context) *EnumAttr {
	return ComparisonOrderings.Attr(c, uint32(v))
}
func (v ComparisonPredicate) Attr(c *ir.Context) *EnumAttr {
	return ComparisonPredicates.Attr(c, uint32(v))
}
func (v AtomicRMWMode) Attr(c *ir.Context) *EnumAttr    { return AtomicRMWModes.Attr(c, uint32(v)) }
func (v MemoryScope) Attr(c *ir.Context) *EnumAttr      { return MemoryScopes.Attr(c, uint32(v)) }
func (v MemoryOrdering) Attr(c *ir.Context) *EnumAttr   { return MemoryOrderings.Attr(c, uint32(v)) }
func (v PaddingValue) Attr(c *ir.Context) *EnumAttr     { return PaddingValues.Attr(c, uint32(v)) }
func (v SymbolVisibility) Attr(c *ir.Context) *EnumAttr { return SymbolVisibilities.Attr(c, uint32(v)) }
func (v MultimemReduction) Attr(c *ir.Context) *EnumAttr {
	return MultimemReductions.Attr(c, uint32(v))
}
func (v PtrAttr) Attr(c *ir.Context) *EnumAttr { return PtrAttrs.Attr(c, uint32(v)) }

// enumOf returns the value of an enum attribute (or of its default), and whether there is one.
func enumOf(op ir.Op, e *Enum, name string) (uint32, bool) { return e.ValueOf(op.AttrOrDefault(name)) }

// RoundingOf returns the rounding mode of an operation that has one.
func RoundingOf(op ir.Op) RoundingMode {
	v, ok := enumOf(op, RoundingModes, "rounding_mode")
	if !ok {
		v, _ = enumOf(op, RoundingModes, "rounding") // divi
	}
	return RoundingMode(v)
}

// SignednessOf returns the signedness of an operation that has one.
func SignednessOf(op ir.Op) Signedness {
	v, _ := enumOf(op, Signednesses, "signedness")
	return Signedness(v)
}

// MmaSignednessOf returns the signedness of the two factors of an mmai.
func MmaSignednessOf(op ir.Op) (lhs, rhs Signedness) {
	l, _ := enumOf(op, Signednesses, "signedness_lhs")
	r, _ := enumOf(op, Signednesses, "signedness_rhs")
	return Signedness(l), Signedness(r)
}

// OverflowOf returns the overflow assumption of an operation that has one.
func OverflowOf(op ir.Op) IntegerOverflow {
	v, _ := enumOf(op, IntegerOverflows, "overflow")
	return IntegerOverflow(v)
}

// PredicateOf returns the predicate of a comparison.
func PredicateOf(op ir.Op) ComparisonPredicate {
	v, _ := enumOf(op, ComparisonPredicates, "comparison_predicate")
	return ComparisonPredicate(v)
}

// Exchanged returns the predicate that holds for (b, a) when this one does for (a, b).
func (v ComparisonPredicate) Exchanged() ComparisonPredicate {
	switch v {
	case LessThan:
		return GreaterThan
	case LessThanOrEqual:
		return GreaterThanOrEqual
	case GreaterThan:
		return LessThan
	case GreaterThanOrEqual:
		return LessThanOrEqual
	}
	return v
}

// Opposite returns the predicate that holds for integers when this one does not.
func (v ComparisonPredicate) Opposite() ComparisonPredicate {
	switch v {
	case Equal:
		return NotEqual
	case LessThan:
		return GreaterThanOrEqual
	case LessThanOrEqual:
		return GreaterThan
	case GreaterThan:
		return LessThanOrEqual
	case GreaterThanOrEqual:
		return LessThan
	}
	return Equal
}

// ComparisonOrderingOf returns the ordering of a cmpf.
func ComparisonOrderingOf(op ir.Op) ComparisonOrdering {
	v, _ := enumOf(op, ComparisonOrderings, "comparison_ordering")
	return ComparisonOrdering(v)
}

// MemoryOrderingOf returns the memory ordering of a memory operation.
func MemoryOrderingOf(op ir.Op) MemoryOrdering {
	v, _ := enumOf(op, MemoryOrderings, "memory_ordering_semantics")
	return MemoryOrdering(v)
}

// MemoryScopeOf returns the memory scope of a memory operation, and whether it has one.
func MemoryScopeOf(op ir.Op) (MemoryScope, bool) {
	v, ok := enumOf(op, MemoryScopes, "memory_scope")
	return MemoryScope(v), ok
}

// AtomicModeOf returns what an atomic read-modify-write or reduction does.
func AtomicModeOf(op ir.Op) AtomicRMWMode {
	v, _ := enumOf(op, AtomicRMWModes, "mode")
	return AtomicRMWMode(v)
}

// MultimemReductionOf returns the reduction of a multimem operation.
func MultimemReductionOf(op ir.Op) MultimemReduction {
	v, _ := enumOf(op, MultimemReductions, "reduction")
	return MultimemReduction(v)
}

// VisibilityOf returns the visibility of a global.
func VisibilityOf(op ir.Op) SymbolVisibility {
	v, _ := enumOf(op, SymbolVisibilities, "symbol_visibility")
	return SymbolVisibility(v)
}
