package bound

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/cudatile/makeexact"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// maxSteps bounds the operations that are looked at, each as often as its loops run.
const maxSteps = 1 << 21

// maxRounds is how often a kernel is looked at that reads what it stores.
const maxRounds = 8

// Of returns, by argument, how far the buffers that a launch stores to may be from what they would be without rounding. It
// changes the module, whose launch has no segments.
func Of(module ir.Op, req *launch.Request) (map[int]launch.Tolerance, error) {
	if len(req.Segments) > 0 {
		return nil, errors.New("the launch has memory at addresses of its own")
	}
	var entry ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) && op.SymbolName() == req.Entry {
			entry = op
		}
		return ir.Advance
	})
	if entry.IsNil() {
		return nil, fmt.Errorf("the module has no entry '%s'", req.Entry)
	}
	v := &visitor{entry: entry, req: req, cells: make(map[*launch.Buffer]*cell)}
	specialize(entry, req)
	sizeViews(entry, intrange.Analyze(entry))
	v.ranges = intrange.Analyze(entry)
	for _, a := range req.Args {
		if b := a.Buffer; b != nil && v.cells[b] == nil {
			v.cells[b] = contents(b)
		}
	}
	for round := 0; ; round++ {
		v.of, v.unsure, v.changed = make(map[ir.Value]number), make(map[ir.Value]bool), false
		v.block(entry.Body())
		if v.err != nil {
			return nil, v.err
		}
		if !v.changed {
			break
		}
		if round == maxRounds {
			return nil, errors.New("the kernel reads what it stores, and errors grow each time")
		}
	}
	out := make(map[int]launch.Tolerance)
	for i, a := range req.Args {
		if c := v.cells[a.Buffer]; a.Buffer != nil && c.stored {
			out[i] = launch.Tolerance{Absolute: c.abs, Relative: c.rel}
		}
	}
	return out, nil
}

// specialize makes integer parameters the numbers of the launch, and bounds the numbers of tile blocks.
func specialize(entry ir.Op, req *launch.Request) {
	b := ir.BuilderBefore(entry.Body().First())
	b.SetLocOf(entry)
	for i, p := range entry.Body().Args() {
		t, ok := p.Type().(*cudatile.TileType)
		if ok && i < len(req.Args) && req.Args[i].Buffer == nil && intrange.TypeRange(t).IsInt() {
			p.ReplaceAllUsesWith(cudatile.NewSplat(b, t, req.Args[i].Scalar.Bits))
		}
	}
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.GetTileBlockID) {
			for d, r := range op.Results() {
				after := ir.BuilderAfter(op)
				limit := cudatile.Bounded(op.Context(), cudatile.At(0), cudatile.At(int64(req.Grid[d])-1))
				known := after.Create(cudatile.Assume, []ir.Value{r}, []ir.Type{r.Type()}, ir.NamedAttr{Name: "predicate", Value: limit})
				r.ReplaceUsesIf(known.Result(0), func(u ir.Use) bool { return u.Owner() != known })
			}
		}
		return ir.Advance
	})
}

// sizeViews makes sizes of tensors, and of their views in tiles, the numbers that they are in the launch.
func sizeViews(entry ir.Op, ranges *intrange.Ranges) {
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(cudatile.GetIndexSpaceShape) && !op.Is(cudatile.GetTensorShape) {
			return ir.Advance
		}
		maker := op.Operand(0).DefiningOp()
		view, tiled := op.Operand(0).Type().(*cudatile.PartitionViewType)
		if tiled && !maker.IsNil() {
			maker = maker.Operand(0).DefiningOp()
		}
		if maker.IsNil() || !maker.Is(cudatile.MakeTensorView) {
			return ir.Advance
		}
		given := maker.OperandsNamed("dynamicShape")
		sizes := slices.Clone(maker.Result(0).Type().(*cudatile.TensorViewType).Shape)
		for d, n := range sizes {
			if n < 0 {
				n, known := ranges.Of(given[0]).IsConst()
				if !known {
					return ir.Advance
				}
				sizes[d], given = int64(n), given[1:]
			}
		}
		b := ir.BuilderBefore(op)
		for d, r := range op.Results() {
			n := sizes[d]
			if tiled {
				parts := view.View()
				n, d = sizes[parts.DimMap[d]], int(parts.TileShape[d])
				n = (n + int64(d) - 1) / int64(d)
			}
			r.ReplaceAllUsesWith(cudatile.NewSplat(b, r.Type().(*cudatile.TileType), uint64(n)))
		}
		return ir.Advance
	})
}

