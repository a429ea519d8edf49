package tileas

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A Space is a memory that buffers lie in.
type Space uint8

// The spaces.
const (
	SharedSpace Space = iota // shared memory of the CTA
	TMEMSpace                // TMEM, of targets that have it
)

var spaceNames = [...]string{"shared", "tmem"}

func (s Space) String() string { return spaceNames[s] }

// BufferType is a number of tiles of one type, the stages, one after the other in a memory that is not addressed by
// pointers of the program.
//
// A value of it is a place: it can be passed on by loops, ifs and selects like any other, and becomes an address.
// Stages are there so that a loop can fill one while another is read; a buffer of one stage is just a tile.
//
//	buffer<64x32xf16, #shared>                         one tile
//	buffer<3 x [64x32xf16], #shared>                   three stages, each at a multiple of 128 bytes
//	buffer<2 x [1xmbarrier], #shared>                  two barriers, 8 bytes each
type BufferType struct {
	ir.TypeBase
	Stages int64
	Shape  []int64
	Elem   ir.Type
	Layout *SharedAttr
	Space  Space
}

type bufferKey struct {
	stages int64
	shape  string
	elem   ir.Type
	layout *SharedAttr
	space  Space
}

// Buffer returns the type of one tile in shared memory.
func Buffer(c *ir.Context, shape []int64, elem ir.Type, layout *SharedAttr) *BufferType {
	return buffers(c, BufferType{Stages: 1, Shape: shape, Elem: elem, Layout: layout})
}

// BufferBetween returns the type of a buffer that a tile goes through, from threads that have it in one layout to those
// that want it in another, perhaps as an operand of an MMA.
//
// The swizzle is computed for this pair of layouts (arXiv 2505.23819, optimal swizzling). Fixed patterns fit fragments
// and little else.
func BufferBetween(t *ir.TensorType, from, to linear.Layout, operand bool) (*BufferType, error) {
	bytes, load := tile.ElementBytes(t.Elem), linear.AccessOptions{Matrix: true}
	switch {
	case operand && bytes < 4:
		// ldmatrix delivers elements packed as mma wants them; wider plain loads would have to be repacked.
		load.MaxBits = 32
	case operand:
		// Elements of a register each may be loaded several at once, if they are then where the instruction takes
		// them.
		load.InOrder = true
	}
	layout, err := linear.OptimalSwizzleFor(from.Shape(), 8*bytes, from, to, linear.AccessOptions{}, load)
	if err != nil {
		return nil, fmt.Errorf("cannot be done through shared memory: %w", err)
	}
	return Buffer(t.Context(), t.Shape, t.Elem, SharedLayout(t.Context(), layout)), nil
}

// TMEMBuffer returns the type of one tile in TMEM.
func TMEMBuffer(c *ir.Context, shape []int64, elem ir.Type, layout *SharedAttr) *BufferType {
	return buffers(c, BufferType{Stages: 1, Shape: shape, Elem: elem, Layout: layout, Space: TMEMSpace})
}

// WithStages returns the type of n such tiles.
func (t *BufferType) WithStages(n int64) *BufferType {
	return buffers(t.Context(), BufferType{Stages: n, Shape: t.Shape, Elem: t.Elem, Layout: t.Layout, Space: t.Space})
}

func buffers(c *ir.Context, t BufferType) *BufferType {
	return ir.UniqueType(c, Dialect, bufferKey{t.Stages, ir.Int64Key(t.Shape), t.Elem, t.Layout, t.Space}, func() *BufferType {
		return &BufferType{Stages: t.Stages, Shape: slices.Clone(t.Shape), Elem: t.Elem, Layout: t.Layout, Space: t.Space}
	})
}

// HeldTile implements tile.Holder.
func (t *BufferType) HeldTile() ir.Type {
	if t.Stages != 1 || IsBarriers(t) {
		return nil
	}
	return t.Context().Tensor(t.Shape, t.Elem, nil)
}

// stageAlignment is what the address of each stage is a multiple of, in bytes: a row of banks, which every swizzle
// is made for.
const stageAlignment = 128

