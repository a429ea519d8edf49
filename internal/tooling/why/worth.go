package why

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/sm"
)

// A bill is what a kernel costs.
type bill struct {
	counts map[string]int // instructions of the code, by kind
	all    int
	cycles int // of an iteration of the slowest loop, or of all: the model's
	loop   bool
}

// counted are the kinds of instructions that a bill tells apart, the first that fits counts.
var counted = []struct {
	name string
	is   func() *regexp.Regexp
}{
	{"TMA copies", lazy.Regexp(`^cp\.async\.bulk\.tensor`)},
	{"cp.async", lazy.Regexp(`^cp\.async\.c[ag]`)},
	{"loads", lazy.Regexp(`^ld\.(weak\.|relaxed\.|acquire\.)?.*global`)},
	{"stores", lazy.Regexp(`^st\..*global`)},
	{"matrix instructions", lazy.Regexp(`^(mma|wgmma\.mma_async|tcgen05\.mma)\b`)},
	{"multiply-adds", lazy.Regexp(`^fma\.`)},
}

var opcode = lazy.Regexp(`^\t(?:@!?%\w+ )?([a-z][a-z0-9_.:]*)`)

func billOf(ptx []byte) bill {
	b := bill{counts: make(map[string]int)}
	for line := range strings.Lines(string(ptx)) {
		m := opcode().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		b.all++
		for _, k := range counted {
			if k.is().MatchString(m[1]) {
				b.counts[k.name]++
				break
			}
		}
	}
	return b
}

// finish compiles what early returned down to PTX and counts. Its function is all that counts.
func (s *Source) finish(ctx context.Context, module ir.Op, function string) (bill, error) {
	opts := s.Options
	w := &watcher{function: function}
	opts.To, opts.Instruments, opts.Reproducer, opts.Record, opts.Decisions, opts.LineInfo = property.PTX, []pipeline.Instrument{w}, nil, false, false, false
	plan, _, err := compile.Plan(module, opts)
	if err != nil {
		return bill{}, err
	}
	if w.arch, err = plan.Goal.Target.Arch(); err != nil {
		return bill{}, err
	}
	result, err := compile.To(ctx, module, opts)
	if err != nil {
		return bill{}, err
	}
	b := billOf(entry(result.PTX, function))
	b.cycles, b.loop = w.cycles, w.loop
	return b, nil
}

// entry returns the text of one kernel.
func entry(ptx []byte, name string) []byte {
	text := string(ptx)
	for part := range strings.SplitSeq(text, ".entry ") {
		if strings.HasPrefix(part, name+"(") || strings.HasPrefix(part, name+" ") || strings.HasPrefix(part, name+"\n") {
			return []byte(part)
		}
	}
	return ptx
}

// A watcher asks the model what the kernel costs, just before the code of its threads is made.
type watcher struct {
	function string
	arch     *sm.Arch
	cycles   int
	loop     bool
}

func (w *watcher) AfterPass(*pipeline.Event) {}

func (w *watcher) BeforePass(ev *pipeline.Event) {
	if ev.Item.Pass.Name != "convert-tileas-to-nvvm" {
		return
	}
	ev.Op.Walk(func(fn ir.Op) ir.WalkResult {
		if !fn.Is(tileas.Level.Func) || fn.SymbolName() != w.function {
			return ir.Advance
		}
		warps, err := contract.NumWarpsOf(fn)
		if err != nil {
			return ir.Advance
		}
		m := price.NewModel(w.arch, warps)
		fn.Walk(func(op ir.Op) ir.WalkResult {
			if _, ok := ir.LoopLike.Of(op); ok && !loopInside(op) {
				if _, steps := tileas.StepLoop(op); !steps {
					w.cycles, w.loop = max(w.cycles, m.Of(op).Work()), true
				}
			}
			return ir.Advance
		})
		if !w.loop {
			w.cycles = m.Of(fn).Work()
		}
		return ir.Advance
	})
}

