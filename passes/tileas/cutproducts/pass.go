package cutproducts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

var numSteps = passes.NewStatistic("steps", "steps that products were cut into")

// Pass is tileas-cut-products.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileas-cut-products",
	Title:   "TileASCutProducts",
	Summary: "cut products along their depth",
	Doc: "Makes of each product that loads an operand from shared memory as many as its instruction is deep, so that an operand is in registers only while it is multiplied; and of one that threads " +
		"compute alone a loop over steps, so that code does not grow with its depth.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned, property.InstructionsChosen},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "copies put operands into shared memory"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "the steps are what it places"},
		{Pass: "tileas-materialize-convert-layout", Reason: "the parts of an operand in registers are a conversion"},
		{Pass: "tileas-allocate-shared", Reason: "operands of loops lie in buffers"},
	},
	Destroys:   []*passes.Property{property.SharedAllocated, property.Synchronised},
	Statistics: []*passes.Statistic{numSteps},
	Run:        run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	c := newCutter(r.Op, arch)
	c.may = r.May
	var dots []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if tileas.IsProduct(op) {
			dots = append(dots, op)
		}
		return ir.Advance
	})
	changed := false
	for _, op := range dots {
		if n := c.cut(op); n > 1 {
			r.Add(numSteps, n)
			changed = true
		}
	}
	if !changed {
		r.MarkUnchanged()
	}
	return nil
}

// An operand is one of the two factors of a product.
type operand struct {
	value ir.Value
	load  ir.Op         // that reads it, for this product alone; a zero Op: it is in registers
	cast  ir.Op         // that converts what is loaded, before it is multiplied; or a zero Op
	part  linear.Layout // of a step
	depth int           // the dimension that is cut
	step  int           // how long a part is along it
}

// cut cuts a product and returns the number of steps; 1 when it was left.
func (c *cutter) cut(op ir.Op) int {
	row, err := matrix.RowOf(op)
	if err != nil {
		return 1
	}
	if row.Family == sm.FMA {
		return c.inThreads(op)
	}
	depth := matrix.Depth(op)
	steps := depth / row.K
	step, err := matrix.TileOfDepth(op, row.K)
	if err != nil {
		return 1
	}
	factors, ok := factorsOf(op, row, step)
	if steps < 2 || !ok || factors[0].load.IsNil() && factors[1].load.IsNil() || !c.may("cut", op) {
		return 1
	}
	builder := ir.BuilderBefore(op)
	builder.Loc = op.Loc()
	for i := range factors {
		factors[i].prepare(builder)
	}
	sum := op.Operand(2)
	for k := range steps {
		st := builder.NewState(op.Def(), op.Loc())
		for i := range factors {
			st.Operands = append(st.Operands, factors[i].take(builder, k))
		}
		st.Operands = slices.Insert(st.Operands, 2, sum)
		st.Types = op.ResultTypes()
		st.Attrs = append(st.Attrs, op.InherentAttrs()...)
		sum = builder.Insert(st).Result(0)
	}
	op.ReplaceWith(sum)
	for _, f := range factors {
		if !f.cast.IsNil() {
			f.cast.Erase()
		}
		if !f.load.IsNil() {
			f.load.Erase()
		}
	}
	return steps
}

// factorsOf looks at all operands of a product but its sum; ok is false if one cannot be taken in steps.
func factorsOf(op ir.Op, row *sm.Matrix, step linear.MMATile) (factors []operand, ok bool) {
	a, okA := factor(op, 0, step.A, row.K)
	b, okB := factor(op, 1, step.B, row.K)
	if factors = []operand{a, b}; !okA || !okB || !op.Is(tileas.Level.DotScaled) {
		return factors, okA && okB
	}
	blocks := row.K / row.Scale.Block
	scaleA, scaleB, err := matrix.ScalesOf(op, step, blocks)
	if err != nil {
		return factors, false
	}
	sa, okA := factor(op, 3, scaleA, blocks)
	sb, okB := factor(op, 4, scaleB, blocks)
	// Scales are few, and a word has those of several steps: they are loaded once for all.
	sa.load, sa.cast, sb.load, sb.cast = ir.Op{}, ir.Op{}, ir.Op{}, ir.Op{}
	return append(factors, sa, sb), okA && okB
}

