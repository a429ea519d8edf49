package mma

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// parseForm is what the modifiers of an mma say.
type mmaForm struct {
	s                Shape
	ta, tb, tc, td   syntax.Type
	layoutA, layoutB string
	kind             string
	satfinite        bool
	sparse, ordered  bool
	bitOp            string      // of single bits: xor or and
	vectors          int         // scale factors along k; 0 without block scaling
	ts               syntax.Type // of scale factors
}

// denseShapes and sparseShapes list the shapes by the type of the A operand,
// for forms without a kind (PTX ISA, "Multiply-and-Accumulate Instruction:
// mma" and "... mma.sp").
var (
	denseShapes = map[syntax.Type][]Shape{
		syntax.F16:  {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		syntax.BF16: {{16, 8, 8}, {16, 8, 16}},
		syntax.TF32: {{16, 8, 4}, {16, 8, 8}},
		syntax.F64:  {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		syntax.E4M3: {{16, 8, 16}, {16, 8, 32}},
		syntax.E5M2: {{16, 8, 16}, {16, 8, 32}},
		syntax.S8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		syntax.U8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		syntax.S4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		syntax.U4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		syntax.B1:   {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}},
	}
	sparseShapes = map[syntax.Type][]Shape{
		syntax.F16:  {{16, 8, 16}, {16, 8, 32}},
		syntax.BF16: {{16, 8, 16}, {16, 8, 32}},
		syntax.TF32: {{16, 8, 8}, {16, 8, 16}},
		syntax.E4M3: {{16, 8, 64}},
		syntax.E5M2: {{16, 8, 64}},
		syntax.S8:   {{16, 8, 32}, {16, 8, 64}},
		syntax.U8:   {{16, 8, 32}, {16, 8, 64}},
		syntax.S4:   {{16, 8, 64}, {16, 8, 128}},
		syntax.U4:   {{16, 8, 64}, {16, 8, 128}},
	}
)

func parseShape(mods []string) (int, Shape) {
	for i, mod := range mods {
		var s Shape
		if n, err := fmt.Sscanf(mod, "m%dn%dk%d", &s.M, &s.N, &s.K); n == 3 && err == nil {
			return i, s
		}
	}
	return -1, Shape{}
}

// parseForm consumes the modifiers and rejects the combinations that are not
// in the ISA.
//
// What is rejected here, ptxas rejects too; a test assembles every form of the tables (TestMmaFormsAssemble).
func parseForm(d *decode.Decoder) mmaForm {
	var f mmaForm
	f.ordered = d.Opt("sp::ordered_metadata")
	f.sparse = d.Opt("sp") || f.ordered
	f.kind = d.OneOf("kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4")
	at, s := parseShape(d.Mods)
	if at < 0 {
		d.Fail("'mma' has no shape")
	}
	d.Mods[at] = ""
	f.s = s
	d.Opt("sync")
	d.Opt("aligned")
	f.layoutA, f.layoutB = d.OneOf("row", "col"), d.OneOf("row", "col")
	f.satfinite = d.Opt("satfinite")
	f.bitOp = d.OneOf("xor", "and")
	popc := d.Opt("popc")
	f.td, f.ta, f.tb, f.tc = d.Type(), d.Type(), d.Type(), d.Type()
	if (f.bitOp != "") != (f.ta == syntax.B1) || popc != (f.ta == syntax.B1) {
		d.Fail("'mma' needs .xor.popc or .and.popc with single bits, and only there")
	}
	blockScale(d, &f)
	volta := f.ta == syntax.F16 && s.M == 8
	layouts := f.layoutA == "row" && f.layoutB == "col" || volta && f.layoutA != "" && f.layoutB != ""
	if !layouts || !f.shaped() || !f.accumulates() || f.satfinite && !(f.ta.Integer()) {
		d.Fail("'mma' with this shape, layout and types is not supported")
	}
	return f
}

// shaped reports whether the shape goes with the kind and the type of A.
func (f *mmaForm) shaped() bool {
	if f.kind == "" {
		if f.sparse {
			return slices.Contains(sparseShapes[f.ta], f.s)
		}
		return slices.Contains(denseShapes[f.ta], f.s)
	}
	want := Shape{16, 8, 32}
	if f.kind == "kind::mxf4" || f.kind == "kind::mxf4nvf4" {
		want.K = 64
	}
	if f.sparse {
		want.K *= 2
	}
	return f.s == want && f.sparse == f.ordered
}

// Narrow reports whether t is a floating-point type of at most eight bits.
func Narrow(t syntax.Type) bool { return slices.Contains(narrow, t) }

// combinations are the types that go together: any of a with any of b, and accumulators c that become d.
//
// A and B may differ where both are narrow, of bytes or of nibbles. Accumulators of f16 exist only where they may hold
// the result.
var combinations = []struct {
	kind       string // of the modifier .kind; "": without one
	a, b, c, d []syntax.Type
}{
	{"", of(syntax.F16), of(syntax.F16), halfOrFull, halfOrFull},
	{"", of(syntax.E4M3, syntax.E5M2), of(syntax.E4M3, syntax.E5M2), of(syntax.F16), of(syntax.F16)},
	{"", of(syntax.E4M3, syntax.E5M2), of(syntax.E4M3, syntax.E5M2), of(syntax.F32), of(syntax.F32)},
	{"", of(syntax.BF16), of(syntax.BF16), of(syntax.F32), of(syntax.F32)},
	{"", of(syntax.TF32), of(syntax.TF32), of(syntax.F32), of(syntax.F32)},
	{"", of(syntax.F64), of(syntax.F64), of(syntax.F64), of(syntax.F64)},
	{"", of(syntax.S8, syntax.U8), of(syntax.S8, syntax.U8), of(syntax.S32), of(syntax.S32)},
	{"", of(syntax.S4, syntax.U4), of(syntax.S4, syntax.U4), of(syntax.S32), of(syntax.S32)},
	{"", of(syntax.B1), of(syntax.B1), of(syntax.S32), of(syntax.S32)},
	{"kind::f8f6f4", narrow, narrow, of(syntax.F16), of(syntax.F16)},
	{"kind::f8f6f4", narrow, narrow, of(syntax.F32), of(syntax.F32)},
	{"kind::mxf8f6f4", narrow, narrow, of(syntax.F32), of(syntax.F32)},
	{"kind::mxf4", of(syntax.E2M1), of(syntax.E2M1), of(syntax.F32), of(syntax.F32)},
	{"kind::mxf4nvf4", of(syntax.E2M1), of(syntax.E2M1), of(syntax.F32), of(syntax.F32)},
}

var (
	narrow     = of(syntax.E4M3, syntax.E5M2, syntax.E3M2, syntax.E2M3, syntax.E2M1)
	halfOrFull = of(syntax.F16, syntax.F32)
)

func of(types ...syntax.Type) []syntax.Type { return types }

// accumulates reports whether the types go together.
func (f *mmaForm) accumulates() bool {
	switch {
	case f.ta == syntax.F16 && f.s.M == 8 && f.tc == syntax.F32 && f.td == syntax.F16: // m8n8k4 has no such form
		return false
	case f.kind == "" && f.sparse && f.tc == syntax.F16 && Narrow(f.ta):
		return false
	}
	for _, c := range combinations {
		if c.kind == f.kind && slices.Contains(c.a, f.ta) && slices.Contains(c.b, f.tb) && slices.Contains(c.c, f.tc) && slices.Contains(c.d, f.td) {
			return true
		}
	}
	return false
}

// container is the number of bits that an element takes in a register.
//
// Formats of six and four bits take a byte with the kinds f8f6f4 so that one instruction can mix them with those of
// eight bits. The kinds for four bits alone pack them.
func (f *mmaForm) container(t syntax.Type) int {
	switch f.kind {
	case "kind::f8f6f4", "kind::mxf8f6f4":
		return 8
	}
	return t.Bits()
}
