package tileas

import (
	"fmt"
	"strconv"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/ir"
)

// MMAAttr says how a dot is computed: #nv_tileas.mma<family, shape, warps = [m, n], interleave = [m, n]>. Family and
// shape, with the element types of the dot, name a row of the target's table of MMA instructions. The warps of the CTA
// are a grid of m along the rows of the result and n along its columns. The dialect does not know the table: that the
// row exists is a property, which is checked with the target.
//
// Where the interleave of a side is n, adjacent rows or columns of the tile are in n different fragments
// (linear.MMATile.Interleave). It is printed unless it is 1 for both.
//
// Transposed says that the instruction multiplies the transposes. Its A is B of the dot, its B is A, and its result is
// the transpose of the dot's result. Shape, warps and interleave are then those of the transposed MMA. Some
// instructions take only A from registers, and B by a descriptor. With Transposed, the operand in registers can be B
// of the dot.
type MMAAttr struct {
	ir.AttrBase
	Family                   string
	M, N, K                  int
	WarpsM, WarpsN           int
	InterleaveM, InterleaveN int
	Transposed               bool
}

type mmaKey struct {
	family                  string
	m, n, k, warpsM, warpsN int
	interleaveM             int
	interleaveN             int
	transposed              bool
}

func (a *MMAAttr) key() mmaKey {
	return mmaKey{a.Family, a.M, a.N, a.K, a.WarpsM, a.WarpsN, a.InterleaveM, a.InterleaveN, a.Transposed}
}

// MMA returns the attribute without interleaving.
func MMA(c *ir.Context, family string, m, n, k, warpsM, warpsN int) *MMAAttr {
	return uniqueMMA(c, mmaKey{family, m, n, k, warpsM, warpsN, 1, 1, false})
}

// Interleaved returns the attribute with the given interleave along M and N.
func (a *MMAAttr) Interleaved(c *ir.Context, m, n int) *MMAAttr {
	k := a.key()
	k.interleaveM, k.interleaveN = m, n
	return uniqueMMA(c, k)
}

// Transposing returns the attribute for the same instruction of the transposed MMA.
func (a *MMAAttr) Transposing(c *ir.Context) *MMAAttr {
	k := a.key()
	k.transposed = true
	return uniqueMMA(c, k)
}

func uniqueMMA(c *ir.Context, k mmaKey) *MMAAttr {
	return ir.UniqueAttr(c, Dialect, k, func() *MMAAttr {
		return &MMAAttr{Family: k.family, M: k.m, N: k.n, K: k.k, WarpsM: k.warpsM, WarpsN: k.warpsN, InterleaveM: k.interleaveM, InterleaveN: k.interleaveN,
			Transposed: k.transposed}
	})
}

// Shape spells the shape as PTX does.
func (a *MMAAttr) Shape() string { return fmt.Sprintf("m%dn%dk%d", a.M, a.N, a.K) }

// PrintAttr implements ir.Attribute.
func (a *MMAAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str(fmt.Sprintf("mma<%s, %s, warps = [%d, %d]", a.Family, a.Shape(), a.WarpsM, a.WarpsN))
	if a.InterleaveM != 1 || a.InterleaveN != 1 {
		p.Str(fmt.Sprintf(", interleave = [%d, %d]", a.InterleaveM, a.InterleaveN))
	}
	if a.Transposed {
		p.Str(", transposed")
	}
	p.Str(">")
}

var mmaShape = lazy.Regexp(`^m([1-9][0-9]{0,4})n([1-9][0-9]{0,4})k([1-9][0-9]{0,4})$`)

// maxWarps bounds the warps of a CTA along a dimension: a CTA has 1024 threads.
const maxWarps = 32

// maxInterleave is more than any unit of memory has elements.
const maxInterleave = 16

func parseMMA(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	family := p.Keyword()
	p.Expect(",")
	pos := p.Pos()
	text := p.Keyword()
	p.Expect(",")
	warpsM, warpsN := parseSides(p, "warps", maxWarps)
	interleaveM, interleaveN := 1, 1
	transposed := false
	if p.Opt(",") {
		if transposed = p.OptKeyword("transposed"); !transposed {
			interleaveM, interleaveN = parseSides(p, "interleave", maxInterleave)
			if p.Opt(",") {
				transposed = true
				p.ExpectKeyword("transposed")
			}
		}
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	extents := mmaShape().FindStringSubmatch(text)
	if extents == nil {
		p.ErrorAt(pos, "expected a shape such as m16n8k16, but got '%s'", text)
		return nil
	}
	var shape [3]int
	for i := range shape {
		shape[i], _ = strconv.Atoi(extents[1+i]) // at most five digits
	}
	return uniqueMMA(p.Context(), mmaKey{family, shape[0], shape[1], shape[2], warpsM, warpsN, interleaveM, interleaveN, transposed})
}

// parseSides parses what a word says of both sides of the result: `word = [m, n]`.
func parseSides(p ir.AsmParser, word string, most int64) (m, n int) {
	p.ExpectKeyword(word)
	p.Expect("=")
	at := p.Pos()
	var sides []int64
	p.CommaList("[", "]", func() { sides = append(sides, p.Integer()) })
	if p.Failed() {
		return 1, 1
	}
	if len(sides) != 2 {
		p.ErrorAt(at, "expected %s along rows and along columns, but got %d numbers", word, len(sides))
		return 1, 1
	}
	for _, n := range sides {
		if n < 1 || n > most || n&(n-1) != 0 {
			p.ErrorAt(at, "%s along a dimension must be a power of two up to %d, but got %d", word, most, n)
			return 1, 1
		}
	}
	return int(sides[0]), int(sides[1])
}

// AttrMMA is the attribute of a dot that says how it is computed; absent until that is chosen.
const AttrMMA = "mma"

var mmaKind = &ir.AttrKind{Name: "mma", Desc: "matrix instruction and warp tiling", Check: func(a ir.Attribute) bool {
	_, ok := a.(*MMAAttr)
	return ok
}}

// IsMMA reports whether an operation is an MMA of matrices, with scales or without.
func IsMMA(op ir.Op) bool { return op.Is(Level.Dot) || op.Is(Level.DotScaled) }

// IsMMAOperand reports whether a use is that of an operand of an MMA or of its scales, which is all of its operands but
// what it adds to.
func IsMMAOperand(u ir.Use) bool { return IsMMA(u.Owner()) && u.Index() != 2 }

// MMAOf returns how a dot is computed, or nil when that is not chosen yet.
func MMAOf(op ir.Op) *MMAAttr {
	a, _ := op.Attr(AttrMMA).(*MMAAttr)
	return a
}
