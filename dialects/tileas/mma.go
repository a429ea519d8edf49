package tileas

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// MMAAttr says how a dot is computed: #nv_tileas.mma<family, shape, warps = [m, n]>. Family and shape, with the element types of the dot, name a row of the target's
// table of matrix instructions; the warps of the tile block are a grid of m along the rows of the result and n along its columns. The dialect knows no table: that the row exists is a
// property, which is checked with the target.
type MMAAttr struct {
	ir.AttrBase
	Family         string
	M, N, K        int
	WarpsM, WarpsN int
}

type mmaKey struct {
	family                  string
	m, n, k, warpsM, warpsN int
}

// MMA returns the attribute.
func MMA(c *ir.Context, family string, m, n, k, warpsM, warpsN int) *MMAAttr {
	return ir.UniqueAttr(c, Dialect, mmaKey{family, m, n, k, warpsM, warpsN}, func() *MMAAttr {
		return &MMAAttr{Family: family, M: m, N: n, K: k, WarpsM: warpsM, WarpsN: warpsN}
	})
}

// Shape spells the shape as PTX does.
func (a *MMAAttr) Shape() string { return fmt.Sprintf("m%dn%dk%d", a.M, a.N, a.K) }

// PrintAttr implements ir.Attribute.
func (a *MMAAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str(fmt.Sprintf("mma<%s, %s, warps = [%d, %d]>", a.Family, a.Shape(), a.WarpsM, a.WarpsN))
}

var mmaShape = regexp.MustCompile(`^m([1-9][0-9]{0,4})n([1-9][0-9]{0,4})k([1-9][0-9]{0,4})$`)

// maxWarps bounds the warps of a tile block along a dimension: a CTA has 1024 threads.
const maxWarps = 32

func parseMMA(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	family := p.Keyword()
	p.Expect(",")
	pos := p.Pos()
	text := p.Keyword()
	p.Expect(",")
	p.ExpectKeyword("warps")
	p.Expect("=")
	at := p.Pos()
	var warps []int64
	p.CommaList("[", "]", func() { warps = append(warps, p.Integer()) })
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	extents := mmaShape.FindStringSubmatch(text)
	if extents == nil {
		p.ErrorAt(pos, "expected a shape such as m16n8k16, but got '%s'", text)
		return nil
	}
	if len(warps) != 2 {
		p.ErrorAt(at, "expected warps along rows and along columns, but got %d numbers", len(warps))
		return nil
	}
	for _, n := range warps {
		if n < 1 || n > maxWarps || n&(n-1) != 0 {
			p.ErrorAt(at, "warps along a dimension must be a power of two up to %d, but got %d", maxWarps, n)
			return nil
		}
	}
	var shape [3]int
	for i := range shape {
		shape[i], _ = strconv.Atoi(extents[1+i]) // at most five digits
	}
	return MMA(p.Context(), family, shape[0], shape[1], shape[2], int(warps[0]), int(warps[1]))
}

// AttrMMA is the attribute of a dot that says how it is computed; absent until that is chosen.
const AttrMMA = "mma"

var mmaKind = &ir.AttrKind{Name: "mma", Desc: "matrix instruction and arrangement of warps", Check: func(a ir.Attribute) bool {
	_, ok := a.(*MMAAttr)
	return ok
}}

// MMAOf returns how a dot is computed, or nil when that is not chosen yet.
func MMAOf(op ir.Op) *MMAAttr {
	a, _ := op.Attr(AttrMMA).(*MMAAttr)
	return a
}
