package numeric

import "math"

// Neg returns b with its sign bit inverted, NaN or not; for unsigned formats it returns b.
func (f Format) Neg(b uint64) uint64 { return b ^ specs[f].signBit() }

// Abs returns b with its sign bit cleared.
func (f Format) Abs(b uint64) uint64 { return b &^ specs[f].signBit() }

// Min returns the smaller operand; -0 is smaller than +0. If one operand is a NaN the result is the other, or the NaN
// when propagate is set; two NaNs give a NaN. Of env only FlushToZero matters.
func (f Format) Min(a, b uint64, propagate bool, env Env) uint64 {
	x, y := f.operand(a, env), f.operand(b, env)
	if x < y || x == y && math.Signbit(x) {
		return f.chosen(a, x)
	}
	return f.other(a, b, x, y, propagate)
}

// Max returns the larger operand, by the rules of Min. These are minimumNumber and maximumNumber of IEEE 754-2019,
// 9.6, or with propagate minimum and maximum; PTX has both, as min and min.NaN.
func (f Format) Max(a, b uint64, propagate bool, env Env) uint64 {
	x, y := f.operand(a, env), f.operand(b, env)
	if x > y || x == y && !math.Signbit(x) {
		return f.chosen(a, x)
	}
	return f.other(a, b, x, y, propagate)
}

// other is the result when x, the value of a, does not win over y.
func (f Format) other(a, b uint64, x, y float64, propagate bool) uint64 {
	switch {
	// The canonical one, not the operand: of which NaN the payload survives differs between implementations.
	case x != x && y != y, propagate && (x != x || y != y):
		return f.NaN()
	case y != y:
		return f.chosen(a, x)
	}
	return f.chosen(b, y)
}

// chosen returns b, whose value is x after flushing.
func (f Format) chosen(b uint64, x float64) uint64 {
	if x == 0 {
		return f.Zero(math.Signbit(x))
	}
	return b &^ (1<<specs[f].Pad - 1)
}

// Predicate is a comparison; Tile IR numbers them likewise.
type Predicate uint8

// The comparison predicates.
const (
	Equal Predicate = iota
	NotEqual
	LessThan
	LessOrEqual
	GreaterThan
	GreaterOrEqual
)

// Compare evaluates a predicate. With a NaN operand the answer is unordered, whatever the predicate: false for the
// ordered comparisons, not equal among them.
func (f Format) Compare(p Predicate, unordered bool, a, b uint64) bool {
	x, y := f.Decode(a), f.Decode(b)
	if x != x || y != y {
		return unordered
	}
	switch {
	case x < y:
		return p.holds(-1)
	case x > y:
		return p.holds(1)
	}
	return p.holds(0)
}

// holds evaluates p for a three-way comparison.
func (p Predicate) holds(order int) bool {
	switch p {
	case Equal:
		return order == 0
	case NotEqual:
		return order != 0
	case LessThan:
		return order < 0
	case LessOrEqual:
		return order <= 0
	case GreaterThan:
		return order > 0
	case GreaterOrEqual:
		return order >= 0
	}
	return false
}
