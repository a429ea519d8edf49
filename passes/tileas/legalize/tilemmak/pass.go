package tilemmak

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

var numSteps = passes.NewStatistic("steps", "steps that MMAs were cut into")

// Pass is tileas-tile-mma-k.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-tile-mma-k",
	Formerly: []string{"tileas-cut-products"},
	Summary:  "tile MMAs along K",
	Doc: "Splits each MMA whose operands come from shared memory into one MMA per K step of its instruction. An operand fragment then occupies registers for one step only. " +
		"An MMA without tensor cores becomes a loop over K, so that its code does not grow with K.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned, tileasprop.InstructionsChosen},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "copies put the operands into shared memory"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "it schedules the K steps"},
		{Pass: "tileas-materialize-convert-layout", Reason: "splitting an operand in registers creates layout conversions"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers for the operands of loops"},
	},
	Destroys:   []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised},
	Statistics: []*passes.Statistic{numSteps},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	k := budget.Of(r.Op, arch)
	c := &cutter{tensors: k.Registers(budget.ForLoops), room: int64(k.Shared(budget.ForOperands)), limits: schedule.LimitsOf(r.Op, arch), may: r.May, missing: make(map[ir.Op]int)}
	for _, op := range r.Op.Collect(tileas.IsMMA) {
		if n := c.cut(op); n > 1 {
			r.Add(numSteps, n)
		}
	}
	return nil
}

// An operand is one of the two operands of an MMA.
type operand struct {
	value ir.Value
	load  ir.Op         // the operation that loads it, for this MMA alone; a zero Op: it is in registers
	part  linear.Layout // of a step
	kDim  int           // the dimension that is split
	step  int           // the length of a part along it
	group linear.Layout // of what is loaded at once: one step, or several (loadsSteps)
	last  ir.Value      // the group loaded last
	taken []ir.Op       // what extracts a part of what is loaded, at a place that only the run tells (extracted), or converts its layout
	place ir.Value      // that place along K; a zero Value: the beginning
}

// cut splits an MMA and returns the number of steps; 1 if it was left.
func (c *cutter) cut(op ir.Op) int {
	row, _ := instr.RowOf(op)
	if row.Family == sm.FMA {
		return c.inThreads(op)
	}
	kExtent := mma.KExtent(op)
	steps := kExtent / row.K
	step, err := instr.TileOfK(op, row.K)
	if err != nil {
		return 1
	}
	c.storeExtracted(op)
	operands, ok := operandsOf(op, row, step)
	// If both operands are in registers anyway, steps would save nothing.
	if steps < 2 || !ok || operands[0].load.IsNil() && operands[1].load.IsNil() || !c.may("cut", op) {
		return 1
	}
	builder := ir.BuilderBefore(op).WithLoc(op.Loc())
	for i := range operands {
		if i < 2 { // scales are few
			c.reload(op, &operands[i])
		}
		operands[i].prepare(builder)
	}
	op.ReplaceWith(stepwise(builder, op, operands, steps, op.Operand(2)))
	eraseUnused(operands)
	return steps
}

// stepwise creates the MMAs of n steps, and returns their accumulator. It goes from step to step in the order of K, so the
// result has the same bits.
func stepwise(b *ir.Builder, op ir.Op, f []operand, n int, accumulator ir.Value) ir.Value {
	for k := range n {
		var operands []ir.Value
		for i := range f {
			operands = append(operands, f[i].take(b, k))
		}
		accumulator = b.Create(op.Def(), slices.Insert(operands, 2, accumulator), op.ResultTypes(), op.InherentAttrs()...).Result(0)
	}
	return accumulator
}

// eraseUnused erases what loads operands, and nothing uses any more.
func eraseUnused(f []operand) {
	for i := range f {
		for _, gone := range append(f[i].taken, f[i].load) {
			if !gone.IsNil() && !gone.HasUses() {
				gone.Erase()
			}
		}
	}
}

// operandsOf looks at all operands of an MMA except its accumulator; ok is false if one cannot be taken in steps.
func operandsOf(op ir.Op, row *sm.Matrix, step linear.MMATile) (operands []operand, ok bool) {
	a, okA := operandAt(op, 0, step.A, row.K)
	b, okB := operandAt(op, 1, step.B, row.K)
	if operands = []operand{a, b}; !okA || !okB || !op.Is(tileas.Level.DotScaled) {
		return operands, okA && okB
	}
	blocks := row.K / row.Scale.Block
	scaleA, scaleB, err := instr.ScalesOf(op, step, blocks)
	if err != nil {
		return operands, false
	}
	sa, okA := operandAt(op, 3, scaleA, blocks)
	sb, okB := operandAt(op, 4, scaleB, blocks)
	return append(operands, sa, sb), okA && okB
}

