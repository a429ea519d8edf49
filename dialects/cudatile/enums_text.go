package cudatile

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// ParseKeywordOf parses a keyword of e, of the given values when there are some.
func ParseKeywordOf(p ir.AsmParser, e *Enum, values ...uint32) *EnumAttr {
	kw := p.PeekKeyword()
	if kw == "" {
		p.Also(p.Pos(), "expected valid keyword")
	}
	v, ok := e.Lookup(kw)
	if !ok || len(values) > 0 && !slices.Contains(values, v) {
		p.Errorf("%s, got: '%s'", expectedKeyword(e, values), kw)
		return nil
	}
	p.Keyword()
	return e.Attr(p.Context(), v)
}

// expectedKeyword says what parseKeywordOf expects, in the words of the reference tools.
func expectedKeyword(e *Enum, values []uint32) string {
	keywords := e.Keywords(values...)
	switch e {
	case Signednesses:
		return "expected signedness to be one of: {'signed', 'unsigned'}"
	case ComparisonOrderings:
		return "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}"
	case ComparisonPredicates:
		return "expected 'comparison_predicate' to be one of: {'" + strings.Join(keywords, "', '") + "'}"
	case RoundingModes:
		return "expected rounding mode to be one of: '" + strings.Join(keywords, "', '") + "'"
	}
	return "expected string or keyword containing one of the following enum values for attribute '" + e.field() + "' [" +
		strings.Join(keywords, ", ") + "]"
}

// field is what rows call the attribute.
func (e *Enum) field() string {
	switch e {
	case AtomicRMWModes:
		return "mode"
	case MultimemReductions:
		return "reduction"
	}
	return e.Mnemonic
}
