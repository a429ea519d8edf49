package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
)

func init() {
	add(map[*ir.OpDef]rule{nvvm.AddressOf: (*emitter).addressOf})
}

func (e *emitter) addressOf(o ir.Op) error {
	ref := o.Attr(nvvm.AttrGlobal).(*ir.SymbolRefAttr)
	// A symbol that is not declared would be an error of ptxas, in a line of text that nobody wrote.
	if spaceOf(o.Result(0)) != nvvm.Global || len(ref.Nested) > 0 {
		return o.Errorf("must be the address of a variable of the module, in global memory")
	}
	if !e.globals[ref.Root] {
		return o.Errorf("'%s' is no variable of the module", ref.Root)
	}
	e.body.Mov(e.def(o.Result(0)), ptx.SymAddr(e.body.Sym(ref.Root), 0))
	return nil
}

// elementTypes gives the types under which a variable declares its elements, by their size in bytes.
var elementTypes = map[int]ptx.Mod{1: ptx.B8, 2: ptx.B16, 4: ptx.B32, 8: ptx.B64}

// globalVariable declares a variable of the module.
//
// .visible, so that a launcher finds it by name with cuModuleGetGlobal and may read or write it.
func globalVariable(o ir.Op) (*ptx.Var, error) {
	if !ptx.ValidName(o.SymbolName()) {
		return nil, o.Errorf("'%s' is not a name in PTX", o.SymbolName())
	}
	data := o.Attr(nvvm.AttrInit).(*ir.DenseElementsAttr)
	t := data.Type().(*ir.TensorType)
	size := ir.DenseElemBytes(t.Elem)
	v := &ptx.Var{Linkage: ptx.LinkVisible, Space: ptx.Global, Type: elementTypes[size], Name: o.SymbolName(), Array: true, Count: int(t.NumElements())}
	// As text the numbers of f32 and f64 are written by their bits, under their own types; other floats are bits to
	// PTX.
	switch formatOf(t.Elem) {
	case numeric.F32:
		v.Type = ptx.F32
	case numeric.F64:
		v.Type = ptx.F64
	}
	if v.Type == 0 || v.Count == 0 {
		return nil, o.Errorf("of type '%s' has no PTX variable", ir.TypeString(t))
	}
	if a, ok := o.IntAttr(nvvm.AttrAlignment); ok {
		v.Align = int(a)
	}
	// What is not initialised is zero, so trailing zeros need not be written.
	for i := range v.Count {
		v.Init = append(v.Init, data.Bits(t.Elem, i))
	}
	for len(v.Init) > 0 && v.Init[len(v.Init)-1] == 0 {
		v.Init = v.Init[:len(v.Init)-1]
	}
	return v, nil
}
