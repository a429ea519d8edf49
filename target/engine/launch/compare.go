package launch

import (
	"fmt"
	"math"
)

// Tolerance says how far an output may be from what is expected: |got - want| <= Absolute + Relative·|want|. A NaN
// matches any NaN, an infinity only itself. With both zero they must be equal, zeros in their signs too.
//
// The formula is NumPy's allclose, since the expectations of most cases are made and judged there too.
type Tolerance struct {
	Relative float64 `json:"rtol"`
	Absolute float64 `json:"atol"`
}

// Peak is the largest of some error measure and the element that has it.
type Peak struct {
	Value Number `json:"value"`
	Index int    `json:"index"`
}

// Diff is the outcome of a comparison. The peaks are over all elements, whether they match or not; an element that is
// NaN or infinite on one side only has an infinite error. Indexes are -1 where there is no such element.
type Diff struct {
	DType      DType  `json:"dtype"`
	Elements   int    `json:"elements"`
	Mismatches int    `json:"mismatches"`
	First      int    `json:"first_mismatch"`
	Worst      int    `json:"worst"` // element that exceeds its allowance most, or comes closest to it
	Absolute   Peak   `json:"max_abs"`
	Relative   Peak   `json:"max_rel"` // |got - want| / |want|
	ULP        Peak   `json:"max_ulp"` // in places of the type; for integers the difference
	FirstPair  string `json:"first_pair,omitempty"`
	WorstPair  string `json:"worst_pair,omitempty"`
}

// OK reports whether every element matched.
func (d *Diff) OK() bool { return d.Mismatches == 0 }

// Compare compares buffers of the same type and length.
func Compare(got, want *Buffer, tol Tolerance) (*Diff, error) {
	if got.DType != want.DType || len(got.Data) != len(want.Data) {
		return nil, fmt.Errorf("got %s, expected %s", Arg{Buffer: got}, Arg{Buffer: want})
	}
	d := &Diff{DType: want.DType, Elements: want.Len(), First: -1, Worst: -1,
		Absolute: Peak{Index: -1}, Relative: Peak{Index: -1}, ULP: Peak{Index: -1}}
	measure := measures(want.DType)
	worst := -1.0
	for i := range d.Elements {
		g, w := want.DType.Load(got.Data, i), want.DType.Load(want.Data, i)
		if g == w {
			continue
		}
		m := measure(g, w)
		d.Absolute.raise(m.absolute, i)
		d.Relative.raise(m.relative(), i)
		d.ULP.raise(m.ulp, i)
		allowance := tol.Absolute
		if tol.Relative != 0 { // the magnitude may be infinite or NaN
			allowance += tol.Relative * m.magnitude
		}
		matches := m.absolute == 0 || m.absolute <= allowance && !math.IsInf(m.absolute, 0)
		if m.zeros && tol == (Tolerance{}) {
			matches = false
		}
		if !matches {
			if d.Mismatches++; d.First < 0 {
				d.First = i
			}
		}
		if excess := excess(m.absolute, allowance, matches); excess > worst {
			worst, d.Worst = excess, i
		}
	}
	d.FirstPair, d.WorstPair = pair(got, want, d.First), pair(got, want, d.Worst)
	return d, nil
}

// excess orders elements by how much of their allowance they use, mismatches before matches.
func excess(absolute, allowance float64, matches bool) float64 {
	switch {
	case math.IsInf(absolute, 0):
		return math.Inf(1)
	case allowance > 0:
		return absolute / allowance
	case matches:
		return 0
	}
	return 1 + absolute
}

func (p *Peak) raise(value float64, i int) {
	if value > 0 && (p.Index < 0 || value > float64(p.Value)) {
		*p = Peak{Number(value), i}
	}
}

func pair(got, want *Buffer, i int) string {
	if i < 0 {
		return ""
	}
	d := want.DType
	return fmt.Sprintf("got %s, want %s", d.FormatValue(d.Load(got.Data, i)), d.FormatValue(d.Load(want.Data, i)))
}

// measured is how two different patterns differ.
type measured struct {
	absolute, magnitude, ulp float64 // magnitude is |want|
	zeros                    bool    // of different sign
}

func (m measured) relative() float64 {
	if m.absolute == 0 || math.IsInf(m.absolute, 0) {
		return m.absolute
	}
	return m.absolute / m.magnitude // infinite where want is 0
}

func measures(d DType) func(got, want uint64) measured {
	if f, ok := d.Format(); ok {
		spec := f.Spec()
		sign := uint64(0)
		if spec.Signed {
			sign = 1 << (f.Bits() - 1)
		}
		// Patterns of one sign are in the order of their values, so that the distance of two in places is a
		// subtraction; zeros of both signs are one rung.
		ladder := func(b uint64) int64 { // patterns in the order of their values
			if b&sign != 0 {
				return -int64(b &^ sign >> spec.Pad)
			}
			return int64(b >> spec.Pad)
		}
		return func(got, want uint64) measured {
			g, w := f.Decode(got), f.Decode(want)
			switch {
			case g != g && w != w, g == w:
				return measured{magnitude: math.Abs(w), zeros: w == 0 && (got^want)&sign != 0}
			case g-g != 0 || w-w != 0:
				return measured{absolute: math.Inf(1), magnitude: math.Abs(w), ulp: math.Inf(1)}
			}
			return measured{absolute: math.Abs(g - w), magnitude: math.Abs(w), ulp: distance(ladder(got), ladder(want))}
		}
	}
	width, signed, _ := d.Int()
	return func(got, want uint64) measured {
		if !signed {
			diff := max(got, want) - min(got, want)
			return measured{absolute: float64(diff), magnitude: float64(want), ulp: float64(diff)}
		}
		g, w := width.Signed(got), width.Signed(want)
		diff := distance(g, w)
		return measured{absolute: diff, magnitude: math.Abs(float64(w)), ulp: diff}
	}
}

// distance subtracts before it leaves the integers, where neighbours still differ.
func distance(a, b int64) float64 { return float64(uint64(max(a, b)) - uint64(min(a, b))) }