// ElementBytes returns the size of an element in a buffer. One in TMEM takes a cell, or where a tile has half of
// the lanes, two.
func (t *BufferType) ElementBytes() int64 {
	if t.Space == TMEMSpace {
		if t.TMEMForm().Quarters {
			return tmemCellBytes // a byte for each quarter
		}
		return int64(TMEMColumnBytes / linear.TMEMLanes(linear.Ints(t.Shape)) >> t.TMEMForm().Pack)
	}
	return elementBytes(t.Elem)
}

// TMEMForm returns how the elements of a buffer in TMEM are in its cells. An accumulator has a cell for each element.
// Floats of 8 bits, which no accumulator has, are the scales of an MMA. An operand has several narrow elements of a
// row in one cell.
func (t *BufferType) TMEMForm() linear.TMEMForm {
	if _, float := t.Elem.(*ir.FloatType); float && ir.BitWidth(t.Elem) == 8 {
		return linear.TMEMForm{Pack: 2, Quarters: true}
	}
	if r := len(t.Shape); r > 0 && t.Shape[r-1] > 1 && t.Layout.Shared.Offset(1) == 1 {
		return linear.TMEMForm{Pack: CellPack(t.Elem)}
	}
	return linear.TMEMForm{}
}

// CellPack returns the log2 of how many elements of an operand are in a cell of TMEM.
func CellPack(elem ir.Type) (pack int) {
	for bits := ir.BitWidth(elem); bits > 0 && bits<<pack < 8*tmemCellBytes; pack++ {
	}
	return pack
}

func elementBytes(t ir.Type) int64 {
	if _, ok := t.(*BarrierType); ok {
		return 8
	}
	return int64(tile.ElementBytes(t))
}

// TileBytes returns the size of the tile in one stage.
func (t *BufferType) TileBytes() int64 { return mma(t.Shape, t.ElementBytes()) }

// StageBytes returns the distance of neighbouring stages. Stages of mbarriers are packed: nothing but their address
// matters.
func (t *BufferType) StageBytes() int64 {
	n := t.TileBytes()
	if _, ok := t.Elem.(*BarrierType); ok {
		return n
	}
	return (n + stageAlignment - 1) / stageAlignment * stageAlignment
}

// Bytes returns the size of all stages.
func (t *BufferType) Bytes() int64 { return (t.Stages-1)*t.StageBytes() + t.TileBytes() }

func tileBytes(shape []int64, elem ir.Type) int64 { return mma(shape, elementBytes(elem)) }

func mma(shape []int64, n int64) int64 {
	for _, d := range shape {
		n *= d
	}
	return n
}

// PrintType implements ir.Type.
func (t *BufferType) PrintType(p ir.AsmPrinter) {
	p.Str("buffer<")
	if t.Stages > 1 {
		p.Int(t.Stages)
		p.Str(" x [")
	}
	for _, d := range t.Shape {
		p.Int(d)
		p.Str("x")
	}
	p.Type(t.Elem)
	if t.Stages > 1 {
		p.Str("]")
	}
	p.Str(", ")
	p.Attr(t.Layout)
	if t.Space != SharedSpace {
		p.Str(", space = " + t.Space.String())
	}
	p.Str(">")
}

// maxBufferBytes bounds a buffer, so that sums of sizes and offsets stay far from overflow. No target has more
// shared memory by an operand of a thousand.
const maxBufferBytes = 1 << 28

