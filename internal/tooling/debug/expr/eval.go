package expr

import (
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// MaxElements bounds the elements that one evaluation looks at.
const MaxElements = 1 << 22

// An Env says what names are.
type Env interface {
	// Lookup returns what a name stands for.
	Lookup(name string) (Array, bool)
	// Names are those that Lookup knows, for messages.
	Names() []string
}

type evaluator struct {
	env  Env
	left int64 // elements that it may still look at
}

// Eval evaluates an expression. Names come from the environment.
func (e *Expr) Eval(env Env) (Array, error) {
	ev := &evaluator{env: env, left: MaxElements}
	return ev.eval(e.root)
}

// Holds evaluates a condition, which is one truth value or number.
func (e *Expr) Holds(env Env) (bool, error) {
	ev := &evaluator{env: env, left: MaxElements}
	a, err := ev.eval(e.root)
	if err != nil {
		return false, err
	}
	return ev.truth(e.root, a)
}

func (n *node) errorf(format string, args ...any) error {
	return fmt.Errorf("column %d: %s", n.at+1, fmt.Sprintf(format, args...))
}

// spend counts elements.
func (ev *evaluator) spend(n *node, count int64) error {
	if ev.left -= min(count, maxCount/2); ev.left < 0 {
		return n.errorf("looks at more than %d elements; take a slice", MaxElements)
	}
	return nil
}

func (ev *evaluator) truth(n *node, a Array) (bool, error) {
	if a.Count() != 1 || a.Text != "" {
		return false, n.errorf("expected one truth value, but got %s elements; any() or all() makes one of them", a.Dims())
	}
	e := a.At(make([]int64, len(a.Shape))...)
	return !e.Undef && e.float(a.Kind) != 0, nil
}

func (ev *evaluator) eval(n *node) (Array, error) {
	switch n.op {
	case "number":
		return n.num, nil
	case "name":
		return ev.name(n)
	case "index":
		return ev.index(n)
	case "field":
		return ev.field(n)
	case "call":
		return ev.call(n)
	case "tuple":
		return ev.tuple(n)
	case "and", "or":
		for i, part := range n.args {
			a, err := ev.eval(part)
			if err != nil {
				return a, err
			}
			b, err := ev.truth(part, a)
			if err != nil || i == 1 || b == (n.op == "or") {
				return Truth(b), err
			}
		}
	}
	args := make([]Array, len(n.args))
	for i, x := range n.args {
		var err error
		if args[i], err = ev.eval(x); err != nil {
			return Array{}, err
		}
		if args[i].Text != "" {
			return Array{}, x.errorf("expected numbers, but got '%s'", args[i].Text)
		}
	}
	if len(args) == 1 {
		return ev.unary(n, args[0])
	}
	if args[0].Tuple && args[1].Tuple && (n.op == "==" || n.op == "!=") {
		return Truth(sameTuple(args[0], args[1]) == (n.op == "==")), nil
	}
	return ev.binary(n, args[0], args[1])
}

func (ev *evaluator) name(n *node) (Array, error) {
	if a, ok := ev.env.Lookup(n.text); ok {
		return a, nil
	}
	switch n.text {
	case "True":
		return Truth(true), nil
	case "False":
		return Truth(false), nil
	case "inf":
		return Scalar(Float, Elem{F: math.Inf(1)}), nil
	case "nan":
		return Scalar(Float, Elem{F: math.NaN()}), nil
	}
	return Array{}, n.errorf("nothing is called '%s' here%s", n.text, suggest.DidYouMean(n.text, ev.env.Names()))
}

// sameTuple compares tuples; (3, 0) is (3, 0, 0), as a grid of two dimensions is one of three.
func sameTuple(a, b Array) bool {
	for i := range max(a.Shape[0], b.Shape[0]) {
		x, y := int64(0), int64(0)
		if i < a.Shape[0] {
			x = a.At(i).I
		}
		if i < b.Shape[0] {
			y = b.At(i).I
		}
		if x != y {
			return false
		}
	}
	return true
}

func (ev *evaluator) tuple(n *node) (Array, error) {
	list := make([]int64, len(n.args))
	for i, x := range n.args {
		v, err := ev.integer(x)
		if err != nil {
			return Array{}, err
		}
		list[i] = v
	}
	return Tuple(list...), nil
}

// integer evaluates what must be one integer.
func (ev *evaluator) integer(n *node) (int64, error) {
	a, err := ev.eval(n)
	if err != nil {
		return 0, err
	}
	if a.Count() != 1 || a.Kind == Float || a.Text != "" {
		return 0, n.errorf("expected an integer")
	}
	e := a.At(make([]int64, len(a.Shape))...)
	if e.Undef {
		return 0, n.errorf("expected an integer, but the element is unspecified")
	}
	return e.I, nil
}

func (ev *evaluator) index(n *node) (Array, error) {
	a, err := ev.eval(n.args[0])
	if err != nil {
		return a, err
	}
	a.Tuple = false
	if len(n.args)-1 > len(a.Shape) {
		return a, n.errorf("%d indices for %d dimensions", len(n.args)-1, len(a.Shape))
	}
	dim := 0
	for _, x := range n.args[1:] {
		size := a.Shape[dim]
		if x.op != "slice" {
			i, err := ev.integer(x)
			if err != nil {
				return a, err
			}
			if i < -size || i >= size {
				return a, x.errorf("index %d is outside of %d elements", i, size)
			}
			if i < 0 {
				i += size
			}
			a.Offset += i * a.Strides[dim]
			a.Shape, a.Strides = slices.Delete(slices.Clone(a.Shape), dim, dim+1), slices.Delete(slices.Clone(a.Strides), dim, dim+1)
			continue
		}
		ends := [2]int64{0, size}
		for i, end := range x.args {
			if end == nil {
				continue
			}
			if ends[i], err = ev.integer(end); err != nil {
				return a, err
			}
			if ends[i] < 0 {
				ends[i] += size
			}
			ends[i] = min(max(ends[i], 0), size)
		}
		a = a.Part(dim, ends[0], max(ends[0], ends[1]))
		dim++
	}
	return a, nil
}

func (ev *evaluator) field(n *node) (Array, error) {
	a, err := ev.eval(n.args[0])
	if err != nil {
		return a, err
	}
	switch n.text {
	case "shape":
		return Tuple(a.Shape...), nil
	case "strides":
		return Tuple(a.Strides...), nil
	case "dtype":
		return Word(a.typeName()), nil
	case "T":
		a.Shape, a.Strides = slices.Clone(a.Shape), slices.Clone(a.Strides)
		slices.Reverse(a.Shape)
		slices.Reverse(a.Strides)
		return a, nil
	}
	return a, n.errorf("there is no '.%s'; there are .shape, .strides, .dtype and .T", n.text)
}

// typeName is the element type, as far as it is known.
func (a Array) typeName() string {
	if a.Type != "" {
		return a.Type
	}
	return [...]string{"bool", "int", "float"}[a.Kind]
}

// made returns an array of elements that were computed.
func made(k Kind, shape []int64, list []Elem) Array {
	return Array{Kind: k, Bits: 64, Shape: shape, Strides: RowMajor(shape), Get: func(i int64) Elem { return list[i] }}
}

// mapped computes an array element by element.
func (ev *evaluator) mapped(n *node, k Kind, a Array, f func(Elem) Elem) (Array, error) {
	if err := ev.spend(n, a.Count()); err != nil {
		return a, err
	}
	list := make([]Elem, 0, a.Count())
	a.Each(func(_ int64, e Elem) bool {
		x := Elem{Undef: true}
		if !e.Undef {
			x = f(e)
		}
		list = append(list, x)
		return true
	})
	out := made(k, a.Shape, list)
	out.Bits = a.Bits
	return out, nil
}

func boolElem(b bool) Elem {
	if b {
		return Elem{I: 1}
	}
	return Elem{}
}

func (ev *evaluator) unary(n *node, a Array) (Array, error) {
	if n.op == "not" {
		b, err := ev.truth(n, a)
		return Truth(!b), err
	}
	return ev.mapped(n, max(a.Kind, Int), a, func(e Elem) Elem { return Elem{I: -e.I, F: -e.F} })
}

// binary computes an operator on two arrays, of which dimensions of one element are repeated, as NumPy does it.
func (ev *evaluator) binary(n *node, a, b Array) (Array, error) {
	rank := max(len(a.Shape), len(b.Shape))
	shape, sa, sb := make([]int64, rank), make([]int64, rank), make([]int64, rank)
	for d := range rank {
		x, y := int64(1), int64(1)
		if i := d - rank + len(a.Shape); i >= 0 {
			x, sa[d] = a.Shape[i], a.Strides[i]
		}
		if i := d - rank + len(b.Shape); i >= 0 {
			y, sb[d] = b.Shape[i], b.Strides[i]
		}
		switch {
		case x == y:
		case x == 1:
			sa[d] = 0
		case y == 1:
			sb[d] = 0
		default:
			return a, n.errorf("shapes %s and %s do not go together", a.Dims(), b.Dims())
		}
		if shape[d] = x; x == 1 {
			shape[d] = y
		}
	}
	k, f := operation(n.op, a.Kind, b.Kind)
	bits := max(32, a.Bits)
	a.Shape, a.Strides, b.Shape, b.Strides = shape, sa, shape, sb
	if err := ev.spend(n, a.Count()); err != nil {
		return a, err
	}
	list := make([]Elem, a.Count())
	a.Each(func(i int64, e Elem) bool { list[i] = e; return true })
	b.Each(func(i int64, y Elem) bool {
		x := list[i]
		if list[i] = (Elem{Undef: true}); !x.Undef && !y.Undef {
			list[i] = f(x, y)
		}
		return true
	})
	out := made(k, shape, list)
	if k == Float && a.Bits < 64 {
		out.Bits = bits
	}
	return out, nil
}

// operation returns what an operator makes of two kinds, and how.
func operation(op string, a, b Kind) (Kind, func(x, y Elem) Elem) {
	k := max(a, b, Int)
	switch op {
	case "==", "!=", "<", "<=", ">", ">=":
		return Bool, func(x, y Elem) Elem {
			var less, same bool
			if k == Float {
				less, same = x.float(a) < y.float(b), x.float(a) == y.float(b)
				if op == ">" || op == ">=" { // not what is left over: NaN is neither
					less = x.float(a) > y.float(b)
				}
			} else {
				less, same = x.I < y.I, x.I == y.I
				if op == ">" || op == ">=" {
					less = x.I > y.I
				}
			}
			switch op {
			case "==":
				return boolElem(same)
			case "!=":
				return boolElem(!same)
			case "<", ">":
				return boolElem(less)
			}
			return boolElem(less || same)
		}
	case "/":
		return Float, func(x, y Elem) Elem { return Elem{F: x.float(a) / y.float(b)} }
	}
	if k == Float {
		return Float, func(x, y Elem) Elem {
			v, w := x.float(a), y.float(b)
			switch op {
			case "+":
				return Elem{F: v + w}
			case "-":
				return Elem{F: v - w}
			case "*":
				return Elem{F: v * w}
			case "//":
				return Elem{F: math.Floor(v / w)}
			}
			return Elem{F: v - w*math.Floor(v/w)}
		}
	}
	return Int, func(x, y Elem) Elem {
		switch op {
		case "+":
			return Elem{I: x.I + y.I}
		case "-":
			return Elem{I: x.I - y.I}
		case "*":
			return Elem{I: x.I * y.I}
		}
		if y.I == 0 {
			return Elem{Undef: true}
		}
		q, r := x.I/y.I, x.I%y.I
		if r != 0 && (r < 0) != (y.I < 0) { // Python rounds down
			q, r = q-1, r+y.I
		}
		if op == "//" {
			return Elem{I: q}
		}
		return Elem{I: r}
	}
}
