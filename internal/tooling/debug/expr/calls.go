package expr

import (
	"maps"
	"math"
	"slices"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// elementwise are the functions that compute each element on its own. They get it as a float.
var elementwise = map[string]struct {
	kind Kind // of the result
	f    func(x float64) Elem
}{
	"isnan":    {Bool, func(x float64) Elem { return boolElem(math.IsNaN(x)) }},
	"isinf":    {Bool, func(x float64) Elem { return boolElem(math.IsInf(x, 0)) }},
	"isfinite": {Bool, func(x float64) Elem { return boolElem(!math.IsNaN(x) && !math.IsInf(x, 0)) }},
	"abs":      {Float, func(x float64) Elem { return Elem{F: math.Abs(x)} }},
	"exp":      {Float, func(x float64) Elem { return Elem{F: math.Exp(x)} }},
	"sqrt":     {Float, func(x float64) Elem { return Elem{F: math.Sqrt(x)} }},
}

// A fold makes one number of all elements that are specified.
type fold func(a Array) (Kind, Elem)

var folds = map[string]fold{
	"any": func(a Array) (Kind, Elem) { return Bool, boolElem(count(a) > 0) },
	"all": func(a Array) (Kind, Elem) { return Bool, boolElem(count(a) == a.Count()) },
	// count is how many elements are true, or not 0.
	"count": func(a Array) (Kind, Elem) { return Int, Elem{I: count(a)} },
	"sum":   sum,
	"mean": func(a Array) (Kind, Elem) {
		k, s := sum(a)
		return Float, Elem{F: s.float(k) / float64(a.Count())}
	},
	"min": func(a Array) (Kind, Elem) {
		return a.Kind, best(a, func(x, y float64) bool { return x < y }, func(x, y int64) bool { return x < y })
	},
	"max": func(a Array) (Kind, Elem) {
		return a.Kind, best(a, func(x, y float64) bool { return x > y }, func(x, y int64) bool { return x > y })
	},
	"unspecified": func(a Array) (Kind, Elem) {
		n := int64(0)
		a.Each(func(_ int64, e Elem) bool { n += boolElem(e.Undef).I; return true })
		return Int, Elem{I: n}
	},
}

func count(a Array) (n int64) {
	a.Each(func(_ int64, e Elem) bool {
		if !e.Undef && e.float(a.Kind) != 0 {
			n++
		}
		return true
	})
	return n
}

func sum(a Array) (Kind, Elem) {
	var s Elem
	a.Each(func(_ int64, e Elem) bool {
		if !e.Undef {
			s.I, s.F = s.I+e.I, s.F+e.F
		}
		return true
	})
	return max(a.Kind, Int), s
}

// best returns the least or the largest element; NaN if there is one, as NumPy does.
func best(a Array, float func(x, y float64) bool, integer func(x, y int64) bool) Elem {
	out := Elem{Undef: true}
	a.Each(func(_ int64, e Elem) bool {
		switch {
		case e.Undef:
		case a.Kind == Float && math.IsNaN(e.F):
			out = e
			return false
		case out.Undef, a.Kind == Float && float(e.F, out.F), a.Kind != Float && integer(e.I, out.I):
			out = e
		}
		return true
	})
	return out
}

// Functions are the names of functions.
func Functions() []string {
	return slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
		for name := range elementwise {
			if !yield(name, true) {
				return
			}
		}
		for name := range folds {
			if !yield(name, true) {
				return
			}
		}
		yield("picture", true)
	})))
}

func (ev *evaluator) call(n *node) (Array, error) {
	each, isEach := elementwise[n.text]
	all, isFold := folds[n.text]
	if !isEach && !isFold && n.text != "picture" {
		return Array{}, n.errorf("there is no function '%s'%s; there are %s", n.text, suggest.DidYouMean(n.text, Functions()), suggest.List(Functions()))
	}
	if len(n.args) != 1 {
		return Array{}, n.errorf("'%s' takes one argument, but got %d", n.text, len(n.args))
	}
	a, err := ev.eval(n.args[0])
	if err != nil {
		return a, err
	}
	if a.Text != "" {
		return a, n.args[0].errorf("expected numbers, but got '%s'", a.Text)
	}
	switch {
	case isEach && n.text == "abs" && a.Kind != Float:
		return ev.mapped(n, Int, a, func(e Elem) Elem { return Elem{I: max(e.I, -e.I)} })
	case isEach:
		return ev.mapped(n, each.kind, a, func(e Elem) Elem { return each.f(e.float(a.Kind)) })
	case isFold:
		if err := ev.spend(n, a.Count()); err != nil {
			return a, err
		}
		k, e := all(a)
		out := Scalar(k, e)
		if k == Float && (n.text == "min" || n.text == "max") {
			out.Bits = a.Bits
		}
		return out, nil
	}
	a.Picture = true
	return a, nil
}