// A cell is what is known of a buffer.
type cell struct {
	number
	isFloat bool
	stored  bool
}

// contents reads a buffer.
func contents(b *launch.Buffer) *cell {
	f, ok := b.DType.Format()
	c := &cell{isFloat: ok}
	for i := range b.Len() {
		if !ok || b.Uninitialized {
			break
		}
		if n := constant(f.Decode(b.DType.Load(b.Data, i))); i == 0 {
			c.number = n
		} else {
			c.number = join(c.number, n)
		}
	}
	if b.Uninitialized {
		c.number = constant(0)
	}
	return c
}

// A visitor executes a kernel on what is known of its numbers.
type visitor struct {
	entry   ir.Op
	req     *launch.Request
	ranges  *intrange.Ranges
	cells   map[*launch.Buffer]*cell
	of      map[ir.Value]number // of tiles of floats
	unsure  map[ir.Value]bool   // other tiles, where rounding may have decided
	exits   map[ir.Op][]number  // by the operation that they lead out of or around; of values that are no floats the zero
	breaks  map[ir.Op][]number
	guarded int // by conditions that rounding may have decided
	changed bool
	steps   int
	err     error
}

func formatOf(t ir.Type) (numeric.Format, bool) {
	tile, ok := t.(*cudatile.TileType)
	if !ok {
		return 0, false
	}
	float, ok := tile.Elem.(*ir.FloatType)
	if !ok {
		return 0, false
	}
	return float.Format, true
}

func (v *visitor) fail(op ir.Op, err error) {
	if v.err == nil {
		place := "'" + op.Name() + "'"
		if f := ir.FileLocOf(op.Loc()); f != nil {
			place += fmt.Sprintf(" at %s:%d", f.File, f.Line)
		}
		v.err = fmt.Errorf("%s: %w", place, err)
	}
}

func (v *visitor) value(x ir.Value) number {
	if n, ok := v.of[x]; ok {
		return n
	}
	if x.IsBlockArg() && x.Block() == v.entry.Body() && x.Index() < len(v.req.Args) {
		if f, ok := formatOf(x.Type()); ok {
			return constant(f.Decode(v.req.Args[x.Index()].Scalar.Bits))
		}
	}
	return number{grain: fine}
}

func (v *visitor) block(b ir.Block) {
	for op := range b.Ops() {
		if v.steps++; v.steps > maxSteps {
			v.fail(op, errors.New("the launch executes too many operations to look at each"))
		}
		if v.err != nil {
			return
		}
		v.visit(op)
	}
}

func (v *visitor) visit(op ir.Op) {
	switch {
	case op.Is(cudatile.For), op.Is(cudatile.Loop):
		v.loop(op)
		return
	case op.Is(cudatile.If):
		v.branch(op)
		return
	case op.Is(cudatile.Reduce), op.Is(cudatile.Scan):
		v.aggregate(op)
		return
	case op.Is(cudatile.Continue), op.Is(cudatile.Yield):
		v.leave(&v.exits, op)
		return
	case op.Is(cudatile.Break):
		v.leave(&v.breaks, op)
		return
	case op.Is(cudatile.StorePtr), op.Is(cudatile.StoreView):
		v.store(op)
		return
	case op.Is(cudatile.AtomicRMW), op.Is(cudatile.AtomicCAS), op.Is(cudatile.AtomicRedView):
		for _, x := range op.Operands() {
			if _, ok := formatOf(x.Type()); ok {
				v.fail(op, errors.New("memory adds floats, in an order and a number that are not known"))
			}
		}
	}
	unsure := v.anyUnsure(op)
	for _, r := range op.Results() {
		f, ok := formatOf(r.Type())
		if !ok {
			v.unsure[r] = unsure || v.decides(op)
			continue
		}
		n, err := v.float(op, f, unsure)
		if err != nil {
			v.fail(op, err)
			return
		}
		v.of[r] = n
	}
}

