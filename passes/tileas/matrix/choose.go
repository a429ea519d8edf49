package matrix

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/sm"
)

// chosen are the families that dots become wherever their types and depth allow, lowered all that they become so far; rows of others are facts for later passes.
var (
	chosen  = []sm.MatrixFamily{sm.MmaSync, sm.MmaScaled}
	lowered = append(slices.Clip(chosen), sm.Wgmma, sm.Tcgen05, sm.Tcgen05Pair, sm.Tcgen05Scaled)
)

// elems are the element types of the target's table for those of the IR.
var elems = map[numeric.Format]sm.Elem{numeric.F16: sm.F16, numeric.BF16: sm.BF16, numeric.TF32: sm.TF32, numeric.F32: sm.F32, numeric.F64: sm.F64,
	numeric.F8E4M3FN: sm.E4M3, numeric.F8E5M2: sm.E5M2, numeric.F4E2M1FN: sm.E2M1}

// Elem returns the element type of the target's table, or NoElem.
func Elem(t ir.Type, unsigned bool) sm.Elem {
	switch t := t.(type) {
	case *ir.FloatType:
		return elems[t.Format]
	case *ir.IntegerType:
		switch {
		case t.Width == 32:
			return sm.S32
		case t.Width == 8 && unsigned:
			return sm.U8
		case t.Width == 8:
			return sm.S8
		}
	}
	return sm.NoElem
}

// scaleElems are the types of scales. The instructions take no sign: what a negative scale of f8E4M3FN means is left open.
var scaleElems = map[numeric.Format]sm.Elem{numeric.F8E8M0FNU: sm.UE8M0, numeric.F8E4M3FN: sm.UE4M3}

// Types returns the element types of a product, and of its scales where it has them.
func Types(op ir.Op) sm.MatrixTypes {
	t := Unscaled(op)
	scales := Scales(op)
	if len(scales) == 0 {
		return t
	}
	if f, ok := ir.ElementType(tileas.HeldType(scales[0])).(*ir.FloatType); ok {
		t.Scale.Elem = scaleElems[f.Format] // NoElem, of which there is no instruction
	}
	t.Scale.Block = Depth(op) / blocks(op)
	return t
}

// Scales returns the scales of a product, of nv_tileaa or nv_tileas: those of its two factors, or none.
func Scales(op ir.Op) []ir.Value {
	if op.Is(tileas.TensorDot) {
		return tileas.TensorScales(op)
	}
	return op.Operands()[3:]
}

func scaled(op ir.Op) bool { return len(Scales(op)) > 0 }

// Unscaled returns the element types of a product without those of its scales.
func Unscaled(op ir.Op) sm.MatrixTypes {
	elem := func(t ir.Type, unsigned bool) sm.Elem { return Elem(ir.ElementType(t), unsigned) }
	return sm.MatrixTypes{A: elem(tileas.FactorType(op, 0), op.HasUnitAttr(tile.AttrUnsignedA)), B: elem(tileas.FactorType(op, 1), op.HasUnitAttr(tile.AttrUnsignedB)),
		D: elem(tileas.HeldType(op.Operand(2)), false)}
}

// Depth returns the extent of K of a dot.
func Depth(op ir.Op) int {
	shape := tileas.FactorType(op, 0).Shape
	return int(shape[len(shape)-1])
}

// Choose returns the instruction of the target for the types with extent k, or nil when it has none: the dot must be computed otherwise. Extents of M and N below the
// instruction's are no obstacle, because a fragment may hold copies; those of K would be summed.
//
// The table's order is that of preference: for f16, m16n8k16 stands before m16n8k8, which is taken only for a K
// of 8.
func Choose(arch *sm.Arch, types sm.MatrixTypes, k int) *sm.Matrix {
	for _, m := range sm.Matrices() {
		if slices.Contains(chosen, m.Family) && m.Takes(types) && m.K <= k && m.On(arch) {
			return m
		}
	}
	return nil
}

// FMA returns the row of a dot that threads compute alone. They sum in f32 what has fewer bits.
//
// Rows of this family have no fragments and no feature: every thread multiplies and adds.
func FMA(d sm.Elem) *sm.Matrix {
	if d == sm.F16 || d == sm.BF16 || d == sm.TF32 {
		d = sm.F32
	}
	return sm.FindMatrix(sm.FMA, sm.MatrixShape{M: 1, N: 1, K: 1}, sm.MatrixTypes{A: d, B: d, D: d})
}

// InThreads reports whether a product is computed without a matrix instruction, by multiply-adds of each thread.
func InThreads(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && a.Family == string(sm.FMA)
}

// RowOf returns the row that the attribute of a dot names, or an error at the dot.
func RowOf(op ir.Op) (*sm.Matrix, error) {
	a := tileas.MMAOf(op)
	if a == nil {
		return nil, op.Errorf("names no matrix instruction")
	}
	row := sm.FindMatrix(sm.MatrixFamily(a.Family), sm.MatrixShape{M: a.M, N: a.N, K: a.K}, InstructionTypes(op))
	if row != nil && (row.CTAs == 2) != op.HasUnitAttr(tile.AttrTwoCTAs) {
		row = nil
	}
	if a.Transposed && (scaled(op) || a.Family != string(sm.Wgmma)) { // others take both factors from the same places
		row = nil
	}
	if a.Family == string(sm.FMA) && !scaled(op) {
		if row = FMA(Types(op).D); a.M != 1 || a.N != 1 || a.K != 1 {
			row = nil
		}
	}
	if row == nil {
		t := Types(op)
		if scaled(op) {
			return nil, op.Errorf("names no matrix instruction for its element types %s, %s and %s with a scale of %s for %d, but %s", name(t.A), name(t.B), name(t.D), name(t.Scale.Elem),
				t.Scale.Block, ir.AttrString(a))
		}
		return nil, op.Errorf("names no matrix instruction for its element types %s, %s and %s, but %s", name(t.A), name(t.B), name(t.D), ir.AttrString(a))
	}
	if row.Family != sm.FMA && !slices.Contains(lowered, row.Family) {
		return nil, op.Errorf("is computed by %s, which no pass lowers yet", ir.AttrString(a))
	}
	return row, nil
}

// AsyncRowOf returns the row that the attribute of an asynchronous product names, or nil.
func AsyncRowOf(op ir.Op) *sm.Matrix {
	a := tileas.MMAOf(op)
	if a == nil {
		return nil
	}
	return sm.FindMatrix(sm.MatrixFamily(a.Family), sm.MatrixShape{M: a.M, N: a.N, K: a.K}, Types(op))
}

func name(e sm.Elem) string {
	if e == sm.NoElem {
		return "(none of a matrix instruction)"
	}
	return "'" + e.String() + "'"
}
