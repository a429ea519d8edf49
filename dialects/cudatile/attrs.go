package cudatile

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// A Bound is an integer that may be missing.
type Bound struct {
	Value int64
	Given bool
}

// At returns the bound v.
func At(v int64) Bound { return Bound{v, true} }

// DivByAttr is the predicate of an assume that the elements are divisible by Divisor. With Every and Along only the
// first element of each run of Every elements along dimension Along is; the others count up from it.
type DivByAttr struct {
	ir.AttrBase
	Divisor      uint64
	Every, Along Bound
}

// SameElementsAttr is the predicate of an assume that the elements within each group, of Values[i] elements along
// dimension i, are equal.
type SameElementsAttr struct {
	ir.AttrBase
	Values []int64
}

// BoundedAttr is the predicate of an assume that the elements, as signed integers, lie between Lower and Upper, both
// inclusive.
type BoundedAttr struct {
	ir.AttrBase
	Lower, Upper Bound
}

// HintsAttr holds advice for the compiler by architecture ("sm_100", "default"); each entry of Dict is a dictionary.
type HintsAttr struct {
	ir.AttrBase
	Dict *ir.DictAttr
}

type (
	divByKey struct {
		d            uint64
		every, along Bound
	}
	sameElementsKey struct{ values string }
	boundedKey      struct{ lower, upper Bound }
	hintsKey        struct{ d *ir.DictAttr }
)

// DivBy returns #cuda_tile.div_by<divisor, every E along A>; zero Bounds leave the last part out.
func DivBy(c *ir.Context, divisor uint64, every, along Bound) *DivByAttr {
	return ir.UniqueAttr(c, Bare, divByKey{divisor, every, along}, func() *DivByAttr {
		return &DivByAttr{Divisor: divisor, Every: every, Along: along}
	})
}

// SameElements returns #cuda_tile.same_elements<[values]>.
func SameElements(c *ir.Context, values ...int64) *SameElementsAttr {
	return ir.UniqueAttr(c, Bare, sameElementsKey{ir.Int64Key(values)}, func() *SameElementsAttr {
		return &SameElementsAttr{Values: clone(values)}
	})
}

// Bounded returns #cuda_tile.bounded<lower, upper>; a zero Bound leaves that side open.
func Bounded(c *ir.Context, lower, upper Bound) *BoundedAttr {
	return ir.UniqueAttr(c, Bare, boundedKey{lower, upper}, func() *BoundedAttr { return &BoundedAttr{Lower: lower, Upper: upper} })
}

// Hints returns the optimization_hints attribute of a dictionary, of which VerifyHints has checked or will check the
// form.
func Hints(c *ir.Context, d *ir.DictAttr) *HintsAttr {
	return ir.UniqueAttr(c, Bare, hintsKey{d}, func() *HintsAttr { return &HintsAttr{Dict: d} })
}

// IsPredicate reports whether a is what an assume may say about a value.
func IsPredicate(a ir.Attribute) bool {
	switch a.(type) {
	case *DivByAttr, *SameElementsAttr, *BoundedAttr:
		return true
	}
	return false
}

// PrintAttr implements ir.Attribute.
func (a *DivByAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("div_by<" + strconv.FormatUint(a.Divisor, 10))
	if a.Every.Given {
		p.Str(fmt.Sprintf(", every %d along %d", a.Every.Value, a.Along.Value))
	}
	p.Str(">")
}

// PrintAttr implements ir.Attribute.
func (a *SameElementsAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("same_elements<[" + SizesText(a.Values, ", ") + "]>")
}

func (b Bound) String() string {
	if !b.Given {
		return "?"
	}
	return strconv.FormatInt(b.Value, 10)
}

// PrintAttr implements ir.Attribute.
func (a *BoundedAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("bounded<" + a.Lower.String() + ", " + a.Upper.String() + ">")
}

// PrintAttr implements ir.Attribute.
func (a *HintsAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("optimization_hints")
	PrintHints(p, a)
}

