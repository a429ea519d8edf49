package conversion

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A TypeConverter says what becomes of types. It is set up before and not changed during a conversion. The nil TypeConverter keeps all
// types.
type TypeConverter struct {
	rules  []func(ir.Type) ([]ir.Type, bool)
	values []func(ir.Value) ([]ir.Type, bool)
	source Materializer
	target Materializer
}

// A Materializer makes values of the types want from the values have at b's insertion point. It returns nil when it cannot.
type Materializer func(b *ir.Builder, want []ir.Type, have []ir.Value) []ir.Value

// Rule adds a rule, which is asked before those that were added earlier: it returns the types that a type becomes, and whether
// it applies. No types: values of the type go away. The type itself: it is legal.
func (tc *TypeConverter) Rule(f func(ir.Type) ([]ir.Type, bool)) { tc.rules = append(tc.rules, f) }

// OneToOne adds a rule that turns a type into one other; it returns nil where it does not apply.
func (tc *TypeConverter) OneToOne(f func(ir.Type) ir.Type) {
	tc.Rule(func(t ir.Type) ([]ir.Type, bool) {
		if n := f(t); n != nil {
			return []ir.Type{n}, true
		}
		return nil, false
	})
}

// ValueRule adds a rule for block arguments whose new types depend on more than their type, such as the layout that an analysis chose. It is
// asked before the rules for types.
func (tc *TypeConverter) ValueRule(f func(ir.Value) ([]ir.Type, bool)) {
	tc.values = append(tc.values, f)
}

// Source sets the hook that makes a value of the old type, for an operation that was not converted, from converted ones; Target sets the
// one that makes converted values from one of the old type.
func (tc *TypeConverter) Source(m Materializer) { tc.source = m }
func (tc *TypeConverter) Target(m Materializer) { tc.target = m }

// Convert returns the types that t becomes, and false when no rule applies.
func (tc *TypeConverter) Convert(t ir.Type) ([]ir.Type, bool) {
	if tc == nil {
		return []ir.Type{t}, true
	}
	for i := len(tc.rules) - 1; i >= 0; i-- {
		if ts, ok := tc.rules[i](t); ok {
			return ts, true
		}
	}
	return nil, false
}

// ConvertValue returns the types that a value becomes, and false when no rule applies.
func (tc *TypeConverter) ConvertValue(v ir.Value) ([]ir.Type, bool) {
	if tc != nil {
		for i := len(tc.values) - 1; i >= 0; i-- {
			if ts, ok := tc.values[i](v); ok {
				return ts, true
			}
		}
	}
	return tc.Convert(v.Type())
}

// ConvertAll returns the types that ts become, one after the other; false when one cannot be converted.
func (tc *TypeConverter) ConvertAll(ts []ir.Type) ([]ir.Type, bool) {
	var out []ir.Type
	for _, t := range ts {
		n, ok := tc.Convert(t)
		if !ok {
			return nil, false
		}
		out = append(out, n...)
	}
	return out, true
}

// IsLegal reports whether a type becomes itself.
func (tc *TypeConverter) IsLegal(t ir.Type) bool {
	ts, ok := tc.Convert(t)
	return ok && len(ts) == 1 && ts[0] == t
}

// IsLegalOp reports whether the types of all operands, results and entry block arguments of op are legal: a Dynamic legality.
func (tc *TypeConverter) IsLegalOp(op ir.Op) bool {
	for i := range op.NumOperands() {
		if !tc.IsLegal(op.Operand(i).Type()) {
			return false
		}
	}
	for i := range op.NumResults() {
		if !tc.IsLegal(op.Result(i).Type()) {
			return false
		}
	}
	for i := range op.NumRegions() {
		if r := op.Region(i); !r.Empty() {
			for _, arg := range r.First().Args() {
				if !tc.IsLegal(arg.Type()) {
					return false
				}
			}
		}
	}
	return true
}

func typesOf(vs []ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type()
	}
	return ts
}

func haveTypes(vs []ir.Value, ts []ir.Type) bool { return slices.Equal(typesOf(vs), ts) }