// loopInside reports whether a loop has another one inside.
func loopInside(loop ir.Op) bool {
	return !loop.Walk(func(op ir.Op) ir.WalkResult {
		if _, ok := ir.LoopLike.Of(op); ok && op != loop {
			if _, steps := tileas.StepLoop(op); !steps {
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
}

// than says how a bill compares with the one before.
func (b bill) than(before bill) string {
	var parts []string
	for _, k := range counted {
		if x, y := before.counts[k.name], b.counts[k.name]; x != y {
			parts = append(parts, fmt.Sprintf("%d %s become %d", x, k.name, y))
		}
	}
	text := fmt.Sprintf("%d instructions become %d", before.all, b.all)
	if len(parts) > 0 {
		text = strings.Join(parts, ", ") + "; " + text
	}
	text += " (counted in the code)"
	if before.cycles > 0 && b.cycles > 0 && before.cycles != b.cycles {
		what := "the kernel"
		if before.loop {
			what = "an iteration of the slowest loop"
		}
		text += fmt.Sprintf("; %s keeps the busiest unit for %d cycles instead of %d (estimate of the model of the machine)", what, b.cycles, before.cycles)
	}
	return text
}

// mostTrials bounds how often a program is compiled for one answer.
const mostTrials = 8

// A trier measures what cures are worth, each set of facts once.
type trier struct {
	*Source
	ctx    context.Context
	before map[string]bill
	tried  map[string]string
}

func (s *Source) trier(ctx context.Context) *trier {
	return &trier{s, ctx, make(map[string]bill), make(map[string]string)}
}

// worth says what the cure of remarks together is worth; "" where no promise cures them, or it cannot be tried.
func (t *trier) worth(ds ...*ir.Diagnostic) string {
	fn := ds[0].Decision.Function
	module, err := t.early(t.ctx)
	if err != nil {
		return ""
	}
	var key strings.Builder
	applied := false
	for _, d := range ds {
		for _, l := range losses(module, d) {
			if l.need > 1 && assume(l) {
				applied = true
				fmt.Fprintf(&key, "%d:%d,", l.value.ID(), l.need)
			}
		}
		if remark.Of(d.Decision) == remark.MMAMissed && asTF32(module, d) {
			applied = true
			key.WriteString("tf32 " + place(d.Loc))
		}
	}
	if !applied {
		return ""
	}
	if text, ok := t.tried[fn+key.String()]; ok || len(t.tried) >= mostTrials {
		return text
	}
	if _, ok := t.before[fn]; !ok {
		plain, err := t.early(t.ctx)
		if err != nil {
			return ""
		}
		if t.before[fn], err = t.finish(t.ctx, plain, fn); err != nil {
			return ""
		}
	}
	after, err := t.finish(t.ctx, module, fn)
	if err != nil {
		return ""
	}
	text := after.than(t.before[fn])
	t.tried[fn+key.String()] = text
	return text
}

// assume promises a fact after where it was lost.
func assume(l loss) bool {
	var b *ir.Builder
	if def := l.value.DefiningOp(); !def.IsNil() {
		b = ir.BuilderAfter(def)
	} else if first := l.value.Block().First(); !first.IsNil() {
		b = ir.BuilderBefore(first)
	} else {
		return false
	}
	c := b.Context()
	op := b.Create(tileaa.Assume, []ir.Value{l.value}, []ir.Type{l.value.Type()}, ir.NamedAttr{Name: tileaa.AttrDivBy, Value: c.IntAttr(c.Int(64), l.need)})
	l.value.ReplaceUsesIf(op.Result(0), func(u ir.Use) bool { return u.Owner() != op })
	return true
}

// asTF32 rounds the operands of the MMAs at the place of a remark to tf32.
func asTF32(module ir.Op, d *ir.Diagnostic) (applied bool) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(tileaa.Level.Dot) || place(op.Loc()) != place(d.Loc) {
			return ir.Advance
		}
		c := op.Context()
		if a, b := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Operand(1).Type()); a != c.F32() || b != c.F32() {
			return ir.Advance
		}
		b := ir.BuilderBefore(op)
		for i := range 2 {
			v := op.Operand(i)
			op.SetOperand(i, b.Create(arith.FToF, []ir.Value{v}, []ir.Type{arith.WithElement(v.Type(), c.Float(numeric.TF32))}).Result(0))
		}
		applied = true
		return ir.Advance
	})
	return applied
}