func (v *visitor) anyUnsure(op ir.Op) bool {
	for _, x := range op.Operands() {
		if v.unsure[x] {
			return true
		}
	}
	return false
}

// decides reports whether an operation makes something else of floats that may have been rounded.
func (v *visitor) decides(op ir.Op) bool {
	for _, x := range op.Operands() {
		if _, ok := formatOf(x.Type()); ok && !v.value(x).isExact() {
			return true
		}
	}
	return false
}

// float bounds the result of an operation without regions; unsure says that operands which are no floats may be others.
func (v *visitor) float(op ir.Op, f numeric.Format, unsure bool) (number, error) {
	in := func(i int) number { return v.value(op.Operand(i)) }
	flushes := op.HasUnitAttr("flush_to_zero")
	halves := 1.0
	switch cudatile.RoundingOf(op) {
	case cudatile.Approx, cudatile.Full:
		halves = 2 * slack
	case cudatile.NearestEven:
	default:
		halves = 2
	}
	round := func(n number, err error) (number, error) {
		if err != nil {
			return n, err
		}
		return n.rounded(f, halves, flushes)
	}
	switch op.Def() {
	case cudatile.AddF:
		return sum(in(0), 1, in(1), f, halves, flushes)
	case cudatile.SubF:
		n, err := sum(in(0), 1, in(1).negated(), f, halves, flushes)
		if reaches(op.Operand(1), op.Operand(0)) { // what is not above the other one
			n.hi = min(n.hi, 0)
		}
		return n, err
	case cudatile.MulF:
		return round(v.product(op), nil)
	case cudatile.Fma:
		return sum(v.product(op), 1, in(2), f, halves, flushes)
	case cudatile.MmaF: // tensor cores may cut off instead of rounding
		return sum(product(in(0), in(1)), float64(makeexact.Depth(op)), in(2), f, 2, true)
	case cudatile.MmaFScaled:
		return sum(product(product(in(0), in(3)), product(in(1), in(4))), float64(makeexact.Depth(op)), in(2), f, 2, true)
	case cudatile.NegF:
		return in(0).negated(), nil
	case cudatile.AbsF:
		n := join(in(0), in(0).negated())
		n.lo = 0
		return n, nil
	case cudatile.MaxF:
		return larger(in(0), in(1)), nil
	case cudatile.MinF:
		return larger(in(0).negated(), in(1).negated()).negated(), nil
	case cudatile.Select:
		if unsure {
			return either(in(1), in(2)), nil
		}
		return join(in(1), in(2)), nil
	case cudatile.Assume, cudatile.Broadcast, cudatile.Cat, cudatile.Extract, cudatile.Insert, cudatile.Permute, cudatile.Reshape:
		n := in(0)
		for i := 1; i < op.NumOperands(); i++ {
			if _, ok := formatOf(op.Operand(i).Type()); ok {
				n = join(n, in(i))
			}
		}
		if unsure {
			n = either(n, n)
		}
		return n, nil
	case cudatile.Constant:
		return ofConstant(op, f)
	case cudatile.FToF:
		return round(in(0), nil)
	case cudatile.IToF:
		r := v.ranges.Of(op.Operand(0))
		if unsure || !r.IsInt() {
			return number{}, errors.New("converts an integer that rounding may have decided")
		}
		n := join(constant(float64(r.SMin)), constant(float64(r.SMax)))
		if signedness, _ := cudatile.Signednesses.ValueOf(op.Attr("signedness")); cudatile.Signedness(signedness) == cudatile.Unsigned {
			n = join(constant(float64(r.UMin)), constant(float64(r.UMax)))
		}
		n.grain, n.least = 0, 1
		return round(n, nil)
	case cudatile.LoadPtr, cudatile.LoadView:
		return v.load(op, unsure)
	case cudatile.DivF:
		return round(quotient(in(0), in(1)))
	case cudatile.Sqrt:
		return round(in(0).root(false))
	}
	halves = 2 * slack
	switch op.Def() {
	case cudatile.Rsqrt:
		return round(in(0).root(true))
	case cudatile.Exp:
		return round(in(0).power(1))
	case cudatile.Exp2:
		return round(in(0).power(math.Ln2))
	case cudatile.Log:
		return round(in(0).logarithm(1))
	case cudatile.Log2:
		return round(in(0).logarithm(math.Log2E))
	case cudatile.TanH, cudatile.Sin, cudatile.Cos:
		return round(in(0).steady(-1, 1), nil)
	}
	return number{}, errors.New("has no bound of errors")
}

