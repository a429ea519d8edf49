package why

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/property/tileaaprop"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/pipeline/compile"
)

// A Source is a program unchanged written, and what it is compiled for.
type Source struct {
	// Read returns a new copy of the module, in a context of its own whose diagnostics nobody sees.
	Read    func() (ir.Op, error)
	Options compile.Options
	// Arguments are what the parameters are in the user's program; nil where that is not known.
	Arguments Arguments
}

// early returns the program where promises still stand and accesses are what they will be.
func (s *Source) early(ctx context.Context) (ir.Op, error) {
	module, err := s.Read()
	if err != nil {
		return module, err
	}
	opts := s.Options
	opts.To, opts.Instruments, opts.Reproducer, opts.Record, opts.Decisions = tileaaprop.FactsAttached, nil, nil, false, false
	_, err = compile.To(ctx, module, opts)
	return module, err
}

// A loss is where a fact was lost.
type loss struct {
	value  ir.Value // what the assume would be of
	need   int64
	fn     ir.Op
	missed ir.MissingFact
}

// Locate adds to remarks with missing facts what is missing, where that was lost, and the cure. Remarks of what was
// not found stay as they are: a pass may have made the access.
func (s *Source) Locate(ctx context.Context, ds []*ir.Diagnostic) error {
	if !slices.ContainsFunc(ds, func(d *ir.Diagnostic) bool { return d.Decision != nil && len(d.Decision.Missing) > 0 }) {
		return nil
	}
	module, err := s.early(ctx)
	if err != nil {
		return err
	}
	for _, d := range ds {
		if d.Decision == nil {
			continue
		}
		for _, l := range losses(module, d) {
			add := func(key, text string) {
				if !slices.Contains(d.Decision.Args, ir.DecisionArg{Key: key, Value: text}) {
					d.Decision.Args = append(d.Decision.Args, ir.DecisionArg{Key: key, Value: text})
				}
			}
			if a := s.Arguments.of(l); a != nil {
				add(remark.FactKey, a.fact(l.need))
				add(remark.LostKey, fmt.Sprintf("argument `%s` of `%s`", a.Name, s.Arguments.name(l.fn.SymbolName())))
				add(remark.CureKey, a.cure(l.need))
				continue
			}
			add(remark.FactKey, l.fact())
			add(remark.LostKey, l.place())
			add(remark.CureKey, l.cure())
		}
	}
	return nil
}

// losses finds where the facts of a remark were lost.
func losses(module ir.Op, d *ir.Diagnostic) (out []loss) {
	if len(d.Decision.Missing) == 0 {
		return nil
	}
	at := place(d.Loc)
	var fn ir.Op
	var known *divisibility.Facts
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.Func) {
			fn, known = op, nil
		}
		if !op.Is(tileaa.Level.TiledLoad) && !op.Is(tileaa.Level.TiledStore) || place(op.Loc()) != at || fn.IsNil() || fn.SymbolName() != d.Decision.Function {
			return ir.Advance
		}
		if known == nil {
			known = divisibility.Analyze(fn, intrange.Analyze(fn))
		}
		for _, m := range d.Decision.Missing {
			v, ok := operand(tile.AccessOf(op), m)
			if !ok {
				continue
			}
			need := m.Divisor
			if need == 0 { // the constant 1 cannot be promised
				if ir.ConstantValue(v) == nil {
					out = append(out, loss{v, 0, fn, m})
				}
				continue
			}
			for _, l := range trace(v, need, known, 0) {
				l.fn, l.missed = fn, m
				if !slices.ContainsFunc(out, func(o loss) bool { return o.value == l.value && o.need == l.need && o.missed == m }) {
					out = append(out, l)
				}
			}
		}
		return ir.Advance
	})
	return out
}

func operand(a tile.Access, m ir.MissingFact) (v ir.Value, ok bool) {
	list := map[string][]ir.Value{"base": {a.Base}, "offset": a.Offsets, "size": a.Sizes, "stride": a.Strides}[m.Operand]
	if m.Dim < 0 || m.Dim >= len(list) {
		return v, false
	}
	return list[m.Dim], true
}

// maxTraced bounds the operations between an access and where a fact was lost.
const maxTraced = 64

