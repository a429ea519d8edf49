package price

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// A Model prices operations for a CTA.
type Model struct{ *cost.Model }

// NewModel returns the model of a CTA of so many warps.
func NewModel(arch *sm.Arch, warps int) *Model { return &Model{cost.NewModel(arch, warps)} }

// Of returns what an operation costs, with all that is inside it, each region once.
func (m *Model) Of(op ir.Op) cost.Timing {
	rule, special := rules[op.Def()]
	switch {
	case special:
		return rule(m, op)
	case op.NumRegions() > 0:
		return m.regions(op)
	}
	return m.elementwise(op)
}

// regions adds up what is inside an operation: how often a loop runs is not known, and once is the least, but for a
// loop of steps. Its iterations follow each other in the unit that is busiest, and what they read comes beside it.
func (m *Model) regions(op ir.Op) (t cost.Timing) {
	if trips, ok := tileas.StepLoop(op); ok {
		for inner := range op.Body().Ops() {
			u := m.Of(inner)
			t.Add(u, int(trips))
			t.Latency = max(t.Latency, u.Latency-u.Work())
		}
		t.Latency += t.Work()
		return t
	}
	for b := range op.Blocks() {
		for inner := range b.Ops() {
			u := m.Of(inner)
			t.Add(u, 1)
			t.Latency += u.Latency
		}
	}
	return t
}

var rules map[*ir.OpDef]func(*Model, ir.Op) cost.Timing

func init() {
	l := tileas.Level
	rules = map[*ir.OpDef]func(*Model, ir.Op) cost.Timing{
		l.Dot: (*Model).dot, l.DotScaled: (*Model).dot, tileas.DotAsync: (*Model).dotAsync, tileas.LocalLoad: (*Model).localLoad, tileas.LocalStore: (*Model).localStore, tileas.ConvertLayout: (*Model).convert,
		tileas.CopyAsync: (*Model).copyAsync, tileas.GatherAsync: (*Model).copyAsync, tileas.TMALoad: (*Model).tmaLoad, l.TiledLoad: (*Model).load, l.Load: (*Model).load, l.TiledStore: (*Model).store, l.Store: (*Model).store,
		l.AtomicRMW: (*Model).atomic, l.AtomicCAS: (*Model).atomic, l.TiledAtomic: (*Model).atomic, l.Reduce: (*Model).reduce, l.Scan: (*Model).reduce, l.Extract: (*Model).extract,
	}
	free := func(*Model, ir.Op) cost.Timing { return cost.Timing{} }
	for _, def := range []*ir.OpDef{tileas.AllocShared, tileas.DeallocShared, tileas.BufferReinterpret, tileas.BufferPermute, tileas.BufferSlice, tileas.CommitGroup, l.MakeToken, l.JoinTokens,
		l.Reshape, l.Permute, l.Broadcast, l.Splat, l.Unsplat, l.Yield, arith.NegF} {
		rules[def] = free // they name registers or places, and become no instruction; a sign is changed by the instruction that reads it
	}
	for _, def := range []*ir.OpDef{tileas.MbarrierExpect, tileas.MbarrierWait, tileas.WaitGroup, tileas.DotWait, tileas.FenceAsync, tileas.FenceGlobal} {
		rules[def] = func(m *Model, _ ir.Op) cost.Timing { return m.Issue(1) }
	}
	rules[tileas.Barrier] = func(m *Model, _ ir.Op) (t cost.Timing) {
		t = m.Issue(1)
		t.Busy[sm.UnitBarrier], t.Latency = 1, m.Memory.Barrier
		return t
	}
}

// registers returns how many elements of a value each thread has; 1 of a scalar.
func registers(v ir.Value) int {
	if l, ok := tileas.LayoutOf(v.Type()); ok {
		return l.Size(linear.Register)
	}
	return 1
}

func bits(v ir.Value) int { return 8 * tile.ElementBytes(ir.ElementType(v.Type())) }