// parseBuffer reads `<` (stages `x` `[`)? (size `x`)* element `]`? `,` layout (`,` `space` `=` space)? `>`.
func parseBuffer(p ir.AsmParser) ir.Type {
	t := BufferType{Stages: 1}
	p.Expect("<")
	start := p.Pos()
	stages, several := p.OptRepeat()
	if several {
		t.Stages = stages
		p.Expect("[")
	}
	t.Shape = p.DimList(false)
	elemPos := p.Pos()
	t.Elem = p.Type()
	if several {
		p.Expect("]")
	}
	p.Expect(",")
	pos := p.Pos()
	layout, ok := p.Attr(nil).(*SharedAttr)
	if p.Opt(",") {
		p.ExpectKeyword("space")
		p.Expect("=")
		at := p.Pos()
		name := p.Keyword()
		if name == "tensor" { // its former name, in dumps of one release
			name = TMEMSpace.String()
		}
		i := slices.Index(spaceNames[:], name)
		if i < 0 && !p.Failed() {
			p.ErrorAt(at, "expected a memory space, 'shared' or 'tmem'")
		}
		t.Space = Space(max(i, 0))
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if !ok {
		p.ErrorAt(pos, "expected a shared-memory layout")
		return nil
	}
	t.Layout = layout
	if at, err := map[bool]ir.Pos{true: elemPos, false: pos}, t.check(); err != nil {
		if several && err.stages {
			p.ErrorAt(start, "%s", err.text)
		} else {
			p.ErrorAt(at[err.elem], "%s", err.text)
		}
		return nil
	}
	return buffers(p.Context(), t)
}

// A bufferError says what is wrong with a buffer, and with which part of it.
type bufferError struct {
	text         string
	elem, stages bool
}

func (t *BufferType) check() *bufferError {
	_, barrier := t.Elem.(*BarrierType)
	shape := t.Layout.Shared.Shape()
	switch {
	case !tile.Scalar.Check(t.Elem) && !barrier:
		return &bufferError{text: fmt.Sprintf("elements of a buffer must be numbers, pointers or mbarriers, but got '%s'", ir.TypeString(t.Elem)), elem: true}
	case barrier && t.Space != SharedSpace:
		return &bufferError{text: "mbarriers lie in shared memory", elem: true}
	case !slices.Equal(shape, linear.Ints(t.Shape)):
		return &bufferError{text: fmt.Sprintf("layout is of shape %v, but the buffer has %v", shape, t.Shape)}
	case t.Stages < 1 || t.Stages > maxBufferBytes:
		return &bufferError{text: fmt.Sprintf("a buffer needs at least one stage, but got %d", t.Stages), stages: true}
	}
	bytes := t.ElementBytes()
	for _, d := range append(slices.Clone(t.Shape), t.Stages) {
		if bytes > maxBufferBytes/d {
			return &bufferError{text: fmt.Sprintf("a buffer has at most %d bytes", maxBufferBytes)}
		}
		bytes *= d
	}
	return nil
}

// BarrierType is an mbarrier, a barrier object in shared memory that counts arrivals and bytes of asynchronous
// copies. It occurs as the element of buffers only.
type BarrierType struct{ ir.TypeBase }

// BarrierElem returns the element type of buffers of mbarriers.
func BarrierElem(c *ir.Context) *BarrierType {
	return ir.UniqueType(c, Dialect, "mbarrier", func() *BarrierType { return &BarrierType{} })
}

// MbarrierBuffer returns the type of a buffer of n mbarriers.
func MbarrierBuffer(c *ir.Context, n int64) *BufferType {
	one, _ := linear.SharedRowMajor([]int{1}, []int{0}) // of one element there is one layout
	return Buffer(c, []int64{1}, BarrierElem(c), SharedLayout(c, one)).WithStages(n)
}

// PrintType implements ir.Type.
func (*BarrierType) PrintType(p ir.AsmPrinter) { p.Str("mbarrier") }

// parseType reads the types that the level has beyond the shared rows.
func parseType(p ir.AsmParser, mnemonic string) ir.Type {
	switch mnemonic {
	case "buffer":
		return parseBuffer(p)
	case "group":
		return Group(p.Context())
	case "mbarrier":
		return BarrierElem(p.Context())
	case "tma_map":
		return parseTensorMap(p)
	case "pipe":
		return parsePipe(p)
	}
	return nil
}

var (
	buffer = ir.TypeConstraint{Desc: "buffer", Check: func(t ir.Type) bool { _, ok := t.(*BufferType); return ok }}
	// sharedBuffer is a buffer in shared memory.
	sharedBuffer = ir.TypeConstraint{Desc: "shared-memory buffer", Check: func(t ir.Type) bool {
		b, ok := t.(*BufferType)
		return ok && b.Space == SharedSpace
	}}
	// tiles is one of anything but mbarriers.
	tiles = ir.TypeConstraint{Desc: "shared-memory buffer of numbers or pointers", Check: func(t ir.Type) bool {
		return sharedBuffer.Check(t) && !IsBarriers(t)
	}}
)

// IsBarriers reports whether a type is a buffer of mbarriers.
func IsBarriers(t ir.Type) bool {
	b, ok := t.(*BufferType)
	if !ok {
		return false
	}
	_, is := b.Elem.(*BarrierType)
	return is
}