// factor looks at an operand of which a step takes parts in the layout want; ok is false if it cannot be taken in steps.
func factor(op ir.Op, i int, want linear.Layout, step int) (f operand, ok bool) {
	v := op.Operand(i)
	l, ok := tileas.LayoutOf(v.Type())
	if !ok {
		return f, false
	}
	f = operand{value: v, depth: l.Dims() - 1 - i%3, step: step} // A and its scales are cut along columns, B and its scales along rows
	shape := l.Shape()
	shape[f.depth] = step
	part, err := l.Part(shape)
	// Where a thread holds copies of elements, a part has them in fewer registers than the instruction takes.
	if err != nil || !part.Equal(want) {
		return f, false
	}
	f.part = part
	if def := ownOperand(v, op); !def.IsNil() && def.Is(arith.FToF) {
		f.cast, v = def, def.Operand(0)
	}
	if def := ownOperand(v, op); !def.IsNil() && def.Is(tileas.LocalLoad) && def.Attr(tileas.AttrFrom) == nil && stays(def) {
		f.load = def
		return f, i > 2 || f.loads()
	}
	f.cast = ir.Op{}
	return f, true
}

// ownOperand returns the operation of the block of a product that makes a value for it alone.
func ownOperand(v ir.Value, product ir.Op) ir.Op {
	if def := v.DefiningOp(); !def.IsNil() && v.HasOneUse() && def.Block() == product.Block() {
		return def
	}
	return ir.Op{}
}

// loads reports whether parts can be loaded by themselves: no access may be of two.
func (f *operand) loads() bool {
	b := f.load.Operand(0).Type().(*tileas.BufferType)
	whole, err := f.part.Whole(b.Layout.Shared.Shape())
	if err != nil {
		return false
	}
	p := tileas.LocalPart{Whole: whole, N: f.part.Size(linear.Register)}
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
	for _, m := range plan.Ops {
		if _, err := p.Has(slices.Concat(m.Registers...)); err != nil {
			return false
		}
	}
	return true
}

// prepare makes the parts of an operand in registers pieces of its layout.
func (f *operand) prepare(b *ir.Builder) {
	if f.load.IsNil() {
		f.value = tileas.AsParts(b, f.value, f.part)
	}
}

// take returns the n-th part.
func (f *operand) take(b *ir.Builder, n int) ir.Value { return f.takeBehind(b, n, ir.Value{}) }

// takeBehind returns the n-th part behind a place along the depth that only the run tells, or from the beginning.
func (f *operand) takeBehind(b *ir.Builder, n int, place ir.Value) ir.Value {
	if f.load.IsNil() {
		at := make([]int, f.part.Dims())
		at[f.depth] = n
		return tileas.TakePart(b, f.value, f.part, at)
	}
	c := b.Context()
	at := make([]int64, f.part.Dims())
	at[f.depth] = int64(n * f.step)
	whole := f.load.Result(0).Type().(*ir.TensorType)
	from := []ir.Value{f.load.Operand(0)}
	attrs := []ir.NamedAttr{{Name: tileas.AttrFrom, Value: c.DenseArray(c.Int(64), at...)}}
	if !place.IsNil() {
		from = append(from, place)
		attrs = append(attrs, ir.NamedAttr{Name: tileas.AttrAlong, Value: c.IntAttr(c.Int(32), int64(f.depth))})
	}
	part := b.Create(tileas.LocalLoad, from, []ir.Type{tileas.PartType(whole, f.part)}, attrs...).Result(0)
	if f.cast.IsNil() {
		return part
	}
	st := b.NewState(f.cast.Def(), f.cast.Loc())
	st.Operands = []ir.Value{part}
	st.Types = []ir.Type{tileas.PartType(f.value.Type().(*ir.TensorType), f.part)}
	st.Attrs = append(st.Attrs, f.cast.InherentAttrs()...)
	return b.Insert(st).Result(0)
}