// PrintHints prints the part in angle brackets, which is all that custom syntax shows.
func PrintHints(p ir.AsmPrinter, a *HintsAttr) {
	p.Str("<")
	for i, arch := range a.Dict.Entries {
		if i > 0 {
			p.Str(", ")
		}
		p.Str(arch.Name + " = {")
		if d, ok := arch.Value.(*ir.DictAttr); ok {
			for k, e := range d.Entries {
				if k > 0 {
					p.Str(", ")
				}
				p.Str(e.Name + " = ")
				p.AttrNoType(e.Value)
			}
		}
		p.Str("}")
	}
	p.Str(">")
}

func init() {
	Bare.ParseAttr = parseAttr
	Bare.AttrAlias = attrAlias
}

// parseAttr parses what follows "#cuda_tile.mnemonic".
func parseAttr(p ir.AsmParser, mnemonic string) ir.Attribute {
	switch mnemonic {
	case "div_by":
		return parseDivBy(p)
	case "same_elements":
		return parseSameElements(p)
	case "bounded":
		return parseBounded(p)
	case "optimization_hints":
		return ParseHints(p)
	}
	if a, ok := parseDebugAttr(p, mnemonic); ok {
		return a
	}
	for _, e := range Enums {
		if e.Mnemonic != mnemonic {
			continue
		}
		p.Expect("<")
		a := ParseKeywordOf(p, e)
		p.Expect(">")
		if p.Failed() {
			return nil
		}
		return a
	}
	for _, x := range p.Context().Extensions(Bare) {
		if x.ParseAttr == nil {
			continue
		}
		if a := x.ParseAttr(p, mnemonic); a != nil || p.Failed() {
			return a
		}
	}
	p.Errorf("unknown attribute: #cuda_tile.%s", mnemonic)
	return nil
}

