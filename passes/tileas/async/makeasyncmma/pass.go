package makeasyncmma

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/analysis/hazards"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

var (
	numMMAs   = passes.NewStatistic("mmas", "asynchronous MMAs")
	numStored = passes.NewStatistic("stored", "MMA operands that threads store to shared memory")
)

// Pass is tileas-make-async-mma.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-make-async-mma",
	Formerly:    []string{"tileas-materialize-products"},
	Summary:     "lower dot to asynchronous MMA (wgmma, tcgen05)",
	Doc:         "Replaces each dot with an asynchronous instruction by a dot_async, which reads its operands from buffers, and a dot_wait after it.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned, tileasprop.InstructionsChosen},
	Establishes: []*passes.Property{tileasprop.Fenced},
	Destroys:    []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised, tileasprop.TMEMAllocated},
	Steps:       []passes.Step{{}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "MMAs read the buffers of copies in place"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-tile-mma-k", Reason: "it splits the MMAs that read operands from registers"},
		{Pass: "tileas-keep-mma-in-flight", Reason: "it removes or defers the waits created here"},
		{Pass: "tileas-schedule-loops", Reason: "it schedules asynchronous MMAs"},
		{Pass: "tileas-materialize-convert-layout", Reason: "an operand in a buffer needs no layout conversion"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numMMAs, numStored},
	Run:        run,
})

func run(r *passes.Run) error {
	dots := r.Op.Collect(func(op ir.Op) bool { return tileas.IsMMA(op) && instr.Async(op) })
	columns, _ := pressure.Columns(r.Op, instr.InTMEM)
	m := maker{buffers: make(map[stored]ir.Value), room: instr.NewOperandRoom(columns)}
	if err := ir.Try(dots, m.lower); err != nil {
		return err
	}
	if err := fence(r.Op); err != nil {
		return err
	}
	r.Add(numMMAs, len(dots))
	r.Add(numStored, m.count)
	return nil
}

// fence creates fences between what threads or copies write and the MMAs that read it: before a loop that writes none of
// it, or before the first of the MMAs.
func fence(fn ir.Op) error {
	known := buffers.Analyze(fn)
	fenced := make(map[ir.Op]bool) // loops; where a fence before one does not help, as in a role, there is no second
	for {
		found, wrong := hazards.Find(fn, known)
		if wrong != nil {
			return wrong
		}
		found = slices.DeleteFunc(found, func(h hazards.Hazard) bool { return !h.Unfenced })
		outside := slices.DeleteFunc(hazards.Outside(found), func(h hazards.Hazard) bool { return fenced[h.Before] })
		if len(outside) > 0 { // what is fenced before a loop leaves other conflicts in it
			found = outside
		}
		for _, h := range found {
			ir.BuilderBefore(h.Before).WithLoc(h.Op.Loc()).Create(tileas.FenceAsync, nil, nil)
			fenced[h.Before] = true
		}
		if len(outside) == 0 {
			return nil
		}
	}
}

// A stored is the key of a value in a buffer with a layout: two MMAs that read it so share the buffer.
type stored struct {
	v      ir.Value
	layout *tileas.SharedAttr
}

type maker struct {
	buffers map[stored]ir.Value
	room    *instr.OperandRoom
	count   int
}

// lower replaces an MMA by its start and a wait.
func (m *maker) lower(dot ir.Op) error {
	b := ir.BuilderBefore(dot).WithLoc(dot.Loc())
	operands := dot.Operands()[:2]
	for i := range operands {
		// A from registers needs no buffer, unless a copy has already brought it to one that the instruction can read.
		if instr.Side(dot, i) == 0 && instr.Passes(dot, i) && inPlace(dot, i).IsNil() {
			continue
		}
		// tcgen05.mma reads A from shared memory or TMEM (PTX ISA, tcgen05.mma).
		if i == 0 && m.toTMEM(dot) {
			operands[i] = source(operands[i])
			continue
		}
		var err error
		if operands[i], err = m.inShared(b, dot, i); err != nil {
			return err
		}
	}
	d := b.Create(tileas.DotAsync, append([]ir.Value{operands[0], operands[1], dot.Operand(2)}, mma.Scales(dot)...), dot.ResultTypes(), dot.InherentAttrs()...).Result(0)
	done := tileas.NewDotWait(b, 0, d)
	ab := dot.Operands()[:2]
	dot.ReplaceWith(done.Result(0))
	ir.EraseUnused(ab...)
	return nil
}

