package tileastonvvm

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// mmaTypes spells element types as mma.sync does.
var mmaTypes = map[numeric.Format]string{numeric.F16: "f16", numeric.BF16: "bf16", numeric.TF32: "tf32", numeric.F32: "f32",
	numeric.F64: "f64", numeric.F8E4M3FN: "e4m3", numeric.F8E5M2: "e5m2"}

func mmaType(t ir.Type, unsigned bool) (string, error) {
	switch t := t.(type) {
	case *ir.FloatType:
		if s, ok := mmaTypes[t.Format]; ok {
			return s, nil
		}
	case *ir.IntegerType:
		switch {
		case t.Width == 32:
			return "s32", nil
		case t.Width == 8 && unsigned:
			return "u8", nil
		case t.Width == 8:
			return "s8", nil
		}
	}
	return "", fmt.Errorf("no matrix instruction takes this element type")
}

// fragments finds the arrangement of warps that the operands' layouts are of, for the instruction that the dot names.
func (l *lowering) fragments(op ir.Op) (linear.MMA, linear.MMATile, error) {
	var lays [3]linear.Layout
	for i := range lays {
		lay, err := l.layout(op.Operand(i))
		if err != nil {
			return linear.MMA{}, linear.MMATile{}, err
		}
		lays[i] = lay
	}
	name := op.StringAttr(tile.AttrInstruction)
	mma, ok := matrix.ByName(name, 8*tile.ElementBytes(ir.ElementType(op.Operand(0).Type())))
	if !ok {
		return linear.MMA{}, linear.MMATile{}, op.Errorf("names no matrix instruction for its element types, but '%s'", name)
	}
	sa, sc := lays[0].Shape(), lays[2].Shape()
	r := len(sa)
	for wm := 1; wm <= l.warps; wm *= 2 {
		t, err := mma.Tile(sc[:r-2], sc[r-2], sc[r-1], sa[r-1], wm, l.warps/wm)
		if err == nil && t.A.Equal(lays[0]) && t.B.Equal(lays[1]) && t.C.Equal(lays[2]) {
			return mma, t, nil
		}
	}
	return linear.MMA{}, linear.MMATile{}, op.Errorf("operands do not have the layouts of a matrix instruction")
}

func (l *lowering) dot(op ir.Op) error {
	if op.StringAttr(tile.AttrInstruction) == tile.FMA {
		return l.fmaDot(op)
	}
	mma, t, err := l.fragments(op)
	if err != nil {
		return err
	}
	var types [3]string
	for i := range types {
		unsigned := i == 0 && op.HasUnitAttr(tile.AttrUnsignedA) || i == 1 && op.HasUnitAttr(tile.AttrUnsignedB)
		if types[i], err = mmaType(ir.ElementType(op.Operand(i).Type()), unsigned); err != nil {
			return op.Errorf("cannot be lowered: %v", err)
		}
	}
	attrs := []ir.NamedAttr{
		{Name: nvvm.AttrShape, Value: l.ctx.String(fmt.Sprintf("m%dn%dk%d", mma.M, mma.N, mma.K))},
		{Name: nvvm.AttrTypeA, Value: l.ctx.String(types[0])}, {Name: nvvm.AttrTypeB, Value: l.ctx.String(types[1])},
		{Name: nvvm.AttrAccumulator, Value: l.ctx.String(types[2])},
	}
	a, b := l.Values(op.Operand(0)), l.Values(op.Operand(1))
	acc := append([]ir.Value(nil), l.Values(op.Operand(2))...)
	packed := make(map[[2]int][]ir.Value) // fragments are used by several instructions
	fragment := func(which int, regs []ir.Value, first, n int) []ir.Value {
		key := [2]int{which, first}
		if packed[key] == nil {
			packed[key] = l.pack(regs[first : first+n])
		}
		return packed[key]
	}
	for batch := range t.Batch {
		for k := range t.K {
			for m := range t.M {
				for n := range t.N {
					c := acc[t.FirstC(batch, m, n):][:t.SizeC]
					st := l.NewState(nvvm.MmaSync, l.Loc)
					words := l.pack(c)
					st.OperandGroups(fragment(0, a, t.FirstA(batch, m, k), t.SizeA),
						fragment(1, b, t.FirstB(batch, n, k), t.SizeB), words)
					st.Attrs = append(st.Attrs, attrs...)
					for _, w := range words {
						st.Types = append(st.Types, w.Type())
					}
					i := 0
					for _, w := range l.Insert(st).Results() {
						for _, v := range l.split(w, c[0].Type()) {
							c[i] = v
							i++
						}
					}
				}
			}
		}
	}
	l.Bind(op.Result(0), acc...)
	return nil
}

// split undoes pack for one register.
func (l *lowering) split(w ir.Value, elem ir.Type) []ir.Value {
	if w.Type() == elem {
		return []ir.Value{w}
	}
	return l.unpack(w, elem)
}