// product is that of two operands, which may be the same one.
func (v *visitor) product(op ir.Op) number {
	n := product(v.value(op.Operand(0)), v.value(op.Operand(1)))
	if op.Operand(0) == op.Operand(1) {
		n.lo = max(n.lo, 0)
	}
	return n
}

// ofConstant joins the elements of a constant.
func ofConstant(op ir.Op, f numeric.Format) (number, error) {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return number{}, errors.New("is a constant of another kind")
	}
	t := op.Result(0).Type().(*cudatile.TileType)
	n := constant(f.Decode(a.Bits(t.Elem, 0)))
	for i := 1; i < int(t.NumElements()) && !a.IsSplat(t.Elem); i++ {
		n = join(n, constant(f.Decode(a.Bits(t.Elem, i))))
	}
	return n, nil
}

// reaches reports whether a tile is a maximum over another one, or of another one: then the other one is not above it.
func reaches(most, x ir.Value) bool {
	shape := func(v ir.Value) ir.Value {
		for op := v.DefiningOp(); !op.IsNil() && (op.Is(cudatile.Broadcast) || op.Is(cudatile.Reshape)); op = v.DefiningOp() {
			v = op.Operand(0)
		}
		return v
	}
	if most, x = shape(most), shape(x); most == x {
		return true
	}
	op := most.DefiningOp()
	switch {
	case op.IsNil():
		return false
	case op.Is(cudatile.MaxF):
		return reaches(op.Operand(0), x) || reaches(op.Operand(1), x)
	case op.Is(cudatile.Reduce):
		return op.NumOperands() == 1 && shape(op.Operand(0)) == x && op.Body().First().Is(cudatile.MaxF)
	}
	return false
}

// cell returns what is known of the memory that an operation accesses.
func (v *visitor) cell(op ir.Op) *cell {
	p := makeexact.Parameter(v.entry, makeexact.Addressed(op))
	if p.IsNil() || p.Index() >= len(v.req.Args) || v.req.Args[p.Index()].Buffer == nil {
		v.fail(op, errors.New("accesses memory of which it is not known which buffer it is"))
		return &cell{}
	}
	return v.cells[v.req.Args[p.Index()].Buffer]
}

func (v *visitor) load(op ir.Op, unsure bool) (number, error) {
	c := v.cell(op)
	if v.err == nil && !c.isFloat {
		return number{}, errors.New("loads floats of a buffer of integers")
	}
	n := c.number
	if op.Is(cudatile.LoadView) {
		n = join(n, constant(0)) // outside of the tensor
		n.infinite = true
	} else {
		for _, x := range op.OperandsNamed("paddingValue") {
			n = join(n, v.value(x))
		}
	}
	if unsure {
		n = either(n, n)
	}
	return n, nil
}

func (v *visitor) store(op ir.Op) {
	c := v.cell(op)
	if v.err != nil {
		return
	}
	name := "value"
	if op.Is(cudatile.StoreView) {
		name = "tile"
	}
	x := op.OperandNamed(name)
	if v.guarded > 0 || v.anyUnsure(op) {
		v.fail(op, errors.New("rounding may decide what is stored, or where"))
		return
	}
	before := *c
	if c.stored = true; c.isFloat {
		c.number = join(c.number, v.value(x))
	}
	v.changed = v.changed || *c != before
}

// leave joins the operands of an exit to those of others that lead to the same place.
func (v *visitor) leave(to *map[ir.Op][]number, op ir.Op) {
	if *to == nil {
		*to = make(map[ir.Op][]number)
	}
	target := ir.ExitTarget(op)
	joined, more := (*to)[target]
	if !more {
		joined = make([]number, op.NumOperands())
	}
	for i := range joined {
		x := op.Operand(i)
		switch _, ok := formatOf(x.Type()); {
		case !ok:
			if v.unsure[x] || v.guarded > 0 && more {
				joined[i].abs = 1 // it is unsure
			}
		case !more:
			joined[i] = v.value(x)
		case v.guarded > 0:
			joined[i] = either(joined[i], v.value(x))
		default:
			joined[i] = join(joined[i], v.value(x))
		}
	}
	(*to)[target] = joined
}

