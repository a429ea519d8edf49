package materializeproducts

import (
	"cmp"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

var (
	numProducts = passes.NewStatistic("products", "products that run beside the threads")
	numStored   = passes.NewStatistic("stored", "factors that threads store to shared memory for them")
)

// Pass is tileas-materialize-products.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-materialize-products",
	Title:       "TileASMaterializeProducts",
	Summary:     "start products that run beside the threads, and wait for them",
	Doc:         "Replaces products by instructions that run beside the threads by dot_async from buffers, and dot_wait behind it.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.LayoutsAssigned, property.InstructionsChosen},
	Establishes: []*passes.Property{property.Fenced},
	Destroys:    []*passes.Property{property.SharedAllocated, property.Synchronised, property.TensorAllocated},
	Steps:       []passes.Step{{}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "what copies have brought is read where it lies"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-cut-products", Reason: "it cuts those that threads load for"},
		{Pass: "tileas-defer-waits", Reason: "it defers the waits that this makes"},
		{Pass: "tileas-schedule-loops", Reason: "it decides what runs beside what"},
		{Pass: "tileas-materialize-convert-layout", Reason: "what is stored to a buffer need not be converted"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numProducts, numStored},
	Run:        run,
})

func run(r *passes.Run) error {
	var dots []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if tileas.IsProduct(op) && matrix.Async(op) {
			dots = append(dots, op)
		}
		return ir.Advance
	})
	m := maker{buffers: make(map[stored]ir.Value), room: matrix.NewFactorRoom(dots)}
	for _, op := range dots {
		if err := m.make(op); err != nil {
			return err
		}
	}
	r.Add(numProducts, len(dots))
	r.Add(numStored, m.count)
	if len(dots) == 0 {
		r.MarkUnchanged()
	}
	return nil
}

// A stored is a value in a buffer of a layout.
type stored struct {
	v      ir.Value
	layout *tileas.SharedAttr
}

type maker struct {
	buffers map[stored]ir.Value
	room    *matrix.FactorRoom
	count   int
}

// make starts a product and waits for it.
func (m *maker) make(dot ir.Op) error {
	b := ir.BuilderBefore(dot)
	b.Loc = dot.Loc()
	factors := dot.Operands()[:2]
	for i := range factors {
		if matrix.Side(dot, i) == 0 && matrix.Passes(dot, i) && described(dot, i).IsNil() {
			continue
		}
		if i == 0 && m.toTensorMemory(dot) {
			factors[i] = source(factors[i])
			continue
		}
		var err error
		if factors[i], err = m.inShared(b, dot, i); err != nil {
			return err
		}
	}
	if unfenced(dot) {
		b.Create(tileas.FenceAsync, nil, nil)
	}
	st := b.NewState(tileas.DotAsync, dot.Loc())
	st.Operands = append([]ir.Value{factors[0], factors[1], dot.Operand(2)}, matrix.Scales(dot)...)
	st.Types = dot.ResultTypes()
	st.Attrs = append(st.Attrs, dot.InherentAttrs()...)
	d := b.Insert(st).Result(0)
	done := b.Create(tileas.DotWait, []ir.Value{d}, []ir.Type{d.Type()}, ir.NamedAttr{Name: tileas.AttrPending, Value: b.Context().IntAttr(b.Context().Int(32), 0)})
	operands := dot.Operands()[:2]
	dot.ReplaceWith(done.Result(0))
	eraseUnused(operands[0])
	if operands[1] != operands[0] {
		eraseUnused(operands[1])
	}
	return nil
}

// described returns the buffer that a factor is loaded from, if the machine can read it from there itself; a zero Value if not.
func described(dot ir.Op, i int) (buffer ir.Value) {
	load := wholeLoad(dot.Operand(i))
	if load.IsNil() {
		return buffer
	}
	if _, err := matrix.Describe(dot, i, load.Operand(0).Type().(*tileas.BufferType)); err != nil {
		return buffer
	}
	return load.Operand(0)
}