// operandAt looks at an operand of which each step takes a part in the layout want; ok is false if it cannot be
// taken in steps.
func operandAt(op ir.Op, i int, want linear.Layout, step int) (f operand, ok bool) {
	v := op.Operand(i)
	l, _ := tileas.LayoutOf(v.Type())
	f = operand{value: v, kDim: l.Dims() - 1 - i%3, step: step} // A and its scales are cut along columns, B and its scales along rows
	shape := l.Shape()
	shape[f.kDim] = step
	part, err := l.Part(shape)
	// If a thread holds copies of elements, a part has them in fewer registers than the instruction takes.
	if err != nil || !part.Equal(want) {
		return f, false
	}
	f.part = part
	if i > 2 { // scales are few, and a word has those of several steps: they are loaded once for all
		return f, true
	}
	// Loading later is correct only if nothing else uses the loaded value and nothing writes to the buffer in between.
	if def := ownOperand(v, op); !def.IsNil() && loadsWhole(def) {
		f.load = def
		return f, f.loadsSteps()
	}
	if ops := extracted(v, op, f.kDim); len(ops) > 0 {
		if f.load = ops[len(ops)-1].Operand(0).DefiningOp(); loadsWhole(f.load) && f.loadsSteps() {
			f.taken = ops
			return f, true
		}
		f.load = ir.Op{}
	}
	return f, true
}

// loadsWhole reports whether an operation loads an entire buffer that nothing else writes to after it. It may then be
// moved down, and into loops.
func loadsWhole(op ir.Op) bool {
	if op.IsNil() || !op.Is(tileas.LocalLoad) || op.Attr(tileas.AttrFrom) != nil {
		return false
	}
	w, only := filler(op.Operand(0))
	return only && (w.IsNil() || precedes(w, op))
}

// ownOperand returns the operation of an MMA's block that computes a value used by nothing else.
func ownOperand(v ir.Value, dot ir.Op) ir.Op {
	if def := v.DefiningOp(); !def.IsNil() && v.HasOneUse() && def.Block() == dot.Block() {
		return def
	}
	return ir.Op{}
}

// loadsSteps reports whether the steps can be loaded one after the other, or a few at once. For example, where warps have
// 8 columns each, ldmatrix loads B for two steps of 16.
func (f *operand) loadsSteps() bool {
	all := tile.Shape(f.value.Type())[f.kDim]
	for f.group = f.part; !f.loads(f.group); {
		shape := f.group.Shape()
		shape[f.kDim] *= 2
		var err error
		if f.group, err = f.part.Whole(shape); err != nil || int64(shape[f.kDim]) >= all {
			return false
		}
	}
	return true
}

// loads reports whether each part can be loaded by itself: no access may load elements of two parts.
func (f *operand) loads(part linear.Layout) bool {
	b := f.load.Operand(0).Type().(*tileas.BufferType)
	whole, _ := part.Whole(b.Layout.Shared.Shape()) // of which it is a part
	p := tileas.LocalPart{Whole: whole, N: part.Size(linear.Register)}
	bits := 8 * int(b.ElementBytes())
	mode, _, err := linear.BestAccess(whole, b.Layout.Shared, bits, linear.AccessOptions{Matrix: true})
	if err != nil {
		return false
	}
	if mode == linear.Plain {
		_, err := p.Plan(b.Layout.Shared, bits)
		return err == nil
	}
	plan, err := linear.PlanMatrix(whole, b.Layout.Shared, bits, mode == linear.MatrixTrans)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(plan.Ops, func(m linear.MatrixOp) bool {
		_, err := p.Has(slices.Concat(m.Registers...))
		return err != nil
	})
}

// prepare views an operand in registers as subtiles.
func (f *operand) prepare(b *ir.Builder) {
	if f.load.IsNil() {
		f.value = tileas.AsParts(b, f.value, f.part)
	}
	if n := len(f.taken); n > 0 && f.taken[n-1].Is(tileas.Level.Extract) {
		extract := f.taken[n-1]
		index := extract.Operand(1 + f.kDim)
		extent := arith.NewInt(b, index.Type(), tile.Shape(extract.Result(0).Type())[f.kDim])
		f.place = b.Create(arith.MulI, []ir.Value{index, extent}, []ir.Type{index.Type()}).Result(0)
	}
}

// take returns the n-th part after the place along K, which may be a run-time value.
func (f *operand) take(b *ir.Builder, n int) ir.Value {
	at, of := make([]int, f.part.Dims()), f.value
	at[f.kDim] = n
	if !f.load.IsNil() {
		steps := f.group.Shape()[f.kDim] / f.step
		if n%steps == 0 {
			f.last = f.loadAt(b, n*f.step)
		}
		if at[f.kDim], of = n%steps, f.last; steps == 1 {
			return of
		}
	}
	return tileas.TakePart(b, of, f.part, at)
}

// loadAt loads a group of steps from a place along K.
func (f *operand) loadAt(b *ir.Builder, k int) ir.Value {
	c := b.Context()
	at := make([]int64, f.part.Dims())
	at[f.kDim] = int64(k)
	whole := f.load.Result(0).Type().(*ir.TensorType)
	from := []ir.Value{f.load.Operand(0)}
	attrs := []ir.NamedAttr{{Name: tileas.AttrFrom, Value: c.DenseArray(c.Int(64), at...)}}
	if !f.place.IsNil() {
		from = append(from, f.place)
		attrs = append(attrs, tileas.Number(c, tileas.AttrAlong, int64(f.kDim)))
	}
	return b.Create(tileas.LocalLoad, from, []ir.Type{tileas.PartType(whole, f.group)}, attrs...).Result(0)
}