// trace follows a number that is not known to be a multiple of need back to where that was lost. What keeps divisors
// is followed through operands that lack it; all else is the place.
func trace(v ir.Value, need int64, known *divisibility.Facts, depth int) []loss {
	if known.Of(v).Divisor()%need == 0 || need <= 1 {
		return nil
	}
	def := v.DefiningOp()
	if def.IsNil() || depth > maxTraced {
		return []loss{{value: v, need: need}}
	}
	var through []ir.Value
	switch name := def.Def().Name; name {
	case "assume", "extsi", "extui", "trunci", "index_cast", "select", "addi", "subi", "minsi", "maxsi", "minui", "maxui":
		through = def.Operands()
	case "muli":
		through = slices.Clone(def.Operands())
		// One factor with the divisor is enough: ask for it of the one that the program can promise of, a parameter
		// or what is loaded, rather than of a constant.
		slices.SortStableFunc(through, func(a, b ir.Value) int { return rank(a) - rank(b) })
		have := known.Of(through[1]).Divisor()
		for have > 1 && need > 1 && need%2 == 0 && have%2 == 0 {
			need, have = need/2, have/2
		}
		through = through[:1]
	case tileaa.Level.AddPtr.Name:
		if known.Of(def.Operand(0)).Divisor()%need != 0 {
			return trace(def.Operand(0), need, known, depth+1)
		}
		return []loss{{value: v, need: need}}
	default:
		return []loss{{value: v, need: need}}
	}
	var out []loss
	for _, o := range through {
		if ir.ElementType(o.Type()) != ir.ElementType(v.Type()) && def.Def().Name == "select" { // its condition
			continue
		}
		if ir.ConstantValue(o) != nil && known.Of(o).Divisor()%need != 0 {
			return []loss{{value: v, need: need}} // the constant is what breaks it
		}
		out = append(out, trace(o, need, known, depth+1)...)
	}
	if len(out) == 0 {
		return []loss{{value: v, need: need}}
	}
	return out
}

func rank(v ir.Value) int {
	switch {
	case v.DefiningOp().IsNil():
		return 0
	case ir.ConstantValue(v) != nil:
		return 2
	}
	return 1
}

// fact says what is missing.
func (l loss) fact() string {
	name := l.missed.Operand
	if name != "base" {
		name = fmt.Sprintf("%s of dimension %d", name, l.missed.Dim)
	}
	switch {
	case l.missed.Divisor == 0:
		return fmt.Sprintf("the %s is not known to be 1", name)
	case l.missed.Operand == "base":
		return fmt.Sprintf("the base is not known to be a multiple of %d bytes", l.missed.Divisor)
	}
	return fmt.Sprintf("the %s is not known to be a multiple of %d elements", name, l.missed.Divisor)
}

// parameter returns which parameter of the kernel a value is, from 0; -1 for none.
func (l loss) parameter() int {
	if l.value.IsBlockArg() && l.value.Block() == l.fn.Body() {
		return l.value.Index()
	}
	return -1
}

// place says where it was lost.
func (l loss) place() string {
	if i := l.parameter(); i >= 0 {
		return fmt.Sprintf("parameter %d of '%s', of which nothing like it is promised", i, l.fn.SymbolName())
	}
	def := l.value.DefiningOp()
	if def.IsNil() {
		return "a number that a loop or a branch carries"
	}
	text := "'" + spelt(def) + "'"
	if at := place(def.Loc()); at != "" {
		text += " at " + at
	}
	for _, o := range def.Operands() {
		if c, ok := ir.ConstantValue(o).(*ir.IntegerAttr); ok {
			return text + fmt.Sprintf(", by the constant %d", c.Value)
		}
	}
	return text
}

// spelt is what the program calls an operation.
func spelt(op ir.Op) string {
	name := strings.TrimPrefix(op.Name(), "nv_tileaa.")
	if name == tileaa.Level.AddPtr.Name {
		return "offset"
	}
	return name
}

// cure says what to change in the program.
func (l loss) cure() string {
	var what string
	if i := l.parameter(); i >= 0 {
		what = fmt.Sprintf("parameter %d", i)
	} else if def := l.value.DefiningOp(); !def.IsNil() {
		what = "what '" + spelt(def) + "' makes"
	} else {
		what = "that number"
	}
	if l.missed.Divisor == 0 {
		return fmt.Sprintf("give dimension %d the static stride 1 in the type of the view, if memory is contiguous along it; else make the last dimension of the operand contiguous", l.missed.Dim)
	}
	if l.parameter() < 0 {
		if def := l.value.DefiningOp(); !def.IsNil() && strings.Contains(l.place(), "constant") {
			unit := "elements"
			if l.missed.Operand == "base" {
				unit = "bytes"
			}
			return fmt.Sprintf("begin at a multiple of %d %s, or promise of %s that it is one (assume div_by<%d>)", l.need, unit, what, l.need)
		}
	}
	return fmt.Sprintf("add assume div_by<%d> to %s (the %s)", l.need, what, role(l.missed))
}

func role(m ir.MissingFact) string {
	if m.Operand == "base" {
		return "base"
	}
	return fmt.Sprintf("%s of dimension %d", m.Operand, m.Dim)
}

// place spells a location; "" for none.
func place(l ir.Location) string {
	if f := ir.FileLocOf(l); f != nil {
		return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	return ""
}
