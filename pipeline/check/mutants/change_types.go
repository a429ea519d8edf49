package mutants

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// maxElements bounds the tensors that changes make: larger ones take memory, not thought.
const maxElements = 1 << 14

// changeShape gives all values of a tensor type another shape.
func changeShape(m *mutator) bool {
	t, ok := m.tensor(func(t *ir.TensorType) bool { return len(t.Shape) > 0 })
	if !ok {
		return false
	}
	shape := slices.Clone(t.Shape)
	i, j := m.IntN(len(shape)), m.IntN(len(shape))
	switch m.IntN(4) {
	case 0:
		shape[i] *= 2
	case 1:
		shape[i] /= 2
	case 2:
		shape[i], shape[j] = shape[j], shape[i]
	default:
		shape[i] += int64(m.IntN(3)) - 1
	}
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	if n <= 0 || n > maxElements {
		return false
	}
	return m.retype(t, m.module.Context().Tensor(shape, t.Elem, t.Encoding))
}

// changeLayout gives all values of a tensor type, or only one, another layout of the module, or none.
func changeLayout(m *mutator) bool {
	t, ok := m.tensor(func(t *ir.TensorType) bool { return t.Encoding != nil })
	if !ok {
		return false
	}
	var layouts []ir.Attribute
	for _, other := range m.types {
		if o, is := other.(*ir.TensorType); is && o.Encoding != t.Encoding && (slices.Equal(o.Shape, t.Shape) || m.IntN(8) == 0) {
			layouts = append(layouts, o.Encoding)
		}
	}
	layout, ok := pick(m, layouts)
	if !ok {
		return false
	}
	to := m.module.Context().Tensor(t.Shape, t.Elem, layout)
	if m.IntN(2) == 0 {
		return m.retype(t, to)
	}
	return m.retypeOne(t, to)
}

// changeOneType gives one value the type of another one.
func changeOneType(m *mutator) bool {
	v, ok := pick(m, m.values)
	to, _ := pick(m, m.types)
	if !ok || v.Type() == to {
		return false
	}
	return m.retypeOne(v.Type(), to)
}

// tensor returns a random tensor type of the module.
func (m *mutator) tensor(ok func(*ir.TensorType) bool) (*ir.TensorType, bool) {
	var fit []*ir.TensorType
	for _, t := range m.types {
		if t, is := t.(*ir.TensorType); is && ok(t) {
			fit = append(fit, t)
		}
	}
	return pick(m, fit)
}

// retype changes all values of a type.
func (m *mutator) retype(from, to ir.Type) bool {
	if from == to {
		return false
	}
	for _, v := range m.values {
		if v.Type() == from {
			m.set(v, to)
		}
	}
	return true
}

// retypeOne changes one value of a type.
func (m *mutator) retypeOne(from, to ir.Type) bool {
	var fit []ir.Value
	for _, v := range m.values {
		if v.Type() == from {
			fit = append(fit, v)
		}
	}
	v, ok := pick(m, fit)
	if ok {
		m.set(v, to)
	}
	return ok
}

// set changes the type of a value, and of the constant that it is, if the bytes still fit.
func (m *mutator) set(v ir.Value, to ir.Type) {
	v.SetType(to)
	op := v.DefiningOp()
	if op.IsNil() {
		return
	}
	for _, a := range op.InherentAttrs() {
		if d, is := a.Value.(*ir.DenseElementsAttr); is {
			if t, is := to.(*ir.TensorType); is && (d.IsSplat(t.Elem) || len(d.Data) == int(t.NumElements())*ir.DenseElemBytes(t.Elem)) {
				op.SetAttr(a.Name, op.Context().Dense(t, []byte(d.Data)))
			}
		}
	}
}
