package cudatile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// An Enum is a closed set of keywords, each with a number that the serialised form uses.
type Enum struct {
	Name     string // "RoundingMode"
	Mnemonic string // "rounding", as in #cuda_tile.rounding<zero>
	Desc     string // for diagnostics: "rounding mode"
	Since    ir.Version
	// Integer says that outside custom syntax an i32 stands for the value, as in "memory_scope = 1 : i32".
	Integer bool
	Cases   []EnumCase
}

// An EnumCase is one keyword; its number is its position.
type EnumCase struct {
	Keyword string
	Since   ir.Version // zero: as old as the enum
	Doc     string
}

// EnumAttr is a value of an Enum as an attribute.
type EnumAttr struct {
	ir.AttrBase
	Enum  *Enum
	Value uint32
}

type enumKey struct {
	e *Enum
	v uint32
}

// Attr returns the attribute for the value v, which must be a case of e.
func (e *Enum) Attr(c *ir.Context, v uint32) *EnumAttr {
	d := Bare
	if e.Integer {
		d = nil // it is spelled without the dialect's prefix
	}
	return ir.UniqueAttr(c, d, enumKey{e, v}, func() *EnumAttr { return &EnumAttr{Enum: e, Value: v} })
}

// ValueOf returns the value of e that an attribute stands for: an EnumAttr of e, or for some enums an i32, which is
// how the generic syntax spells them.
func (e *Enum) ValueOf(a ir.Attribute) (v uint32, ok bool) {
	switch a := a.(type) {
	case *EnumAttr:
		return a.Value, a.Enum == e
	case *ir.IntegerAttr:
		if e.Integer && IsInt(a.Type(), 32) && a.Value >= 0 && a.Value < int64(len(e.Cases)) {
			return uint32(a.Value), true
		}
	}
	return 0, false
}

// Canonical returns the EnumAttr for an i32 that stands for a value of e.
func (e *Enum) Canonical(a ir.Attribute) ir.Attribute {
	if n, ok := a.(*ir.IntegerAttr); ok {
		if v, ok := e.ValueOf(n); ok {
			return e.Attr(n.Context(), v)
		}
	}
	return a
}

// Lookup returns the number of a keyword.
func (e *Enum) Lookup(keyword string) (uint32, bool) {
	for i := range e.Cases {
		if e.Cases[i].Keyword == keyword {
			return uint32(i), true
		}
	}
	return 0, false
}

// Keyword returns the keyword of v, or a number in parentheses when v is no case.
func (e *Enum) Keyword(v uint32) string {
	if int64(v) < int64(len(e.Cases)) {
		return e.Cases[v].Keyword
	}
	return fmt.Sprintf("%s(%d)", e.Name, v)
}

// Valid reports whether v is a case of e in the given version.
func (e *Enum) Valid(v uint32, at ir.Version) bool {
	return int64(v) < int64(len(e.Cases)) && !at.Less(e.CaseSince(v))
}

// CaseSince returns the first version that has the case v.
func (e *Enum) CaseSince(v uint32) ir.Version {
	if s := e.Cases[v].Since; !s.IsZero() {
		return s
	}
	return e.Since
}

// Keywords returns the keywords of the given values, of all when there are none.
func (e *Enum) Keywords(values ...uint32) []string {
	var out []string
	if len(values) == 0 {
		for _, c := range e.Cases {
			out = append(out, c.Keyword)
		}
	}
	for _, v := range values {
		out = append(out, e.Keyword(v))
	}
	return out
}

func (a *EnumAttr) String() string { return a.Enum.Keyword(a.Value) }

// PrintAttr implements ir.Attribute.
func (a *EnumAttr) PrintAttr(p ir.AsmPrinter) {
	if a.Enum.Integer {
		p.Str(strconv.FormatUint(uint64(a.Value), 10) + " : i32")
		return
	}
	p.Str(a.Enum.Mnemonic + "<" + a.String() + ">")
}

func cases(keywords string) []EnumCase {
	var out []EnumCase
	for _, k := range strings.Fields(keywords) {
		out = append(out, EnumCase{Keyword: k})
	}
	return out
}

func newer(cs []EnumCase, since map[string]ir.Version) []EnumCase {
	for i := range cs {
		cs[i].Since = since[cs[i].Keyword]
	}
	return cs
}

// The enums of the dialect.
var (
	Signednesses = &Enum{Name: "Signedness", Mnemonic: "signedness", Desc: "signedness", Since: V13_1,
		Cases: cases("unsigned signed")}
	IntegerOverflows = &Enum{Name: "IntegerOverflow", Mnemonic: "overflow", Desc: "integer overflow", Since: V13_1,
		Cases: cases("none no_signed_wrap no_unsigned_wrap no_wrap")}
	RoundingModes = &Enum{Name: "RoundingMode", Mnemonic: "rounding", Desc: "rounding mode", Since: V13_1,
		Cases: newer(cases("nearest_even zero negative_inf positive_inf approx full nearest_int_to_zero nearest_away"),
			map[string]ir.Version{"nearest_away": V13_4})}
	ComparisonOrderings = &Enum{Name: "ComparisonOrdering", Mnemonic: "comparison_ordering", Desc: "comparison ordering",
		Since: V13_1, Cases: cases("unordered ordered")}
	ComparisonPredicates = &Enum{Name: "ComparisonPredicate", Mnemonic: "comparison_predicate", Desc: "comparison predicate",
		Since: V13_1, Cases: cases("equal not_equal less_than less_than_or_equal greater_than greater_than_or_equal")}
	AtomicRMWModes = &Enum{Name: "AtomicRMWMode", Mnemonic: "atomic_rmw_mode", Desc: "atomic RMW mode", Since: V13_1, Integer: true,
		Cases: cases("and or xor add addf max min umax umin xchg")}
	MemoryScopes = &Enum{Name: "MemoryScope", Mnemonic: "memory_scope", Desc: "memory scope", Since: V13_1, Integer: true,
		Cases: cases("tl_blk device sys")}
	MemoryOrderings = &Enum{Name: "MemoryOrderingSemantics", Mnemonic: "memory_ordering_semantics",
		Desc: "memory ordering semantics", Since: V13_1, Integer: true, Cases: cases("weak relaxed acquire release acq_rel")}
	PaddingValues = &Enum{Name: "PaddingValue", Mnemonic: "padding_value", Desc: "padding value", Since: V13_1,
		Cases: cases("zero neg_zero nan pos_inf neg_inf")}
	SymbolVisibilities = &Enum{Name: "SymbolVisibility", Mnemonic: "symbol_visibility", Desc: "symbol visibility",
		Since: V13_1, Cases: cases("public private")}
	MultimemReductions = &Enum{Name: "MultimemReductionKind", Mnemonic: "multimem_reduction_kind",
		Desc: "multimem reduction kind", Since: V13_5, Cases: cases("add min max and or xor umin umax")}
	PtrAttrs = &Enum{Name: "PtrAttr", Mnemonic: "ptr_attr", Desc: "pointer attribute", Since: V13_4,
		Cases: newer(cases("none unicast multicast"), map[string]ir.Version{"unicast": V13_5, "multicast": V13_5})}
)

// Enums lists the enums of the dialect.
var Enums = []*Enum{
	Signednesses, IntegerOverflows, RoundingModes, ComparisonOrderings, ComparisonPredicates, AtomicRMWModes,
	MemoryScopes, MemoryOrderings, PaddingValues, SymbolVisibilities, MultimemReductions, PtrAttrs,
}