// dot counts matrix instructions, or multiply-adds where no tensor core takes the types.
func (m *Model) dot(op ir.Op) (t cost.Timing) {
	attr := tileas.MMAOf(op)
	row, err := instr.RowOf(op)
	if attr == nil || err != nil {
		return m.elementwise(op)
	}
	if row.Family == sm.FMA {
		m.Class(&t, sm.F32Arith, registers(op.Result(0))*mma.KExtent(op))
		t.AtEnd()
		return t
	}
	pieces, err := instr.TileOf(op)
	timing, known := row.Timing(m.Arch, attr.N)
	if err != nil || !known {
		return m.elementwise(op)
	}
	n := pieces.Batch * pieces.M * pieces.N * pieces.K
	t.Busy[sm.UnitIssue] = n * m.PerPartition
	t.Busy[sm.UnitTensor] = n * timing.Issue * m.PerPartition
	t.Latency = t.Busy[sm.UnitTensor] + timing.Latency - timing.Issue
	return t
}

// shared returns what an access to a buffer costs: a pass through shared memory is of 128 bytes, and all warps share
// them.
func (m *Model) shared(l linear.Layout, buffer ir.Type) (t cost.Timing) {
	b, isBuffer := buffer.(*tileas.BufferType)
	if !isBuffer {
		return m.Issue(1)
	}
	_, c, err := linear.BestAccess(l, b.Layout.Shared, 8*int(b.ElementBytes()), linear.AccessOptions{Matrix: true})
	if err != nil {
		return m.Issue(l.Size(linear.Register))
	}
	t.Busy[sm.UnitIssue] = c.Instructions * m.PerPartition
	t.Busy[sm.UnitLSU] = c.Instructions * m.PerPartition
	t.Busy[sm.UnitShared] = c.Wavefronts * m.Warps
	t.Latency = m.Memory.Shared
	return t
}

// localLoad costs a share of what a load of the entire buffer costs, by the size of its part.
func (m *Model) localLoad(op ir.Op) (t cost.Timing) {
	l, ok := tileas.LayoutOf(op.Result(0).Type())
	part, err := tileas.PartOf(op, l)
	if !ok || err != nil {
		return m.Issue(1)
	}
	t = m.shared(part.Whole, op.Operand(0).Type())
	share := part.Whole.Size(linear.Register) / max(1, part.N)
	for u := range t.Busy {
		t.Busy[u] = (t.Busy[u] + share - 1) / share
	}
	return t
}

func (m *Model) localStore(op ir.Op) cost.Timing {
	l, _ := tileas.LayoutOf(op.Operand(0).Type())
	return m.shared(l, op.Operand(1).Type())
}

// convert is registers, shuffles, or a trip through shared memory with its two barriers.
func (m *Model) convert(op ir.Op) (t cost.Timing) {
	c, ok := tileas.ConversionOf(op)
	switch {
	case !ok || c.Class <= linear.RegisterMove:
		return t
	case !tileas.ThroughMemory(c, op.Result(0).Type(), tileas.MostShuffles):
		m.Class(&t, sm.Shuffle, (registers(op.Result(0))*bits(op.Result(0))+31)/32)
		return t
	}
	bytes := (registers(op.Operand(0)) + registers(op.Result(0))) * bits(op.Result(0)) / 8
	n := max(2, bytes/cost.VectorBytes)
	t.Busy[sm.UnitIssue] = n * m.PerPartition
	t.Busy[sm.UnitLSU] = n * m.PerPartition
	t.Busy[sm.UnitShared] = int(float64(bytes*sm.WarpSize*m.Warps)/m.Memory.SharedBytes) + 1
	t.Busy[sm.UnitBarrier] = 2
	t.Latency = t.Work() + 2*(m.Memory.Shared+m.Memory.Barrier)
	return t
}

// copyAsync is asynchronous: its latency is that of memory, and of its bytes on their way from the L2 cache.
func (m *Model) copyAsync(op ir.Op) (t cost.Timing) {
	b := op.Operand(0).Type().(*tileas.BufferType)
	var plan tileas.CopyPlan
	var why string
	if op.Is(tileas.GatherAsync) {
		plan, why = tileas.PlanGather(op, b)
	} else {
		plan, why = tileas.PlanCopy(tile.AccessOf(op), b, m.Warps)
	}
	n := 1
	if why == "" {
		n = len(plan.Chunks.Ops)
	}
	return m.Global(n, int(b.TileBytes()))
}

