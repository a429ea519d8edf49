package cudatile

import (
	"math"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// Types inside another type of the dialect are always printed without "!cuda_tile.", so the body of a type is a plain
// string, which diagnostics use as well.

func (t *TileType) String() string { return "tile<" + dims(t.Shape, "x") + ElemText(t.Elem) + ">" }

func (t *PtrType) String() string {
	s := "ptr<" + ElemText(t.Pointee)
	if t.Attr != nil {
		s += ", <" + t.Attr.String() + ">"
	}
	return s + ">"
}

func (t *TensorViewType) String() string {
	s := "tensor_view<" + dims(t.Shape, "x") + ElemText(t.Elem)
	if len(t.Shape) > 0 {
		s += ", strides=[" + SizesText(t.Strides, ",") + "]"
	}
	if t.Attr != nil {
		s += ", #cuda_tile.ptr_attr<" + t.Attr.String() + ">"
	}
	return s + ">"
}

func (t *PartitionViewType) String() string {
	return "partition_view<tile=(" + SizesText(t.TileShape, "x") + "), " + paddingText(t.Padding) + t.TensorView.String() +
		dimMapText(t.DimMap) + ">"
}

func (t *StridedViewType) String() string {
	return "strided_view<tile=(" + SizesText(t.TileShape, "x") + "), traversal_strides=[" + SizesText(t.TraversalStrides, ",") + "], " +
		paddingText(t.Padding) + t.TensorView.String() + dimMapText(t.DimMap) + ">"
}

func (t *GatherScatterViewType) String() string {
	return "gather_scatter_view<tile=(" + SizesText(t.TileShape, "x") + "), " + paddingText(t.Padding) + t.TensorView.String() +
		", sparse_dim=" + strconv.FormatInt(t.SparseDim, 10) + ">"
}

func (*TokenType) String() string { return "token" }

// PrintType implements ir.Type.
func (t *TileType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *PtrType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *TensorViewType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *PartitionViewType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *StridedViewType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *GatherScatterViewType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// PrintType implements ir.Type.
func (t *TokenType) PrintType(p ir.AsmPrinter) { p.Str(t.String()) }

// ElemText spells a type inside another type of the dialect.
func ElemText(t ir.Type) string {
	switch t := t.(type) {
	case *ir.IntegerType:
		return integerName(t.Width)
	case *ir.FloatType:
		return t.Format.String()
	case interface{ String() string }:
		return t.String()
	}
	return ir.TypeString(t) // no rule admits such an element, so it comes this far only in a diagnostic
}

// integerName spells an integer type. It is asked for with each constant that is printed and each type that is
// verified.
func integerName(width int) string {
	switch width {
	case 1:
		return "i1"
	case 8:
		return "i8"
	case 16:
		return "i16"
	case 32:
		return "i32"
	case 64:
		return "i64"
	}
	return "i" + strconv.Itoa(width)
}

// Quoted spells a type for a diagnostic, in single quotes.
func Quoted(t ir.Type) string { return "'" + ir.TypeString(t) + "'" }

func dims(shape []int64, after string) string {
	if len(shape) == 0 {
		return ""
	}
	return SizesText(shape, "x") + after
}

// SizesText spells sizes with a separator between them, and a ? for Dynamic.
func SizesText(xs []int64, sep string) string {
	var sb strings.Builder
	for i, x := range xs {
		if i > 0 {
			sb.WriteString(sep)
		}
		if x == Dynamic {
			sb.WriteByte('?')
		} else {
			sb.WriteString(strconv.FormatInt(x, 10))
		}
	}
	return sb.String()
}

func paddingText(a *EnumAttr) string {
	if a == nil {
		return ""
	}
	return "padding_value = " + a.String() + ", "
}

func dimMapText(m []int64) string {
	for i, d := range m {
		if int64(i) != d {
			return ", dim_map=[" + SizesText(m, ", ") + "]"
		}
	}
	return ""
}

func init() { Bare.ParseType = parseType }

func parseType(p ir.AsmParser, mnemonic string) ir.Type {
	pos := p.Pos()
	var t ir.Type
	switch mnemonic {
	case "token":
		return Token(p.Context())
	case "tile":
		t = parseTile(p)
	case "ptr":
		t = parsePtr(p)
	case "tensor_view":
		t = parseTensorView(p)
	case "partition_view", "strided_view", "gather_scatter_view":
		t = parseView(p, mnemonic)
	default:
		return parseExtensionType(p, mnemonic)
	}
	if p.Failed() {
		return nil
	}
	if err := VerifyType(t); err != nil {
		p.ErrorAt(pos, "%s", err.Error())
		return nil
	}
	return t
}

func parseExtensionType(p ir.AsmParser, mnemonic string) ir.Type {
	for _, x := range p.Context().Extensions(Bare) {
		if x.ParseType == nil {
			continue
		}
		if t := x.ParseType(p, mnemonic); t != nil || p.Failed() {
			return t
		}
	}
	p.Errorf("unknown type: %s", mnemonic)
	return nil
}

func parseTile(p ir.AsmParser) ir.Type {
	p.Expect("<")
	shape := p.DimList(false)
	elem := p.Type()
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return Tile(p.Context(), shape, elem)
}

func parsePtr(p ir.AsmParser) ir.Type {
	p.Expect("<")
	elem := p.Type()
	var attr *EnumAttr
	if p.Opt(",") {
		p.Expect("<")
		attr = ParseKeywordOf(p, PtrAttrs)
		p.Expect(">")
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return Ptr(p.Context(), elem, attr)
}

func parseTensorView(p ir.AsmParser) ir.Type {
	p.Expect("<")
	shape := p.DimList(true)
	for i, d := range shape {
		if d == -1 {
			shape[i] = Dynamic
		}
	}
	elem := p.Type()
	var strides []int64
	if len(shape) > 0 {
		if !p.Opt(",") || p.PeekKeyword() != "strides" {
			p.Errorf("expected 'strides'")
			return nil
		}
		p.ExpectKeyword("strides")
		p.Expect("=")
		p.CommaList("[", "]", func() { strides = append(strides, parseStride(p)) })
	}
	var attr *EnumAttr
	if p.Opt(",") {
		if len(shape) == 0 && p.PeekKeyword() == "strides" {
			p.Errorf("strides must not be provided for 0-d tiles")
			return nil
		}
		if p.PeekKeyword() != "" || p.Peek(">") {
			p.Errorf("unexpected token after element type in %d-d tensor_view", len(shape))
			return nil
		}
		pos := p.Pos()
		a, ok := p.Attr(nil).(*EnumAttr)
		if !p.Failed() && (!ok || a.Enum != PtrAttrs) {
			p.ErrorAt(pos, "expected a ptr_attr")
		}
		attr = a
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return TensorView(p.Context(), shape, strides, elem, attr)
}

func parseStride(p ir.AsmParser) int64 {
	if p.Opt("?") {
		return Dynamic
	}
	pos := p.Pos()
	n, ok := p.OptInteger()
	switch {
	case p.Failed():
	case !ok:
		p.Errorf("expected either 64-bit integer or question mark")
	case n <= 0:
		p.ErrorAt(pos, "expected strictly positive integer, got %d", n)
	}
	return n
}

func parseView(p ir.AsmParser, mnemonic string) ir.Type {
	p.Expect("<")
	tile := parseTileShape(p)
	p.Expect(",")
	var traversal []int64
	if mnemonic == "strided_view" {
		p.ExpectKeyword("traversal_strides")
		p.Expect("=")
		p.CommaList("[", "]", func() { traversal = append(traversal, parseI32(p)) })
		p.Expect(",")
	}
	var padding *EnumAttr
	if p.OptKeyword("padding_value") {
		p.Expect("=")
		pos := p.Pos()
		kw := p.Keyword()
		v, ok := PaddingValues.Lookup(kw)
		if !ok {
			p.ErrorAt(pos, "invalid padding_value attribute specification. Got %q but expect one of: %s", kw,
				strings.Join(PaddingValues.Keywords(), ", "))
			return nil
		}
		padding = PaddingValues.Attr(p.Context(), v)
		p.Expect(",")
	}
	t := p.Type()
	tv, ok := t.(*TensorViewType)
	if !p.Failed() && !ok {
		p.Errorf("expected 'tensor_view' type, but got %s", Quoted(t))
	}
	dimMap := identity(len(tile))
	sparse := int64(0)
	if mnemonic == "gather_scatter_view" {
		p.Expect(",")
		p.ExpectKeyword("sparse_dim")
		p.Expect("=")
		sparse = parseU32(p)
	} else if p.Opt(",") {
		p.ExpectKeyword("dim_map")
		p.Expect("=")
		dimMap = []int64{}
		p.CommaList("[", "]", func() { dimMap = append(dimMap, parseI32(p)) })
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	switch mnemonic {
	case "partition_view":
		return PartitionView(p.Context(), tile, tv, dimMap, padding)
	case "strided_view":
		return StridedView(p.Context(), tile, traversal, tv, dimMap, padding)
	}
	return GatherScatterView(p.Context(), tile, tv, sparse, padding)
}

func parseTileShape(p ir.AsmParser) []int64 {
	p.ExpectKeyword("tile")
	p.Expect("=")
	p.Expect("(")
	pos := p.Pos()
	var shape []int64
	if !p.Peek(")") {
		shape = parseDims(p)
	}
	p.Expect(")")
	for i, d := range shape {
		if d <= 0 || d > math.MaxInt32 {
			p.ErrorAt(pos, "tile dimension %d exceeds i32 limitations (got %d, expected strictly positive and less than or equal to %d)",
				i, d, math.MaxInt32)
			return nil
		}
	}
	return shape
}

// parseDims parses "4x8": to the lexer an integer and, after it, a word.
func parseDims(p ir.AsmParser) []int64 {
	shape := []int64{p.Integer()}
	if word := p.PeekKeyword(); strings.HasPrefix(word, "x") {
		pos := p.Pos()
		p.Keyword()
		for _, digits := range strings.Split(word[1:], "x") {
			d, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				p.ErrorAt(pos, "expected dimensions, as in '4x8'")
			}
			shape = append(shape, d)
		}
	}
	return shape
}

func parseI32(p ir.AsmParser) int64 { return ParseRange(p, math.MinInt32, math.MaxInt32) }
func parseU32(p ir.AsmParser) int64 { return ParseRange(p, 0, math.MaxUint32) }

// ParseRange parses an integer from lo to hi.
func ParseRange(p ir.AsmParser, lo, hi int64) int64 {
	pos := p.Pos()
	n := p.Integer()
	if !p.Failed() && (n < lo || n > hi) {
		p.ErrorAt(pos, "integer %d is out of range", n)
	}
	return n
}