// put makes numbers those of values.
func (v *visitor) put(values []ir.Value, list []number) {
	for i, x := range values {
		if i >= len(list) {
			return
		}
		if _, ok := formatOf(x.Type()); ok {
			v.of[x] = list[i]
		} else {
			v.unsure[x] = list[i].abs > 0
		}
	}
}

func (v *visitor) get(values []ir.Value) []number {
	out := make([]number, len(values))
	for i, x := range values {
		if _, ok := formatOf(x.Type()); ok {
			out[i] = v.value(x)
		} else if v.unsure[x] {
			out[i].abs = 1
		}
	}
	return out
}

func joinAll(a, b []number) []number {
	if a == nil {
		return b
	}
	out := make([]number, len(a))
	for i := range a {
		out[i] = join(a[i], b[i])
	}
	return out
}

func equal(a, b []number) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (v *visitor) branch(op ir.Op) {
	unsure := v.unsure[op.Operand(0)]
	if unsure {
		v.guarded++
	}
	delete(v.exits, op)
	for i := range op.NumRegions() {
		if !op.Region(i).Empty() {
			v.block(op.Region(i).First())
		}
	}
	if unsure {
		v.guarded--
	}
	v.put(op.Results(), v.exits[op])
}

// loop executes iterations until nothing changes, or there are no more.
func (v *visitor) loop(op ir.Op) {
	first, least, most := 0, 0.0, math.Inf(1)
	if op.Is(cudatile.For) {
		first = 3
		lower, upper, step := v.ranges.Of(op.Operand(0)), v.ranges.Of(op.Operand(1)), v.ranges.Of(op.Operand(2))
		for i := range first {
			if v.unsure[op.Operand(i)] {
				v.fail(op, errors.New("rounding may decide how often the loop runs"))
			}
		}
		if step.SMin > 0 {
			most = max(0, math.Ceil((float64(upper.SMax)-float64(lower.SMin))/float64(step.SMin)))
			least = max(0, math.Ceil((float64(upper.SMin)-float64(lower.SMax))/float64(step.SMax)))
		}
	}
	args := op.Body().Args()
	args = args[len(args)-(op.NumOperands()-first):]
	now := v.get(op.Operands()[first:])
	var out []number
	if least == 0 && op.Is(cudatile.For) {
		out = now
	}
	for i := 0.0; i < most && v.err == nil; i++ {
		v.put(args, now)
		delete(v.exits, op)
		delete(v.breaks, op)
		v.block(op.Body())
		if b := v.breaks[op]; b != nil {
			out = joinAll(out, b)
		}
		next := v.exits[op]
		if next == nil {
			break
		}
		if op.Is(cudatile.For) && (i+1 >= least || equal(next, now)) {
			out = joinAll(out, next)
		}
		if equal(next, now) {
			break
		}
		now = next
	}
	v.put(op.Results(), out)
}

// aggregate combines elements one after the other: the errors of a sum in that order are the largest.
func (v *visitor) aggregate(op ir.Op) {
	args := op.Body().Args() // accumulator and element of each operand
	dim, _ := op.IntAttr("dim")
	length := op.Operand(0).Type().(*cudatile.TileType).Shape[dim]
	elements := v.get(op.Operands())
	now, all := elements, elements
	for i := int64(1); i < length && v.err == nil; i++ {
		for k := range elements {
			v.put(args[2*k:2*k+1], now[k:k+1])
			v.put(args[2*k+1:2*k+2], elements[k:k+1])
		}
		delete(v.exits, op)
		v.block(op.Body())
		next := v.exits[op]
		if v.err != nil || next == nil || equal(next, now) {
			break
		}
		now, all = next, joinAll(all, next)
	}
	if op.Is(cudatile.Scan) {
		now = all
	}
	v.put(op.Results(), now)
}
