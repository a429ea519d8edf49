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
		syntax.TF16:  {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		syntax.TBF16: {{16, 8, 8}, {16, 8, 16}},
		syntax.TTF32: {{16, 8, 4}, {16, 8, 8}},
		syntax.TF64:  {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		syntax.TE4M3: {{16, 8, 16}, {16, 8, 32}},
		syntax.TE5M2: {{16, 8, 16}, {16, 8, 32}},
		syntax.TS8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		syntax.TU8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		syntax.TS4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		syntax.TU4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		syntax.TB1:   {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}},
	}
	sparseShapes = map[syntax.Type][]Shape{
		syntax.TF16:  {{16, 8, 16}, {16, 8, 32}},
		syntax.TBF16: {{16, 8, 16}, {16, 8, 32}},
		syntax.TTF32: {{16, 8, 8}, {16, 8, 16}},
		syntax.TE4M3: {{16, 8, 64}},
		syntax.TE5M2: {{16, 8, 64}},
		syntax.TS8:   {{16, 8, 32}, {16, 8, 64}},
		syntax.TU8:   {{16, 8, 32}, {16, 8, 64}},
		syntax.TS4:   {{16, 8, 64}, {16, 8, 128}},
		syntax.TU4:   {{16, 8, 64}, {16, 8, 128}},
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
	if (f.bitOp != "") != (f.ta == syntax.TB1) || popc != (f.ta == syntax.TB1) {
		d.Fail("'mma' needs .xor.popc or .and.popc with single bits, and only there")
	}
	blockScale(d, &f)
	volta := f.ta == syntax.TF16 && s.M == 8
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
	case syntax.TE4M3, syntax.TE5M2, syntax.TE3M2, syntax.TE2M3, syntax.TE2M1:
		return true
	}
	return false
}

// accumulates reports whether the types go together.
func (f *mmaForm) accumulates() bool {
	ta, tb, tc, td := f.ta, f.tb, f.tc, f.td
	switch f.kind {
	case "kind::f8f6f4":
		return Narrow(ta) && Narrow(tb) && tc == td && (tc == syntax.TF16 || tc == syntax.TF32)
	case "kind::mxf8f6f4":
		return Narrow(ta) && Narrow(tb) && tc == syntax.TF32 && td == syntax.TF32
	case "kind::mxf4", "kind::mxf4nvf4":
		return ta == syntax.TE2M1 && tb == syntax.TE2M1 && tc == syntax.TF32 && td == syntax.TF32
	}
	switch ta {
	case syntax.TF16:
		if f.s.M == 8 && tc == syntax.TF32 && td == syntax.TF16 {
			return false
		}
		return tb == syntax.TF16 && (tc == syntax.TF16 || tc == syntax.TF32) && (td == syntax.TF16 || td == syntax.TF32)
	case syntax.TE4M3, syntax.TE5M2:
		return (tb == syntax.TE4M3 || tb == syntax.TE5M2) && tc == td && (tc == syntax.TF16 && !f.sparse || tc == syntax.TF32)
	case syntax.TBF16, syntax.TTF32:
		return ta == tb && tc == syntax.TF32 && td == syntax.TF32
	case syntax.TF64:
		return tb == syntax.TF64 && tc == syntax.TF64 && td == syntax.TF64
	case syntax.TS8, syntax.TU8:
		return (tb == syntax.TS8 || tb == syntax.TU8) && tc == syntax.TS32 && td == syntax.TS32
	case syntax.TS4, syntax.TU4:
		return (tb == syntax.TS4 || tb == syntax.TU4) && tc == syntax.TS32 && td == syntax.TS32
	case syntax.TB1:
		return tb == syntax.TB1 && tc == syntax.TS32 && td == syntax.TS32
	}
	return false
}

// container is the number of bits that an element takes in a register.
func (f *mmaForm) container(t syntax.Type) int {
	switch f.kind {
	case "kind::f8f6f4", "kind::mxf8f6f4":
		return 8
	}
	return t.Bits()
}
