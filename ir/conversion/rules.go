package conversion

import "github.com/tilewright/tilewright/ir"

// A Rule converts one operation: it builds what stands for it, and binds its results.
type Rule[C Converter] func(c C, op ir.Op) error

// A Converter is what the rules of a level work with: a type that embeds State.
type Converter interface{ state() *State }

// Rules says how the operations of a level are converted.
type Rules[C Converter] struct {
	level      string
	rows       map[*ir.OpDef]Rule[C]
	capability []func(ir.Op) Rule[C]
}

// NewRules returns an empty table for the conversion to a level, which messages name.
func NewRules[C Converter](level string) *Rules[C] {
	return &Rules[C]{level: level, rows: make(map[*ir.OpDef]Rule[C])}
}

// Add adds rows to the table. A second rule for an operation is a mistake in the program.
func (r *Rules[C]) Add(rows map[*ir.OpDef]Rule[C]) *Rules[C] {
	for def, rule := range rows {
		if r.rows[def] != nil {
			panic("conversion: two rules for " + def.FullName())
		}
		r.rows[def] = rule
	}
	return r
}

// Capability adds a rule for operations without a row, which it chooses by what an operation can do rather than by
// its name; it returns nil for others. Those that were added first are asked first.
func (r *Rules[C]) Capability(choose func(ir.Op) Rule[C]) *Rules[C] {
	r.capability = append(r.capability, choose)
	return r
}

// of returns the rule of an operation; nil when there is none.
func (r *Rules[C]) of(op ir.Op) Rule[C] {
	if rule := r.rows[op.Def()]; rule != nil {
		return rule
	}
	for _, choose := range r.capability {
		if rule := choose(op); rule != nil {
			return rule
		}
	}
	return nil
}

// Run calls body, which converts operations with c by these rules. Its error is a diagnostic.
func (r *Rules[C]) Run(c C, body func() error) (err error) {
	s := c.state()
	s.convert = func(op ir.Op) error {
		rule := r.of(op)
		if rule == nil {
			return op.Errorf("is not lowered to %s yet", r.level)
		}
		return rule(c, op)
	}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			err = f.err
		default:
			panic(f)
		}
	}()
	return body()
}
