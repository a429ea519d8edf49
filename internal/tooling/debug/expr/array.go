package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Kind is what the elements of an array are.
type Kind uint8

// The kinds.
const (
	Bool Kind = iota
	Int
	Float
)

// An Elem is an element: I of a truth value or an integer, F of a float.
type Elem struct {
	I     int64
	F     float64
	Undef bool // unspecified: nothing says what it is
}

// float returns an element of a kind as a float.
func (e Elem) float(k Kind) float64 {
	if k == Float {
		return e.F
	}
	return float64(e.I)
}

// An Array is a tile, an array in memory, a part of one, or a number, which has no shape. Elements are read when they
// are asked for, so that a slice of a large array costs nothing.
type Array struct {
	Type           string // of an element, as in f32; "" of what was computed
	Kind           Kind
	Bits           int // of a float: 64 or less
	Hex            bool
	Shape, Strides []int64 // in elements
	Offset         int64
	Get            func(offset int64) Elem

	Tuple   bool // (3, 0), which is compared entirely
	Picture bool // to be drawn
	Text    string
}

// Scalar returns a number.
func Scalar(k Kind, e Elem) Array {
	return Array{Kind: k, Bits: 64, Get: func(int64) Elem { return e }}
}

// Truth returns a truth value.
func Truth(b bool) Array {
	if b {
		return Scalar(Bool, Elem{I: 1})
	}
	return Scalar(Bool, Elem{})
}

// Integer returns an integer.
func Integer(n int64) Array { return Scalar(Int, Elem{I: n}) }

// Tuple returns a list of integers that is compared entirely.
func Tuple(list ...int64) Array {
	a := list1(Int, len(list))
	a.Tuple = true
	a.Get = func(i int64) Elem { return Elem{I: list[i]} }
	return a
}

func list1(k Kind, n int) Array {
	return Array{Kind: k, Bits: 64, Shape: []int64{int64(n)}, Strides: []int64{1}}
}

// Word returns a text, such as the type of an array.
func Word(s string) Array { return Array{Text: s, Get: func(int64) Elem { return Elem{Undef: true} }} }

// RowMajor returns the strides of elements that lie one after the other.
func RowMajor(shape []int64) []int64 {
	out, n := make([]int64, len(shape)), int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= max(1, shape[i])
	}
	return out
}

// maxCount is more than any bound on elements, and small enough to be multiplied.
const maxCount = 1 << 62

// Count returns the number of elements; maxCount if there are more.
func (a Array) Count() int64 {
	n := int64(1)
	for _, d := range a.Shape {
		if d == 0 {
			return 0
		}
		if n > maxCount/d {
			n = maxCount
		} else {
			n *= d
		}
	}
	return n
}

// At returns the element at coordinates.
func (a Array) At(at ...int64) Elem {
	off := a.Offset
	for d, i := range at {
		off += i * a.Strides[d]
	}
	return a.Get(off)
}

// Each visits the elements in row-major order until the visitor returns false.
func (a Array) Each(visit func(i int64, e Elem) bool) {
	if a.Count() == 0 {
		return
	}
	at, off := make([]int64, len(a.Shape)), a.Offset
	for i := int64(0); ; i++ {
		if !visit(i, a.Get(off)) {
			return
		}
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < a.Shape[d] {
				off += a.Strides[d]
				break
			}
			off -= (at[d] - 1) * a.Strides[d]
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// Row returns element i along the first dimension: a part with one dimension less.
func (a Array) Row(i int64) Array {
	a.Offset += i * a.Strides[0]
	a.Shape, a.Strides = a.Shape[1:], a.Strides[1:]
	return a
}

// Part returns the elements from one coordinate to before another along a dimension.
func (a Array) Part(dim int, from, to int64) Array {
	a.Offset += from * a.Strides[dim]
	a.Shape = slices.Clone(a.Shape)
	a.Shape[dim] = to - from
	return a
}

// Dims spells the shape, as in (16, 64).
func (a Array) Dims() string { return dims(a.Shape) }

func dims(shape []int64) string {
	text := make([]string, len(shape))
	for i, d := range shape {
		text[i] = strconv.FormatInt(d, 10)
	}
	if len(text) == 1 {
		return "(" + text[0] + ",)"
	}
	return "(" + strings.Join(text, ", ") + ")"
}

// Format spells an element of the array.
func (a Array) Format(e Elem) string {
	switch {
	case a.Text != "":
		return a.Text
	case e.Undef:
		return "?"
	case a.Kind == Float:
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(e.F, 'g', -1, max(32, a.Bits))), "+")
	case a.Kind == Bool && e.I != 0:
		return "True"
	case a.Kind == Bool:
		return "False"
	case a.Hex:
		return fmt.Sprintf("%#x", uint64(e.I))
	}
	return strconv.FormatInt(e.I, 10)
}
