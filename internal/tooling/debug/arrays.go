package debug

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/tooling/debug/expr"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// An array is an argument of the program: a pointer, with sizes and strides that are arguments of their own, or that
// the kernel makes.
type array struct {
	name    string
	base    ir.Value // the parameter
	view    ir.Value // the tensor_view of it, where the launch does not say more; may be nil
	shape   []int64  // nil: those of the view
	strides []int64
}

// parameter returns the parameter that a value is, behind assumptions; nil if it is none.
func parameter(entry ir.Op, v ir.Value) ir.Value {
	for !v.IsBlockArg() {
		op := v.DefiningOp()
		if !op.Is(cudatile.Assume) {
			return ir.Value{}
		}
		v = op.Operand(0)
	}
	if v.Block().ParentOp() != entry {
		return ir.Value{}
	}
	return v
}

// findArrays finds the arrays among the parameters: as the launch says, or as the kernel makes views of them.
func (k *Kernel) findArrays() {
	params := k.entry.Body().Args()
	views := make(map[ir.Value]ir.Value)
	k.entry.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(cudatile.MakeTensorView) {
			return ir.Advance
		}
		for i, v := range op.Operands() {
			p := parameter(k.entry, v)
			switch {
			case p.IsNil():
			case i > 0:
				k.hidden[p] = true
			case views[p].IsNil():
				views[p] = op.Result(0)
			}
		}
		return ir.Advance
	})
	for i, p := range params {
		if !isPointer(p) {
			continue
		}
		a := array{name: k.parameterName(p), base: p, view: views[p]}
		if i < len(k.Arguments) && k.Arguments[i].Role == "base" {
			said := k.Arguments[i]
			a.name, a.shape, a.strides = said.Name, said.Shape, make([]int64, len(said.Shape))
			for n := range k.Arguments[i+1:] {
				other := k.Arguments[i+1+n]
				if i+1+n >= len(params) || other.Name != said.Name || other.Role != "shape" && other.Role != "stride" || other.Dim >= len(a.strides) {
					break
				}
				if k.hidden[params[i+1+n]] = true; other.Role == "stride" {
					a.strides[other.Dim] = other.Value
				}
			}
		}
		if a.shape != nil || !a.view.IsNil() {
			k.arrays = append(k.arrays, a)
		}
	}
}

func isPointer(v ir.Value) bool {
	_, ok := values.Pointee(values.ElemOf(v))
	return ok
}

// parameterName is what the author calls a parameter, as far as it is known.
func (k *Kernel) parameterName(p ir.Value) string {
	if i := p.Index(); i < len(k.Arguments) && k.Arguments[i].Name != "" && !strings.Contains(k.Arguments[i].Name, " ") {
		return k.Arguments[i].Name
	}
	if name := k.names.Parameter(p); name != "" {
		return name
	}
	return k.ssa(p)
}

// Arguments are the arrays and numbers that the kernel was launched with. Arrays are shown as memory is now.
func (f *Frame) Arguments() (out []Variable) {
	isArray := make(map[ir.Value]bool)
	for i := range f.kernel.arrays {
		a := &f.kernel.arrays[i]
		if m, ok := f.memory(a); ok {
			isArray[a.base] = true
			out = append(out, Variable{a.name, m})
		}
	}
	for _, p := range f.kernel.entry.Body().Args() {
		if t, ok := f.state.Tile(p); ok && !isArray[p] && !f.kernel.hidden[p] {
			out = append(out, Variable{f.kernel.parameterName(p), tileArray(t)})
		}
	}
	return out
}

// memory is an array as memory is now.
func (f *Frame) memory(a *array) (expr.Array, bool) {
	base, ok := f.state.Tile(a.base)
	if !ok {
		return expr.Array{}, false
	}
	shape, strides := a.shape, a.strides
	if shape == nil {
		if !f.available(a.view) {
			return expr.Array{}, false
		}
		t, ok := f.state.Tensor(a.view)
		if !ok {
			return expr.Array{}, false
		}
		shape, strides = t.Sizes, t.Strides
	}
	elem, _ := values.Pointee(values.ElemOf(a.base))
	return memoryArray(f.state, elem, base.Bits[0], shape, strides), true
}

// memoryArray is elements of memory from an address on. What is in no buffer is unspecified.
func memoryArray(s *interp.State, elem ir.Type, base uint64, shape, strides []int64) expr.Array {
	a, decode := elements(elem)
	a.Shape, a.Strides = slices.Clone(shape), strides
	for i, n := range a.Shape { // a kernel or a launch may say anything
		a.Shape[i] = max(0, n)
	}
	size := int64(values.ElementBytes(elem))
	a.Get = func(i int64) expr.Elem {
		if values.IsHalf(elem) {
			b := s.Memory(base+uint64(i>>1), 1)
			if b == nil {
				return expr.Elem{Undef: true}
			}
			return decode(uint64(b[0]>>(4*(i&1))) & 15)
		}
		b := s.Memory(base+uint64(i*size), uint64(size))
		if int64(len(b)) < size {
			return expr.Elem{Undef: true}
		}
		return decode(values.FromBytes(b))
	}
	return a
}

// Memory returns up to n bytes from an address on: fewer where the memory ends.
func (f *Frame) Memory(addr, n uint64) []byte { return f.state.Memory(addr, n) }

// Address returns where an array begins.
func (f *Frame) Address(name string) (uint64, bool) {
	for i := range f.kernel.arrays {
		if a := &f.kernel.arrays[i]; a.name == name {
			if t, ok := f.state.Tile(a.base); ok {
				return t.Bits[0], true
			}
		}
	}
	return 0, false
}

// Region says which part of which array the next operation loads or stores, as in q[16:32, 0:16]; "" if it does
// neither, or is no access of a view.
func (f *Frame) Region() string {
	op := f.at.op
	verb, view := "loads", ir.Value{}
	switch {
	case op.Is(cudatile.LoadView):
		view = op.Operand(0)
	case op.Is(cudatile.StoreView):
		verb, view = "stores", op.Operand(1)
	default:
		return ""
	}
	t, ok := view.Type().(*cudatile.PartitionViewType)
	maker := view.DefiningOp()
	if !ok || maker.IsNil() || maker.NumOperands() == 0 {
		return ""
	}
	tensor := maker.Operand(0).DefiningOp()
	if tensor.IsNil() || tensor.NumOperands() == 0 {
		return ""
	}
	name := "memory"
	if p := parameter(f.kernel.entry, tensor.Operand(0)); !p.IsNil() {
		name = f.kernel.parameterName(p)
	}
	parts := make([]string, len(t.TensorView.Shape))
	for i := range parts {
		parts[i] = ":"
	}
	for i, v := range op.OperandsNamed("index") {
		x, ok := f.state.Tile(v)
		if !ok || i >= len(t.DimMap) || int(t.DimMap[i]) >= len(parts) {
			return ""
		}
		from := values.WidthOf(values.ElemOf(v)).Signed(x.Bits[0]) * t.TileShape[i]
		parts[t.DimMap[i]] = fmt.Sprintf("%d:%d", from, from+t.TileShape[i])
	}
	return fmt.Sprintf("%s %s[%s]", verb, name, strings.Join(parts, ", "))
}
