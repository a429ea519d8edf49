package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// LayoutAttr is the encoding of a distributed tensor: #nv_tileas.layout<...>.
type LayoutAttr struct {
	ir.AttrBase
	Layout linear.Layout
}

var _ arith.Encoding = (*LayoutAttr)(nil)

// SharedAttr is the layout of a buffer in shared memory: #nv_tileas.shared<...>.
type SharedAttr struct {
	ir.AttrBase
	Shared linear.Shared
}

type (
	layoutKey struct{ key string }
	sharedKey struct{ text string }
)

// Layout returns the attribute for a layout.
func Layout(c *ir.Context, l linear.Layout) *LayoutAttr {
	return ir.UniqueAttr(c, Dialect, layoutKey{l.Key()}, func() *LayoutAttr { return &LayoutAttr{Layout: l} })
}

// SharedLayout returns the attribute for a shared-memory layout.
func SharedLayout(c *ir.Context, s linear.Shared) *SharedAttr {
	return ir.UniqueAttr(c, Dialect, sharedKey{s.String()}, func() *SharedAttr { return &SharedAttr{Shared: s} })
}

// FitsShape reports whether the layout is of that shape: it is an arith.Encoding.
func (a *LayoutAttr) FitsShape(shape []int64) bool {
	return slices.Equal(a.Layout.Shape(), linear.Ints(shape))
}

// PrintAttr implements ir.Attribute.
func (a *LayoutAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("layout<")
	p.Quoted(a.Layout.String())
	p.Str(">")
}

// PrintAttr implements ir.Attribute.
func (a *SharedAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("shared<")
	p.Quoted(a.Shared.String())
	p.Str(">")
}

func parseAttr(p ir.AsmParser, mnemonic string) ir.Attribute {
	switch mnemonic {
	case "mma":
		return parseMMA(p)
	case "schedule":
		return parseSchedule(p)
	}
	if mnemonic != "layout" && mnemonic != "shared" {
		return nil // the parser reports what is unknown
	}
	p.Expect("<")
	pos := p.Pos()
	text := p.Quoted()
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if mnemonic == "layout" {
		l, err := linear.Parse(text)
		if err != nil {
			p.ErrorAt(pos, "%v", err)
			return nil
		}
		return Layout(p.Context(), l)
	}
	s, err := linear.ParseShared(text)
	if err != nil {
		p.ErrorAt(pos, "%v", err)
		return nil
	}
	return SharedLayout(p.Context(), s)
}

func attrAlias(a ir.Attribute) string {
	switch a.(type) {
	case *LayoutAttr:
		return "layout"
	case *SharedAttr:
		return "shared"
	}
	return ""
}

// LayoutOf returns the layout of a distributed tensor type; ok is false for a scalar or a tensor without one.
func LayoutOf(t ir.Type) (l linear.Layout, ok bool) {
	tt, isTensor := t.(*ir.TensorType)
	if !isTensor {
		return linear.Layout{}, false
	}
	a, ok := tt.Encoding.(*LayoutAttr)
	if !ok {
		return linear.Layout{}, false
	}
	return a.Layout, true
}

// ConversionOf returns how a convert_layout moves elements; ok is false if layouts are missing, or no way is known.
func ConversionOf(op ir.Op) (c linear.Conversion, ok bool) {
	src, ok1 := LayoutOf(op.Operand(0).Type())
	dst, ok2 := LayoutOf(op.Result(0).Type())
	if !ok1 || !ok2 {
		return c, false
	}
	c, err := linear.Convert(src, dst)
	return c, err == nil
}

// MostShuffles is how many shuffles a thread does for a conversion inside warps. Beyond that, vectors through shared
// memory are fewer instructions. Shuffles need no memory and no barrier, but one for each word.
const MostShuffles = 8

// ThroughMemory reports whether a conversion to a type goes through shared memory, if threads do so many shuffles at most.
func ThroughMemory(c linear.Conversion, to ir.Type, mostShuffles int) bool {
	if c.Class != linear.LaneMove {
		return c.Class > linear.LaneMove
	}
	plan, err := c.Shuffles()
	return err != nil || plan.Shuffles()*((tile.ElementBytes(to.(*ir.TensorType).Elem)+3)/4) > mostShuffles
}

// WithLayout returns the tensor type t with another layout.
func WithLayout(t *ir.TensorType, l linear.Layout) *ir.TensorType {
	return t.Context().Tensor(t.Shape, t.Elem, Layout(t.Context(), l))
}
