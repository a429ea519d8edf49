package matrix

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/sm"
)

// A row is an instruction: the element types of its operands and accumulator by their names, its shape, and what a target needs to have it.
type row struct {
	in, acc string
	mma     linear.MMA
	feature sm.Feature
}

// rows lists the instructions. Of those for the same types the first that the target has and that fits is taken.
var rows = []row{
	{"f16", "f32", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16}, sm.MmaF16},
	{"f16", "f32", linear.MMA{M: 16, N: 8, K: 8, ElemBits: 16}, sm.MmaF16K8},
	{"f16", "f16", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16}, sm.MmaF16Acc16},
	{"f16", "f16", linear.MMA{M: 16, N: 8, K: 8, ElemBits: 16}, sm.MmaF16Acc16},
	{"bf16", "f32", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16}, sm.MmaBF16},
	{"bf16", "f32", linear.MMA{M: 16, N: 8, K: 8, ElemBits: 16}, sm.MmaBF16K8},
	{"tf32", "f32", linear.MMA{M: 16, N: 8, K: 8, ElemBits: 32}, sm.MmaTF32},
	{"tf32", "f32", linear.MMA{M: 16, N: 8, K: 4, ElemBits: 32}, sm.MmaTF32K4},
	{"i8", "i32", linear.MMA{M: 16, N: 8, K: 32, ElemBits: 8}, sm.MmaI8},
	{"i8", "i32", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 8}, sm.MmaI8K16},
	{"f8", "f32", linear.MMA{M: 16, N: 8, K: 32, ElemBits: 8}, sm.MmaFP8},
	{"f8", "f32", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 8}, sm.MmaFP8K16},
	{"f8", "f16", linear.MMA{M: 16, N: 8, K: 32, ElemBits: 8}, sm.MmaFP8Acc16},
	{"f64", "f64", linear.MMA{M: 16, N: 8, K: 16, ElemBits: 64}, sm.MmaF64K16},
	{"f64", "f64", linear.MMA{M: 16, N: 8, K: 8, ElemBits: 64}, sm.MmaF64K8},
	{"f64", "f64", linear.MMA{M: 16, N: 8, K: 4, ElemBits: 64}, sm.MmaF64K4},
	{"f64", "f64", linear.MMA{M: 8, N: 8, K: 4, ElemBits: 64}, sm.MmaF64},
}

var floats = map[numeric.Format]string{numeric.F16: "f16", numeric.BF16: "bf16", numeric.TF32: "tf32", numeric.F32: "f32",
	numeric.F64: "f64", numeric.F8E4M3FN: "f8", numeric.F8E5M2: "f8"}

func typeName(t ir.Type) string {
	switch t := t.(type) {
	case *ir.FloatType:
		return floats[t.Format]
	case *ir.IntegerType:
		return fmt.Sprintf("i%d", t.Width)
	}
	return ""
}

// Choose returns the instruction for operands and an accumulator of the element types with extent k, or false when the target has none: the dot must be computed
// otherwise. Extents of M and N below the instruction's are no obstacle, because a fragment may hold copies.
func Choose(arch *sm.Arch, in, acc ir.Type, k int) (linear.MMA, bool) {
	for _, r := range rows {
		if r.in == typeName(in) && r.acc == typeName(acc) && r.mma.K <= k && arch.Has(r.feature) {
			return r.mma, true
		}
	}
	return linear.MMA{}, false
}

// ByName returns the instruction of that shape for operands of a width in bits.
func ByName(name string, bits int) (linear.MMA, bool) {
	for _, r := range rows {
		if r.mma.ElemBits == bits && Name(r.mma) == name {
			return r.mma, true
		}
	}
	return linear.MMA{}, false
}

// Name spells the shape of an instruction as PTX does: m16n8k16.
func Name(m linear.MMA) string { return fmt.Sprintf("m%dn%dk%d", m.M, m.N, m.K) }

// Arch returns the architecture of that name; without one, the oldest, whose instructions all others have.
func Arch(gpu string) (*sm.Arch, error) {
	if gpu == "" {
		return sm.All()[0], nil
	}
	return sm.Lookup(gpu)
}