// tmaLoad is started by one thread, box by box; the machine makes addresses and looks at bounds. All warps of the loop
// issue what brings a box's operands to uniform registers.
func (m *Model) tmaLoad(op ir.Op) cost.Timing {
	boxes := len(tileas.TMABoxes(op).Places)
	t := m.CopyByMap(int(op.Operand(0).Type().(*tileas.BufferType).TileBytes()), boxes)
	t.Busy[sm.UnitIssue] = boxes * boxIssue * m.PerPartition
	return t
}

// boxIssue is how many instructions a warp issues for a box of a TMA load, counted in cubins of ptxas 13.5 for sm_90:
// the copy, and moves of the buffer's address, the mbarrier's, the map's and the coordinates to uniform registers.
const boxIssue = 10

func (m *Model) load(op ir.Op) cost.Timing { return m.access(op, op.Result(0)) }

// store is not waited for by anybody.
func (m *Model) store(op ir.Op) cost.Timing {
	t := m.access(op, op.OperandNamed("value"))
	t.Latency = 1
	return t
}

func (m *Model) access(op ir.Op, v ir.Value) cost.Timing {
	n, vector := registers(v), 1
	if a, ok := transfer.Accesses.Of(op); ok {
		vector = max(1, min(a(op).Vector, cost.VectorBytes*8/max(8, bits(v))))
	}
	return m.Global((n+vector-1)/vector, n*bits(v)/8*sm.WarpSize*m.Warps)
}

func (m *Model) atomic(op ir.Op) cost.Timing {
	n := registers(op.Result(0))
	return m.Global(n, n*bits(op.Result(0))/8*sm.WarpSize*m.Warps)
}

// reduce combines the elements of a thread, and then of lanes, each by a shuffle and what the region does.
func (m *Model) reduce(op ir.Op) (t cost.Timing) {
	inside := 0
	for b := range op.Region(0).Blocks() {
		for range b.Ops() {
			inside++
		}
	}
	inside = max(1, inside-1) // the terminator is nothing
	elements, results := registers(op.Operand(0)), registers(op.Result(0))
	if op.Is(tileas.Level.Scan) {
		results = elements
	}
	m.Class(&t, sm.F32Arith, elements*inside)
	const lanes = 5 // doublings within a warp
	m.Class(&t, sm.Shuffle, lanes*results*op.NumResults())
	t.AtEnd()
	return t
}

// dotAsync counts the instructions of an asynchronous MMA. A warp issues those of its group one after the other without
// waiting for any, and the tensor cores of the SM work on one at a time. They read operands in shared memory while they
// multiply, A once for each instruction along N and B once for each group of warps.
func (m *Model) dotAsync(op ir.Op) (t cost.Timing) {
	attr := tileas.MMAOf(op)
	row, err := instr.RowOf(op)
	if err != nil {
		return m.Issue(1)
	}
	timing, known := row.Timing(m.Arch, attr.N)
	if !known {
		return m.Issue(1)
	}
	n := 1 // instructions of all groups of warps
	sum, a := op.Operand(2).Type().(*ir.TensorType).Shape, tile.OperandType(op, 0).Shape
	r := len(sum)
	for _, d := range sum[:r-2] {
		n *= int(d)
	}
	rows, cols := int(sum[r-2]), int(sum[r-1])
	if attr.Transposed {
		rows, cols = cols, rows
	}
	for _, side := range [][2]int{{rows, attr.M}, {cols, attr.N}, {int(a[r-1]), attr.K}} {
		n *= (side[0] + side[1] - 1) / side[1]
	}
	groups := max(1, m.Warps/max(1, row.Warps))
	t.Busy[sm.UnitIssue] = (n + groups - 1) / groups * m.PerPartition
	t.Busy[sm.UnitTensor] = n * timing.Issue
	t.Busy[sm.UnitShared] = int(float64(n*m.operandBytes(op, attr)/max(1, row.CTAs)) / m.Memory.SharedBytes)
	t.Latency = t.Work() + timing.Latency - timing.Issue
	return t
}

// operandBytes returns what one instruction reads from shared memory, of all CTAs that do it.
func (m *Model) operandBytes(op ir.Op, attr *tileas.MMAAttr) (n int) {
	extents := [...]int{attr.M, attr.N}
	for i, v := range op.Operands()[:2] {
		if b, ok := v.Type().(*tileas.BufferType); ok {
			n += extents[instr.Side(op, i)] * attr.K / tile.PerElement(op) * int(b.ElementBytes())
		}
	}
	return n
}