func parseDivBy(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	divisor, ok := p.OptInteger()
	if !ok {
		p.Errorf("failed to parse parameter 'divisor' which is expected to be an integer")
		return nil
	}
	var every, along Bound
	if p.Opt(",") {
		p.ExpectKeyword("every")
		every = At(p.Integer())
		p.ExpectKeyword("along")
		along = At(p.Integer())
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return DivBy(p.Context(), uint64(divisor), every, along)
}

func parseSameElements(p ir.AsmParser) ir.Attribute {
	var values []int64
	p.Expect("<")
	p.CommaList("[", "]", func() { values = append(values, p.Integer()) })
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return SameElements(p.Context(), values...)
}

func parseBounded(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	lower := parseBound(p)
	p.Expect(",")
	upper := parseBound(p)
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return Bounded(p.Context(), lower, upper)
}

func parseBound(p ir.AsmParser) Bound {
	if p.Opt("?") {
		return Bound{}
	}
	return At(p.Integer())
}

// ParseHints parses "<arch = {key = value, ...}, ...>".
func ParseHints(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	var entries []ir.NamedAttr
	if !p.Peek(">") {
		p.CommaList("", "", func() {
			key, ok := p.OptQuoted()
			if !ok {
				if p.PeekKeyword() == "" {
					p.Errorf("expected valid keyword or string")
					return
				}
				key = p.Keyword()
			}
			p.Expect("=")
			v := p.Attr(nil)
			if p.Failed() {
				return
			}
			for _, e := range entries {
				if e.Name == key {
					p.Errorf("duplicate optimization_hints key `%s`", key)
				}
			}
			if _, ok := v.(*ir.DictAttr); !ok {
				p.Errorf("expected dictionary attribute for optimization_hints entry `%s` got value=%s", key, ir.AttrString(v))
			}
			entries = append(entries, ir.NamedAttr{Name: key, Value: v})
		})
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return Hints(p.Context(), p.Context().Dict(entries...))
}

// VerifyPredicate checks a predicate against the type of the value that an assume is about.
func VerifyPredicate(a ir.Attribute, t ir.Type) error {
	switch a := a.(type) {
	case *DivByAttr:
		return a.verify(t)
	case *SameElementsAttr:
		return a.verify(t)
	case *BoundedAttr:
		return a.verify(t)
	}
	return nil
}

func (a *DivByAttr) verify(t ir.Type) error {
	invalid := errors.New("'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values")
	if a.Divisor == 0 || a.Divisor&(a.Divisor-1) != 0 {
		return fmt.Errorf("'cuda_tile.div_by' divisor must be a power of 2")
	}
	if a.Every.Given != a.Along.Given {
		return fmt.Errorf("'cuda_tile.div_by' 'every'/'along' must be used in combination")
	}
	if a.Divisor > 1<<62 {
		return fmt.Errorf("'cuda_tile.div_by' divisor is too large")
	}
	if _, ok := t.(*TensorViewType); ok {
		if a.Every.Given {
			return fmt.Errorf("'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view")
		}
		return nil
	}
	tile, ok := t.(*TileType)
	if !ok {
		return invalid
	}
	if tile.Rank() == 0 && a.Every.Given {
		return fmt.Errorf("'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile")
	}
	if !isIntOrPtr(tile.Elem) {
		return invalid
	}
	if !a.Every.Given {
		return nil
	}
	if a.Along.Value < 0 || a.Along.Value >= int64(tile.Rank()) {
		return fmt.Errorf("'cuda_tile.div_by' every_dim (%d) must be >= 0 and < tile rank (%d)", a.Along.Value, tile.Rank())
	}
	if size := tile.Shape[a.Along.Value]; a.Every.Value < 0 || a.Every.Value > size {
		return fmt.Errorf("expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (%d)", size)
	}
	return nil
}

func isIntOrPtr(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *PtrType:
		return true
	}
	return false
}

func (a *SameElementsAttr) verify(t ir.Type) error {
	tile, ok := t.(*TileType)
	if !ok || !isIntOrPtr(tile.Elem) {
		return fmt.Errorf("'cuda_tile.same_elements' is valid only for tile of integer/pointer values")
	}
	if len(a.Values) != tile.Rank() {
		return fmt.Errorf("expected number of values in 'cuda_tile.same_elements' (%d) to match rank of constrained tile (%d)", len(a.Values),
			tile.Rank())
	}
	for i, v := range a.Values {
		if v < 0 || v > tile.Shape[i] {
			return fmt.Errorf("expected 'cuda_tile.same_elements' value %d to be within 0 and the size of the respective dimension (%d)", i,
				tile.Shape[i])
		}
	}
	return nil
}

func (a *BoundedAttr) verify(t ir.Type) error {
	tile, ok := t.(*TileType)
	if !ok {
		return fmt.Errorf("'cuda_tile.bounded' is valid only for tile of integer values")
	}
	it, ok := tile.Elem.(*ir.IntegerType)
	if !ok {
		return fmt.Errorf("'cuda_tile.bounded' is valid only for tile of integer values")
	}
	lo, hi := int64(math.MinInt64)>>(64-it.Width), int64(math.MaxInt64)>>(64-it.Width)
	outside := func(b Bound) bool { return b.Given && (b.Value < lo || b.Value > hi) }
	switch {
	case outside(a.Lower):
		return fmt.Errorf("'cuda_tile.bounded' expects lower bound to be within [%d, %d]", lo, hi)
	case outside(a.Upper):
		return fmt.Errorf("'cuda_tile.bounded' expects upper bound to be within [%d, %d]", lo, hi)
	case a.Lower.Given && a.Upper.Given && a.Lower.Value > a.Upper.Value:
		return fmt.Errorf("'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound")
	}
	return nil
}

// ParsePredicate parses a predicate with or without "#cuda_tile.", or through an alias.
func ParsePredicate(p ir.AsmParser) ir.Attribute {
	pos := p.Pos()
	switch kw := p.PeekKeyword(); kw {
	case "div_by", "same_elements", "bounded":
		p.ExpectKeyword(kw)
		return parseAttr(p, kw)
	case "":
		a := p.Attr(nil)
		if !p.Failed() && !IsPredicate(a) {
			p.ErrorAt(pos, "expected assume predicate attribute")
			return nil
		}
		return a
	default:
		p.Errorf("unknown assume predicate attribute: %s", kw)
		return nil
	}
}

// PromisesNothing reports whether an attribute inbounds says of no index that it is in bounds.
func PromisesNothing(inbounds ir.Attribute) bool {
	list, ok := inbounds.(*ir.DenseArrayAttr)
	return ok && count(list.Values, 0) == len(list.Values)
}
