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

// parseForm consumes the modifiers and refuses the combinations that are not
// in the ISA.
//
// What is refused here, ptxas refuses too; a test assembles every form of the tables (TestMmaFormsAssemble).
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
func Narrow(t syntax.Type) bool {
	switch t {
	case syntax.E4M3, syntax.E5M2, syntax.E3M2, syntax.E2M3, syntax.E2M1:
		return true
	}
	return false
}

// accumulates reports whether the types go together.
//
// The types of A and B need not be equal where both are narrow, of bytes or of nibbles; accumulators of f16 exist
// only where a sum of products may fit.
func (f *mmaForm) accumulates() bool {
	ta, tb, tc, td := f.ta, f.tb, f.tc, f.td
	switch f.kind {
	case "kind::f8f6f4":
		return Narrow(ta) && Narrow(tb) && tc == td && (tc == syntax.F16 || tc == syntax.F32)
	case "kind::mxf8f6f4":
		return Narrow(ta) && Narrow(tb) && tc == syntax.F32 && td == syntax.F32
	case "kind::mxf4", "kind::mxf4nvf4":
		return ta == syntax.E2M1 && tb == syntax.E2M1 && tc == syntax.F32 && td == syntax.F32
	}
	switch ta {
	case syntax.F16:
		if f.s.M == 8 && tc == syntax.F32 && td == syntax.F16 {
			return false
		}
		return tb == syntax.F16 && (tc == syntax.F16 || tc == syntax.F32) && (td == syntax.F16 || td == syntax.F32)
	case syntax.E4M3, syntax.E5M2:
		return (tb == syntax.E4M3 || tb == syntax.E5M2) && tc == td && (tc == syntax.F16 && !f.sparse || tc == syntax.F32)
	case syntax.BF16, syntax.TF32:
		return ta == tb && tc == syntax.F32 && td == syntax.F32
	case syntax.F64:
		return tb == syntax.F64 && tc == syntax.F64 && td == syntax.F64
	case syntax.S8, syntax.U8:
		return (tb == syntax.S8 || tb == syntax.U8) && tc == syntax.S32 && td == syntax.S32
	case syntax.S4, syntax.U4:
		return (tb == syntax.S4 || tb == syntax.U4) && tc == syntax.S32 && td == syntax.S32
	case syntax.B1:
		return tb == syntax.B1 && tc == syntax.S32 && td == syntax.S32
	}
	return false
}

// container is the number of bits that an element takes in a register.
//
// Formats of six and four bits take a byte with the kinds f8f6f4 so that one instruction can mix them with those of
// eight bits; the kinds for four bits alone pack them.
func (f *mmaForm) container(t syntax.Type) int {
	switch f.kind {
	case "kind::f8f6f4", "kind::mxf8f6f4":
		return 8
	}
	return t.Bits()
}
