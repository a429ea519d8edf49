package passes

import "github.com/tilewright/tilewright/ir"

// FirstBroken returns the first of some properties that op, and everything in it, does not have, with the reason; nil
// when it has them all. One walk serves all of them, since the manager asks after every pass.
func FirstBroken(props []*Property, op ir.Op, t *Target) (*Property, *ir.Diagnostic) {
	if t == nil {
		t = new(Target)
	}
	w := &checkWalk{target: t}
	for _, p := range props {
		switch {
		// A level is about every operation, also outside of units such as kernels.
		case p.IsLevel() && p.dialect != "":
			w.visitors = append(w.visitors, visitor{p, w.onlyLevel(p)})
		case !p.check.isZero():
			w.props = append(w.props, p)
		}
	}
	if len(w.visitors) == 0 && len(w.props) == 0 {
		return nil, nil
	}
	w.outside = len(w.visitors)
	w.op(op, false)
	return w.broken, w.why
}

// A visitor looks at operations for a property.
type visitor struct {
	prop *Property
	see  func(ir.Op) *ir.Diagnostic
}

// A checkWalk is one walk for several properties.
type checkWalk struct {
	target *Target
	props  []*Property // those that units have
	// visitors are asked about each operation: outside of units those of the levels only.
	visitors []visitor
	outside  int

	broken *Property
	why    *ir.Diagnostic
}

// onlyLevel returns a check that finds operations of other levels.
func (w *checkWalk) onlyLevel(level *Property) func(ir.Op) *ir.Diagnostic {
	levels := levelsByDialect()
	// Dialects that are no level, such as arith and scf, may occur at several levels.
	return func(op ir.Op) *ir.Diagnostic {
		d := op.Dialect()
		if d == nil || d.Name == level.dialect {
			return nil
		}
		if other := levels[d.Name]; other != nil {
			return op.Errorf("is of level '%s', and does not belong to level '%s'", other.level, level.level)
		}
		return nil
	}
}

// op walks an operation and reports whether to go on.
func (w *checkWalk) op(op ir.Op, inUnit bool) bool {
	enters := !inUnit && w.enter(op)
	if w.broken != nil {
		return false
	}
	for _, v := range w.visitors {
		if d := v.see(op); d != nil {
			w.broken, w.why = v.prop, d
			return false
		}
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				if !w.op(inner, inUnit || enters) {
					return false
				}
			}
		}
	}
	if enters {
		w.visitors = w.visitors[:w.outside]
	}
	return true
}

// enter sets up the visitors for a unit, if op is one, and runs the checks of the entire unit.
func (w *checkWalk) enter(op ir.Op) bool {
	if len(w.props) == 0 || op.Dialect() == nil {
		return false
	}
	level := LevelOf(op.Dialect().Name)
	if level == nil || level.unit != op.Name() {
		return false
	}
	for _, p := range w.props {
		if p.at != nil && p.at != level {
			continue
		}
		if p.check.Unit != nil {
			if d := p.check.Unit(op, w.target); d != nil {
				w.broken, w.why = p, d
				return true
			}
		}
		if p.check.Ops != nil {
			if see := p.check.Ops(op, w.target); see != nil {
				w.visitors = append(w.visitors, visitor{p, see})
			}
		}
	}
	return true
}