// toTensorMemory reports whether threads have the factor A of a product as they can store it to tensor memory, which has room for it. What no thread has computed lies in a buffer, or will; what does not change in a loop is
// stored once in front of it.
func (m *maker) toTensorMemory(dot ir.Op) bool {
	v := source(dot.Operand(0))
	t := v.Type().(*ir.TensorType)
	return v.Block() == dot.Block() && wholeLoad(v).IsNil() && matrix.FromThreads(dot, t) && m.room.Take(t, 1)
}

// wholeLoad returns the load of all of a buffer that makes a value, perhaps in another layout; a zero Op if there is none.
func wholeLoad(v ir.Value) ir.Op {
	def := source(v).DefiningOp()
	if !def.IsNil() && def.Is(tileas.LocalLoad) && def.Attr(tileas.AttrFrom) == nil {
		return def
	}
	return ir.Op{}
}

// source returns the value that conversions of layouts have made another one of.
func source(v ir.Value) ir.Value {
	for def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.ConvertLayout); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	return v
}

// inShared returns a buffer that the machine can read a factor from.
func (m *maker) inShared(b *ir.Builder, dot ir.Op, i int) (ir.Value, error) {
	if buffer := described(dot, i); !buffer.IsNil() {
		return buffer, nil
	}
	v := source(dot.Operand(i))
	t := v.Type().(*ir.TensorType)
	layout, err := m.layout(dot, i, v)
	if err != nil {
		return v, dot.Errorf("operand #%d has no place in shared memory: %v", i, err)
	}
	key := stored{v, tileas.SharedLayout(b.Context(), layout)}
	if buffer, ok := m.buffers[key]; ok { // it stands where the value is made, or in front of an earlier product of the block
		return buffer, nil
	}
	// What does not change in a loop is stored in front of it.
	at := b
	if v.Block() != dot.Block() {
		if def := v.DefiningOp(); !def.IsNil() {
			at = ir.BuilderAfter(def)
		} else {
			at = ir.BuilderAtStart(v.Block())
		}
		at.Loc = dot.Loc()
	}
	buffer := tileas.Alloc(at, tileas.Buffer(b.Context(), t.Shape, t.Elem, key.layout), matrix.Align)
	at.Create(tileas.LocalStore, []ir.Value{v, buffer}, nil)
	m.buffers[key] = buffer
	m.count++
	return buffer, nil
}

// layout returns the layout in which a value is stored for a product: of those that the instruction can read, that which threads store to with the fewest passes through shared memory.
func (m *maker) layout(dot ir.Op, i int, v ir.Value) (best linear.Shared, err error) {
	t := v.Type().(*ir.TensorType)
	rank, bits := len(t.Shape), 8*tile.ElementBytes(t.Elem)
	from, _ := tileas.LayoutOf(t)
	least, failed := -1, error(nil)
	for _, together := range []int{rank - 1 - i, rank - 2 + i} { // along the depth, which every instruction takes, and along rows or columns
		layout, err := matrix.BufferLayout(dot, i, together)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		cost := 0
		if _, c, err := linear.BestAccess(from, layout, bits, linear.AccessOptions{}); err == nil {
			cost = c.Wavefronts
		}
		if least < 0 || cost < least {
			best, least = layout, cost
		}
	}
	if least < 0 {
		return best, failed
	}
	return best, nil
}

// unfenced reports whether threads or copies may have stored to shared memory since the last fence in front of a product.
func unfenced(dot ir.Op) bool {
	for op := dot.Prev(); !op.IsNil(); op = op.Prev() {
		switch {
		case op.Is(tileas.FenceAsync):
			return false
		case op.Is(tileas.LocalStore), op.Is(tileas.WaitGroup), op.NumRegions() > 0:
			return true
		}
	}
	return true
}

// eraseUnused erases what nothing uses any more of a chain of conversions and a load.
func eraseUnused(v ir.Value) {
	for def := v.DefiningOp(); !def.IsNil() && !v.HasUses() && (def.Is(tileas.ConvertLayout) || def.Is(tileas.LocalLoad)); def = v.DefiningOp() {
		v = def.Operand(0)
		def.Erase()
	}
}