// inPlace returns the buffer that an operand is loaded from if the instruction can read it there; a zero Value if not.
func inPlace(dot ir.Op, i int) (buffer ir.Value) {
	if load := fullLoad(dot.Operand(i)); !load.IsNil() {
		// A matrix descriptor covers a few swizzled layouts only (PTX ISA, Matrix descriptor). Any other layout is stored
		// again.
		if _, err := instr.Describe(dot, i, load.Operand(0).Type().(*tileas.BufferType)); err == nil {
			return load.Operand(0)
		}
	}
	return buffer
}

// toTMEM reports whether A is stored to TMEM: threads hold it in the layout of tcgen05.st, and TMEM has room. An
// operand that no thread has computed comes from a buffer. One that is invariant in a loop is stored once before it.
func (m *maker) toTMEM(dot ir.Op) bool {
	v := source(dot.Operand(0))
	t := v.Type().(*ir.TensorType)
	return v.Block() == dot.Block() && fullLoad(v).IsNil() && instr.FromThreads(dot, t) && m.room.Take(t, 1)
}

// fullLoad returns the local_load of an entire buffer that a value comes from, perhaps through layout conversions; a
// zero Op if there is none.
func fullLoad(v ir.Value) ir.Op {
	def := source(v).DefiningOp()
	if !def.IsNil() && def.Is(tileas.LocalLoad) && def.Attr(tileas.AttrFrom) == nil {
		return def
	}
	return ir.Op{}
}

// source returns the value before any layout conversions.
func source(v ir.Value) ir.Value { return v.Through(tileas.ConvertLayout.Is) }

// inShared returns a buffer from which the instruction can read an operand.
func (m *maker) inShared(b *ir.Builder, dot ir.Op, i int) (ir.Value, error) {
	if buffer := inPlace(dot, i); !buffer.IsNil() {
		return buffer, nil
	}
	v := source(dot.Operand(i))
	t := v.Type().(*ir.TensorType)
	layout, err := m.layout(dot, i, v)
	if err != nil {
		return v, dot.Errorf("operand #%d has no place in shared memory: %v", i, err)
	}
	key := stored{v, tileas.SharedLayout(b.Context(), layout)}
	if buffer, ok := m.buffers[key]; ok { // its store dominates this MMA: it is next to the value, or before an earlier MMA of the block
		return buffer, nil
	}
	// A loop-invariant operand is stored once, before the loop. One that takes a register for each of its elements is stored
	// before the next is loaded.
	at := b
	if v.Block() != dot.Block() || pressure.Alone(v) {
		at = ir.BuilderAfterValue(v).WithLoc(dot.Loc())
	}
	buffer := tileas.Alloc(at, tileas.Buffer(b.Context(), t.Shape, t.Elem, key.layout), instr.Align)
	at.Create(tileas.LocalStore, []ir.Value{v, buffer}, nil)
	m.buffers[key] = buffer
	m.count++
	return buffer, nil
}

// layout returns the layout in which an operand is stored: of those that the instruction reads, the one that threads
// store to with the fewest shared-memory wavefronts, and of these with the fewest instructions.
func (m *maker) layout(dot ir.Op, i int, v ir.Value) (best linear.Shared, err error) {
	t := v.Type().(*ir.TensorType)
	rank, bits := len(t.Shape), 8*tile.ElementBytes(t.Elem)
	from, _ := tileas.LayoutOf(t)
	var least linear.Cost
	found, failed := false, error(nil)
	for _, together := range []int{rank - 1 - i, rank - 2 + i} { // contiguous along K, which every instruction reads, or along M or N
		layout, err := instr.BufferLayout(dot, i, together)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		_, cost, _ := linear.BestAccess(from, layout, bits, linear.AccessOptions{})
		if !found || cost.Compare(least) < 0 {
			best, least, found = layout, cost, true
		}
	}
	if !found {
		return best, failed
	}
	return best, nil
}
